"""The page: whatever the door and the knowledge tell is shown as it is meant, and runs nothing."""

import json
from typing import Any

import pytest

from tests.e2e.page.world import HOSTILE, IN_A_BROWSER, Visit

pytestmark = IN_A_BROWSER

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


# --- what nobody means well ----------------------------------------------------------------------


@pytest.mark.parametrize("question", ["What is the species of Zorro?", "Who feeds Zorro?"])
async def test_a_hostile_name_is_text(visit: Visit, question: str):
    await visit.ask(question)
    await visit.page.click(".answer .cite")
    await visit.page.wait_for_selector("#panel")

    assert HOSTILE.replace("<", "< ") in await visit.text(".answer")
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


MARKDOWN = {
    "the lead_time_days of a_b": "<p>the lead_time_days of a_b</p>",
    "2 * 3 * 4 and **open": "<p>2 * 3 * 4 and **open</p>",
    "**a *b* c**": "<p><strong>a <em>b</em> c</strong></p>",
    "\\*a\\*": "<p>*a*</p>",
    "`<b>` [9] [x](javascript:1)": "<p><code>&lt;b&gt;</code> [9] [x](javascript:1)</p>",
    "Two:\n- a\n  - b\n- c": "<p>Two:</p><ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    "3. a\n4. b": '<ol start="3"><li>a</li><li>b</li></ol>',
    "# A\n> b": "<h3>A</h3><blockquote><p>b</p></blockquote>",
    "```\n<i>\n": "<pre><code>&lt;i&gt;\n</code></pre>",
}
_RENDERED = """async (text) => {
    const { markdown } = await import("/page/markdown.js");
    const holder = document.createElement("div");
    holder.append(markdown(text));
    return holder.innerHTML;
}"""


async def test_markdown_is_shown_as_it_is_meant(visit: Visit):
    shown = {text: await visit.page.evaluate(_RENDERED, text) for text in MARKDOWN}

    assert shown == MARKDOWN


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
