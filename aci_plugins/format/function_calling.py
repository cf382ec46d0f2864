"""Native function calling: the tools go to the provider as JSON schemas, and an answer calls them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

from aci_plugins.format.calls import call, json_object, named
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.shell.bash import BASH
from aci_plugins.tool import Tool


@plugin
class FunctionCalling:
    """Function calls; the text beside them is the thought.

    Attributes:
        several: what to do with several calls in one answer: refuse it (``error``), run the ``first`` one only, or
            run ``all`` in order, each with an observation of its own.
    """

    several: Literal["error", "first", "all"] = "error"

    @property
    def native(self) -> bool:
        return True

    @property
    def named(self) -> bool:
        return True

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        if self.several == "all":
            return (
                "Say what you are thinking and what you want to do next, and call one or more functions in the same "
                "answer; they are run in the order in which you call them. "
                f"Shell commands are run with the function {BASH}."
            )
        return (
            "Say what you are thinking and what you want to do next, and call exactly one function in the same answer. "
            f"Shell commands are run with the function {BASH}."
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``multiple``, ``invalid_command``, ``invalid_json``,
        ``missing_arg``, ``unexpected_arg`` or ``incorrect_args``."""
        if not tool_calls:
            wanted = "one or more functions" if self.several == "all" else "exactly one function"
            raise FormatError("missing", f"there is no function call in it. Call {wanted}.")
        if len(tool_calls) > 1 and self.several == "error":
            raise FormatError(
                "multiple",
                f"there are {len(tool_calls)} function calls in it. Call exactly one function at a time.",
            )
        taken = tool_calls if self.several == "all" else tool_calls[:1]
        first, *more = [_action(each, tools) for each in taken]
        return Parsed(text.strip(), first, tuple(more))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back; an action that is only text becomes a call of bash."""
        name, arguments = named(action)
        written = json.dumps(arguments, ensure_ascii=False)
        made = ToolCall(action.call_id or f"call_{step}", name, written)
        return Message("assistant", thought, "action", step, (made,))


def _action(made: ToolCall, tools: Sequence[Tool]) -> Action:
    text = made.arguments.strip() or "{}"
    try:
        given, end = json_object(text)
    except FormatError as error:
        raise FormatError(error.code, f"the arguments of the function call: {error}") from error
    if end < len(text):
        raise FormatError(
            "invalid_json", "the arguments of the function call are not valid JSON: text follows the object."
        )
    return call(made.name, given, tools, call_id=made.id)
