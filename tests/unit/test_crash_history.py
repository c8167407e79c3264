"""The harness itself: a history finds what a crash must not do."""

import pytest

from tests.crash.history import History


@pytest.mark.parametrize(("found", "n_wrong"), [(1, 0), (2, 0), (3, 0), (None, 1), (4, 1)])
def test_a_register_holds_what_was_acknowledged_or_sent_since(found: object, n_wrong: int):
    history = History()
    for value in (1, 2, 3):
        history.begin("a", value)
        if value == 1:
            history.done("a", value)

    assert len(history.check({"a": found})) == n_wrong


def test_what_was_refused_must_not_be_there():
    history = History()
    history.begin("a", 1)
    history.refused("a", 1)

    assert history.check({"a": 1}) != []


def test_what_nobody_wrote_is_wrong():
    assert History().check({"a": 1}) == ["nobody wrote 'a': 1"]


def test_what_was_found_once_stays():
    history = History()
    history.begin("a", 1)
    assert history.check({"a": 1}) == []
    assert history.check({}) != []
