"""Native function calling: exactly one tool call per answer."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin, suggest
from aci_plugins.tool import Tool

_PYTHON: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "number": (int, float),
}


@plugin
class FunctionCalling:
    """The provider gets the tools as JSON schemas; the text of the answer is the thought."""

    @property
    def native(self) -> bool:
        return True

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        return "First say what you think and why, then call exactly one function. Use the function bash for shell commands."

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``multiple``, ``invalid_command``, ``invalid_json``,
        ``incorrect_args``, ``missing_arg``, ``unexpected_arg``."""
        if not tool_calls:
            raise FormatError("missing", "there is no function call: call exactly one function.")
        if len(tool_calls) > 1:
            raise FormatError("multiple", f"there are {len(tool_calls)} function calls: call exactly one.")
        call = tool_calls[0]
        by_name = {tool.name: tool for tool in tools}
        if call.name not in by_name:
            raise FormatError(
                "invalid_command", f"there is no function {call.name!r}{suggest(call.name, by_name)}"
            )
        tool = by_name[call.name]
        try:
            arguments = json.loads(call.arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise FormatError(
                "invalid_json", f"the arguments of {tool.name} are not valid JSON: {error}"
            ) from error
        if not isinstance(arguments, dict):
            raise FormatError("incorrect_args", f"the arguments of {tool.name} must be a JSON object.")
        known = {p.name: p for p in tool.parameters}
        for name in arguments:
            if name not in known:
                raise FormatError(
                    "unexpected_arg", f"{tool.name} takes no argument {name!r}{suggest(name, known)}"
                )
        values = {}
        for parameter in tool.parameters:
            value = arguments.get(parameter.name)
            if value is None:
                if parameter.required:
                    raise FormatError("missing_arg", f"{tool.name} needs the argument {parameter.name!r}.")
                continue
            wanted = _PYTHON[parameter.type]
            if not isinstance(value, wanted) or (isinstance(value, bool) and parameter.type != "boolean"):
                raise FormatError(
                    "incorrect_args",
                    f"{tool.name}: {parameter.name} must be of type {parameter.type}, not {value!r}.",
                )
            values[parameter.name] = value
        return Parsed(text.strip(), Action(tool.render(values), tool.name, values, call.id))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that is parsed back as ``thought`` and ``action``."""
        name, arguments = (
            (action.tool, dict(action.arguments)) if action.tool else ("bash", {"command": action.text})
        )
        call = ToolCall(action.call_id or f"call_{step}", name, json.dumps(arguments, ensure_ascii=False))
        return Message("assistant", thought, "action", step, (call,))
