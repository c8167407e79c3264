"""Which cues of a question hold: not those of a longer one, of a name, or that a mark cuts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from trivium.domain.question import Cue, Span, TermKind, Understood
from trivium.language.words import general_words

SURE: Final = 0.9
LIKELY: Final = 0.8
ASIDE: Final = frozenset({"yes_no", "document", "contents", "narrative", "procedure", "assistant",
                           "profile", "greeting", "thanks", "injection", "themes"})  # fmt: skip
"""Kinds of cue that say nothing of what is to be computed."""
_NONE: Final = frozenset({"none", "without", "no", "nothing", "zero", "any"})
_LEFT_OUT: Final = frozenset({"those", "any", "anyone"})
_VERBAL: Final = frozenset({"removal", "ended", "began", "handover"})
"""Kinds of cue whose word may be the very verb of a relation: "stops at"."""
_BESIDE: Final = frozenset({"left_without", "unique", "cut_off"})
"""Kinds of cue that hide no shorter one."""
_FAR_OWN: Final = 6
_ONE_OF_THEIRS: Final = (["one", "of", "their"], ["one", "of", "its"], ["some", "of", "their"])
_LOSING: Final = ("lost", "lose", "losing")
_LOSS: Final = frozenset({"removal", "ended", "left_without"})
_MOST: Final = frozenset({"most", "fewest", "least", "more", "fewer"})
_BEFORE_ADJECTIVE: Final = frozenset(
    {"which", "what", "many", "the", "our", "an", "any", "all", "every", "each", "no", "some",
     "these", "those", "by", "from", "for", "with", "of", "to"}
)  # fmt: skip
_BENEATH: Final = frozenset({"under", "below", "beneath", "underneath"})
_STANDING: Final = frozenset({"most", "least", "score", "risk", "degree", "count", "single"})
"""Kinds of cue that hold even where they are part of a longer one."""


def plain_cues(question: Understood, breaks: frozenset[int]) -> tuple[Cue, ...]:
    """Leave out the cues that are part of a longer one or of a name, or that a mark cuts."""
    whole = [c for c in question.cues if not any(c.span.first < b < c.span.last for b in breaks)]
    told = (_as_exception(question, c) for c in whole if not _is_idle(question, c))
    told = (_as_closure(question, _as_end(question, c), breaks) for c in told)
    whole = list(dict.fromkeys(told))
    hiding = {
        "longer": [c.span for c in whole if c.kind not in ASIDE | _BESIDE],
        "bounds": [c.span for c in whole if c.kind in {"above", "below"}],
        "types": _spans(question, TermKind.TYPE, LIKELY),
        "properties": _spans(question, TermKind.PROPERTY, SURE),
        "verbs": _spans(question, TermKind.RELATION, SURE),
        "values": [s for s in _spans(question, TermKind.VALUE, SURE) if len(s) > 1],
        "names": [s for s in _spans(question, TermKind.VALUE, SURE) if _is_capital(question, s)],
    }
    return tuple(c for c in whole if c.kind in ASIDE or not _is_hidden(c, hiding))


def _as_exception(question: Understood, cue: Cue) -> Cue:
    """Return "leave out those" as an exception, where it is told which: "those under an event"."""
    after = [t.lower for t in question.tokens[cue.span.last : cue.span.last + 3]]
    last = question.tokens[cue.span.last - 1].lower
    is_none = bool(_NONE & set(after)) or len(after) < len(_LEFT_OUT)
    if cue.kind != "nonzero" or last not in _LEFT_OUT or is_none or len(cue.span) < 2:
        return cue
    return Cue(span=Span(first=cue.span.first, last=cue.span.last - 1), kind="exception")


def _as_end(question: Understood, cue: Cue) -> Cue:
    """Return "left" as an end, where it is told whom somebody left: "left the Rovers in May"."""
    at = cue.span.last
    said = [t.lower for t in question.tokens[cue.span.first : at]]
    at += [t.lower for t in question.tokens[at : at + 1]] == ["the"]
    is_named = any(m.span.first == at for m in question.mentions if m.candidates)
    return Cue(span=cue.span, kind="ended") if said == ["left"] and is_named else cue


def _as_closure(question: Understood, cue: Cue, breaks: frozenset[int]) -> Cue:
    """Return "counting those under them" as following a relation on, which counts nothing."""
    last = min((b for b in breaks if b > cue.span.first), default=len(question.tokens))
    said = {t.lower for t in question.tokens[cue.span.last : last]}
    is_aside = (
        cue.span.first in breaks | {0} and question.tokens[cue.span.first].lower == "counting"
    )
    is_chain = cue.kind == "count" and is_aside and bool(said & _BENEATH)
    return Cue(span=cue.span, kind="closure") if is_chain else cue


def _is_idle(question: Understood, cue: Cue) -> bool:
    """Whether a cue's word says something else in its phrase: "no longer", "pieces of gear"."""
    around = [t.lower for t in question.tokens[max(0, cue.span.first - 1) : cue.span.last + 1]]
    if cue.kind in {"ever", "negation"} and around[-2:] == ["never", "mind"]:
        return True
    if cue.kind == "began" and around[:2] == ["the", "new"]:  # "the switch to the new baker"
        return _is_moved_to(question, cue)
    if cue.kind == "average" and around[:2] in (["i", "mean"], ["you", "mean"]):
        return True
    if cue.kind == "removal" and around[-2:] in (["going", "to"], ["going", "by"]):
        return True
    if question.tokens[cue.span.last - 1].lower == "on":
        return any(cue.span.last - 1 <= t.span.first <= cue.span.last for t in question.times)
    readers = (_is_adjective, _loses_own, _loses_most, _is_other_score)
    if _is_noun(cue, around) or any(is_other(question, cue) for is_other in readers):
        return True
    after = [t.lower for t in question.tokens[cue.span.last : cue.span.last + 1]]
    if cue.kind == "components" and len(cue.span) == 1 and after == ["of"]:
        return True
    is_over = around[:2] in (["no", "longer"], ["any", "longer"], ["any", "more"], ["no", "more"])
    ends = cue.span.last >= len(question.tokens)
    return cue.kind == "comparative" and is_over and (ends or around[1] == "longer")


