"""The composed ACI: tools + documentation + action format + feedback + guardrails + history policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property
from typing import Any, Literal, Protocol, runtime_checkable

from aci_plugins.bash import read
from aci_plugins.dispatch import ends, perform
from aci_plugins.environment import Environment
from aci_plugins.files import TextFile
from aci_plugins.format.arguments import unwritable
from aci_plugins.message import Action, Message, Observation, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.policies import (
    FeedbackPolicy,
    GuardrailPolicy,
    HistoryPolicy,
    Proposal,
    SubmitGuard,
    ToolGuard,
    Verdict,
    Watcher,
)
from aci_plugins.session import Session
from aci_plugins.shell.bash import BASH
from aci_plugins.tool import Context, Tool, UsageError
from aci_plugins.viewer.window import rows_in_sight


@runtime_checkable
class ToolProvider(Protocol):
    """A search, shell or submit option: it brings tools."""

    def tools(self) -> tuple[Tool, ...]: ...


@runtime_checkable
class Viewer(Protocol):
    """A viewer option: the commands that show files."""

    @property
    def window(self) -> int | None:
        """Lines shown at a time; None for no limit, or no viewer."""
        ...

    def tools(self, search_file: bool) -> tuple[Tool, ...]:
        """``search_file``: whether the ACI has that command, so that messages may name it."""
        ...


@runtime_checkable
class Editor(Protocol):
    """An editor option: the commands that change files."""

    @property
    def lint(self) -> tuple[str, ...]:
        """Codes of the errors that an edit must not bring in; empty for no check."""
        ...

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """``viewer``: whether there is one; if not, commands must name their file."""
        ...


@runtime_checkable
class Format(Protocol):
    """How an action is written in an answer."""

    @property
    def native(self) -> bool:
        """Whether tools go to the provider as JSON schemas (native function calling)."""
        ...

    @property
    def named(self) -> bool:
        """Whether an action names a tool and its arguments, natively or as text; the shell is a tool then. If not,
        it is a command line."""
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


@runtime_checkable
class Choosy(Protocol):
    """A format that cannot drive every ACI."""

    def unfit(self, tools: Sequence[Tool]) -> str:
        """Why an ACI with ``tools`` cannot be driven by it ("" if it can)."""
        ...


@plugin
class ACI:
    """An interface, composed of its parts. Shared by all threads; what changes is in the :class:`Session`.

    Attributes:
        name: for tables and tags.
        extras: further tools beside those of the parts, by name (``aci/extras=[a,b]``).
        dialect: whose behaviour the commands follow; ``paper`` is SWE-agent 0.7.
    """

    name: str
    viewer: Viewer
    editor: Editor
    search: ToolProvider
    shell: ToolProvider
    submit: ToolProvider
    format: Format
    feedback: FeedbackPolicy
    history: HistoryPolicy
    guardrails: GuardrailPolicy
    extras: Mapping[str, ToolProvider] = field(default_factory=dict)
    dialect: Literal["paper"] = "paper"

    def __post_init__(self) -> None:
        """Parts that cannot work together say so at once (:class:`aci_plugins.plugin.PluginError`)."""
        _ = self.tools

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """All tools, always in the same order. The shell is one only where actions name their tool: in a command
        line, everything that is no command goes there."""
        shell = self.shell.tools() if self.format.named else ()
        extras = [tool for provider in self.extras.values() for tool in provider.tools()]
        tools = (*self._viewing, *self.search.tools(), *self._editing, *extras, *shell, *self.submit.tools())
        guards = self.guardrails
        return tuple(guards.guarded(tool) for tool in tools) if isinstance(guards, ToolGuard) else tools

    @cached_property
    def _viewing(self) -> tuple[Tool, ...]:
        return self.viewer.tools("search_file" in [tool.name for tool in self.search.tools()])

    @cached_property
    def _editing(self) -> tuple[Tool, ...]:
        return self.editor.tools(self.has_viewer)

    @cached_property
    def commands(self) -> frozenset[str]:
        """Names of all commands beside those of the shell."""
        return frozenset(self._commands)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """What a prompt may name: the commands, and the words that their arguments are chosen from."""
        choices = (choice for tool in self.tools for p in tool.parameters for choice in p.choices)
        return self.commands.union(choices)

    @cached_property
    def has_viewer(self) -> bool:
        """Whether files can be opened."""
        return bool(self._viewing)

    @cached_property
    def has_editor(self) -> bool:
        """Whether there are commands that change files."""
        return bool(self._editing)

    @cached_property
    def has_search(self) -> bool:
        """Whether there are commands that search."""
        return bool(self.search.tools())

    @cached_property
    def _commands(self) -> Mapping[str, Tool]:
        return {tool.name: tool for tool in self.tools if tool.name != BASH}

    def session(self) -> Session:
        """The state at the beginning of an episode."""
        return Session(window=self.viewer.window or 0)

    def parse(self, text: str, tool_calls: Sequence[ToolCall]) -> Parsed:
        """What an answer of the model says.

        Raises:
            aci_plugins.message.FormatError
        """
        return self.format.parse(text, tool_calls, self.tools)

    def check(self, action: Action, context: Context) -> Verdict | None:
        """Why a guardrail refuses ``action``, or None."""
        line = read(action.text, ends(self._commands))
        return self.guardrails.check(Proposal(action, line, self._commands, context))

    def watch(self, observation: Observation, context: Context) -> Verdict | None:
        """What a guardrail has to say to an observation, or None. It is asked once for each."""
        return self.guardrails.watch(observation, context) if isinstance(self.guardrails, Watcher) else None

    def act(self, action: Action, env: Environment, session: Session, timeout: float) -> Observation:
        """Do it, within ``timeout`` seconds. Nothing that a model can write raises.

        Raises:
            aci_plugins.environment.EnvironmentFailure
        """
        scrolls, context = session.scrolls, Context(env, session, timeout)
        observation = self._act(action, context)
        if observation.submitted and (verdict := self._sent_back(context)):
            observation = Observation(verdict.reason, exit_code=1, rule=verdict.rule)
        if session.scrolls == scrolls:
            session.scrolls = 0  # something else came between
        return self.feedback.apply(observation)

    def action(self, tool_name: str, /, **arguments: Any) -> Action:
        """The action that calls a tool of this ACI.

        Raises:
            KeyError: it has no such tool.
        """
        if tool_name == BASH:
            return self.shell_action(arguments["command"])
        text = self._commands[tool_name].render(arguments)
        return Action(text, tool_name, arguments) if self.format.named else Action(text)

    def shell_action(self, command: str) -> Action:
        """The action that runs ``command`` in the shell."""
        return Action(command, BASH, {"command": command}) if self.format.named else Action(command)

    def parse_command(self, text: str) -> Action:
        """The action that a text command stands for: a call of the tool where the format names tools and ``text``
        is one command of this ACI."""
        line = read(text, ends(self._commands))
        if not self.format.named or line.error or len(line.pieces) != 1:
            return self.shell_action(text)
        head = line.pieces[0].head
        if head is None or not head.words or line.pieces[0].rest or head.redirections:
            return self.shell_action(text)
        tool = self._commands.get(head.words[0].value)
        if tool is None or any(word.expands for word in head.words):
            return self.shell_action(text)
        try:
            arguments = tool.read(
                [w.value for w in head.words[1:]], head.document.body if head.document else None
            )
        except UsageError:
            return self.shell_action(text)
        return self.action(tool.name, **arguments)

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back."""
        return self.format.render(thought, action, step)

    def state(self, env: Environment, session: Session) -> dict[str, str]:
        """The state line: open file ("n/a" if none) and working directory."""
        return {"open_file": session.open_file or "n/a", "working_dir": str(env.cwd)}

    def first_line(self, env: Environment, session: Session) -> int | None:
        """Number (from 1) of the first line in sight; None if no file is open, or it is gone."""
        if not session.open_file:
            return None
        try:
            total = len(TextFile.of(env.read(session.open_file)).lines)
        except OSError:
            return None
        return rows_in_sight(total, session.line, session.window)[0] if session.window else 1

    def variables(self) -> dict[str, Any]:
        """What prompt templates may use."""
        return dict(self._variables)

    @cached_property
    def _variables(self) -> dict[str, Any]:
        editor_ends = [tool.end_name for tool in self._editing if tool.end_name]
        return {
            "command_docs": "\n\n".join(tool.documentation(native=self.format.named) for tool in self.tools),
            "format_docs": self.format.documentation(self.tools),
            "window": self.viewer.window,
            "has_viewer": self.has_viewer,
            "has_editor": self.has_editor,
            "has_search": self.has_search,
            "lint": bool(self.editor.lint),
            "submit_command": self.submit.tools()[0].name,
            "editor_end": editor_ends[0] if editor_ends else "",
            "commands": sorted(self.commands),
            "native": self.format.native,
        }

    def _sent_back(self, context: Context) -> Verdict | None:
        return self.guardrails.accept(context) if isinstance(self.guardrails, SubmitGuard) else None

    def _act(self, action: Action, context: Context) -> Observation:
        if problem := unwritable(action.text):
            return Observation(f"The command {problem} and was not run.\n", exit_code=2)
        if action.tool is None or action.tool == BASH:
            return perform(action.text, self._commands, context)
        tool = self._commands.get(action.tool)
        if tool is None:
            return Observation(f"There is no command {action.tool}.\n", exit_code=127)
        result = tool.call(context, action.arguments)
        return Observation(
            result.text,
            exit_code=result.exit_code,
            submitted=result.submitted,
            exit_status=result.exit_status,
            failed_edit=result.failed_edit,
            rule=result.rule,
        )


