"""The page at `/`, in a real Chromium: what a person sees, presses and is told."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.e2e.conftest import settings_for
from tests.e2e.page_world import (
    HOSTILE,
    Visit,
    browsing,
    chromium,
    served,
    visiting,
    write_world,
)
from trivium.app.bootstrap import open_service
from trivium.app.keys import KeyFile, Keyring, Role
from trivium.app.service import Service
from trivium.knowledge.dataset import read_dataset

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        chromium() is None,
        reason="no Chromium on this machine: apt-get install chromium brings one",
    ),
]

WHO = "Which animals does Amelia Stone feed?"
FED = "When are polar bears fed?"
HEAVY = "What is the weight of Tembo?"
ANSWER: dict[str, Any] = {
    "id": "ans_1",
    "cache": {"hit": False},
    "status": "answered",
    "reason": None,
    "candidates": [],
    "answer": "| a | b |\n|---|---|\n| 1 | **2** |\n\nSo it is. [1]",
    "result": {"kind": "none"},
    "route": {
        "tiers": ["rag"],
        "parts": {"rag": "?"},
        "probabilities": {"cag": 0.1, "rag": 0.9, "graph": 0.2},
        "decided_by": "rule",
        "model_version": "v",
        "reasons": ["it says so"],
    },
    "citations": [{"marker": 1, "tier": "rag", "source": "d", "title": "Rules", "passage": "So."}],
    "evidence": {},
    "conflicts": [],
    "freshness": [],
    "degraded": [],
    "timings_ms": {"route": 1.0},
}


def events(*told: tuple[str, object]) -> str:
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in told)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(
    tmp_path_factory: pytest.TempPathFactory, encoder_dir: Path
) -> AsyncIterator[Service]:
    folder = tmp_path_factory.mktemp("page")
    dataset = read_dataset(write_world(folder / "data"))
    async with open_service(settings_for(folder / "home", encoder_dir)) as opened:
        await opened.knowledge.load(dataset)
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def port(service: Service) -> AsyncIterator[int]:
    async with served(service) as found:
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def visit(browser: Browser, port: int) -> AsyncIterator[Visit]:
    async with visiting(browser, port) as opened:
        yield opened


# --- asking and checking -------------------------------------------------------------------------


async def test_an_answer_shows_its_route_and_reasons(visit: Visit):
    await visit.ask(WHO)
    await visit.page.focus(".answer .badge")

    assert "Tembo" in await visit.text(".answer .prose")
    assert await visit.text(".answer .badge") == "Graph"
    assert "names Amelia Stone" in await visit.text(".answer .why")


async def test_a_graph_citation_opens_the_subgraph_and_gives_the_focus_back(visit: Visit):
    await visit.ask(WHO)
    await visit.page.focus(".answer .cite")
    await visit.page.keyboard.press("Enter")
    await visit.page.wait_for_selector(".drawn-graph canvas")
    opened = await visit.text("#panel")
    heading = await visit.page.evaluate("document.activeElement.id")
    await visit.page.keyboard.press("Escape")

    assert "Amelia Stone (K-1) feeds → Tembo (A-1)" in opened
    assert heading == "panel-title"
    assert not await visit.page.is_visible("#panel")
    assert await visit.page.evaluate("document.activeElement.classList.contains('cite')")


async def test_a_document_citation_opens_the_passage_with_what_was_taken_marked(visit: Visit):
    await visit.page.click("#tiers >> text=Documents")
    await visit.ask(FED)
    await visit.page.click(".answer .cite >> nth=0")

    assert "half past two" in await visit.text("#panel mark")
    assert "House rules > Feeding" in await visit.text("#panel dl")
    assert "2026-01-10" in await visit.text("#panel dl")


async def test_a_fact_citation_opens_the_value_with_its_day(visit: Visit):
    await visit.ask(HEAVY)
    await visit.page.click(".answer .cite")

    assert "4100" in await visit.text("#panel .value")
    assert "2026-08-01" in await visit.text("#panel dl")


async def test_how_it_was_answered_has_words_plan_and_cypher(visit: Visit):
    await visit.ask(WHO)
    await visit.page.click("text=How this was answered")

    panel = await visit.text("#panel")
    assert "entity: Amelia Stone (K-1)" in panel
    assert "– feeds →" in panel
    assert "MATCH" in await visit.text("#panel .step pre >> nth=-1")
    assert "nothing cut" in panel


async def test_what_was_said_before_day_and_tiers_go_with_the_next_question(visit: Visit):
    await visit.ask(WHO)
    await visit.page.fill("#as-of", "2025-01-01")
    await visit.page.click("#tiers >> text=Graph")
    await visit.ask("And Bruno Falk?")

    first, second = visit.asked
    assert first == {"question": WHO}
    assert second["as_of"] == "2025-01-01"
    assert second["tiers"] == ["graph"]
    assert [turn["role"] for turn in second["history"]] == ["user", "assistant"]
    assert "Nanuk" in await visit.text(".answer:last-child .prose")


async def test_a_new_chat_has_no_history(visit: Visit):
    await visit.ask(WHO)
    await visit.page.click("#new-chat")
    await visit.ask(FED)

    assert visit.asked[-1] == {"question": FED}
    assert await visit.page.locator(".answer").count() == 1


async def test_a_rating_down_is_kept_with_its_reason(visit: Visit, service: Service):
    await visit.ask(WHO)
    await visit.page.click("[aria-label='Bad answer']")
    await visit.page.check("[value=wrong_tier]")
    await visit.page.check(".rating [value=rag]")
    await visit.page.fill(".rating textarea", "Ask the rules.")
    await visit.page.click(".rating >> text=Send")
    await visit.page.wait_for_selector("text=Thank you")
    await visit.page.click("text=How this was answered")

    (rating,) = await service.ratings.of(await visit.text("#panel code >> nth=-1"), "default")
    assert (rating.thumb, rating.reason) == ("down", "wrong_tier")
    assert (rating.tiers, rating.comment) == (("rag",), "Ask the rules.")


# --- what nobody means well ----------------------------------------------------------------------


@pytest.mark.parametrize("question", ["What is the species of Zorro?", "Who feeds Zorro?"])
async def test_a_hostile_name_is_text(visit: Visit, question: str):
    await visit.ask(question)
    await visit.page.click(".answer .cite")
    await visit.page.wait_for_selector("#panel")

    assert HOSTILE in await visit.text(".answer")
    assert await visit.page.locator("main img, #panel img").count() == 0


async def test_a_hostile_document_is_text(visit: Visit):
    await visit.ask("What does the cleaning document say about how hooves are scrubbed?")
    await visit.page.click(".answer .cite >> nth=0")

    assert "<script>alert(2)</script>" in await visit.text("#panel")
    assert await visit.page.locator("#panel a, .prose a, #panel script, main img").count() == 0


async def test_markup_in_an_answer_and_in_a_question_is_text(visit: Visit):
    answer = f"{HOSTILE} [a](javascript:alert(4)) [b](https://example.org/?q=<b>) `{HOSTILE}`"
    await visit.told("application/json", json.dumps({**ANSWER, "answer": answer}))
    await visit.ask(HOSTILE)

    links = await visit.page.locator(".prose a").evaluate_all("all => all.map(one => one.href)")
    assert links == ["https://example.org/?q=%3Cb%3E"]
    assert HOSTILE in await visit.text(".asked")
    assert await visit.page.locator("main img").count() == 0


async def test_names_of_the_graph_are_text(visit: Visit):
    await visit.page.click("#views >> text=Graph")
    await visit.page.wait_for_selector("#canvas canvas")
    await visit.page.fill("#find", "A-4")
    await visit.page.press("#find", "Enter")
    await visit.page.wait_for_selector("#panel h2")

    assert HOSTILE in await visit.text("#panel-title")


# --- as it comes ---------------------------------------------------------------------------------


async def test_a_stream_ends_as_the_whole_answer(visit: Visit):
    told = [("route", ANSWER["route"]), ("source", ANSWER["citations"][0])]
    deltas = [("delta", {"text": text}) for text in ("So ", "it is.")]
    body = ": heartbeat\n\n" + events(*told, *deltas, ("answer", ANSWER), ("done", {}))
    await visit.told("text/event-stream", body)
    await visit.ask("?")

    assert await visit.text(".prose td >> nth=1") == "2"
    assert await visit.text(".answer .cite") == "1"
    assert "it says so" in await visit.page.text_content(".answer .why")  # type: ignore[operator]  # it is there


async def test_a_stream_that_breaks_off_is_told_and_can_be_asked_again(visit: Visit):
    await visit.told("text/event-stream", events(("delta", {"text": "So "})))
    await visit.ask("?")
    broken = await visit.text(".answer .notice")
    await visit.told("application/json", json.dumps(ANSWER))
    await visit.page.click("button:text('Ask again')")
    await visit.page.wait_for_selector(".answer:last-child .cite")

    assert "broke off" in broken
    assert "history" not in visit.asked[-1]


async def test_an_error_in_a_stream_is_told(visit: Visit):
    await visit.told(
        "text/event-stream", events(("error", {"status": 503, "detail": "It is full."}))
    )
    await visit.ask("?")

    assert "It is full." in await visit.text(".answer .notice")


async def test_notices_say_what_is_missing_and_what_was_superseded(visit: Visit):
    conflict = {"current": {"title": "New"}, "superseded": {"title": "Old"}, "why": "it replaces"}
    more = {
        "status": "partial",
        "degraded": [{"tier": "rag", "reason": "It does not answer."}],
        "conflicts": [conflict],
        "freshness": [{"source": "d", "as_of": "2026-01-02", "kind": "batch"}],
    }
    await visit.told("application/json", json.dumps({**ANSWER, **more}))
    await visit.ask("?")
    await visit.page.click(".answer summary")

    shown = await visit.text(".answer")
    for text in ("Part of an answer", "Documents: It does not answer.", "Old", "as of 2026-01-02"):
        assert text in shown


async def test_a_candidate_is_chosen_by_a_button(visit: Visit):
    candidate = {"id": "A-1", "type": "Animal", "name": "Tembo"}
    more = {"status": "abstained", "reason": "ambiguous", "candidates": [candidate]}
    await visit.told("application/json", json.dumps({**ANSWER, **more}))
    await visit.ask("Who feeds it?")
    await visit.page.click(".choice")
    await visit.page.wait_for_selector(".answer:last-child .choice")

    assert visit.asked[-1]["question"] == "Tembo (A-1)"
    assert visit.asked[-1]["history"][0]["content"] == "Who feeds it?"


# --- the graph and risk --------------------------------------------------------------------------


async def test_the_graph_counts_what_holds_and_lights_the_last_answer(visit: Visit):
    await visit.ask(WHO)
    await visit.page.click("#views >> text=Graph")
    await visit.page.wait_for_selector("#canvas canvas")

    assert (await visit.text("#graph-note")).startswith("10 entities, 9 relations")
    assert "animal 4" in " ".join((await visit.text("#legend")).split())


async def test_risk_is_a_grid_of_entities_and_open_events(visit: Visit):
    await visit.page.click("#views >> text=Risk")
    await visit.page.wait_for_selector(".heat")

    assert await visit.page.locator(".heat thead th").all_inner_texts() == [
        "At risk",
        "Sum",
        "Big gale",
    ]
    assert "Savannah Hall" in await visit.text(".heat tbody")
    assert "Ice Cave" not in await visit.text(".heat tbody")

    await visit.page.click(".heat >> text=Savannah Hall")
    await visit.page.wait_for_selector("#panel h2")
    assert await visit.text("#panel-title") == "Savannah Hall"


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
