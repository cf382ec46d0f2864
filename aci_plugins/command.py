"""Splits a text action into pieces that the host's tools run and pieces that the shell runs.

Bash itself knows nothing of our tools, so `cd src && open x.py`, `find_file 'f*' | tail -2` or an edit followed by
other commands are taken apart here, outside quotes, and run in order with the shell's rules for `&&`, `||` and `;`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from aci_plugins.tool import Tool

_HEREDOC = re.compile(r"<<-?\s*(?:'([^'\n]+)'|\"([^\"\n]+)\"|(\w+))\s*$")


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a compound action.

    Attributes:
        joint: how it follows the part before: "", ";", "&&" or "||".
        text: the command; for a tool, its words as written.
        tool: the tool that runs it, or None for the shell.
        body: the text of a multi-line command.
        rest: what stands behind the first pipe, for a tool in a pipeline.
    """

    joint: str
    text: str
    tool: Tool | None = None
    body: str = ""
    rest: str = ""


def split(action: str, tools: Mapping[str, Tool]) -> list[Piece]:
    """The parts of ``action`` in order; a single shell part when it uses no tool."""
    pieces: list[Piece] = []
    lines = action.split("\n")
    shell: list[str] = []

    def flush() -> None:
        if text := "\n".join(shell).strip("\n"):
            pieces.extend(_line(text, tools))
        shell.clear()

    index = 0
    while index < len(lines):
        line = lines[index]
        word = line.split(maxsplit=1)[0] if line.split() else ""
        tool = tools.get(word)
        if tool is not None and tool.end_name and not _open_quote("\n".join(shell)):
            flush()
            head, end = line, tool.end_name
            if heredoc := _HEREDOC.search(line):
                head, end = line[: heredoc.start()], heredoc[1] or heredoc[2] or heredoc[3]
            body = []
            index += 1
            while index < len(lines) and lines[index].rstrip() != end:
                body.append(lines[index])
                index += 1
            words = head.strip().removeprefix(word).strip()
            pieces.append(Piece(";" if pieces else "", words, tool, "\n".join(body)))
        else:
            shell.append(line)
        index += 1
    flush()
    return pieces


def _line(text: str, tools: Mapping[str, Tool]) -> list[Piece]:
    parts = _top_level(text)
    if not any(_first(command) in tools for _, command in parts):
        return [Piece("", text)]
    pieces: list[Piece] = []
    for joint, command in parts:
        tool = tools.get(_first(command))
        if tool is None:
            pieces.append(Piece(joint, command))
            continue
        own, _, rest = _pipe(command)
        pieces.append(Piece(joint, own.strip().removeprefix(tool.name).strip(), tool, "", rest))
    return pieces


def _first(command: str) -> str:
    words = command.split(maxsplit=1)
    return words[0] if words else ""


def _top_level(text: str) -> list[tuple[str, str]]:
    """(joint, command) at the top level: not inside quotes, parentheses, braces, heredocs or compound statements."""
    if "<<" in text or re.search(r"^\s*(?:for|while|until|if|case|function|\{|\()|\(\)\s*\{", text):
        return [("", text)]
    parts: list[tuple[str, str]] = []
    joint, start, index, depth = "", 0, 0, 0
    quote = ""
    while index < len(text):
        char = text[index]
        if quote:
            if char == "\\" and quote == '"':
                index += 1
            elif char == quote:
                quote = ""
        elif char == "\\":
            index += 1
        elif char in "'\"`":
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif depth == 0 and (text.startswith(("&&", "||"), index) or char in ";\n"):
            width = 2 if char in "&|" else 1
            parts.append((joint, text[start:index].strip()))
            joint = text[index : index + width] if width == 2 else ";"
            index += width
            start = index
            continue
        index += 1
    parts.append((joint, text[start:].strip()))
    return [(joint, command) for joint, command in parts if command]


def _pipe(command: str) -> tuple[str, str, str]:
    """The part before the first pipe or redirection outside quotes, the sign, and the part behind it."""
    quote = ""
    for index, char in enumerate(command):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        elif char == "|":
            return command[:index], "|", command[index + 1 :].strip()
        elif char == ">":
            return command[:index], ">", f"cat {command[index:]}"
    return command, "", ""


def _open_quote(text: str) -> bool:
    return text.count("'") % 2 == 1 or text.count('"') % 2 == 1 or bool(_HEREDOC.search(text))
