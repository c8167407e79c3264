"""The page: what a person asks, opens, rates and looks at."""

from tests.e2e.page.world import FED, HEAVY, IN_A_BROWSER, WHO, Visit
from trivium.app.service import Service

pytestmark = IN_A_BROWSER


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
