"""The yardstick of the door: a bare FastAPI route that does one Redis GET, nothing else."""

import asyncio
import tempfile
from pathlib import Path

import redis.asyncio as redis
import uvicorn
from fastapi import FastAPI, Response

from tiers.cag.server import EmbeddedServer


async def serve(port: int) -> None:
    """Serve ``GET /get`` on loopback until the process is ended."""
    with tempfile.TemporaryDirectory(prefix="trivium-bare-") as folder:
        server = await EmbeddedServer.start(Path(folder))
        client = redis.from_url(server.url)
        await client.set("key", b'{"answer":"' + b"x" * 4_000 + b'"}')
        app = FastAPI()

        @app.get("/get")
        async def get() -> Response:
            return Response(await client.get("key"), media_type="application/json")

        config = uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None, access_log=False)
        try:
            await uvicorn.Server(config).serve()
        finally:
            await client.aclose()
            await server.stop()


if __name__ == "__main__":
    import sys

    asyncio.run(serve(int(sys.argv[1])))
