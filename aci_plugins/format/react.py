"""Thought, action and its input on lines of their own (ReAct, arXiv 2210.03629; as LangChain writes it):

    Thought: I look for the definition first.
    Action: search_dir
    Action Input: {"search_term": "def parse"}

The input is a JSON object, or plain text if the tool has one text argument that it needs. What follows a line
``Observation:`` was made up by the model and does not count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from aci_plugins.format.calls import call, example, json_object, named, signatures
from aci_plugins.format.markup import defused_lines, space_after, unix
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_ACTION = re.compile(r"^Action:[ \t]*(.*)$", re.M)
_INPUT = re.compile(r"^Action Input:", re.M)
_MADE_UP = re.compile(r"^Observation:", re.M)
_MARK = r"(?:Action|Action Input|Observation):"


@plugin
class React:
    """``Thought:``, ``Action:`` and ``Action Input:``."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return True

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer, with the tools and their arguments."""
        shown = self.render("I think about what to do next.", example(tools), 0).content
        return (
            "Answer with three parts, each beginning a line: Thought: what you are thinking and what you want to do "
            "next; Action: the name of exactly one tool; Action Input: its arguments as a JSON object. Then stop: the "
            f"observation is given to you. The tools and their arguments are:\n\n{signatures(tools)}\n\n"
            f"For example:\n\n{shown}"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing`` (no action), ``missing_input``, ``multiple``, ``invalid_json``,
        ``invalid_command``, ``unexpected_arg``, ``missing_arg`` or ``incorrect_args``."""
        text = unix(text)
        chosen = _ACTION.search(text)
        if chosen is None:
            raise FormatError(
                "missing",
                "there is no line that begins with Action: in it. Name exactly one tool on such a line, and its "
                "arguments after Action Input: on the next.",
            )
        name = chosen[1].strip().strip("`'\"[]")
        opened = _INPUT.search(text, chosen.end())
        if opened is None:
            raise FormatError(
                "missing_input",
                "after the action, the line that begins with Action Input: is missing. Write a JSON object there, {} "
                "for no arguments.",
            )
        if _ACTION.search(text, chosen.end(), opened.start()):
            raise _several()
        given = _input(text, opened.end(), next((t for t in tools if t.name == name), None))
        thought = text[: chosen.start()].strip().removeprefix("Thought:").strip()
        return Parsed(thought, call(name, given, tools))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back; lines of the thought that begin like a part are indented."""
        name, arguments = named(action)
        written = json.dumps(arguments, ensure_ascii=False)
        thought = defused_lines(thought, _MARK)
        body = f"Thought: {thought}\nAction: {name}\nAction Input: {written}"
        return Message("assistant", body, "action", step)


def _input(text: str, at: int, tool: Tool | None) -> Mapping[str, Any]:
    """The arguments that begin at ``at``."""
    at = space_after(text, at)
    only = [p for p in tool.parameters if p.required] if tool else []
    plain = len(only) == 1 and only[0].type == "string"
    if plain and not text.startswith("{", at):
        return {only[0].name: _shown(text, at).strip()}
    try:
        given, end = json_object(text, at)
    except FormatError as error:
        raise FormatError(error.code, f"the action input is no JSON object: {error}") from error
    if rest := _shown(text, end).strip():
        raise FormatError(
            "invalid_json", f"after the JSON object of the action input there is more: {rest[:40]!r}."
        )
    return given


def _shown(text: str, at: int) -> str:
    """The text from ``at`` up to what the model made up."""
    made_up = _MADE_UP.search(text, at)
    left = text[at : made_up.start() if made_up else len(text)]
    if _ACTION.search(left):
        raise _several()
    return left


def _several() -> FormatError:
    return FormatError(
        "multiple", "there are several actions in it. Name exactly one, and wait for what it answers."
    )
