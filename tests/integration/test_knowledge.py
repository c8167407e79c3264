"""The journal and its projections together."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from trivium.domain.errors import DependencyError
from trivium.domain.knowledge import Change, ChangeKind
from trivium.knowledge.journal import KnowledgeJournal
from trivium.knowledge.service import Knowledge


class ListProjection:
    """A ``Projection`` that keeps what it was given, and fails when told to."""

    def __init__(self, name: str = "list") -> None:
        self.name = name
        self.seen: list[str] = []
        self.at = 0
        self.is_down = False

    async def watermark(self) -> int:
        return self.at

    async def apply(self, changes: Sequence[Change], upto: int) -> None:
        if self.is_down:
            raise DependencyError(f"{self.name} is down")
        self.seen += [change.key for change in changes]
        self.at = upto

    async def clear(self) -> None:
        self.seen, self.at = [], 0


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[KnowledgeJournal]:
    opened = await KnowledgeJournal.open(f"sqlite+aiosqlite:///{tmp_path}/k.sqlite")
    yield opened
    await opened.close()


def put(key: str, name: str = "n") -> Change:
    payload = {"id": key, "type": "T", "name": name}
    return Change(kind=ChangeKind.PUT_NODE, key=key, payload=payload, source="s")


async def test_a_commit_reaches_every_projection_before_it_returns(journal: KnowledgeJournal):
    one, two = ListProjection("one"), ListProjection("two")
    knowledge = Knowledge(journal, [one, two])

    committed = await knowledge.commit([put("a"), put("b")])

    assert (committed.n_changes, committed.version) == (2, 2)
    assert one.seen == two.seen == ["a", "b"]
    assert knowledge.version == one.at == two.at == 2


async def test_what_is_there_already_is_no_change(journal: KnowledgeJournal):
    knowledge = Knowledge(journal, [ListProjection()])
    await knowledge.commit([put("a")])

    again = await knowledge.commit([put("a")])

    assert (again.n_changes, again.version) == (0, 1)


async def test_a_projection_that_failed_is_caught_up_by_the_next_commit(journal: KnowledgeJournal):
    late = ListProjection()
    knowledge = Knowledge(journal, [late])
    late.is_down = True
    with pytest.raises(DependencyError):
        await knowledge.commit([put("a")])
    assert knowledge.version == 0

    late.is_down = False
    await knowledge.commit([put("b")])

    assert late.seen == ["a", "b"]
    assert knowledge.version == 2


async def test_a_start_builds_a_fresh_projection_from_what_all_changes_add_up_to(
    journal: KnowledgeJournal,
):
    writer = Knowledge(journal, [])
    await writer.commit([put("a"), put("b")])
    await writer.commit([put("a", "renamed")])
    await writer.commit([Change(kind=ChangeKind.DROP_NODE, key="b", source="s")])
    fresh = ListProjection()

    await Knowledge(journal, [fresh]).start()

    assert fresh.seen == ["a"]
    assert fresh.at == 4


async def test_a_start_gives_a_projection_that_is_behind_just_what_it_missed(
    journal: KnowledgeJournal,
):
    behind = ListProjection()
    await Knowledge(journal, [behind]).commit([put("a")])
    await Knowledge(journal, []).commit([put("b")])

    await Knowledge(journal, [behind]).start()

    assert behind.seen == ["a", "b"]


async def test_a_projection_ahead_of_the_journal_is_built_anew(journal: KnowledgeJournal):
    ahead = ListProjection()
    await Knowledge(journal, []).commit([put("a")])
    ahead.at, ahead.seen = 99, ["ghost"]

    await Knowledge(journal, [ahead]).start()

    assert (ahead.seen, ahead.at) == (["a"], 1)


async def test_it_tells_how_far_the_journal_is(journal: KnowledgeJournal):
    knowledge = Knowledge(journal, [ListProjection("facts")])
    await knowledge.commit([put("a")])

    assert await knowledge.head() == knowledge.version


class Overtaken(ListProjection):
    """A projection that another process brings up just as this one looks at it."""

    def __init__(self, other: Knowledge) -> None:
        super().__init__()
        self._other: Knowledge | None = other

    async def watermark(self) -> int:
        if (other := self._other) is not None and self.at:
            self._other = None
            self.at = (await other.commit([put("z")])).version
            self.seen.append("z")
        return self.at


async def test_what_another_process_brought_further_is_no_projection_ahead(
    journal: KnowledgeJournal,
):
    shared = Overtaken(Knowledge(journal, []))
    knowledge = Knowledge(journal, [shared])
    await knowledge.commit([put("a")])

    await knowledge.heal()

    assert (shared.seen, shared.at) == (["a", "z"], 2)


async def test_what_was_written_while_a_projection_was_built_does_not_set_it_back(
    journal: KnowledgeJournal,
):
    fresh, writer = ListProjection(), Knowledge(journal, [])
    await writer.commit([put("a")])
    head, journal_head = journal.head, [1, 1]

    async def as_before() -> int:
        return journal_head.pop() if journal_head else await head()

    journal.head = as_before  # type: ignore[method-assign]  # the head as it was read before
    await writer.commit([put("b")])
    await Knowledge(journal, [fresh]).start()

    assert fresh.seen == ["a", "b"]
    assert fresh.at == 2
