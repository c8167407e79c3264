"""Sources that differ: which holds, and which it replaces."""

from collections.abc import Mapping

from trivium.domain.answer import Conflict
from trivium.domain.evidence import Passage, TierResult
from trivium.domain.question import TierName, Understood
from trivium.language.past import asks_of_the_past


def find_conflicts(results: Mapping[TierName, TierResult]) -> tuple[Conflict, ...]:
    """Return each superseded passage beside what replaced it."""
    found = []
    for result in results.values():
        passages = [e for e in result.evidence if isinstance(e, Passage)]
        current = {p.document: p for p in passages if not p.is_superseded}
        for old in passages:
            if not old.is_superseded or not current:
                continue
            new = current.get(old.superseded_by or "")
            found.append(
                Conflict(
                    current=_shown(new) if new else {"source": old.superseded_by},
                    superseded=_shown(old),
                    why=f"{old.superseded_by or 'a newer document'} supersedes {old.document}",
                )
            )
    unique = {(c.why): c for c in found}
    return tuple(unique.values())


def is_past_asked(question: Understood) -> bool:
    """Whether the question asks for what held before."""
    return asks_of_the_past(question) or any(
        time.moment.end <= question.moment.start for time in question.times
    )


def _shown(passage: Passage) -> dict[str, object]:
    return {
        "tier": TierName.RAG.value,
        "source": passage.document,
        "title": passage.title,
        "date": passage.date,
    }
