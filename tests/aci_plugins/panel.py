"""Builds ACIs from the shipped options and works with them in a real shell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from aci_plugins.aci import ACI
from aci_plugins.environment import Environment
from aci_plugins.message import Action, Observation
from aci_plugins.plugin import PluginError, build
from aci_plugins.policies import Verdict
from aci_plugins.session import Session
from aci_plugins.tool import Context
from runner.environments.base import Workspace
from runner.environments.local import Local
from runner.environments.simulated import Simulated

ROOT = Path(__file__).resolve().parents[2]
CONF = ROOT / "conf" / "aci"
SHARED = ROOT / "../shared"


def node(path: str) -> dict[str, Any]:
    """The content of an option file below ``conf/aci``."""
    loaded: dict[str, Any] = yaml.safe_load((CONF / f"{path}.yaml").read_text("utf-8"))
    if "/" not in path:
        return loaded
    for default in loaded.pop("defaults", ()):
        for group, chosen in default.items() if isinstance(default, dict) else ():
            if group.startswith("/"):  # a link of a chain is an option of its own
                loaded |= node(f"{group.removeprefix('/aci/').removesuffix('@_here_')}/{chosen}")
            else:
                loaded[group] = {name: node(f"{path.split('/')[0]}/{group}/{name}") for name in chosen}
    return loaded


def compose(name: str = "swe_agent", **changes: str | list[str] | dict[str, Any]) -> ACI:
    """The ACI ``name`` with other options, by name, names (``extras``) or content, for some groups."""
    config = node(name)
    for default in config.pop("defaults"):
        if isinstance(default, dict):
            ((group, option),) = default.items()
            chosen = changes.get(group, option)
            if group == "extras" and isinstance(chosen, str):
                chosen = [chosen]
            if isinstance(chosen, list):
                config[group] = {each: node(f"{group}/{each}") for each in chosen}
            else:
                config[group] = chosen if isinstance(chosen, dict) else node(f"{group}/{chosen}")
    try:
        built = build(config)
    except PluginError as error:
        if "which is not installed" in str(error):
            pytest.skip(str(error))
        raise
    assert isinstance(built, ACI)
    return built


def refusal(aci: ACI, command: str | Action, name: str = "repo") -> Verdict | None:
    """What the guardrails have against ``command`` in a repository at ``/NAME``; nothing is run."""
    action = command if isinstance(command, Action) else Action(command)
    env = Simulated().start(Workspace({}, name=name))
    return aci.check(action, Context(env, aci.session(), 5.0))


class Panel:
    """One episode with an ACI."""

    def __init__(self, aci: ACI, env: Environment) -> None:
        self.aci, self.env = aci, env
        self.session: Session = aci.session()

    def do(self, command: str | Action, timeout: float = 20.0) -> Observation:
        """Act, with the root written as /repo."""
        action = command if isinstance(command, Action) else Action(command)
        observation = self.aci.act(action, self.env, self.session, timeout)
        assert isinstance(observation.text, str)
        return observation

    def refused(self, command: str) -> Verdict | None:
        """What the guardrails have against it here."""
        return self.aci.check(Action(command), Context(self.env, self.session, 20.0))

    def says(self, command: str | Action) -> str:
        """What is printed, with the root written as /repo."""
        return self.do(command).text.replace(str(self.env.root), "/repo")

    def bytes(self, name: str) -> bytes:
        """Content of a file of the repository."""
        return self.env.read(str(self.env.root / name))


@contextmanager
def panel(files: Mapping[str, bytes], aci: ACI | None = None) -> Iterator[Panel]:
    """A panel on a repository with ``files``."""
    env = Local().start(Workspace(dict(files), name="repo"))
    try:
        yield Panel(aci or compose(), env)
    finally:
        env.close()


def edit(lines: str, *new: str) -> str:
    """An edit command."""
    return "\n".join([f"edit {lines}", *new, "end_of_edit"])
