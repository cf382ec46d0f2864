"""Runs the text of an action: the ACI's own commands in the host, everything else in the environment's shell,
in the order and with the meaning that bash gives to ``&&``, ``||``, ``;``, newlines and pipes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aci_plugins.bash import CommandLine, Piece, read
from aci_plugins.message import Observation
from aci_plugins.tool import Context, Tool, ToolResult


def perform(text: str, tools: Mapping[str, Tool], context: Context) -> Observation:
    """Do what ``text`` says. Shell text without any of ``tools`` reaches the shell exactly as it is.

    Raises:
        aci_plugins.environment.EnvironmentFailure
    """
    line = read(text, ends(tools))
    run = _Run(tools, context, time.monotonic() + context.timeout)
    if not any(command.words and command.words[0].value in tools for command in line.commands):
        run.shell(text)
    elif line.error:
        # bash would run the lines before the mistake; among them may be the text of an edit.
        run.refuse(f"bash: syntax error: {line.error}. Nothing was run.")
    elif misplaced := _misplaced(line, tools):
        run.refuse(
            f"{misplaced} is a command of this interface: it can stand alone, before or after && || ; and at the "
            "beginning of a pipeline, but not inside loops, groups, functions or substitutions, nor further down a "
            "pipeline, nor after assignments. Nothing was run."
        )
    else:
        run.pieces(line.pieces)
    return run.observation()


def ends(tools: Mapping[str, Tool]) -> dict[str, str]:
    """Names of the multi-line commands, and the lines that end them."""
    return {name: tool.end_name for name, tool in tools.items() if tool.end_name}


@dataclass(slots=True)
class _Run:
    """What has been done so far, and what it printed."""

    tools: Mapping[str, Tool]
    context: Context
    deadline: float
    output: list[str] = field(default_factory=list)
    status: int = 0
    over: bool = False
    ending: ToolResult = field(default_factory=lambda: ToolResult(""))
    failed_edit: bool = False
    timed_out: bool = False
    rule: str = ""

    @property
    def left(self) -> float:
        """Seconds that are left of the action's time."""
        return max(0.001, self.deadline - time.monotonic())

    def pieces(self, pieces: Sequence[Piece]) -> None:
        """Run a list; neighbouring pieces for the shell go to it together."""
        at = 0
        while at < len(pieces) and not self.over:
            piece = pieces[at]
            at += 1
            if (piece.operator == "&&" and self.status) or (piece.operator == "||" and not self.status):
                continue
            if (tool := _tool(piece, self.tools)) is not None:
                self.tool(tool, piece)
                continue
            first = at - 1
            while at < len(pieces) and _tool(pieces[at], self.tools) is None:
                at += 1
            self.shell(_source(pieces[first:at]))

    def tool(self, tool: Tool, piece: Piece) -> None:
        """Run a command of the ACI; what it prints goes through the rest of its pipeline."""
        head = piece.head
        assert head is not None
        body = head.document
        if tool.end_name and (body is None or not body.closed):
            self.failed_edit |= tool.edits
            end = body.delimiter if body else tool.end_name
            self.refuse(f"{tool.name}: the closing line {end} is missing. Nothing was changed.")
            return
        words: Sequence[str] | None = [word.value for word in head.words[1:]]
        # A simulated shell expands nothing: words mean what they say.
        if self.context.env.kind != "simulated" and any(word.expands for word in head.words[1:]):
            words = self.expanded(" ".join(word.raw for word in head.words[1:]))
        if words is None:
            return
        context = Context(self.context.env, self.context.session, self.left)
        result = tool.call_words(context, words, body.body if body else None)
        self.status = result.exit_code
        self.failed_edit |= result.failed_edit
        self.rule = self.rule or result.rule
        if result.submitted or result.exit_status:
            self.ending, self.over = result, True
        text = result.text + "\n" if result.text and not result.text.endswith("\n") else result.text
        tail = " ".join([*(r for r in head.redirections if not r.startswith("<")), piece.rest]).strip()
        if tail:
            self.shell(f"cat <<'{(mark := _mark(text))}' {tail}\n{text}{mark}\n")
        else:
            self.output.append(text)

    def expanded(self, words: str) -> list[str] | None:
        """The words that bash makes of ``words``; None if it fails, and then it has said why."""
        result = self.context.env.run(f"printf '%s\\0' {words}", timeout=self.left)
        if result.exit_code or result.timed_out:
            self.output.append(result.output)
            self.status, self.timed_out, self.over = result.exit_code, result.timed_out, True
            return None
        return result.output.split("\0")[:-1]

    def shell(self, source: str) -> None:
        """Run ``source`` in the environment's shell."""
        result = self.context.env.run(source, timeout=self.left)
        self.output.append(result.output)
        self.status = result.exit_code
        if result.timed_out:
            self.timed_out = self.over = True
            note = f": {result.note}" if result.note else ""
            self.say(f"EXECUTION TIMED OUT after {self.context.timeout:g} seconds{note}")
        elif result.note:
            self.say(f"({result.note})")

    def refuse(self, why: str) -> None:
        """Stop, with a reason."""
        self.say(why)
        self.status, self.over = 2, True

    def say(self, text: str) -> None:
        """Print a line of our own."""
        begun = self.output and self.output[-1] and not self.output[-1].endswith("\n")
        self.output.append(f"\n{text}\n" if begun else f"{text}\n")

    def observation(self) -> Observation:
        """All of it together."""
        return Observation(
            "".join(self.output),
            exit_code=self.status,
            timed_out=self.timed_out,
            submitted=self.ending.submitted,
            exit_status=self.ending.exit_status,
            failed_edit=self.failed_edit,
            rule=self.rule,
        )


def _tool(piece: Piece, tools: Mapping[str, Tool]) -> Tool | None:
    return tools.get(piece.head.words[0].value) if piece.head and piece.head.words else None


def _misplaced(line: CommandLine, tools: Mapping[str, Tool]) -> str:
    """A command of the ACI that stands where only the shell could run it ("" if none)."""
    heads = {id(piece.head) for piece in line.pieces if piece.head and not piece.head.assigned}
    for command in line.commands:
        if command.words and command.words[0].value in tools and id(command) not in heads:
            return command.words[0].value
    return ""


def _source(pieces: Sequence[Piece]) -> str:
    """The text of neighbouring pieces; here-documents follow the line that asks for them."""
    source = documents = ""
    for number, piece in enumerate(pieces):
        if number and piece.operator in ("&&", "||"):
            source += f" {piece.operator} "
        elif number:
            source, documents = f"{source}\n{documents}", ""
        source += piece.source
        documents += piece.documents
    return f"{source}\n{documents}"


def _mark(text: str) -> str:
    """A line that ``text`` does not contain."""
    mark, rows = "END_OF_OUTPUT", set(text.split("\n"))
    while mark in rows:
        mark += "_"
    return mark
