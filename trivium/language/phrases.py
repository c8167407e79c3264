"""The phrases by which a schema's types, relations, properties and values are known, as stems."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from trivium.domain.schema import Property, RelationType
from trivium.language.descriptions import led_on
from trivium.language.text import fold, is_participle, is_past, spoken, stem, stems
from trivium.language.units import PERIODS
from trivium.language.words import general_words, is_money

OWN: Final = 1.0
SCHEMA_WORD: Final = 0.95
PART: Final = 0.85
SYNONYM: Final = 0.8
DESCRIPTION: Final = 0.6
INITIALS: Final = 0.79
"""For the first letters of a noun in a description, said in capitals."""
_MIN_DOER: Final = 4
"""Letters of a word that somebody may be called after."""
_MIN_VERB: Final = 2
_SHORT: Final = 3
"""Words of a description that is as good as a name: "volume agreed"."""
_REPORTING: Final = stem("report")
_SUPERIORS: Final = ("boss", "superior", "manager", "line manager", "supervisor", "chief")
"""Whom one reports to, among people of one type."""
_AFFECTING: Final = frozenset(
    stem(w) for w in ("affect", "hit", "strike", "disrupt", "disturb", "close", "halt", "touch")
)
"""Verbs of the relations by which an event makes itself felt."""
_LINKING: Final = frozenset(
    {"a", "an", "the", "of", "to", "in", "at", "by", "for", "from", "with", "on", "and", "or", "is",
     "are", "was", "be", "has", "have", "had", "us", "our", "we", "into", "out", "up", "it", "its"}
)  # fmt: skip
"""Words that say nothing in a relation's name; its verb does, however plain: ``MADE_BY``."""
_WHICH_END: Final = frozenset({"first", "second"})
"""Words by which a description only tells the ends of a relation apart."""
_JOINING: Final = frozenset({"at", "for", "with", "under"})
"""Prepositions that tell one verb from another: who plays at a house does not play in it."""
_ALONG: Final = (("on",), ("in",), ("at",), ("to",), ("along",), ("through",))
_RULING: Final = frozenset(
    " ".join(stems(w))
    for w in ("manage", "run", "operate", "lead", "head", "oversee", "supervise", "in charge of",
              "responsible for", "direct", "chair", "chief", "boss", "pilot", "drive")
)  # fmt: skip
"""What one does to a thing, beside verbs that lead on: "run", but not "run on"."""
_LIGHT_VERBS: Final = frozenset(
    {"own", "make", "take", "give", "work", "come", "came", "need", "get", "put"}
)
"""Plain verbs that tell something where a description says a relation with them."""
_PLAIN_NOUNS: Final = frozenset(stem(w) for w in ("work", "show", "part", "thing", "list", "lot"))
"""Nouns that are everyday verbs or fillers too: read as nouns only where one stands."""
_ROLE: Final = re.compile(r"\b(?:the|an?) (?P<noun>[a-z]+(?: [a-z]+){1,3}) (?:of|at|for)\b")
_DEFINITION: Final = re.compile(
    r"^(?:an?|the|one of our(?: own)?|some|our|any)?\s*(?P<what>.+?)"
    r"(?:\s+(?:that|who|whom|which|where|whose|we|of|in|on|at|for|from|with|to|is|was|by|as|before|after"
    r"|under|near|behind|between|through|into|about)\b|[.;(]|$)",
    re.IGNORECASE,
)


def initials(description: str) -> Iterator[tuple[tuple[str, ...], float]]:
    """Give the first letters of what a description says somebody is of something.

    >>> list(initials("The clerk is the acting town clerk of the borough."))
    [(('atc',), 0.79)]
    """
    for match in _ROLE.finditer(fold(description)):
        words = match["noun"].split()
        if not general_words().stop & set(words):
            yield ("".join(word[0] for word in words),), INITIALS


