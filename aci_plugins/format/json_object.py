"""Thought and call as one JSON object (SWE-agent's JsonParser):

    {"thought": "…", "command": {"name": "open", "arguments": {"path": "src/a.py"}}}

The object may stand in prose or in a code block; text around it does not count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from aci_plugins.format.calls import call, example, json_object, named, signatures
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_START = re.compile(r"\{\s*[\"}]")
_TRIES = 50  # objects that an answer may begin; each one costs a look at the rest of the answer


@plugin
class JsonObject:
    """A JSON object with ``thought`` and ``command`` (``name`` and ``arguments``)."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return True

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer, with the commands and their arguments."""
        shown = self.render("I think about what to do next.", example(tools), 0).content
        return (
            'Answer with one JSON object that has the keys "thought" (what you are thinking and want to do next) and '
            '"command": exactly one command, an object with its "name" and its "arguments". The commands and their '
            f"arguments are:\n\n{signatures(tools)}\n\nFor example:\n\n{shown}"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``invalid_json``, ``missing_key``, ``incorrect_key``,
        ``invalid_command``, ``unexpected_arg``, ``missing_arg`` or ``incorrect_args``."""
        found = _found(text)
        for key in ("thought", "command"):
            if key not in found:
                raise FormatError("missing_key", f'the JSON object has no key "{key}".')
        thought, command = found["thought"], found["command"]
        if not isinstance(thought, str):
            raise FormatError("incorrect_key", '"thought" must be a string.')
        if not isinstance(command, dict) or not isinstance(command.get("name"), str):
            raise FormatError(
                "incorrect_key", '"command" must be an object with "name" (a string) and "arguments".'
            )
        if unknown := sorted(set(command) - {"name", "arguments"}):
            raise FormatError(
                "incorrect_key", f'"command" may only hold "name" and "arguments", not {unknown[0]!r}.'
            )
        given = command.get("arguments")
        if given is not None and not isinstance(given, dict):
            raise FormatError("incorrect_key", '"arguments" must be an object: the arguments by name.')
        action = call(command["name"], given or {}, tools)
        return Parsed(thought.encode("utf-8", "replace").decode().strip(), action)

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back."""
        name, arguments = named(action)
        answer = {"thought": thought, "command": {"name": name, "arguments": arguments}}
        return Message("assistant", json.dumps(answer, ensure_ascii=False, indent=2), "action", step)


def _found(text: str) -> dict[str, Any]:
    """The first object with a thought or a command, or else the first one."""
    first: dict[str, Any] | None = None
    problem: FormatError | None = None
    at = tries = 0
    while (start := _START.search(text, at)) and tries < _TRIES:
        tries += 1
        try:
            found, at = json_object(text, start.start())
        except FormatError as error:
            problem = problem or FormatError(
                error.code, f"there is an object, but {str(error).removeprefix('it ')}"
            )
            at = start.start() + 1
            continue
        if "command" in found or "thought" in found:
            return found
        first = found if first is None else first
    if problem is None and first is not None:
        return first
    raise problem or FormatError(
        "missing", 'there is no JSON object in it. Answer with one that has the keys "thought" and "command".'
    )