@cache
def all_commands() -> frozenset[str]:
    """Every command that a shipped option can bring: what a prompt may name only if the composed ACI has it."""
    from aci_plugins.editor.line import LineEditor
    from aci_plugins.editor.str_replace import StrReplace
    from aci_plugins.editor.str_replace_editor import StrReplaceEditor
    from aci_plugins.editor.udiff import UnifiedDiff
    from aci_plugins.editor.whole_file import WholeFile
    from aci_plugins.editor.window_replace import WindowReplace
    from aci_plugins.editor.window_rewrite import WindowRewrite
    from aci_plugins.extras.filemap import Filemap
    from aci_plugins.extras.forfeit import Forfeit
    from aci_plugins.search.iterative import Iterative
    from aci_plugins.search.regex import Regex
    from aci_plugins.search.summarized import Summarized
    from aci_plugins.submit.plain import Submit
    from aci_plugins.viewer.window import Windowed

    editors: tuple[Editor, ...] = (
        LineEditor(),
        StrReplace(),
        StrReplaceEditor(),
        WindowReplace(),
        WindowRewrite(),
        WholeFile(),
        UnifiedDiff(),
    )
    others: tuple[ToolProvider, ...] = (Summarized(), Iterative(), Regex(), Submit(), Filemap(), Forfeit())
    found = [tool for editor in editors for tool in editor.tools(viewer=True)]
    found += [tool for provider in others for tool in provider.tools()]
    return frozenset(tool.name for tool in (*Windowed().tools(search_file=True), *found))
