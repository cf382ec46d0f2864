"""Commands run on this machine, isolated from it, without Docker. The default environment."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any

from aci_plugins.environment import Environment
from aci_plugins.plugin import plugin
from runner.environments.base import Workspace
from runner.environments.bound import start
from runner.environments.interpreter import interpreter
from runner.environments.limits import Kept, Limits, Memory, Processes, Size
from runner.environments.mechanisms import Choice, Mechanism, Settings
from runner.environments.probe import Probe, probe
from runner.errors import UserError


@plugin
class Sandbox:
    """An isolated environment: no network, no view of the host's files, processes and variables.

    Attributes:
        network: keep the host's network.
        mechanism: ``bwrap`` (namespaces), ``landlock`` (Landlock and seccomp) or ``auto``, the strongest that
            works here. Whatever is chosen is tried out once per process by a probe inside.
        python: interpreter offered as ``python``; null: the one that acilab's own environment was made from,
            without acilab's packages.
        read_only: further host folders, readable at the same path.
        variables: further environment variables, with literal values.
        memory_mb: address space of each process; null for no limit.
        processes: processes and threads per session; null for no limit. The kernel does not hold root to it.
        file_mb: size of each file; null for no limit.
        tmp_mb: size of /tmp, of the home folder and of /dev/shm (bwrap only).
        output_head_kb, output_tail_kb: how much of a command's output is kept, from its start and its end.
    """

    network: bool = False
    mechanism: Choice = "auto"
    python: str | None = None
    read_only: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    memory_mb: Memory | None = 8192
    processes: Processes | None = 512
    file_mb: Size | None = 1024
    tmp_mb: Size = 512
    output_head_kb: Kept = 64
    output_tail_kb: Kept = 64

    @property
    def kind(self) -> str:
        return "sandbox"

    def check(self) -> None:
        self._usable()

    def probe(self) -> Probe:
        """What isolates here, and what really holds: the result of a program that was run inside."""
        return probe(self.mechanism, self._settings, self._limits)

    def facts(self) -> dict[str, Any]:
        found = self.probe()
        python = interpreter(self.python)
        remapped = found.mechanism is not None and found.mechanism.name == "bwrap"
        return {
            "kind": self.kind,
            "mechanism": found.mechanism.name if found.mechanism else None,
            "version": found.mechanism.version if found.mechanism else None,
            "protections": dict(found.protections),
            "leaks": list(found.leaks),
            "network": self.network,
            "python": python.version,
            "packages": dict(python.packages),
            "limits": {**self._limits.as_dict(), "tmp_mb": self.tmp_mb if remapped else None},
            "root": "/<name>" if remapped else "a temporary folder, other in every episode",
        }

    def start(self, workspace: Workspace) -> Environment:
        mechanism = self._usable()
        settings = self._settings
        more = {**self.variables, **workspace.variables}
        return start(
            kind=self.kind,
            workspace=workspace,
            owner=mechanism.owner,
            session=lambda folder, repository: mechanism.session(folder, repository, settings, more),
            limits=self._limits,
            head_kb=self.output_head_kb,
            tail_kb=self.output_tail_kb,
            tag="" if mechanism.name == "bwrap" else "TMPDIR={folder}/tmp",
            check_modes=True,
        )

    @property
    def _settings(self) -> Settings:
        for path in self.read_only:
            if not path.startswith("/") or not Path(path).exists():
                raise UserError(
                    f"environment.read_only: {path!r} is no absolute path of something that exists"
                )
        return Settings(interpreter(self.python), tuple(self.read_only), self.network, self.tmp_mb)

    @property
    def _limits(self) -> Limits:
        return Limits(self.memory_mb, self.processes, self.file_mb)

    def _usable(self) -> Mechanism:
        found = self.probe()
        if found.mechanism is None:
            raise UserError(found.refusal)
        return found.mechanism
