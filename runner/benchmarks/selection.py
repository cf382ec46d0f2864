"""Which instances are run: one meaning of ``filter``, ``ids`` and ``slice`` for all benchmarks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator

from aci_plugins.plugin import PluginError, suggest
from runner.errors import UserError

T = TypeVar("T")

_SLICE = re.compile(r"(?P<a>-?\d*):(?P<b>-?\d*)(?::(?P<c>-?\d*))?")
_RIGHT = "write a:b or a:b:c, e.g. 0:10"
_HUGE = 1 << 62  # what Python can slice with


def select(
    rows: Sequence[tuple[str, T]],
    *,
    source: str,
    filter: str | None = None,
    ids: Sequence[str] | None = None,
    slice: str | None = None,
) -> list[T]:
    """The chosen ones of ``rows`` (pairs of instance id and anything), in their order.

    ``filter`` (a regular expression that must match the whole id) and ``ids`` are applied first, then
    ``slice`` (``a:b`` or ``a:b:c``, as Python slices) to what remains. ``source`` names the
    dataset in messages.

    Raises:
        UserError: an id that does not exist (with the nearest one), a broken slice or expression, or nothing
            left to run.
    """
    chosen = list(rows)
    if filter is not None:
        try:
            pattern = re.compile(filter)
        except re.error as error:
            message = f"benchmark.filter={filter!r} is no regular expression: {error}"
            raise UserError(message) from error
        chosen = [row for row in chosen if pattern.fullmatch(row[0])]
    if ids is not None:
        known = {row[0] for row in rows}
        for name in ids:
            if name not in known:
                raise UserError(f"benchmark.ids: {source} has no instance {name!r}{_nearest(name, known)}")
        chosen = [row for row in chosen if row[0] in set(ids)]
    if slice is not None:
        chosen = chosen[parse_slice(slice)]
    if not chosen:
        given = {"filter": filter, "ids": ids, "slice": slice}
        named = ", ".join(f"benchmark.{key}={value}" for key, value in given.items() if value is not None)
        raise UserError(f"{named or 'the dataset'} leaves no instance of the {len(rows)} in {source}")
    return [row[1] for row in chosen]


def parse_slice(text: str) -> slice:
    """``"0:10"``, ``":5"``, ``"10:"``, ``"::2"`` as a slice.

    Raises:
        UserError: anything else, a step of 0, or a slice that is empty however many instances there are.
    """
    match = _SLICE.fullmatch(text.strip())
    parts = [match[name] for name in ("a", "b", "c")] if match else []
    if not match or "-" in parts or any(part and not -_HUGE < int(part) < _HUGE for part in parts):
        raise UserError(f"benchmark.slice={text!r} is no slice: {_RIGHT}")
    if parts[2] and int(parts[2]) == 0:
        raise UserError(f"benchmark.slice={text!r} is no slice, as its step is 0: {_RIGHT}")
    first, end, step = (int(part) if part else None for part in parts)
    ahead = (step or 1) > 0
    if (
        first is not None
        and end is not None
        and (first < 0) == (end < 0)
        and (first >= end if ahead else first <= end)
    ):
        raise UserError(
            f"benchmark.slice={text!r} is empty: it starts at {first} and ends before {end}; {_RIGHT}"
        )
    return slice(first, end, step)


def _read_slice(value: Any) -> Any:
    """For configs: a broken slice is refused when it is composed. YAML 1.1 reads an unquoted 1:30 as a number."""
    if isinstance(value, int | float):
        raise PluginError(f"{value!r} is no slice: {_RIGHT}; in a file write it in quotes")
    if isinstance(value, str):
        try:
            parse_slice(value)
        except UserError as error:
            raise PluginError(str(error)) from error
    return value


def _read_filter(value: Any) -> Any:
    if isinstance(value, str):
        try:
            re.compile(value)
        except re.error as error:
            raise PluginError(f"{value!r} is no regular expression: {error}") from error
    return value


Slice = Annotated[str, BeforeValidator(_read_slice)]
"""``a:b`` or ``a:b:c`` in a config."""
Filter = Annotated[str, BeforeValidator(_read_filter)]
"""A regular expression in a config."""


def _nearest(name: str, known: set[str]) -> str:
    if len(known) <= 20:
        return suggest(name, known)
    hint = suggest(name, known)
    return hint if "did you mean" in hint else f" ({len(known)} instances, e.g. {min(known)!r})"