def telling_parts(values: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give the parts of values that tell them apart, each with its value.

    A part that leaves out a word of the language tells nothing: ``service`` is not ``in service``.
    """
    stop = general_words().stop_stems
    whole = {stems(value) for value in values}
    parts: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for value in values:
        words = stems(value)
        for length in range(1, len(words)):
            for first in range(len(words) - length + 1):
                parts[words[first : first + length]].add(value)
    yield from _shared_heads(values)
    for part, found in parts.items():
        left_out = set(stems(next(iter(found)))) - set(part)
        is_telling = any(len(p) > 2 and not p.isdigit() for p in part)
        is_cut = bool((left_out | {part[0], part[-1]}) & stop)
        if len(found) == 1 and is_telling and not is_cut and part not in whole:
            yield part, next(iter(found))


def _shared_heads(values: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give the last word that some values of several words share, with each of them.

    "The jet" may be a regional or a business jet.
    """
    by_head: dict[str, list[str]] = defaultdict(list)
    for value in values:
        words = stems(value)
        if len(words) > 1 and len(words[-1]) > 2 and not words[-1].isdigit():
            by_head[words[-1]].append(value)
    alone = {stems(value) for value in values} | {(w,) for w in general_words().stop_stems}
    for head, found in by_head.items():
        if len(found) > 1 and (head,) not in alone:
            yield from (((head,), value) for value in found)


def definition_heads(description: str) -> Iterator[tuple[str, ...]]:
    """Give the nouns that a one-line description defines a type by.

    >>> list(definition_heads("A database, store or cache."))
    [('databas',), ('store',), ('cach',)]
    """
    match = _DEFINITION.match(description.strip())
    if not match:
        return
    for part in re.split(r"\s+or\s+|\s+and\s+|/|,", match.group("what")):
        every = stems(_without_participle(part.split()))
        done = {stem(w) for w in part.split() if w.endswith("ed")}  # "a validated way"
        words = [w for w in every if w not in general_words().stop_stems and w not in done]
        is_plain = not words and every and every[-1] in _PLAIN_NOUNS
        if 0 < len(words) <= 3 or is_plain:
            yield tuple((words or list(every))[-1:])


def _without_participle(words: Sequence[str]) -> str:
    """Return a noun without what is said to be done to it: "a function" of "a function booked"."""
    is_done = words[-1].endswith("ed") or is_past(words[-1].lower()) if len(words) > 1 else False
    is_done = is_done and words[-2].lower() not in _LINKING
    return " ".join(words[:-1] if is_done else words)


def relation_phrases(
    relation: RelationType, taken: AbstractSet[str] = frozenset()
) -> Iterator[tuple[tuple[str, ...], float]]:
    """Give the phrases that name a relation, as stems, with their scores.

    Words that are ``taken`` name something else, and tell nothing in its description.
    """
    types = {stem(fold(w)) for pair in relation.ends for t in pair for w in spoken(t).split()}
    own = stems(spoken(relation.name))
    content = tuple(w for w in own if w not in _LINKING and w not in types)
    if not content and any(map(is_participle, spoken(relation.name).split()[:1])):
        content = own[:1]  # what an insurer does: ``INSURED_BY``
    yield own, OWN
    for word in relation.words:
        yield stems(word), SCHEMA_WORD
    if content:
        yield content[:1], OWN
        verbs = general_words().verbs
        whole = verbs.get(" ".join(own), frozenset()) if len(own) > 1 else frozenset()
        is_led_on = bool(whole) or own[1:2] in _ALONG  # what runs on a line does not run it
        for other in whole or verbs.get(content[0], frozenset()):
            if not (is_led_on and other in _RULING):
                yield tuple(other.split()), SYNONYM
    yield from (((noun,), SYNONYM) for noun in (_ways_of(content[0]) if content else ()))
    nouns = [
        *(_agents(content[0]) if content else ()),
        *(d for verb in (content or own)[:1] for d in _deeds(verb)),
    ]
    yield from (((noun,), SYNONYM) for noun in nouns if noun not in taken | types)
    others = _roles(relation, content[0]) if content else ()
    yield from ((words, SYNONYM) for words in others if words[0] not in taken)
    yield from _told(relation, types | taken, content)


def _told(
    relation: RelationType, taken: AbstractSet[str], content: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], float]]:
    """Give the words of a description, and its verbs with their prepositions: "works for"."""
    stop, said = general_words().stop_stems, stems(relation.description)
    told = {w for w in said if (w not in stop or w in _LIGHT_VERBS) and w not in taken}
    told -= _WHICH_END
    for word in dict.fromkeys(said):
        if word in told and word not in content and len(word) > 2:
            yield (word,), DESCRIPTION
    for verb, joint in pairwise(said):
        if joint in _JOINING and verb in told:
            yield (verb, joint), SYNONYM
            for other in general_words().verbs.get(f"{verb} {joint}", ()):
                yield tuple(other.split()), SYNONYM
    yield from ((phrase, SYNONYM) for phrase in led_on(said, told | _LIGHT_VERBS))


def _roles(relation: RelationType, verb: str) -> Iterator[tuple[str, ...]]:
    """Give what its ends are called for a relation: whom one reports to, what is injured."""
    source, target = relation.ends[0]
    if verb == _REPORTING and source == target:
        yield from (stems(noun) for noun in _SUPERIORS)
    if verb in _AFFECTING:
        for event, _ in relation.ends:
            yield from ((word,) for word in _suffered(event))


