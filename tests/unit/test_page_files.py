"""The files of the page: few, small, and with nothing of anywhere else."""

import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from trivium.app import problems, showing

FOLDER = Path(showing.__file__).parent / "page"
OWN = sorted(path for path in FOLDER.iterdir() if path.is_file())
ALL = {
    path.relative_to(FOLDER).as_posix(): path.read_bytes()
    for path in sorted(FOLDER.rglob("*"))
    if path.is_file()
}
_SVG = "http://www.w3.org/2000/svg"


def app() -> FastAPI:
    made = FastAPI()
    made.include_router(showing.routes)
    problems.install(made)
    return made


async def got(path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app())
    async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
        return await client.get(path)


@pytest.mark.parametrize("name", ALL)
async def test_every_file_is_served(name: str):
    response = await got(f"/page/{name}")

    assert response.status_code == 200
    assert response.content == ALL[name]
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing.js",
        "../access.py",
        "..%2faccess.py",
        "%2e%2e/access.py",
        "vendor",
        "/etc/hosts",
    ],
)
async def test_nothing_else_is(name: str):
    assert (await got(f"/page/{name}")).status_code == 404


def test_they_are_small():
    assert sum(map(len, ALL.values())) < 1 << 20
    assert [path.name for path in OWN if len(path.read_text().splitlines()) > 300] == []


def test_nothing_of_ours_makes_markup_of_text_or_names_another_place():
    ours = {path.name: path.read_text().replace(_SVG, "") for path in OWN}
    made = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|DOMParser")

    assert [name for name, text in ours.items() if made.search(text)] == []
    assert [name for name, text in ours.items() if re.search(r"""["'(]https?://\w""", text)] == []


def test_what_is_not_ours_has_its_licence_beside_it():
    assert "Permission is hereby granted" in (FOLDER / "vendor/cytoscape.LICENSE.txt").read_text()
