"""The arguments of a call, checked against the tool's schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aci_plugins.message import FormatError
from aci_plugins.parameters import Parameter
from aci_plugins.tool import Tool

_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")  # int() refuses more digits
_BOOLEANS: Mapping[str, bool] = {"true": True, "false": False}


def checked(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments in the tool's order, null ones left out.

    Raises:
        FormatError: ``unexpected_arg``, ``missing_arg`` or ``incorrect_args``.
    """
    known = {p.name: p for p in tool.parameters}
    if unexpected := sorted(set(given) - set(known)):
        allowed = ", ".join(known) or "none"
        raise FormatError(
            "unexpected_arg", f"{tool.name} has no argument {unexpected[0]!r}. Its arguments are: {allowed}."
        )
    arguments = {name: value for name, value in given.items() if value is not None}
    for p in tool.parameters:
        if p.required and p.name not in arguments:
            raise FormatError("missing_arg", f"{tool.name} needs the argument {p.name!r} ({p.kind}).")
    for name, value in arguments.items():
        _check_value(tool, known[name], value)
    return {p.name: arguments[p.name] for p in tool.parameters if p.name in arguments}


def converted(tool: Tool, given: Mapping[str, str]) -> dict[str, Any]:
    """Arguments that were written as text, with the types that the tool's schema names. What is no such value
    stays text, for :func:`checked` to refuse."""
    types = {p.name: p.type for p in tool.parameters}
    return {name: _typed(types.get(name, "string"), value) for name, value in given.items()}


def unwritable(text: str) -> str:
    """Why ``text`` can be no argument of a command ("" if it can)."""
    if "\0" in text:
        return "holds a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "is not valid Unicode (it holds half of a surrogate pair)"
    return ""


def _typed(kind: str, text: str) -> Any:
    word = text.strip()
    if kind == "integer" and _INTEGER.fullmatch(word):
        return int(word)
    if kind == "array":
        return _list(text)
    if kind == "boolean":
        return _BOOLEANS.get(word.lower(), text)
    return text


def _list(text: str) -> Any:
    """Integers with commas or spaces between, in brackets or not; ``text`` if it is nothing like that."""
    words = text.strip().removeprefix("[").removesuffix("]").replace(",", " ").split()
    return [int(word) for word in words] if all(map(_INTEGER.fullmatch, words)) else text


def _check_value(tool: Tool, parameter: Parameter, value: Any) -> None:
    if isinstance(value, str) and (problem := unwritable(value)):
        raise FormatError("incorrect_args", f"the argument {parameter.name!r} of {tool.name} {problem}.")
    if problem := parameter.problem(value):
        problem = problem.encode("ascii", "backslashreplace").decode() if unwritable(problem) else problem
        raise FormatError("incorrect_args", f"the argument {parameter.name!r} of {tool.name} {problem}.")
