"""Native function calling: the tools go to the provider as JSON schemas, and an answer is exactly one call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.shell.bash import BASH
from aci_plugins.tool import Parameter, Tool


@plugin
class FunctionCalling:
    """One function call per answer; the text beside it is the thought."""

    @property
    def native(self) -> bool:
        return True

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        return (
            "Say what you are thinking and what you want to do next, and call exactly one function in the same answer. "
            f"Shell commands are run with the function {BASH}."
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``multiple``, ``invalid_command``, ``invalid_json``,
        ``missing_arg``, ``unexpected_arg`` or ``incorrect_args``."""
        if not tool_calls:
            raise FormatError("missing", "there is no function call in it. Call exactly one function.")
        if len(tool_calls) > 1:
            raise FormatError(
                "multiple",
                f"there are {len(tool_calls)} function calls in it. Call exactly one function at a time.",
            )
        call = tool_calls[0]
        tool = next((t for t in tools if t.name == call.name), None)
        if tool is None:
            names = ", ".join(t.name for t in tools)
            raise FormatError("invalid_command", f"there is no function {call.name!r}. There are: {names}.")
        arguments = _checked(tool, _object(call.arguments))
        shown = arguments["command"] if tool.name == BASH else tool.render(arguments)
        return Parsed(text.strip(), Action(shown, tool.name, arguments, call.id))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back; an action that is only text becomes a call of bash."""
        name, arguments = action.tool or BASH, dict(action.arguments)
        if action.tool is None:
            arguments = {"command": action.text}
        call = ToolCall(action.call_id or f"call_{step}", name, json.dumps(arguments, ensure_ascii=False))
        return Message("assistant", thought, "action", step, (call,))


def _object(text: str) -> dict[str, Any]:
    try:
        loaded = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise FormatError(
            "invalid_json", f"the arguments of the function call are not valid JSON: {error}."
        ) from error
    if not isinstance(loaded, dict):
        raise FormatError("incorrect_args", "the arguments of a function call must be a JSON object.")
    return loaded


def _checked(tool: Tool, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments, null ones left out."""
    known = {p.name: p for p in tool.parameters}
    if unexpected := sorted(set(given) - set(known)):
        allowed = ", ".join(known) or "none"
        raise FormatError(
            "unexpected_arg", f"{tool.name} has no argument {unexpected[0]!r}. Its arguments are: {allowed}."
        )
    arguments = {name: value for name, value in given.items() if value is not None}
    for p in tool.parameters:
        if p.required and p.name not in arguments:
            raise FormatError("missing_arg", f"{tool.name} needs the argument {p.name!r} ({p.type}).")
    for name, value in arguments.items():
        _check_value(tool, known[name], value)
    return {p.name: arguments[p.name] for p in tool.parameters if p.name in arguments}


def _check_value(tool: Tool, parameter: Parameter, value: Any) -> None:
    if problem := parameter.problem(value):
        raise FormatError("incorrect_args", f"the argument {parameter.name!r} of {tool.name} {problem}.")
    if isinstance(value, str) and (problem := unwritable(value)):
        raise FormatError("incorrect_args", f"the argument {parameter.name!r} of {tool.name} {problem}.")


def unwritable(text: str) -> str:
    """Why ``text`` can be no argument of a command ("" if it can)."""
    if "\0" in text:
        return "holds a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "is not valid Unicode (it holds half of a surrogate pair)"
    return ""
