"""Reads a plan from JSON: the inverse of what a plan says of itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import TypeVar, Union, cast, get_args, get_origin, get_type_hints

from tiers.graphrag.operators.answers import Form
from tiers.graphrag.operators.figures import moment_of
from tiers.graphrag.operators.traversal import Hop
from tiers.graphrag.plans.kinds import fits
from tiers.graphrag.plans.steps import Argument, Plan, Ref, Step
from tiers.graphrag.plans.toolbox import OPERATORS, hints_of
from trivium.domain.errors import InputError, PlanError
from trivium.domain.time import ANY_TIME, Moment

_Enum = TypeVar("_Enum", bound=StrEnum)
_HOP_KEYS = {"relation", "direction", "to", "repeat", "where"}


def plan_from_json(form: object) -> Plan:
    """Return the plan that ``Plan.to_json`` gives the form of; only ``steps`` must be there.

    What is read has the right shape; whether it fits a schema is for ``validate`` to say.

    Raises:
        PlanError: with each fault as ``(step, what)``.
    """
    plan = _object(form, "a plan")
    steps = plan.get("steps")
    if not isinstance(steps, list):
        raise PlanError("a plan has a list of steps", [("plan", "a plan has a list of steps")])
    also = plan.get("also", [])
    if not isinstance(also, list):
        raise PlanError("'also' is a list", [("plan", "'also' is a list")])
    beside = plan.get("beside")
    return Plan(
        steps=tuple(step_from_json(step) for step in steps),
        form=_enum(Form, plan.get("form", "nodes")),
        understood=str(plan.get("understood", "")),
        template=str(plan.get("template", "")),
        beside=None if beside is None else str(beside),
        also=tuple(_beside(item) for item in also),
    )


def _beside(item: object) -> tuple[str, Form]:
    form = _object(item, "what stands beside")
    return str(form.get("step")), _enum(Form, form.get("form"))


def step_from_json(form: object) -> Step:
    """Return the step that ``Step.to_json`` gives the form of.

    Raises:
        PlanError: it names no operator, or an argument is not of its kind.
    """
    step = _object(form, "a step")
    name, operator = str(step.get("step")), str(step.get("operator"))
    if operator not in OPERATORS:
        raise PlanError(f"{name}: no operator is called {operator!r}", [(name, operator)])
    arguments = _object(step.get("arguments", {}), "what a step takes")
    hints = hints_of(operator)
    try:
        if unknown := sorted(arguments.keys() - hints.keys()):
            raise PlanError(f"{operator} takes no {unknown[0]!r}")
        as_of = step.get("as_of")
        return Step(
            name=name,
            operator=operator,
            arguments={
                key: cast("Argument", _decoded(value, hints[key], key))  # fits, by its hint
                for key, value in arguments.items()
            },
            as_of=None if as_of is None else moment_from(as_of),
        )
    except InputError as error:
        raise PlanError(f"{name}: {error}", [(name, str(error))]) from error


def moment_from(text: object) -> Moment:
    """Return the moment that a text names: a day, an instant, a period or ``first/last``.

    Raises:
        InputError: it names none.

    >>> moment_from("2024-Q1").text, moment_from("2024-01-01/2024-01-31").last_day
    ('2024-01-01/2024-03-31', '2024-01-31')
    """
    if text == ANY_TIME.text:
        return ANY_TIME
    if not isinstance(text, str):
        raise InputError(f"{text!r} is no day, instant or period")
    first, _, last = text.partition("/")
    start, end = moment_of(first), moment_of(last or first)
    if start is None or end is None or end.end < start.start:
        raise InputError(f"{text!r} is no day, instant or period")
    return Moment(start.start, end.end, text) if last else start


def _object(form: object, what: str) -> Mapping[str, object]:
    if not isinstance(form, Mapping) or not all(isinstance(key, str) for key in form):
        raise PlanError(f"{what} is an object, not {form!r:.80}")
    return form


def _enum(kind: type[_Enum], value: object) -> _Enum:
    try:
        return kind(str(value))
    except ValueError as error:
        raise PlanError(f"{value!r} is none of {', '.join(kind)}") from error


def _decoded(form: object, hint: object, where: str) -> object:
    """Return a value of the kind ``hint`` names, or a reference to one.

    Raises:
        PlanError: it is of no such kind.
    """
    if isinstance(form, str) and re.match(r"\$[^$]", form):
        return Ref(form[1:])
    try:
        value = _value(form, hint, where)
    except InputError as error:
        raise PlanError(f"{where} cannot be {form!r:.80}: {error}") from error
    if not fits(value, hint, later=Ref):
        raise PlanError(f"{where} cannot be {form!r:.80}")
    return value


def _value(form: object, hint: object, where: str) -> object:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in {UnionType, Union}:
        return _first_that_fits(form, parts, where)
    if isinstance(form, list) and origin in {tuple, Sequence}:
        is_each = len(parts) > 1 and parts[-1] is not Ellipsis
        kinds = parts if is_each else parts[:1] * len(form)
        return tuple(_decoded(item, kind, where) for item, kind in zip(form, kinds, strict=False))
    if hint is Moment:
        return moment_from(form)
    if isinstance(form, Mapping) and is_dataclass(hint) and isinstance(hint, type):
        return _shape(form, hint, where)
    if isinstance(form, str):
        return _text(form, hint)
    return form


def _first_that_fits(form: object, kinds: Sequence[object], where: str) -> object:
    for kind in kinds:
        if (form is None) is not (kind is NoneType):
            continue
        try:
            return _decoded(form, kind, where)
        except PlanError as error:
            last = error
    if form is None:
        raise PlanError(f"{where} cannot be missing")
    raise last


def _text(form: str, hint: object) -> object:
    text = form.removeprefix("$") if form.startswith("$$") else form
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enum(hint, text)
    return text


def _shape(form: Mapping[str, object], shape: type, where: str) -> object:
    """Return a hop, a condition, a formula or a group: their texts are never references."""
    own = _hop_fields(form) if shape is Hop else dict(form)
    assert is_dataclass(shape)
    known = {f.name: f for f in fields(shape)}
    missing = [f.name for f in known.values() if f.default is MISSING and f.name not in own]
    if missing or own.keys() - known.keys():
        raise PlanError(f"{where} is no {shape.__name__}: {form!r:.80}")
    hints = get_type_hints(shape)
    return shape(**{key: _within(value, hints[key], where) for key, value in own.items()})


def _within(form: object, hint: object, where: str) -> object:
    """Return a part of a shape, in which a text is a text whatever it begins with."""
    if isinstance(form, str) and form.startswith("$"):
        value: object = form
    elif isinstance(form, list):
        origin = hint if get_origin(hint) is tuple else _tuple_of(hint)
        parts = get_args(origin)
        value = tuple(_within(item, parts[0] if parts else object, where) for item in form)
    else:
        value = _value(form, hint, where) if not _is_value(form, hint) else form
    if not fits(value, hint, later=Ref):
        raise PlanError(f"{where} cannot be {form!r:.80}")
    return value


def _tuple_of(hint: object) -> object:
    return next((part for part in get_args(hint) if get_origin(part) is tuple), tuple)


def _is_value(form: object, hint: object) -> bool:
    """Whether a plain value is meant as it is, where the hint allows several kinds."""
    return get_origin(hint) in {UnionType, Union} and not isinstance(form, Mapping)


def _hop_fields(form: Mapping[str, object]) -> dict[str, object]:
    if form.keys() - _HOP_KEYS or form.get("direction") not in {"out", "in"}:
        raise PlanError(f"this is no hop: {form!r:.80}")
    own = {key: value for key, value in form.items() if key in {"relation", "repeat", "where"}}
    own["outgoing"] = form["direction"] == "out"
    return own | ({"to_type": form["to"]} if "to" in form else {})
