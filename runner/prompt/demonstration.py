"""A demonstration: an episode shown to the model before its own.

Two kinds of file: a recorded trajectory (``trajectory.jsonl``), shown as it was recorded; and a script (YAML) of
thoughts and actions that is played through the composed ACI in an in-memory environment, so that what the model
is shown is exactly what its own interface would have answered. A scripted step may give several actions: the
first one whose command the ACI has is taken. ``needs`` names what it must have: commands, or a parameter of one
(``edit.start_line``); ``lines`` is how many lines the viewer must show.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from aci_plugins.aci import ACI, all_commands
from aci_plugins.message import Message
from aci_plugins.plugin import PluginError, plugin
from runner.benchmarks.base import Instance
from runner.errors import UserError
from runner.records import read_trajectory

if TYPE_CHECKING:
    from runner.prompt.prompt import Prompt

SHIPPED = Path(__file__).parent / "demonstrations"


@plugin
class Demonstration:
    """Where the demonstration comes from.

    Attributes:
        path: a ``trajectory.jsonl`` (or the episode's folder), a script (``.yaml``), or the name of a shipped
            script; None for no demonstration.
    """

    path: str | None = None

    def __post_init__(self) -> None:
        if self.path is not None and not self._file().is_file():
            shipped = ", ".join(sorted(p.stem for p in SHIPPED.glob("*.yaml")))
            raise PluginError(f"no demonstration file {self.path!r} (shipped ones: {shipped})", "path")
        if (
            self.path is not None
            and self._file().suffix != ".yaml"
            and self._file().name != "trajectory.jsonl"
        ):
            raise PluginError(f"{self.path!r} is neither a trajectory.jsonl nor a script (.yaml)", "path")

    def digest(self) -> str:
        """SHA-256 of the file ("" without one)."""
        return hashlib.sha256(self._file().read_bytes()).hexdigest() if self.path else ""

    def commands(self, aci: ACI) -> Iterator[str]:
        """First words of all demonstrated actions, with this ACI."""
        if self.path is None:
            return
        for action in self._actions(aci):
            yield action.split(maxsplit=1)[0] if action.strip() else ""

    def text(self, aci: ACI, prompt: Prompt) -> str:
        """The demonstration as one text ("" without one)."""
        if self.path is None:
            return ""
        if self._file().suffix == ".yaml":
            return _played(self._script(), aci, prompt)
        return _recorded(self._file().parent)

    def _file(self) -> Path:
        assert self.path is not None
        given = Path(self.path)
        if given.is_dir():
            return given / "trajectory.jsonl"
        shipped = SHIPPED / f"{self.path}.yaml"
        return shipped if shipped.is_file() else given

    def _script(self) -> dict[str, Any]:
        loaded = yaml.safe_load(self._file().read_text("utf-8"))
        if not isinstance(loaded, dict) or not {"problem_statement", "files", "steps"} <= set(loaded):
            raise UserError(
                f"{self._file()}: a demonstration script needs problem_statement, files and steps"
            )
        return loaded

    def _actions(self, aci: ACI) -> list[str]:
        if self._file().suffix == ".yaml":
            return [action for _, action in _chosen(self._script(), aci)]
        return [step["action"] for step in read_trajectory(self._file().parent).steps]


def _chosen(script: dict[str, Any], aci: ACI) -> Iterator[tuple[str, str]]:
    """Thought and action of each step; a step none of whose actions the ACI has is left out."""
    known = aci.commands | {f"{tool.name}.{p.name}" for tool in aci.tools for p in tool.parameters}
    for step in script["steps"]:
        for option in step["actions"]:
            action = option["action"] if isinstance(option, dict) else option
            needs = {action.split(maxsplit=1)[0]} & all_commands()
            if isinstance(option, dict):
                needs = set(option["needs"])
            if needs <= known and (aci.viewer.window or _WHOLE) >= _lines(option):
                yield step["thought"], action.rstrip("\n")
                break


_WHOLE = 10**9  # lines that a viewer without a window shows


def _lines(option: str | dict[str, Any]) -> int:
    """How many lines the viewer must show for an action to be right."""
    return int(option.get("lines", 0)) if isinstance(option, dict) else 0


def _played(script: dict[str, Any], aci: ACI, prompt: Prompt) -> str:
    from runner.environments.base import Workspace
    from runner.environments.simulated import Simulated

    files = {path: content.encode() for path, content in script["files"].items()}
    environment = Simulated(commands=script.get("commands", {})).start(Workspace(files, name="repo"))
    session = aci.session()
    instance = Instance("demonstration", script["problem_statement"], files, "", repo="repo")
    state = aci.state(environment, session)
    opening = [
        m
        for m in _without(prompt).opening(aci, instance, state, str(environment.root))
        if m.kind == "instance"
    ]
    parts = [_shown(m) for m in opening]
    for number, (thought, command) in enumerate(_chosen(script, aci), 1):
        action = aci.parse_command(command)
        parts.append(_shown(aci.render(thought, action, number)))
        observation = aci.act(action, environment, session, 30.0)
        if observation.submitted:
            break
        parts.append(prompt.observation(aci, observation, aci.state(environment, session)))
    environment.close()
    return "\n\n".join(parts)


def _without(prompt: Prompt) -> Prompt:
    from dataclasses import replace

    return replace(prompt, demonstration=Demonstration())


def _recorded(folder: Path) -> str:
    trajectory = read_trajectory(folder)
    parts = [m["content"] for m in trajectory.header["messages"] if m["kind"] == "instance"]
    for step in trajectory.steps:
        if step["kind"] == "action":
            parts += [step["response"], step["observation"]]
    return "\n\n".join(parts)


def _shown(message: Message) -> str:
    """A message as text: native calls are written out."""
    calls = [f"{call.name}({call.arguments})" for call in message.tool_calls]
    return "\n".join(part for part in (message.content, *calls) if part)
