"""Text into tokens: the one way in which words are cut, folded and stemmed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.language.text import (
    fold,
    is_participle,
    is_word,
    spoken,
    stem,
    stems,
    tokenize,
    visible,
)

any_text = st.text(max_size=60)


def words(text: str) -> list[str]:
    return [t.lower for t in tokenize(text) if is_word(t)]


# --- visible text --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "blank", ["", "\u200b", "\u2060\ufeff", "\u200e\u202e", "\x00\x07", "\xad"]
)
def test_invisible_characters_are_nothing(blank: str):
    """R08."""
    assert visible(blank) == ""
    assert visible(f"a{blank}b") == "ab"


@pytest.mark.parametrize("mark", ["\n", "\t", "\r", "\x0b", "\x0c", "\u2028", "\u2029"])
def test_line_breaks_and_tabs_part_words(mark: str):
    assert visible(f"a{mark}b") == "a b"


def test_what_can_be_seen_stays():
    text = "O'Hara's \"Best\" Bolts \\ Co – ½ №5 供应商 🛩 e^x"
    assert visible(text) == text
    assert visible("Cafe\u0301") == "Café"


@given(any_text)
def test_visible_text_is_composed_and_stays_as_it_is(text: str):
    once = visible(text)
    assert visible(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not any(unicodedata.category(c) in {"Cf", "Cc", "Zl", "Zp"} for c in once)


# --- folding -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("TechChip Inc", "techchip  inc "),
        ("Straße", "STRASSE"),
        ("ＡＢＣ", "abc"),
        ("Cafe\u0301", "CAFÉ"),
        ("ﬁre", "Fire"),
        ("a\u00a0b", "a b"),
    ],
)
def test_folding_looks_past_case_width_form_and_space(a: str, b: str):
    assert fold(a) == fold(b)


@pytest.mark.parametrize(("a", "b"), [("café", "cafe"), ("a b", "ab"), ("V-9", "V 9")])
def test_folding_keeps_accents_marks_and_gaps(a: str, b: str):
    assert fold(a) != fold(b)


@given(any_text)
def test_composed_and_decomposed_text_fold_alike(text: str):
    assert fold(unicodedata.normalize("NFC", text)) == fold(unicodedata.normalize("NFD", text))


# --- stems ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "forms",
    [
        ("supply", "supplies", "supplied", "supplying"),
        ("factory", "factories"),
        ("deliver", "delivers", "delivered", "delivering"),
        ("teach", "taught", "teaches"),
        ("institution", "institutions"),
        ("010", "10", "0010"),
        ("1500", "1,500"),
        ("1500000", "1,500,000"),
    ],
)
def test_forms_of_one_word_have_one_stem(forms: tuple[str, ...]):
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("a", "b"),
    [("café", "cafe"), ("3", "3.224.4"), ("100", "10"), ("1,5", "15"), ("3.5", "35"),
     ("1,500", "1,5"), ("0", "00.1"), ("12,34", "1234")],
)  # fmt: skip
def test_other_words_and_numbers_have_other_stems(a: str, b: str):
    """G13: digits are the same or they are not."""
    assert stem(a) != stem(b)


@pytest.mark.parametrize(
    ("word", "is_one"), [("supplied", True), ("held", True), ("given", True), ("supply", False),
                         ("bed", False), ("", False)],
)  # fmt: skip
def test_a_past_participle_is_told_by_its_form(word: str, is_one):
    assert is_participle(word) is is_one


def test_zero_has_a_stem():
    assert stem("0") == stem("000") == "0"


# --- tokens --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Jordan's CMP-010?", ["jordan", "cmp", "-", "010", "?"]),
        ("Jordan’s and the Joneses'", ["jordan", "and", "the", "joneses", "'"]),
        ("O'Hara", ["o", "'", "hara"]),
        ("' s", ["'", "s"]),
        ("'s", ["'", "s"]),
        ("it's 5's", ["it", "5"]),
        ("lead_time_days", ["lead", "_", "time", "_", "days"]),
        ("CMP010 X50", ["cmp", "010", "x", "50"]),
        ("1,500.5 and 3.5%", ["1,500.5", "and", "3.5", "%"]),
        ("v1.2.3.", ["v", "1.2.3", "."]),
        ("2024-02-16", ["2024", "-", "02", "-", "16"]),
        ("ＡＢＣ", ["abc"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_words_numbers_and_marks_are_cut(text: str, cut: list[str]):
    assert [t.lower for t in tokenize(text)] == cut


def test_words_are_told_from_marks():
    assert words("Who (really) supplies CMP-010, & why?") == [
        "who", "really", "supplies", "cmp", "010", "why",
    ]  # fmt: skip
    assert words("... ?! — …") == []


def test_an_accent_stays_with_its_letter():
    """G23."""
    decomposed = unicodedata.normalize("NFD", "Café Hiếu")
    assert words(decomposed) == words("Café Hiếu") == ["café", "hiếu"]
    assert [t.text for t in tokenize(decomposed)] == decomposed.split()


@given(any_text)
def test_tokens_stand_in_the_text_where_they_say(text: str):
    last = 0
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text != ""
        assert last <= token.start
        assert token.lower
        last = token.end


@given(any_text)
def test_no_letter_or_digit_is_lost(text: str):
    kept = "".join(t.text for t in tokenize(text))
    dropped = text.replace("'", "").replace("’", "")
    for character in set(dropped):
        if character.isalnum() and character.lower() != "s":
            assert kept.count(character) == text.count(character)


@given(any_text)
def test_stems_are_those_of_the_words(text: str):
    assert stems(text) == tuple(t.stem for t in tokenize(text) if is_word(t))
    assert all(stems(text))


@given(any_text)
def test_composed_and_decomposed_text_have_the_same_stems(text: str):
    latin = "".join(c for c in text if ord(c) < 0x250)
    composed, decomposed = (unicodedata.normalize(form, latin) for form in ("NFC", "NFD"))
    assert stems(composed) == stems(decomposed)


# --- schema names --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("RiskEvent", "risk event"),
        ("DELIVERS_TO", "delivers to"),
        ("lead_time_days", "lead time days"),
        ("HTTPServer", "http server"),
        ("Person-Name", "person name"),
        ("riskEvent2Type", "risk event2 type"),
        ("product", "product"),
        ("__x__", "x"),
        ("", ""),
        ("_", ""),
    ],
)
def test_a_schema_name_is_said_as_words(name: str, said: str):
    assert spoken(name) == said


@given(any_text)
def test_any_name_can_be_said(name: str):
    said = spoken(name)
    assert spoken(said) == said
