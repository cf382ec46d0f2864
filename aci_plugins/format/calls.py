"""Calls of tools by name, for the formats in which an answer names a tool and its arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from aci_plugins.format.arguments import checked, converted
from aci_plugins.message import Action, FormatError
from aci_plugins.shell.bash import BASH
from aci_plugins.tool import Tool

_DECODER = json.JSONDecoder(strict=False)  # newlines inside strings: models write them
_EXAMPLES: Mapping[str, Any] = {"string": "...", "integer": 1, "boolean": True, "array": [1, 2]}


def call(
    name: str,
    given: Mapping[str, Any],
    tools: Sequence[Tool],
    *,
    text: bool = False,
    call_id: str | None = None,
) -> Action:
    """The action that calls ``name``. ``text``: the values are words, to be converted by the tool's schema.

    Raises:
        FormatError: ``invalid_command``, ``unexpected_arg``, ``missing_arg`` or ``incorrect_args``.
    """
    tool = next((t for t in tools if t.name == name), None)
    if tool is None:
        names = ", ".join(t.name for t in tools)
        raise FormatError("invalid_command", f"there is no function {name!r}. There are: {names}.")
    arguments = checked(tool, converted(tool, given) if text else given)
    shown = arguments["command"] if tool.name == BASH else tool.render(arguments)
    return Action(shown, tool.name, arguments, call_id)


def named(action: Action) -> tuple[str, dict[str, Any]]:
    """Tool and arguments of ``action``; one that is only text is a call of bash."""
    if action.tool is None:
        return BASH, {"command": action.text}
    return action.tool, dict(action.arguments)


def json_object(text: str, at: int = 0) -> tuple[dict[str, Any], int]:
    """The JSON object that begins at ``at``, and where it ends.

    Raises:
        FormatError: ``invalid_json`` or ``incorrect_args`` (JSON, but no object).
    """
    try:
        loaded, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        raise FormatError("invalid_json", f"it is not valid JSON: {error}.") from error
    if not isinstance(loaded, dict):
        raise FormatError("incorrect_args", "it must be a JSON object.")
    return loaded, end


def signatures(tools: Sequence[Tool]) -> str:
    """One line per tool: its name, and its arguments with their types."""
    lines = []
    for t in tools:
        arguments = [f"{p.name} ({p.kind}{'' if p.required else ', optional'})" for p in t.parameters]
        lines.append(f"- {t.name}: {', '.join(arguments) or 'no arguments'}")
    return "\n".join(lines)


def example(tools: Sequence[Tool]) -> Action:
    """A call to show in a documentation: of bash, or else of the first tool."""
    if not tools or any(t.name == BASH for t in tools):
        return Action("ls -a", BASH, {"command": "ls -a"})
    arguments = {
        p.name: p.choices[0] if p.choices else _EXAMPLES[p.type] for p in tools[0].parameters if p.required
    }
    return Action(tools[0].render(arguments), tools[0].name, arguments)
