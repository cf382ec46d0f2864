"""Thought as text, action as an element ``<command>…</command>`` (SWE-agent's XMLThoughtActionParser).

The last element that is in no other one is the action. A command that holds the tags itself, or must keep space
at its ends, is written as CDATA.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aci_plugins.format.markup import cdata, defused, read_cdata, space_after, unix
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_TAG = re.compile(r"<command>|</command>")
_MARK = r"<!\[CDATA\[|</?command>"


@plugin
class Xml:
    """A command between ``<command>`` tags; all the rest is thought."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return False

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        return (
            "First write down what you are thinking and what you want to do next. Then write the command between the "
            "tags <command> and </command>. There must be exactly one; if there are several, only the last one "
            "counts. Write the command as it is, without XML escapes; only a command that holds these tags itself "
            "stands in <![CDATA[ and ]]> between them. For example:\n\n"
            "I look at what is in the current directory.\n"
            "<command>\n"
            "ls -a\n"
            "</command>"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``unclosed`` or ``empty``."""
        text = unix(text)
        found = _last(text)
        if found is None:
            raise _none(text)
        first, last, action = found
        if not action.strip():
            raise FormatError(
                "empty", "the command is empty: write it between the tags <command> and </command>."
            )
        return Parsed((text[:first] + text[last:]).strip(), Action(action))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back; tags in the thought get a space."""
        plain = action.text == action.text.strip() and not re.search(_MARK, action.text)
        body = f"<command>\n{action.text if plain else cdata(action.text)}\n</command>"
        thought = defused(thought, _MARK)
        return Message("assistant", f"{thought}\n\n{body}" if thought else body, "action", step)


def _last(text: str) -> tuple[int, int, str] | None:
    """Where the last outermost element begins and ends, and the command in it. What closes last is outermost."""
    opened: list[int] = []
    found: tuple[int, int, str] | None = None
    at = 0
    while tag := _TAG.search(text, at):
        at = tag.end()
        if tag[0] == "<command>":
            sections = read_cdata(text, space_after(text, at))
            if sections and text.startswith("</command>", end := space_after(text, sections[1])):
                at = end + len("</command>")
                found = (tag.start(), at, sections[0])
            else:
                opened.append(tag.start())
        elif opened:
            first = opened.pop()
            found = (first, at, text[first + len("<command>") : tag.start()].strip())
    return found


def _none(text: str) -> FormatError:
    if "<command>" in text:
        return FormatError("unclosed", "<command> is never closed: put </command> after the command.")
    if "</command>" in text:
        return FormatError("missing", "there is </command>, but no <command> before the command.")
    return FormatError(
        "missing", "there is no command in it. Put exactly one between <command> and </command>."
    )
