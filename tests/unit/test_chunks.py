"""Documents cut into chunks and sentences."""

from hypothesis import given
from hypothesis import strategies as st

from tiers.rag.chunks import MAX_WORDS, chunks
from tiers.rag.markdown import BlockKind, blocks
from tiers.rag.sentences import sentences

LINES = st.sampled_from(
    [
        "# Title",
        "## Part",
        "### Detail #",
        "",
        "  ",
        "A sentence. Another one, of Dr. Lee!",
        "- item one",
        "  and its second line",
        "12. numbered item. With more.",
        "| a | b |",
        "|---|---|",
        "```",
        "**Lead.** What follows it.",
        "word " * 300,
        "one. " * 260,
        "#no heading",
        "\u00a0\u2003 odd spaces \u2028 and lines",
    ]
)
TEXTS = st.one_of(st.text(), st.lists(LINES, max_size=30).map("\n".join))


@given(TEXTS)
def test_every_chunk_is_where_it_says_and_small_enough(text):
    last = 0
    for position, chunk in enumerate(chunks(text)):
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.position == position
        assert chunk.start >= last
        assert chunk.text.strip()
        assert len(chunk.text.split()) <= MAX_WORDS
        last = chunk.end


@given(TEXTS)
def test_no_word_outside_the_headings_is_lost(text):
    kept = "".join(chunk.text for chunk in chunks(text))
    found = list(blocks(text))
    body = [b for b in found if b.kind is not BlockKind.HEADING] or found
    assert "".join(kept.split()) == "".join("".join(text[b.start : b.end] for b in body).split())


@given(TEXTS)
def test_every_sentence_is_where_it_says(text):
    last = 0
    for sentence in sentences(text):
        assert sentence.text == text[sentence.start : sentence.end]
        assert sentence.text.strip()
        assert sentence.start >= last
        last = sentence.end


def test_a_chunk_carries_the_path_of_its_headings():
    text = "# A\nintro\n## B\none\n### C\ntwo\n## D\nthree"
    assert [(c.heading, c.text) for c in chunks(text)] == [
        ("A", "intro"),
        ("A > B", "one"),
        ("A > B > C", "two"),
        ("A > D", "three"),
    ]


def test_a_list_and_a_table_stay_whole_past_the_target():
    rows = "\n".join(f"| row {i} | three more words |" for i in range(30))
    items = "\n".join(f"- item {i} with some words" for i in range(30))
    assert [c.text for c in chunks(f"# H\n{rows}\n\n{items}\n")] == [rows, items]


def test_a_long_list_is_cut_between_its_items():
    items = "\n".join(f"- item {i} with some words" for i in range(100))
    cut = chunks(items)
    assert len(cut) > 1
    assert all(chunk.text.startswith("- item") for chunk in cut)


def test_a_long_paragraph_is_cut_between_its_sentences():
    text = " ".join(f"This is sentence number {i} of a paragraph." for i in range(60))
    assert all(c.text.startswith("This is") and c.text.endswith(".") for c in chunks(text))


def test_short_paragraphs_share_a_chunk():
    assert [c.text for c in chunks("# H\n\none\n\ntwo\n\nthree")] == ["one\n\ntwo\n\nthree"]


def test_blank_text_has_no_chunk_and_headings_alone_have_one_each():
    assert chunks(" \n\n") == ()
    assert [c.text for c in chunks("# A\n# B")] == ["# A", "# B"]


def test_a_comment_in_code_is_no_heading():
    (chunk,) = chunks("# H\n```\n# not a heading\n```")
    assert chunk.heading == "H"


def test_abbreviations_numbers_and_initials_end_no_sentence():
    text = (
        "Mr. Smith of Acme Inc. paid 3.5 per cent, e.g. in J. Doe's case. It was due on 5 May. "
        "The U.S. plant is closed. See Fig. 3 for more."
    )
    assert [s.text for s in sentences(text)] == [
        "Mr. Smith of Acme Inc. paid 3.5 per cent, e.g. in J. Doe's case.",
        "It was due on 5 May.",
        "The U.S. plant is closed.",
        "See Fig. 3 for more.",
    ]


def test_a_numbered_clause_keeps_its_number():
    text = "14.1 War is force majeure.\n\n14.2 A flood is not. It must pass 4.2 metres first."
    assert [s.text for s in sentences(text)] == [
        "14.1 War is force majeure.",
        "14.2 A flood is not.",
        "It must pass 4.2 metres first.",
    ]


def test_a_fragment_joins_its_neighbour():
    assert [s.text for s in sentences("1. **Count.** The first thing is a count of parts.")] == [
        "1. **Count.** The first thing is a count of parts."
    ]
    assert [s.text for s in sentences("The paper was read by all. **Approved.**")] == [
        "The paper was read by all. **Approved.**"
    ]


def test_a_sentence_knows_what_introduces_it():
    text = "**Cause.** A pump broke. It was very old.\n\nWe ask for:\n- a new pump for the site\n"
    assert [(s.text, s.lead, s.is_first) for s in sentences(text)] == [
        ("**Cause.** A pump broke.", "Cause.", True),
        ("It was very old.", "Cause.", False),
        ("We ask for:", "", True),
        ("a new pump for the site", "We ask for:", True),
    ]


def test_a_table_gives_its_rows_with_the_head_as_lead():
    text = "| Event | Step |\n|---|---|\n| Flood | move the dies |"
    assert [(s.text, s.lead) for s in sentences(text)] == [
        ("| Flood | move the dies |", "| Event | Step |")
    ]


def test_code_is_one_piece_led_by_the_line_above_it():
    text = "Restart the service with:\n```\nrun stop\nrun start\n```\n"
    assert [(s.text, s.lead) for s in sentences(text)] == [
        ("Restart the service with:", ""),
        ("```\nrun stop\nrun start\n```", "Restart the service with:"),
    ]


def test_a_row_is_told_under_the_head_of_its_table():
    text = "| Part | Life |  |\n|:---|---|---|\n| Seal \\| ring | 36 months | |\n| Gasket | | ask |"
    assert [s.told for s in sentences(text)] == [
        "Part: Seal | ring; Life: 36 months.",
        "Part: Gasket; ask.",
    ]


def test_a_table_without_a_rule_has_no_head():
    assert [s.told for s in sentences("| Seal | 36 |\n| Gasket | 24 |")] == [
        "Seal; 36.",
        "Gasket; 24.",
    ]


def test_a_chunk_that_goes_on_with_a_table_knows_its_head():
    rows = "\n".join(f"| row {i} | three more words |" for i in range(90))
    first, *others = chunks(f"| Name | Words |\n|---|---|\n{rows}")
    assert first.head == ""
    assert {chunk.head for chunk in others} == {"| Name | Words |"}
    (told, *_) = (s.told for s in sentences(others[0].text, others[0].head))
    assert told.startswith("Name: row")


def test_short_forms_and_days_end_no_sentence():
    text = (
        "A garage is 22 euros (incl. VAT). It is open Mon. to Fri. 08:00 to 15:00. "
        "Ask them in the lab. Somebody is always there."
    )
    assert [s.text for s in sentences(text)] == [
        "A garage is 22 euros (incl. VAT).",
        "It is open Mon. to Fri. 08:00 to 15:00.",
        "Ask them in the lab.",
        "Somebody is always there.",
    ]
