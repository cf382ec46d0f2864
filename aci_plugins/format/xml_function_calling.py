"""Function calls written as tags, as models tuned on SWE-agent write them (SWE-agent's XMLFunctionCallingParser).

    <function=open>
    <parameter=path>src/a.py</parameter>
    <parameter=line_number>10</parameter>
    </function>

One newline at each end of a value does not count. A value that holds such tags itself is written as CDATA.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aci_plugins.format.calls import call, example, named, signatures
from aci_plugins.format.markup import cdata, defused, read_cdata, space_after, unix
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_FUNCTION = re.compile(r"<function=([^>\n]*)>")
_PARAMETER = re.compile(r"<parameter=([^>\n]*)>")
_VALUE_END = re.compile(r"</parameter>(?=\s*(?:<parameter=|</function>))")
_MARK = r"</?(?:function|parameter)[=>]|<!\[CDATA\["
_CLOSE = "</function>"


@plugin
class XmlFunctionCalling:
    """One call as text: a function tag with a tag per argument; the text around it is the thought."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return True

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer, with the functions and their arguments."""
        shown = self.render("I think about what to do next.", example(tools), 0).content
        return (
            "First write down what you are thinking and what you want to do next. Then call exactly one function, "
            "with a tag for each argument. Write values as they are, without quotes and XML escapes; only a value "
            "that holds such tags itself stands in <![CDATA[ and ]]>. The functions and their arguments are:\n\n"
            f"{signatures(tools)}\n\nFor example:\n\n{shown}"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``multiple``, ``unclosed``, ``malformed``, ``repeated_arg``,
        ``invalid_command``, ``unexpected_arg``, ``missing_arg`` or ``incorrect_args``."""
        text = unix(text)
        opened = _FUNCTION.search(text)
        if opened is None:
            raise FormatError(
                "missing",
                "there is no function call in it. Call exactly one: <function=NAME>, its <parameter=…> tags, "
                "</function>.",
            )
        given, end = _arguments(text, opened.end())
        if _FUNCTION.search(text, end):
            raise FormatError(
                "multiple", "there are several function calls in it. Call exactly one function at a time."
            )
        action = call(opened[1].strip(), given, tools, text=True)
        return Parsed((text[: opened.start()] + text[end:]).strip(), action)

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back; tags in the thought get a space."""
        name, arguments = named(action)
        rows = [f"<parameter={key}>{_written(value)}</parameter>" for key, value in arguments.items()]
        body = "\n".join([f"<function={name}>", *rows, _CLOSE])
        thought = defused(thought, _MARK)
        return Message("assistant", f"{thought}\n\n{body}" if thought else body, "action", step)


def _written(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if re.search(_MARK, text):
        return cdata(text)
    return f"\n{text}\n" if "\n" in text else text


def _arguments(text: str, at: int) -> tuple[dict[str, str], int]:
    """The parameters from ``at`` on, and where the call ends."""
    given: dict[str, str] = {}
    while True:
        at = space_after(text, at)
        if text.startswith(_CLOSE, at):
            return given, at + len(_CLOSE)
        tag = _PARAMETER.match(text, at)
        if tag is None:
            if _CLOSE not in text[at:]:
                raise FormatError(
                    "unclosed", "the function call is never closed: put </function> after its last parameter."
                )
            raise FormatError(
                "malformed",
                f"between <function=…> and </function> there may only be <parameter=NAME>VALUE</parameter> tags, not "
                f"{text[at : at + 40]!r}.",
            )
        name = tag[1].strip()
        if name in given:
            raise FormatError("repeated_arg", f"the parameter {name!r} is given twice.")
        given[name], at = _value(text, tag.end(), name)


def _value(text: str, at: int, name: str) -> tuple[str, int]:
    sections = read_cdata(text, space_after(text, at))
    if sections and text.startswith("</parameter>", end := space_after(text, sections[1])):
        return sections[0], end + len("</parameter>")
    end = _value_end(text, at)
    if end < 0:
        raise FormatError(
            "unclosed",
            f"the parameter {name!r} is never closed: put </parameter> after its value, and </function> after the "
            "last parameter.",
        )
    return text[at:end].removeprefix("\n").removesuffix("\n"), end + len("</parameter>")


def _value_end(text: str, at: int) -> int:
    """The closing tag that another tag of the call follows, since a value may hold one; or else the first one."""
    closing = _VALUE_END.search(text, at)
    return closing.start() if closing else text.find("</parameter>", at)
