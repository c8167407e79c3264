"""Which entities of a type have a value that rose, fell or changed, the greatest change first."""

from tiers.cag.attributes import title
from tiers.cag.changes import Development
from tiers.cag.findings import MAX_SHOWN, Finding, Found, Refused, label, values_of
from tiers.cag.histories import TELLING, Course, course_of
from tiers.cag.sheets import Sheets
from tiers.cag.subjects import Subject, chosen, trace_of
from tiers.cag.wording import Wording
from trivium.domain.evidence import Reason, Statement
from trivium.domain.result import Number, Result
from trivium.language.names import NameIndex


async def movers(
    wording: Wording, sheets: Sheets, subject: Subject, asked_of: Development, names: NameIndex
) -> Finding:
    """Return those of the entities of a type whose value went as the question says."""
    attribute = subject.wanted[0].attribute
    fitting = await chosen(sheets, subject)
    if isinstance(fitting, Refused):
        return fitting
    courses: list[Course] = []
    for entity in fitting:
        known = (await sheets.histories(entity, subject.type)).get(attribute.name, ())
        if len(known) >= TELLING:
            called = label(entity, names.name(entity))
            courses.append(course_of(asked_of, called, attribute, known))
    courses = [course for course in courses if len(course.facts) >= TELLING]
    if not courses:
        why = f"No earlier {title(attribute)} is recorded for any of the {subject.said}."
        return Refused(reason=Reason.NOT_IN_SCHEMA, why=why)
    moved = sorted((c for c in courses if c.truth), key=_size, reverse=True)
    if wording.cues("most", "least"):
        moved = [course for course in moved if _size(course) == _size(moved[0])]
    pairs = [(course.head, (course.facts[0], course.facts[-1])) for course in moved[:MAX_SHOWN]]
    facts = tuple(fact for _, ends in pairs for fact in ends)
    values: Result = values_of(facts)
    is_count = bool(wording.cues("count"))
    none = Statement(
        f"That is so of none of the {subject.said} with an earlier {title(attribute)}."
    )
    return Found(
        shape="history",
        facts=facts,
        result=Number(len(moved)) if is_count else values,
        also=(values,) if is_count else (),
        statements=tuple(Statement(head, (2 * n, 2 * n + 1)) for n, (head, _) in enumerate(pairs))
        or (none,),
        trace={**trace_of(subject, attribute), "asked": asked_of.wish.value},
        words=frozenset(range(len(wording.tokens))),
    )


def _size(course: Course) -> float:
    return abs(course.change.number) if course.change else 0.0