def _is_moved_to(question: Understood, cue: Cue) -> bool:
    """Whether "the new ..." is what a switch or move named before it leads to."""
    before = question.tokens[max(0, cue.span.first - 2) : cue.span.first - 1]
    moves = {c.span.last for c in question.cues_of("handover", "alternatives")}
    return [t.lower for t in before] == ["to"] and bool(
        moves & {cue.span.first - 2, cue.span.first - 1}
    )


def _is_adjective(question: Understood, cue: Cue) -> bool:
    """Whether "outside" says where those are whom a noun after it names: "outside firms"."""
    tokens, at = question.tokens, cue.span.last
    before = {t.lower for t in tokens[max(0, cue.span.first - 1) : cue.span.first]}
    if tokens[cue.span.first].lower != "outside" or not before & _BEFORE_ADJECTIVE:
        return False
    is_led = bool(tokens[at : at + 1]) and general_words().is_content(tokens[at])
    nouns = {t.span.first for t in question.terms_of(TermKind.TYPE)}
    return at in nouns or (is_led and at + 1 in nouns)


def _is_noun(cue: Cue, around: Sequence[str]) -> bool:
    """Whether a cue's word is a noun of another sense: "all sorts", "a share of"."""
    if cue.kind == "rank":
        return around[:2] in (["all", "sorts"], ["any", "sort"], ["what", "sort"])
    return cue.kind == "shared" and len(cue.span) == 1 and around[-1] == "of"


def _loses_most(question: Understood, cue: Cue) -> bool:
    """Whether losses are only measured: "which of them lost the most days"."""
    after = [t.lower for t in question.tokens[cue.span.last : cue.span.last + 2]]
    if not question.tokens[cue.span.last - 1].lower.startswith(_LOSING):
        return False
    after = after[1:] if after[:1] == ["the"] else after
    return cue.kind in _LOSS and bool(after) and after[0] in _MOST


def _is_other_score(question: Understood, cue: Cue) -> bool:
    """Whether a score is one of something that nothing tells: "its review score"."""
    words = [t.lower for t in question.tokens[cue.span.first : cue.span.last]]
    if cue.kind != "score" or words not in (["score"], ["scores"]) or not cue.span.first:
        return False
    at = cue.span.first - 1
    before, general = question.tokens[at], general_words()
    told = {i for t in question.terms for i in t.span}
    told |= {i for m in question.mentions for i in m.span}
    told |= {i for c in question.cues if c.kind not in ASIDE for i in c.span}
    told |= {i + 1 for c in question.cues_of("risk") for i in c.span}
    is_plain = not general.is_content(before) or before.stem in general.generic
    return not is_plain and at not in told and before.text[0].islower()


def _loses_own(question: Understood, cue: Cue) -> bool:
    """Whether one of several is gone, and the others may stay: "do without a train of theirs"."""
    if cue.kind not in {"negation", "left_without"}:
        return False
    words = [t.lower for t in question.tokens[cue.span.first : cue.span.first + _FAR_OWN]]
    is_own = any(words[i : i + 2] in (["of", "theirs"], ["of", "its"]) for i in range(len(words)))
    return words[0] == "without" and (is_own or words[1:4] in _ONE_OF_THEIRS)


def _spans(question: Understood, kind: TermKind, score: float) -> list[Span]:
    return [t.span for t in question.terms_of(kind) if t.score >= score]


def _is_capital(question: Understood, span: Span) -> bool:
    """Whether words within a sentence are written as a name: "in the Islands"."""
    is_upper = span.first > 0 and question.tokens[span.first].text[0].isupper()
    return is_upper and not question.text.isupper()


def _is_hidden(cue: Cue, hiding: Mapping[str, Sequence[Span]]) -> bool:
    """Whether a cue's words mean something else."""
    is_name = cue.span in hiding["types"]
    if is_name or is_within(cue.span, [*hiding["types"], *hiding["properties"]]):
        return True
    if cue.span in hiding["names"] or is_within(cue.span, hiding["values"]):
        return True
    verbs = [v for v in hiding["verbs"] if len(v) >= len(cue.span)]
    if cue.kind in _VERBAL and any(cue.span.overlaps(v) for v in verbs):
        return True
    if cue.kind in {"most", "least"}:
        return is_within(cue.span, hiding["bounds"])
    return cue.kind not in _STANDING and is_within(cue.span, hiding["longer"])


def is_within(span: Span, others: Iterable[Span]) -> bool:
    """Whether a longer one of some spans holds a span."""
    return any(len(o) > len(span) and o.first <= span.first and span.last <= o.last for o in others)
