"""Whom "our people", "the staff" and "colleagues" are: the type of those who work for us."""

import re
from collections.abc import Sequence
from typing import Final

from trivium.domain.question import Span, Term, TermKind, Understood
from trivium.domain.schema import NodeType, Schema
from trivium.language.descriptions import describes_person
from trivium.language.text import fold, spoken, stems

_OURS: Final = re.compile(
    r"(one|somebody|someone|an? person|people) of (ours?|us)\b"
    r"|(?!.*\bwe\b).*\b(works?|serves?|employed|colleague|employee|staff|(for|with) us)\b"
)
"""How one says that they are ours."""
_COMPANY: Final = frozenset(
    stems("company firm organisation organization body authority association institution club")
)
_HEAD: Final = 4
"""Words of a description in which a company says that it is one."""
_EMPLOYED: Final = frozenset(
    stems(name) for name in ("works at", "works in", "works for", "employed in", "employed at",
                             "employed by", "reports to")
)  # fmt: skip
"""What relations that say somebody's place with us are called."""
_PEOPLE: Final = frozenset(
    {"people", "persons", "staff", "colleague", "colleagues", "employee", "employees", "workers",
     "workforce"}
)  # fmt: skip
_ASKING: Final = frozenset({"which", "what"})
_SURE: Final = 0.9


def workforce(schema: Schema) -> str | None:
    """Return the one type of those who work for us; ``None``: there is none, or several.

    Its description tells it, or a relation such as ``WORKS_AT`` that leads from it.
    """
    kinds = [k for k in schema.node_types.values() if not _is_company(k)]
    persons = [k.name for k in kinds if describes_person(k.description)]
    ours = [k.name for k in kinds if k.name in persons and _OURS.match(fold(k.description))]
    employed = [k.name for k in kinds if _is_employed(k, schema)]
    sure = [name for name in ours if name in employed] or ours or employed
    return sure[0] if len(sure) == 1 else None


def _is_company(kind: NodeType) -> bool:
    return bool(_COMPANY & set(stems(kind.description)[:_HEAD]))


def _is_employed(kind: NodeType, schema: Schema) -> bool:
    return any(
        stems(spoken(relation.name))[:2] in _EMPLOYED
        for relation in schema.relation_types.values()
        if any(source == kind.name for source, _ in relation.ends)
    )


def with_people(
    question: Understood, terms: Sequence[Term], workers: str | None
) -> tuple[Term, ...]:
    """Return ``terms`` with "our people" read as the type of ``workers``, and as nothing else."""
    named = {i for m in question.mentions if m.candidates for i in m.span}
    named |= {i for t in terms if t.kind is TermKind.TYPE for i in t.span}
    words = [t.lower for t in question.tokens]
    found = {i for i in range(len(words)) if i not in named and _is_ours(words, i)}
    if workers is None or not found:
        return tuple(terms)
    told = [
        Term(span=Span(first=i, last=i + 1), kind=TermKind.TYPE, name=workers, score=_SURE)
        for i in found
    ]
    kept = [t for t in terms if not found & set(t.span)]
    return tuple(sorted([*kept, *told], key=lambda t: (t.span.first, -t.score)))


def _is_ours(words: Sequence[str], at: int) -> bool:
    """Whether a word stands for those who work for us: "our people", "which colleagues"."""
    before = words[at - 1] if at else ""
    is_bare = words[at] not in {"people", "persons"} and before not in {"many", "much"}
    return words[at] in _PEOPLE and (before == "our" or (is_bare and before in _ASKING | {"the"}))
