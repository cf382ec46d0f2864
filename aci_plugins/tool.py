"""A tool: one button on the panel, made from one typed callable with a docstring.

From that callable alone come the documentation shown to the model, the JSON schema for native function
calling, and the parsing of text commands, so the three cannot drift apart.
"""

from __future__ import annotations

import inspect
import re
import shlex
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aci_plugins.environment import Environment
from aci_plugins.session import Session


@dataclass(frozen=True, slots=True)
class Context:
    """What a tool acts on: the environment, the session, and the time limit of a command in seconds."""

    env: Environment
    session: Session
    timeout: float


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answers; a tool may also return a plain ``str``."""

    text: str
    exit_code: int = 0
    submitted: bool = False
    exit_status: str | None = None
    failed_edit: bool = False
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument: ``type`` is a JSON-schema type name (string, integer, boolean)."""

    name: str
    type: str
    description: str
    required: bool
    default: Any = None


class UsageError(ValueError):
    """A text command whose arguments do not fit; the message is what the model is shown."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A named command.

    Attributes:
        name: what the model types.
        description: one paragraph, from the callable's docstring.
        parameters: from the callable's signature and docstring.
        signature: how the text command is written, e.g. ``open "<path>" [<line_number>]``.
        function: ``function(context, **arguments)`` -> ``str`` or :class:`ToolResult`.
        end_name: the line that ends a multi-line text command (``end_of_edit``), else None.
        words: turns the words of a text command (and its body) into arguments; raises :class:`UsageError`.
        text: turns arguments into the words of a text command.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    signature: str
    function: Callable[..., str | ToolResult]
    end_name: str | None = None
    words: Callable[[Sequence[str], str], dict[str, Any]] | None = None
    text: Callable[[Mapping[str, Any]], str] | None = None

    def documentation(self) -> str:
        """The command's entry in the text documentation."""
        lines = [f"{self.name}:", f"  {self.description}", f"  usage: {self.signature}"]
        for p in self.parameters:
            need = "required" if p.required else "optional"
            lines.append(f"    - {p.name} ({p.type}) [{need}]: {p.description}")
        return "\n".join(lines)

    def schema(self) -> dict[str, Any]:
        """The tool as an OpenAI function schema."""
        properties = {p.name: {"type": p.type, "description": p.description} for p in self.parameters}
        required = [p.name for p in self.parameters if p.required]
        parameters = {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": parameters},
        }

    def render(self, arguments: Mapping[str, Any]) -> str:
        """The text command for ``arguments``."""
        if self.text is not None:
            return self.text(arguments)
        words = [
            shlex.quote(str(arguments[p.name])) for p in self.parameters if arguments.get(p.name) is not None
        ]
        return " ".join([self.name, *words])

    def arguments(self, words: Sequence[str], body: str = "") -> dict[str, Any]:
        """Arguments from the words of a text command.

        Raises:
            UsageError: too few, too many, or of the wrong type.
        """
        if self.words is not None:
            return self.words(words, body)
        required = [p for p in self.parameters if p.required]
        if not len(required) <= len(words) <= len(self.parameters):
            raise UsageError(f"Usage: {self.signature}")
        values: dict[str, Any] = {}
        for parameter, word in zip(self.parameters, words, strict=False):
            if parameter.type == "integer":
                if not re.fullmatch(r"-?\d+", word):
                    raise UsageError(f"Usage: {self.signature}\nError: <{parameter.name}> must be a number")
                values[parameter.name] = int(word)
            else:
                values[parameter.name] = word
        return values


_TYPES = {str: "string", int: "integer", bool: "boolean", float: "number"}


def tool(
    function: Callable[..., str | ToolResult],
    signature: str,
    *,
    name: str | None = None,
    end_name: str | None = None,
    words: Callable[[Sequence[str], str], dict[str, Any]] | None = None,
    text: Callable[[Mapping[str, Any]], str] | None = None,
    **values: Any,
) -> Tool:
    """Make a :class:`Tool` from ``function(context, …)``. ``{name}`` in its docstring is filled in from ``values``."""
    doc = inspect.cleandoc(function.__doc__ or "")
    summary, _, arguments = doc.partition("\n\nArgs:\n")
    described = dict(re.findall(r"^\s+(\w+): (.+(?:\n\s{8,}.+)*)", arguments, re.M))
    hints = typing.get_type_hints(function)
    parameters = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        options = [t for t in typing.get_args(hints[parameter.name]) if t is not type(None)] or [
            hints[parameter.name]
        ]
        required = parameter.default is inspect.Parameter.empty
        about = " ".join(described[parameter.name].split())
        default = None if required else parameter.default
        parameters.append(Parameter(parameter.name, _TYPES[options[0]], about, required, default))
    summary = " ".join(summary.split())
    for key, value in values.items():
        summary = summary.replace("{" + key + "}", str(value))
    return Tool(
        name or function.__name__.rstrip("_"),
        summary,
        tuple(parameters),
        signature,
        function,
        end_name,
        words,
        text,
    )
