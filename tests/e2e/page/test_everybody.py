"""The page: on a phone, in the dark, by keyboard, with a key; and its files."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
from playwright.async_api import Browser

from tests.e2e.page.world import IN_A_BROWSER, WHO, Visit, served, visiting
from trivium.app.keys import KeyFile, Keyring, Role
from trivium.app.service import Service

pytestmark = IN_A_BROWSER


# --- for everybody -------------------------------------------------------------------------------


async def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser, port: int):
    async with visiting(browser, port, viewport={"width": 360, "height": 640}) as visit:
        wide = "document.documentElement.scrollWidth"
        await visit.ask(WHO)
        widths = [await visit.page.evaluate(wide)]
        await visit.page.click("[aria-label='Bad answer']")
        widths.append(await visit.page.evaluate(wide))
        await visit.page.click(".answer .cite")
        widths.append(await visit.page.evaluate(wide))
        assert await visit.page.evaluate("document.getElementById('main').inert")
        await visit.page.click("#close-panel")
        for view in ("Graph", "Risk"):
            await visit.page.click(f"#views >> text={view}")
            widths.append(await visit.page.evaluate(wide))

        assert widths == [360] * 5


async def test_the_dark_is_dark_and_nothing_moves_where_that_is_wished(browser: Browser, port: int):
    style = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    moving = "getComputedStyle(document.querySelector('.answer')).animationName"
    how = {"color_scheme": "dark", "reduced_motion": "reduce"}
    async with visiting(browser, port, **how) as visit:
        await visit.ask(WHO)

        assert max(await visit.page.evaluate(style)) < 50
        assert await visit.page.evaluate(moving) == "none"
    async with visiting(browser, port, color_scheme="light") as visit:
        assert min(await visit.page.evaluate(style)) > 200


async def test_everything_that_can_be_pressed_has_a_name(visit: Visit):
    await visit.ask(WHO)
    await visit.page.click("text=How this was answered")

    nameless = await visit.page.locator("button, a, input, textarea").evaluate_all(
        """all => all.filter(one => one.checkVisibility()
            && !(one.ariaLabel || one.innerText || one.labels?.length)).map(one => one.outerHTML)"""
    )
    assert nameless == []


async def test_by_the_keyboard_alone_an_answer_is_had_and_checked(visit: Visit):
    await visit.page.keyboard.type(WHO)
    await visit.page.keyboard.press("Enter")
    await visit.page.wait_for_selector('.answer[aria-busy="false"] .cite')
    for _ in range(20):
        await visit.page.keyboard.press("Shift+Tab")
        if await visit.page.evaluate("document.activeElement.classList.contains('cite')"):
            break
    await visit.page.keyboard.press("Enter")

    assert await visit.page.is_visible("#panel")


# --- keys ----------------------------------------------------------------------------------------


@asynccontextmanager
async def with_keys(service: Service, folder: Path) -> AsyncIterator[tuple[int, str]]:
    file = KeyFile(folder / "keys.json")
    key = file.add("ann", Role.ASKER, tenant="default", created="2026-08-01T12:00:00+00:00")
    async with served(replace(service, keys=Keyring(file))) as port:
        yield port, key


async def test_where_there_are_keys_one_is_asked_for_and_kept_for_the_tab(
    browser: Browser, service: Service, tmp_path: Path
):
    async with with_keys(service, tmp_path) as (port, key), visiting(browser, port) as visit:
        await visit.page.wait_for_selector("#key-dialog[open]")
        await visit.page.fill("#key", "trv_wrong")
        await visit.page.keyboard.press("Enter")
        await visit.ask(WHO)
        refused = await visit.text(".answer .notice")
        await visit.page.fill("#key", key)
        await visit.page.keyboard.press("Enter")
        await visit.ask(WHO)
        visit.faults = [fault for fault in visit.faults if "status of 403" not in fault]

        assert "not known here" in refused
        assert "Tembo" in await visit.text(".answer:last-child .prose")
        assert await visit.page.evaluate("[sessionStorage.length, localStorage.length]") == [1, 0]
        await visit.page.click("#views >> text=Graph")
        await visit.page.wait_for_selector("text=This needs the role admin")
        visit.faults = [fault for fault in visit.faults if "status of 403" not in fault]


# --- the files -----------------------------------------------------------------------------------


async def test_the_files_are_open_small_and_let_nothing_in(port: int):
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as door:
        page = await door.get("/")
        again = await door.get("/", headers={"if-none-match": page.headers["etag"]})
        script = await door.get("/page/page.js")

    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert again.status_code == 304
    assert script.headers["content-type"].startswith("text/javascript")
