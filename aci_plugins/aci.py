"""The composed ACI: tools + documentation + action format + feedback + guardrails + history policy."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, Protocol

from aci_plugins.command import Piece, split
from aci_plugins.environment import Environment
from aci_plugins.message import Action, Message, Observation, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.session import Session
from aci_plugins.tool import Context, Tool, ToolResult, UsageError

_EXPANDS = re.compile(r"[$`~*?\[{]")


class Viewer(Protocol):
    """Brings the commands that read files. ``window`` is the number of lines shown, None for whole files."""

    @property
    def window(self) -> int | None: ...

    @property
    def size(self) -> int: ...

    def tools(self) -> tuple[Tool, ...]: ...


class Editor(Protocol):
    """Brings the commands that change files."""

    @property
    def lints(self) -> bool: ...

    def tools(self, viewer: bool) -> tuple[Tool, ...]: ...


class ToolProvider(Protocol):
    """A search, shell or submit option: it brings tools."""

    def tools(self) -> tuple[Tool, ...]: ...


class Format(Protocol):
    """How an action is written in an answer."""

    @property
    def native(self) -> bool:
        """Whether tools go to the provider as JSON schemas (native function calling)."""
        ...

    def documentation(self, tools: Sequence[Tool]) -> str:
        """The part of the system prompt that says how to answer."""
        ...

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`aci_plugins.message.FormatError` and nothing else."""
        ...

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The assistant message that :meth:`parse` reads back as ``thought`` and ``action``."""
        ...


class HistoryPolicy(Protocol):
    """Which messages, in which form, the model sees."""

    def apply(self, messages: Sequence[Message]) -> list[Message]: ...


class FeedbackPolicy(Protocol):
    """What of an observation is shown."""

    def apply(self, observation: Observation) -> Observation: ...


class GuardrailPolicy(Protocol):
    """What is refused before it runs."""

    @property
    def max_requeries(self) -> int:
        """Consecutive answers that may be malformed or refused; one more ends the episode (``exit_format``)."""
        ...

    def check(self, action: Action) -> str | None:
        """Why ``action`` must not run (shown to the model), or None."""
        ...


@plugin
class ACI:
    """Built from one option of each ``aci/…`` group.

    Attributes:
        dialect: ``paper`` follows SWE-agent 0.7 (arXiv 2405.15793v3).
    """

    name: str
    viewer: Any
    editor: Any
    search: Any
    shell: Any
    submit: Any
    format: Any
    feedback: Any
    history: Any
    guardrails: Any
    dialect: Literal["paper"] = "paper"

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """All commands: viewer, search, editor, shell, submit."""
        viewing = self.viewer.tools()
        return (
            *viewing,
            *self.search.tools(),
            *self.editor.tools(bool(viewing)),
            *self.shell.tools(),
            *self.submit.tools(),
        )

    @cached_property
    def commands(self) -> frozenset[str]:
        """Names of all commands."""
        return frozenset(tool.name for tool in self.tools)

    def tool(self, name: str) -> Tool:
        """The tool of that name. Raises ``KeyError``."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def _typed(self) -> dict[str, Tool]:
        """Commands that text actions may use by name (``bash`` is what everything else is)."""
        return {name: tool for name, tool in self._by_name.items() if name != "bash"}

    def session(self) -> Session:
        """The state that an episode begins with."""
        return Session(window=self.viewer.size)

    def variables(self) -> dict[str, Any]:
        """What prompt templates may say of this ACI."""
        return self._variables

    @cached_property
    def _variables(self) -> dict[str, Any]:
        own = [t for t in self.tools if t.name != "bash"]
        return {
            "command_docs": "\n\n".join(tool.documentation() for tool in own),
            "format_docs": self.format.documentation(self.tools),
            "commands": sorted(self.commands),
            "window": self.viewer.window,
            "has_viewer": bool(self.viewer.tools()),
            "has_editor": "edit" in self.commands,
            "has_search": bool(self.search.tools()),
            "lint": self.editor.lints,
            "submit_command": self.submit.tools()[0].name,
            "native": self.format.native,
        }

    def parse(self, text: str, tool_calls: Sequence[ToolCall]) -> Parsed:
        """Read an answer. Raises :class:`aci_plugins.message.FormatError`."""
        parsed: Parsed = self.format.parse(text, tool_calls, self.tools)
        return parsed

    def render(self, thought: str, action: Action, step: int) -> Message:
        """Write an answer."""
        message: Message = self.format.render(thought, action, step)
        return message

    def action(self, name: str, **arguments: Any) -> Action:
        """The action that calls a tool."""
        given = {k: v for k, v in arguments.items() if v is not None}
        return Action(self.tool(name).render(given), name, given)

    def shell_action(self, command: str) -> Action:
        """The action that runs a shell command."""
        return Action(command, "bash", {"command": command})

    def parse_command(self, command: str) -> Action:
        """The action for a command as one types it."""
        pieces = split(command, self._typed)
        if len(pieces) == 1 and (tool := pieces[0].tool) and not pieces[0].rest:
            try:
                arguments = tool.arguments(shlex.split(pieces[0].text), pieces[0].body)
            except (UsageError, ValueError):
                return Action(command)
            typed = {p.name: p.type for p in tool.parameters}
            whole = {k: int(v) if typed[k] == "integer" else v for k, v in arguments.items() if v is not None}
            return Action(command, tool.name, whole)
        return self.shell_action(command)

    def check(self, action: Action) -> str | None:
        """Why a guardrail refuses ``action``, or None."""
        reason: str | None = self.guardrails.check(action)
        return reason

    def state(self, env: Environment, session: Session) -> dict[str, str]:
        """What the state line shows."""
        return {"open_file": session.open_file or "n/a", "working_dir": str(env.cwd)}

    def act(self, action: Action, env: Environment, session: Session, timeout: float) -> Observation:
        """Run ``action``. Whatever a model can write becomes an observation.

        Raises:
            aci_plugins.environment.EnvironmentFailure
        """
        context = Context(env, session, timeout)
        scrolls = session.scrolls
        if action.tool and action.tool != "bash":
            result = self._call(context, self.tool(action.tool), dict(action.arguments))
        else:
            text = str(action.arguments.get("command", action.text)) if action.tool else action.text
            result = self._run(context, split(text, self._typed))
        if session.scrolls == scrolls:
            session.scrolls = 0
        shown: Observation = self.feedback.apply(
            Observation(
                result.text.rstrip("\n"),
                result.exit_code,
                result.timed_out,
                result.submitted,
                result.exit_status,
                0,
                result.failed_edit,
            )
        )
        return shown

    def _run(self, context: Context, pieces: Sequence[Piece]) -> ToolResult:
        whole = ToolResult("")
        for piece in pieces:
            if (piece.joint == "&&" and whole.exit_code) or (piece.joint == "||" and not whole.exit_code):
                continue
            one = self._piece(context, piece)
            gap = "" if not whole.text or whole.text.endswith("\n") else "\n"
            whole = replace(
                one,
                text=whole.text + gap + one.text,
                failed_edit=whole.failed_edit or one.failed_edit,
                timed_out=whole.timed_out or one.timed_out,
            )
            if one.submitted or one.exit_status:
                break
        return whole

    def _piece(self, context: Context, piece: Piece) -> ToolResult:
        if piece.tool is None:
            return self._call(context, self.tool("bash"), {"command": piece.text})
        try:
            arguments = piece.tool.arguments(self._words(context, piece.text), piece.body)
        except UsageError as error:
            return ToolResult(str(error), failed_edit=piece.tool.name == "edit")
        result = self._call(context, piece.tool, arguments)
        if not piece.rest:
            return result
        fed = f"printf '%s' {shlex.quote(result.text)} | {piece.rest}"
        return self._call(context, self.tool("bash"), {"command": fed})

    @staticmethod
    def _words(context: Context, text: str) -> list[str]:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise UsageError(f"bash: syntax error: {error}") from error
        if not _EXPANDS.search(re.sub(r"'[^']*'", "", text)) or context.env.kind == "simulated":
            return words
        expanded = context.env.run(f"printf '%s\\n' {text}", timeout=context.timeout)
        return expanded.output.split("\n")[:-1] if expanded.exit_code == 0 else words

    @staticmethod
    def _call(context: Context, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        try:
            result = tool.function(context, **arguments)
        except OSError as error:
            return ToolResult(
                f"Error: {error.strerror or error}: {error.filename or ''}\n",
                1,
                failed_edit=tool.name == "edit",
            )
        return ToolResult(result) if isinstance(result, str) else result


def all_commands() -> frozenset[str]:
    """Every command that any shipped option can bring, but ``bash``."""
    from aci_plugins.editor.line_range import LineRange
    from aci_plugins.search.iterative import Iterative
    from aci_plugins.search.summarized import Summarized
    from aci_plugins.submit.plain import Submit
    from aci_plugins.viewer.windowed import Windowed

    providers = (
        Windowed().tools(),
        LineRange().tools(True),
        Summarized().tools(),
        Iterative().tools(),
        Submit().tools(),
    )
    return frozenset(tool.name for tools in providers for tool in tools)
