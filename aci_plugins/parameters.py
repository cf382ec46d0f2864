"""The arguments of a tool: read from its callable, written as JSON schema, and as words of a text command."""

from __future__ import annotations

import inspect
import json
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class UsageError(ValueError):
    """The words of a text command do not fit the tool; the message is what the model is shown.

    ``exit_code`` is 0 by default: the paper's commands report misuse as text only.
    """

    def __init__(self, message: str, exit_code: int = 0) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument.

    Attributes:
        type: a JSON-schema type name: string, integer, boolean, or array (of integers).
        choices: the only values that a string may have; empty for any.
    """

    name: str
    type: str
    description: str
    required: bool
    default: Any = None
    choices: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The type in words, for documentation and messages."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        return "list of integers" if self.type == "array" else self.type

    def schema(self) -> dict[str, Any]:
        """As a property in a JSON schema."""
        made: dict[str, Any] = {"type": self.type, "description": self.description}
        if self.type == "array":
            made["items"] = {"type": "integer"}
        if self.choices:
            made["enum"] = list(self.choices)
        return made

    def problem(self, value: Any) -> str:
        """What a value from JSON should be ("" if it is): "must be of type integer, not …"."""
        if self.type == "array":
            fits = isinstance(value, list) and all(_is_integer(item) for item in value)
        elif self.type == "integer":
            fits = _is_integer(value)
        else:
            fits = isinstance(value, bool if self.type == "boolean" else str)
        if not fits:
            what = "a list of integers" if self.type == "array" else f"of type {self.type}"
            return f"must be {what}, not {_short(value)}"
        if self.choices and value not in self.choices:
            return f"must be {self.kind}, not {_short(value)}"
        return ""

    def read(self, word: str, usage: str) -> Any:
        """The value that a word of a text command stands for.

        Raises:
            UsageError: beginning with ``usage``.
        """
        if self.type == "integer":
            value = number(word)
            if value is None:
                raise UsageError(f"{usage}\nError: <{self.name}> must be a number")
            return value
        if self.type == "boolean":
            if word not in ("true", "false"):
                raise UsageError(f"{usage}\nError: <{self.name}> must be true or false")
            return word == "true"
        if self.type == "array":
            return self._read_list(word, usage)
        if self.choices and word not in self.choices:
            raise UsageError(f"{usage}\nError: <{self.name}> must be {self.kind}")
        return word

    def _read_list(self, word: str, usage: str) -> list[int]:
        """Numbers with spaces or commas between, in brackets or not."""
        numbers = word.strip().removeprefix("[").removesuffix("]").replace(",", " ").split()
        values = [number(n.removeprefix("-")) for n in numbers]
        if not values or None in values:
            raise UsageError(f"{usage}\nError: <{self.name}> must be numbers")
        return [-(v or 0) if n.startswith("-") else v or 0 for n, v in zip(numbers, values, strict=True)]


def of_callable(
    function: Callable[..., Any], name: str, described: Mapping[str, str]
) -> tuple[Parameter, ...]:
    """The parameters of ``function(context, …)``, the function of the tool ``name``.

    Raises:
        TypeError: one is not described, or has a type that cannot be.
    """
    hints = typing.get_type_hints(function)
    found = []
    for p in list(inspect.signature(function).parameters.values())[1:]:
        hint = hints.get(p.name)
        if isinstance(hint, types.UnionType):
            hint = next(part for part in hint.__args__ if part is not types.NoneType)
        kind, choices = _type(hint)
        if not kind:
            raise TypeError(
                f"tool {name}: parameter {p.name} must be str, int or bool, list[int] or a Literal of strings"
            )
        if p.name not in described:
            raise TypeError(f"tool {name}: parameter {p.name} is not described under 'Args:'")
        required = p.default is inspect.Parameter.empty
        default = None if required else p.default
        found.append(Parameter(p.name, kind, described[p.name], required, default, choices))
    return tuple(found)


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """The first paragraph, and the descriptions below ``Args:``."""
    described: dict[str, str] = {}
    head, _, arguments = text.partition("\nArgs:\n")
    current = ""
    for line in arguments.splitlines():
        if started := re.match(r"^ {4}(\w+): (.*)$", line):
            current = started[1]
            described[current] = started[2]
        elif line.startswith(" " * 5) and current:
            described[current] += " " + line.strip()
        elif line.strip():
            break
    return " ".join(head.split("\n\n")[0].split()), described


def number(word: str) -> int | None:
    """The number that ``word`` is, None if it is not all digits (no sign, as the paper's commands have it)."""
    if not re.fullmatch(r"[0-9]+", word):
        return None
    return int(word) if len(word) < 16 else 10**16  # beyond any file; int() refuses thousands of digits


# ---- words of text commands: required ones by place, the others as ``--name value`` -----------------------


def read_options(parameters: Sequence[Parameter], words: Sequence[str], usage: str) -> dict[str, Any]:
    """The arguments that ``words`` stand for. Every parameter may be given as ``--name value`` or ``--name=value``;
    required ones also by place. A list takes all numbers that follow; a boolean may stand alone.

    Raises:
        UsageError: with exit code 2.
    """
    known = {p.name: p for p in parameters}
    given: dict[str, Any] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        name, equals, inline = word.removeprefix("--").partition("=")
        parameter = known.get(name) if word.startswith("--") else None
        if parameter is None:
            parameter = next((p for p in parameters if p.required and p.name not in given), None)
            if parameter is None:
                raise UsageError(f"{usage}\nError: unexpected {_short(word)}", 2)
            value = word
        elif equals:
            value = inline
        else:
            value = _following(parameter, left)
        if parameter.name in given:
            raise UsageError(f"{usage}\nError: <{parameter.name}> is given twice", 2)
        try:
            given[parameter.name] = parameter.read(value, usage)
        except UsageError as error:
            raise UsageError(str(error), 2) from error
    for p in parameters:
        if p.required and p.name not in given:
            raise UsageError(f"{usage}\nError: <{p.name}> is missing", 2)
    return {p.name: given[p.name] for p in parameters if p.name in given}


def write_options(parameters: Sequence[Parameter], arguments: Mapping[str, Any]) -> list[str]:
    """The words that :func:`read_options` reads back."""
    words = []
    for p in parameters:
        value = arguments.get(p.name)
        if value is None:
            continue
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if p.type == "array":
            words += [f"--{p.name}", *(str(item) for item in value)]
        elif text.startswith("--"):
            words.append(f"--{p.name}={text}")
        else:
            words += [text] if p.required else [f"--{p.name}", text]
    return words


def _following(parameter: Parameter, left: list[str]) -> str:
    """Take the value of an option from the words after its name ("" if there is none)."""
    if parameter.type == "array":
        taken = []
        while left and re.fullmatch(r"\[?[-0-9,\s]+\]?|[\[\],]", left[0]):
            taken.append(left.pop(0))
        return " ".join(taken)
    if parameter.type == "boolean" and (not left or left[0] not in ("true", "false")):
        return "true"
    return left.pop(0) if left else ""


def _type(hint: Any) -> tuple[str, tuple[str, ...]]:
    """The name of a type in JSON schema ("" if it has none here), and the choices of a Literal."""
    if typing.get_origin(hint) is typing.Literal:
        choices = typing.get_args(hint)
        return ("string", choices) if all(isinstance(c, str) for c in choices) else ("", ())
    if hint == list[int]:
        return "array", ()
    return {str: "string", int: "integer", bool: "boolean"}.get(hint, ""), ()


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 80 else text[:80] + "…"
