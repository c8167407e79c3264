"""A load of thousands of rows, killed in its middle: the next start is consistent."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.conftest import SEED, SOAK
from tests.crash.server import Server, serving
from tests.crash.versions import every_tier_says, version_of, write_version

N_ROWS = 3000
N_KILLS = min(SOAK, 30)


@pytest.mark.slow
async def test_a_load_that_was_cut_short_can_be_repeated(tmp_path: Path, encoder_dir: Path):
    rng, home, data = Random(SEED), tmp_path / "home", tmp_path / "data"
    print(f"\n{N_KILLS} kills in a load, TRIVIUM_SEED={SEED}")
    async with serving(home, load=write_version(data, 0)) as server:
        usual_s = server.ready_s
    for version in range(1, N_KILLS + 1):
        place = write_version(data, version, n_more=N_ROWS)
        before = version - 1
        await kill_in_a_load(home, place, rng.uniform(0.5, 2) * usual_s)
        async with serving(home) as server, server.client() as client:
            found = await version_of(home, data)
            assert found in {before, version}
            await every_tier_says(client, found)
        async with serving(home, load=place) as server, server.client() as client:
            assert await version_of(home, data) == version
            await every_tier_says(client, version)


async def kill_in_a_load(home: Path, place: Path, after_s: float) -> None:
    server = await Server.launch(home, load=place)
    try:
        async with asyncio.timeout(after_s):
            await server.ready()
    except TimeoutError:
        pass
    finally:
        await server.kill()
