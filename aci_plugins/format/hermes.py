"""Function calls as JSON between ``<tool_call>`` tags (the format of Hermes 2 Pro, which Qwen 2.5 and others use).

<tool_call>
{"name": "open", "arguments": {"path": "src/a.py"}}
</tool_call>
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from aci_plugins.format.calls import call, example, json_object, named
from aci_plugins.format.markup import defused, space_after
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_OPEN, _CLOSE = "<tool_call>", "</tool_call>"
_MARK = r"</?tool_call>"


@plugin
class Hermes:
    """One call as text, a JSON object between tags; the text around it is the thought."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return True

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer, with the functions as JSON schemas."""
        schemas = "\n".join(json.dumps(t.schema(), ensure_ascii=False) for t in tools)
        shown = self.render("I think about what to do next.", example(tools), 0).content
        return (
            "First write down what you are thinking and what you want to do next. Then call exactly one function: a "
            'JSON object with its "name" and "arguments" between the tags <tool_call> and </tool_call>. The '
            f"functions are:\n\n<tools>\n{schemas}\n</tools>\n\nFor example:\n\n{shown}"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """The closing tag may be missing at the end of the answer, where a stop sequence cuts it off.

        Raises :class:`FormatError`: ``missing``, ``multiple``, ``unclosed``, ``invalid_json``, ``missing_key``,
        ``incorrect_key``, ``invalid_command``, ``unexpected_arg``, ``missing_arg`` or ``incorrect_args``."""
        first = text.find(_OPEN)
        if first < 0:
            raise FormatError(
                "missing",
                "there is no function call in it. Call exactly one: a JSON object between <tool_call> and "
                "</tool_call>.",
            )
        made, end = _object(text, space_after(text, first + len(_OPEN)))
        end = space_after(text, end)
        if text.startswith(_CLOSE, end):
            end += len(_CLOSE)
        elif end < len(text):
            raise FormatError(
                "unclosed", "after the JSON object of the function call, </tool_call> is missing."
            )
        if _OPEN in text[end:]:
            raise FormatError(
                "multiple",
                f"there are {text.count(_OPEN, end) + 1} function calls in it. Call exactly one function at a time.",
            )
        if "name" not in made:
            raise FormatError("missing_key", 'the JSON object of the function call has no key "name".')
        if unknown := sorted(set(made) - {"name", "arguments"}):
            raise FormatError(
                "incorrect_key", f'a function call may only hold "name" and "arguments", not {unknown[0]!r}.'
            )
        name, given = made["name"], made.get("arguments")
        if not isinstance(name, str) or not isinstance(given, dict | None):
            raise FormatError(
                "incorrect_key", '"name" must be a string, and "arguments" an object: the arguments by name.'
            )
        return Parsed((text[:first] + text[end:]).strip(), call(name, given or {}, tools))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back; tags in the thought get a space."""
        name, arguments = named(action)
        written = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
        body = f"{_OPEN}\n{written}\n{_CLOSE}"
        thought = defused(thought, _MARK)
        return Message("assistant", f"{thought}\n\n{body}" if thought else body, "action", step)


def _object(text: str, at: int) -> tuple[dict[str, object], int]:
    try:
        return json_object(text, at)
    except FormatError as error:
        raise FormatError(
            error.code,
            f"what follows <tool_call> is no function call: {error}",
        ) from error
