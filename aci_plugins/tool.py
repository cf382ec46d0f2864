"""A tool: one button on the panel, made from one typed callable with a docstring.

From that callable alone come the documentation shown to the model, the JSON schema for native function
calling, and the parsing of text commands, so the three cannot drift apart.
"""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aci_plugins.environment import Environment
from aci_plugins.parameters import Parameter as Parameter
from aci_plugins.parameters import UsageError as UsageError
from aci_plugins.parameters import number as number
from aci_plugins.parameters import of_callable, read_docstring, read_options, write_options
from aci_plugins.session import Session


@dataclass(frozen=True, slots=True)
class Context:
    """What a tool acts on: the environment, the session, and the time limit of a command in seconds."""

    env: Environment
    session: Session
    timeout: float


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answers; a tool may also return a plain ``str``. ``rule``: of the guardrail that refused it."""

    text: str
    exit_code: int = 0
    submitted: bool = False
    exit_status: str | None = None
    failed_edit: bool = False
    rule: str = ""


Reader = Callable[["Context | None", Sequence[str], str | None], dict[str, Any]]
"""``reader(context, words, body)`` -> arguments. ``context`` is None when nothing is to be run yet."""

Writer = Callable[[Mapping[str, Any]], tuple[list[str], str | None]]
"""``writer(arguments)`` -> words, body."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A named command.

    Attributes:
        name: what the model types.
        description: one paragraph, from the callable's docstring.
        parameters: from the callable's signature and docstring.
        signature: how the text command is written, e.g. ``open "<path>" [<line_number>]``.
        function: ``function(context, **arguments)`` -> ``str`` or :class:`ToolResult`.
        end_name: the line that ends a multi-line text command (``end_of_edit``), else None. The lines between
            are the last parameter.
        reader: how the words of a text command become arguments; None for one word per parameter.
        writer: the opposite of ``reader``.
        edits: it changes files, so that using it wrongly counts as a failed edit.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    signature: str
    function: Callable[..., str | ToolResult]
    end_name: str | None = None
    reader: Reader | None = None
    writer: Writer | None = None
    edits: bool = False

    def documentation(self, *, native: bool = False) -> str:
        """The command as a prompt describes it; ``native`` leaves out how it is written as text."""
        names = ", ".join(p.name if p.required else f"{p.name}=…" for p in self.parameters)
        head = f"{self.name}({names})" if native else self.signature
        lines = [head, f"  {self.description}"]
        for p in self.parameters:
            need = "required" if p.required else "optional"
            lines.append(f"  - {p.name} ({p.kind}, {need}): {p.description}")
        return "\n".join(lines)

    def schema(self) -> dict[str, Any]:
        """The tool in OpenAI's format for function calling."""
        properties = {p.name: p.schema() for p in self.parameters}
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {
                    "type": "object",
                    "properties": properties,
                    "required": [p.name for p in self.parameters if p.required],
                    "additionalProperties": False,
                },
            },
        }

    def render(self, arguments: Mapping[str, Any]) -> str:
        """The text command with these arguments: words shell-quoted; a body is followed by the closing line."""
        words, body = self.writer(arguments) if self.writer else self._write(arguments)
        line = shlex.join([self.name, *words])
        if self.end_name is None:
            return line
        body = body or ""
        body += "" if not body or body.endswith("\n") else "\n"
        end, number = self.end_name, 1
        while end in [row.rstrip() for row in body.split("\n")]:
            number += 1
            end = f"{self.end_name}_{number}"
        if end != self.end_name:
            line += f" << '{end}'"
        return f"{line}\n{body}{end}"

    def read(
        self, words: Sequence[str], body: str | None = None, context: Context | None = None
    ) -> dict[str, Any]:
        """The arguments that the words after the name, and the lines below, stand for.

        Raises:
            UsageError
        """
        return self.reader(context, words, body) if self.reader else self._read(words, body)

    def call(self, context: Context, arguments: Mapping[str, Any]) -> ToolResult:
        """Do it. What goes wrong with files, and wrong use, becomes the answer."""
        try:
            result = self.function(context, **arguments)
        except UsageError as error:
            return ToolResult(f"{error}\n", error.exit_code, failed_edit=self.edits)
        except OSError as error:
            return ToolResult(f"Error: {_reason(error)}\n", 1, failed_edit=self.edits)
        return result if isinstance(result, ToolResult) else ToolResult(result)

    def call_words(self, context: Context, words: Sequence[str], body: str | None) -> ToolResult:
        """Do what a text command says."""
        try:
            arguments = self.read(words, body, context)
        except UsageError as error:
            return ToolResult(f"{error}\n", error.exit_code, failed_edit=self.edits)
        return self.call(context, arguments)

    @property
    def usage(self) -> str:
        """The line that wrong use is answered with."""
        return f"Usage: {self.signature.splitlines()[0]}"

    def _read(self, words: Sequence[str], body: str | None) -> dict[str, Any]:
        slots = self.parameters[:-1] if self.end_name else self.parameters
        needed = sum(p.required for p in slots)
        if not needed <= len(words) <= len(slots):
            raise UsageError(self.usage)
        arguments = {p.name: p.read(word, self.usage) for p, word in zip(slots, words, strict=False)}
        if self.end_name:
            arguments[self.parameters[-1].name] = body or ""
        return arguments

    def _write(self, arguments: Mapping[str, Any]) -> tuple[list[str], str | None]:
        slots = self.parameters[:-1] if self.end_name else self.parameters
        words = []
        for p in slots:
            value = arguments.get(p.name)
            if value is None:
                break  # words are told apart by place alone
            words.append(str(value).lower() if isinstance(value, bool) else str(value))
        return words, str(arguments[self.parameters[-1].name]) if self.end_name else None


def tool(
    function: Callable[..., str | ToolResult],
    *,
    name: str | None = None,
    signature: str | None = None,
    end_name: str | None = None,
    reader: Reader | None = None,
    writer: Writer | None = None,
    edits: bool = False,
    options: bool = False,
    fill: Mapping[str, object] | None = None,
) -> Tool:
    """Make a tool from ``function(context, …)``.

    Its docstring is one paragraph for the model, then ``Args:`` with one ``name: text`` per parameter.
    ``{key}`` in it is replaced by ``fill[key]``. Without ``signature`` one is made from the parameters. With
    ``options`` the optional ones are written ``--name value`` in a text command, in any order.

    Raises:
        TypeError: a parameter has no description, or a type other than str, int, bool, list[int] and Literal of
            strings.
    """
    name = name or function.__name__
    text = inspect.getdoc(function) or ""
    for key, value in (fill or {}).items():
        text = text.replace("{" + key + "}", str(value))
    description, described = read_docstring(text)
    parameters = of_callable(function, name, described)
    if signature is None:
        slot = "[--{0} <{0}>]" if options else "[<{0}>]"
        words = [f"<{p.name}>" if p.required else slot.format(p.name) for p in parameters]
        signature = " ".join([name, *words])
    if options:
        usage = f"Usage: {signature}"
        reader = reader or (lambda context, words, body: read_options(parameters, words, usage))
        writer = writer or (lambda arguments: (write_options(parameters, arguments), None))
    return Tool(name, description, parameters, signature, function, end_name, reader, writer, edits)


def _reason(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.strerror and error.filename else str(error)
