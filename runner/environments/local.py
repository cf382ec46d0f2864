"""Commands run on this machine as this user, without any isolation. It must be asked for by name."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any

from aci_plugins.environment import Environment
from aci_plugins.plugin import plugin
from runner.environments.base import Workspace
from runner.environments.bound import start
from runner.environments.interpreter import interpreter
from runner.environments.launcher import Launcher, Plain, variables
from runner.environments.limits import Kept, Limits, Memory, Processes, Size


@plugin
class Local:
    """No isolation: an agent can read and change whatever the user can.

    The only protections are an allow-listed environment (no keys of this process), a home and a temporary folder
    of its own, and limits per process.

    Attributes:
        python: interpreter offered as ``python``; null: the one that acilab's own environment was made from.
        variables: further environment variables, with literal values.
        memory_mb, processes, file_mb: limits; null for none.
        output_head_kb, output_tail_kb: how much of a command's output is kept, from its start and its end.
    """

    python: str | None = None
    variables: dict[str, str] = field(default_factory=dict)
    memory_mb: Memory | None = 8192
    processes: Processes | None = None
    file_mb: Size | None = 1024
    output_head_kb: Kept = 64
    output_tail_kb: Kept = 64

    @property
    def kind(self) -> str:
        return "local"

    def check(self) -> None:
        interpreter(self.python)

    def facts(self) -> dict[str, Any]:
        python = interpreter(self.python)
        return {
            "kind": self.kind,
            "mechanism": "none",
            "protections": {},
            "leaks": ["everything that this user can reach"],
            "python": python.version,
            "packages": dict(python.packages),
            "limits": self._limits.as_dict(),
            "root": "a temporary folder, other in every episode",
        }

    @property
    def _limits(self) -> Limits:
        return Limits(self.memory_mb, self.processes, self.file_mb)

    def start(self, workspace: Workspace) -> Environment:
        python = interpreter(self.python)
        more = {**self.variables, **workspace.variables}

        def session(folder: Path, repository: Path) -> tuple[str, Launcher]:
            for name in ("home", "tmp"):
                (folder / name).mkdir()
            env = variables(python.path, f"{folder}/home", f"{folder}/tmp", more)
            return str(repository), Plain(env, cwd=str(repository))

        return start(
            kind=self.kind,
            workspace=workspace,
            owner=None,
            session=session,
            limits=self._limits,
            head_kb=self.output_head_kb,
            tail_kb=self.output_tail_kb,
            tag="TMPDIR={folder}/tmp",
            check_modes=False,
        )
