"""A tool: one button on the panel, made from one typed callable with a docstring.

From that callable alone come the documentation shown to the model, the JSON schema for native function
calling, and the parsing of text commands, so the three cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable
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


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument: ``type`` is a JSON-schema type name (string, integer, boolean)."""

    name: str
    type: str
    description: str
    required: bool
    default: Any = None


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
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    signature: str
    function: Callable[..., str | ToolResult]
    end_name: str | None = None
