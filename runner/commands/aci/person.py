"""A person who plays the model: reads the messages, types answers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from aci_plugins.aci import ACI
from aci_plugins.bash import read
from aci_plugins.dispatch import ends
from aci_plugins.message import Message
from aci_plugins.tool import Tool
from runner.commands.parse import read_message
from runner.models.base import Completion

HELP = """type a command, of the interface or of bash; a command of several lines ends where it is complete
  :answer   an answer exactly as a model would write it, in the lines that follow, up to a line :end
  :prompt   show the whole conversation again
  :help     these lines
  Ctrl-D    end, and print the patch
"""


class Gone(Exception):
    """The input is at its end."""


class Person:
    """Plays :class:`runner.models.base.Conversation`.

    ``line``: gives the next line, shown the given prompt; raises ``EOFError`` at the end.
    """

    def __init__(self, aci: ACI, line: Callable[[str], str]) -> None:
        self.aci = aci
        self.line = line
        self.step = 0

    def complete(self, messages: Sequence[Message], tools: Sequence[Tool], stop: Sequence[str]) -> Completion:
        """Show what is new, and read an answer.

        Raises:
            Gone: at the end of the input.
        """
        self.step += 1
        if self.step == 1:
            _show_all(messages)
        else:
            _show([m for m in messages if m.step == self.step - 1 and m.role != "assistant"])
        while True:
            text = self._read("> ")
            if text == ":help":
                sys.stdout.write(HELP)
            elif text == ":prompt":
                _show_all(messages)
            elif text == ":answer":
                return self._answer()
            elif text.strip():
                return self._command(text)

    def _read(self, prompt: str) -> str:
        try:
            return self.line(prompt)
        except EOFError as error:
            raise Gone from error

    def _answer(self) -> Completion:
        lines: list[str] = []
        while (line := self._read("| ")) != ":end":
            lines.append(line)
        text = "\n".join(lines)
        if not self.aci.format.native:
            return Completion(text, cost=0.0)
        content, calls = read_message(text)
        return Completion(content, tuple(calls), cost=0.0)

    def _command(self, text: str) -> Completion:
        """The answer of a model that gives this command without a thought."""
        while _incomplete(text, self.aci.tools):
            text += "\n" + self._read("| ")
        made = self.aci.render("", self.aci.parse_command(text), self.step)
        return Completion(made.content, made.tool_calls, cost=0.0)


def _show_all(messages: Sequence[Message]) -> None:
    for message in messages:
        sys.stdout.write(f"==== {message.kind} (role {message.role})\n")
        _show([message])


def _show(messages: Sequence[Message]) -> None:
    for message in messages:
        calls = "".join(f"{call.name}({call.arguments})\n" for call in message.tool_calls)
        sys.stdout.write(f"{message.content.rstrip()}\n{calls}")
    sys.stdout.flush()


def _incomplete(text: str, tools: Sequence[Tool]) -> bool:
    """Whether bash, or a command of several lines, waits for more."""
    line = read(text, ends({tool.name: tool for tool in tools}))
    if any(c.document is not None and not c.document.closed for c in line.commands):
        return True
    return line.error == "unexpected ''" or line.error.startswith(
        ("missing ", "nothing after", "a backslash")
    )
