"""The forms of plain questions about one relation, from both ends, and about two."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

Holds = Callable[[int], bool]
Picks = Callable[[Iterable[int]], int]

SOURCE_ASKED: Final = {
    "which Ss v X": "Which {Ss} {v} {X}?",
    "which S vs X": "Which {S} {vs} {X}?",
    "which Ss are ving X": "Which {Ss} are {ving} {X}?",
    "who is ving X": "Who is {ving} {X}?",
    "which Ss ved X on D": "Which {Ss} {ved} {X} on {D}?",
    "which Ss were ving X on D": "Which {Ss} were {ving} {X} on {D}?",
    "on D, who was ving X": "On {D}, who was {ving} {X}?",
    "X is ved by which Ss": "{X} is {pp} by which {Ss}?",
    "by which Ss is X ved": "By which {Ss} is {X} {pp}?",
    "the Ss ving X": "Tell me the {Ss} {ving} {X}.",
    "list all Ss that v X": "list all {Ss} that {v} {X}",
    "name every S which vs X": "Name every {S} which {vs} {X}, please.",
    "which of our Ss v X": "Which of our {Ss} {v} {X} at the moment?",
    "I need the Ss that v X": "I need to know the {Ss} that currently {v} {X}.",
}
NOT_SOURCE: Final = {
    "which Ss do not v X": "Which {Ss} do not {v} {X}?",
    "which Ss aren't ving X": "Which {Ss} aren't {ving} {X}?",
    "Ss that don't v X": "{Ss} that don't {v} {X}",
}
TARGET_ASKED: Final = {
    "which Ts does Y v": "Which {Ts} does {Y} {v}?",
    "what Ts is Y ving": "What {Ts} is {Y} {ving}?",
    "which Ts are ved by Y": "Which {Ts} are {pp} by {Y}?",
    "Y vs which Ts": "{Y} {vs} which {Ts}?",
    "which Ts did Y v on D": "Which {Ts} did {Y} {v} on {D}?",
    "what Ts was Y ving on D": "What {Ts} was {Y} {ving} on {D}?",
    "which Ts were ved by Y on D": "Which {Ts} were {pp} by {Y} on {D}?",
    "the Ts ved by Y": "Show me the {Ts} {pp} by {Y}.",
    "all the Ts that Y vs": "all the {Ts} that {Y} {vs}",
    "Y: which Ts does it v": "{Y}: which {Ts} does it {v}?",
    "what are the Ts Y vs": "What are the {Ts} {Y} {vs}?",
}
NOT_TARGET: Final = {
    "which Ts are not ved by Y": "Which {Ts} are not {pp} by {Y}?",
    "which Ts does Y not v": "Which {Ts} does {Y} not {v}?",
}
COUNTED: Final = {
    "how many Ss v X": ("How many {Ss} {v} {X}?", True),
    "how many Ts does Y v": ("How many {Ts} does {Y} {v}?", False),
    "number of Ts ved by Y": ("number of {Ts} {pp} by {Y}", False),
}


NESTED: Final = {
    "which Ss v …": "Which {Ss} {v} {N}?",
    "which Ss are ving …": "Which {Ss} are {ving} {N}?",
    "who is ving …": "Who is {ving} {N}?",
    "on D, who was ving …": "On {D}, who was {ving} {N}?",
    "who ved … on D": "Who {ved} {N} on {D}?",
    "by which Ss are … ved": "By which {Ss} are {N} {pp}?",
    "list the Ss ving …": "List the {Ss} {ving} {N}.",
    "how many Ss v …": "How many {Ss} {v} {N}?",
    "which Ss don't v any of …": "Which {Ss} don't {v} any of {N}?",
}
INNER: Final = {
    "the Ts that Z vs": ("the {Ts} that {Z} {vs}", False),
    "the Ts Z vs": ("the {Ts} {Z} {vs}", False),
    "the Ts Z is ving": ("the {Ts} {Z} is {ving}", False),
    "the Ts ved by Z": ("the {Ts} {pp} by {Z}", False),
    "the Ts that v Z": ("the {Ts} that {v} {Z}", True),
    "the Ts ving Z": ("the {Ts} {ving} {Z}", True),
}


COUNTS: Final[Mapping[str, tuple[str, Holds]]] = {
    "which Ss v no Ts": ("Which {Ss} {v} no {Ts}?", lambda n: n == 0),
    "which Ss don't v any T": ("Which {Ss} don't {v} any {T}?", lambda n: n == 0),
    "which Ss v only one T": ("Which {Ss} {v} only one {T}?", lambda n: n == 1),
    "which Ss v exactly two Ts": ("Which {Ss} {v} exactly two {Ts}?", lambda n: n == 2),
    "which Ss v more than one T": ("Which {Ss} {v} more than one {T}?", lambda n: n > 1),
    "which Ss v at least two Ts": ("Which {Ss} {v} at least two {Ts}?", lambda n: n >= 2),
    "which Ss v two or more Ts": ("Which {Ss} {v} two or more {Ts}?", lambda n: n >= 2),
    "Ss ving fewer than two Ts": ("{Ss} {ving} fewer than two {Ts}", lambda n: n < 2),
    "which Ss v a T at all": ("Which {Ss} {v} any {T} at all?", lambda n: n > 0),
    "which Ss are without a T to v": ("Which {Ss} are not {ving} a {T}?", lambda n: n == 0),
}
"""Of how many each source must have."""
COUNTS_BACK: Final[Mapping[str, tuple[str, Holds]]] = {
    "which Ts are ved by only one S": ("Which {Ts} are {pp} by only one {S}?", lambda n: n == 1),
    "which Ts are ved by no S": ("Which {Ts} are {pp} by no {S}?", lambda n: n == 0),
    "Ts with a single S ving them": ("{Ts} {pp} by a single {S}", lambda n: n == 1),
    "which Ts are ved by several Ss": ("Which {Ts} are {pp} by several {Ss}?", lambda n: n > 1),
    "which Ts have two Ss ving them": (
        "Which {Ts} have at least two {Ss} {ving} them?", lambda n: n >= 2,
    ),
    "which Ts does nobody v": ("Which {Ts} does no {S} {v}?", lambda n: n == 0),
}  # fmt: skip
LEADING: Final[Mapping[str, tuple[str, Picks]]] = {
    "which S vs the most Ts": ("Which {S} {vs} the most {Ts}?", max),
    "which S vs the fewest Ts": ("Which {S} {vs} the fewest {Ts}?", min),
    "who vs most Ts of all": ("Which of the {Ss} {vs} the largest number of {Ts}?", max),
}
WHETHER: Final = {
    "does Y v X": "Does {Y} {v} {X}?",
    "is Y ving X": "Is {Y} {ving} {X}?",
    "is X ved by Y": "Is {X} {pp} by {Y}?",
    "did Y v X on D": "Did {Y} {v} {X} on {D}?",
}