def _suffered(event: str) -> Iterator[str]:
    """Give the participle for what has an event: ``Injury`` to injured, ``Closure`` to closed."""
    noun = spoken(event).rpartition(" ")[2]
    for ending in ("ion", "ure", "y"):
        if noun.endswith(ending) and len(noun) > len(ending) + _MIN_VERB:
            yield stem(f"{noun.removesuffix(ending)}ed")


def doers(value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give who works with what a value names: ``trawl`` to trawler, ``gillnet`` to gillnetter."""
    last = value[-1] if value else ""
    if len(last) < _MIN_DOER or not last.isalpha() or last.endswith(("er", "or", "ed", "s", "y")):
        return
    for agent in (*_agents(last), stem(f"{last}{last[-1]}er")):
        yield (*value[:-1], agent)


def _deeds(verb: str) -> Iterator[str]:
    """Give the nouns for what a verb says: ``sponsor`` to sponsorship, ``deliver`` to delivery."""
    if len(verb) <= _MIN_VERB or not verb.isalpha():
        return
    for ending in ("ship", "y", "al", "ment"):
        yield stem(f"{verb}{ending}")
    yield from (stem(f"{verb.removesuffix('e')}{ending}") for ending in ("ation", "ance"))
    if verb.endswith("scrib"):
        yield f"{verb[:-1]}pt"
    if verb.endswith("tain"):
        yield stem(f"{verb[:-4]}tenance")


def _ways_of(verb: str) -> Iterator[str]:
    """Give what things are joined by, all of it together: ``pipe`` to pipework and pipeline."""
    if len(verb) > _MIN_VERB and verb.isalpha():
        yield from dict.fromkeys(stem(f"{verb}{end}") for end in ("work", "line"))


def _agents(verb: str) -> Iterator[str]:
    """Give the nouns for who does what a verb says: ``make`` to ``maker``."""
    bare = verb.removesuffix("e")
    if len(bare) > 2 and verb.isalpha():
        yield from (stem(f"{bare}er"), stem(f"{bare}or"))


def property_phrases(item: Property) -> Iterator[tuple[tuple[str, ...], float]]:
    """Give the phrases that name a property, as stems, with their scores."""
    parts = spoken(item.name).split()
    yield stems(" ".join(parts)), OWN
    bare = _without_unit(parts)
    if bare != parts:
        yield stems(" ".join(bare)), SYNONYM if "per" in parts else OWN
    yield from _other_names(item, bare)
    priced = list(_priced(parts, bare))
    yield from ((words, OWN) for words in priced)
    if len(bare) == 1 and not priced:
        for other in general_words().synonyms.get(stem(bare[0]), ()):
            yield tuple(other.split()), SYNONYM
    else:
        for before, part in pairwise(["", *bare]):
            if part not in general_words().stop and len(part) > 2 and before != "per":
                yield stems(part), DESCRIPTION


def _priced(parts: Sequence[str], bare: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Give "price per tonne" for ``price_eur_t``, in each form of its unit."""
    units = general_words().units
    if len(parts) - len(bare) != len(("eur", "t")) or "per" in parts:
        return
    for form, unit in units.items():
        if unit == units.get(parts[-1], parts[-1]) or form == parts[-1]:
            yield (*stems(" ".join(bare)), "per", *stems(form))


def _other_names(item: Property, bare: Sequence[str]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Give the words of the schema, a name turned round, and a description as short as a name."""
    for word in item.words:
        yield stems(word), SCHEMA_WORD
    if len(bare) == 2 and is_participle(bare[0]):  # "volume agreed" for an agreed volume
        yield stems(" ".join(reversed(bare))), SCHEMA_WORD
    told = stems(item.description)
    if 2 <= len(told) <= _SHORT and not general_words().stop_stems & set(told):
        yield told, SYNONYM


def _without_unit(parts: list[str]) -> list[str]:
    """Return the words of a name without its unit, or the time that it is told for."""
    is_told = len(parts) > 1 and (parts[-1] in general_words().units or parts[-1] in PERIODS)
    bare = parts[:-1] if is_told else parts
    bare = bare[:-1] if len(bare) > 1 and bare[-1] == "per" else bare
    is_priced = is_told and len(bare) > 1 and is_money(general_words().units.get(bare[-1]))
    return bare[:-1] if is_priced else bare


def adjectives(value: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give a place with its last words turned into an adjective: "north american"."""
    for length in (1, 2):
        for other in general_words().demonyms.get(" ".join(value[-length:]), ()):
            if len(value) >= length:
                yield (*value[:-length], *other)
