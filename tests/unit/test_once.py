"""What is worked out once for one object."""

from trivium.domain.once import once


def test_it_is_worked_out_once_for_one_object_and_anew_for_an_equal_one():
    seen: list[list[int]] = []

    @once(2)
    def total(numbers: list[int]) -> int:
        seen.append(numbers)
        return sum(numbers)

    first, equal = [1, 2], [1, 2]

    assert [total(first), total(first), total(equal)] == [3, 3, 3]
    assert [numbers is first for numbers in seen] == [True, False]


def test_what_was_asked_for_longest_ago_is_forgotten():
    seen: list[int] = []

    @once(1)
    def name(thing: object) -> str:
        seen.append(id(thing))
        return "a thing"

    first, second = object(), object()
    for thing in (first, second, first):
        name(thing)

    assert seen == [id(first), id(second), id(first)]
