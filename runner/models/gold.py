"""Submits the reference solution: for checking benchmarks and graders, not a model."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pydantic import Field

from aci_plugins.message import Action, Message
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool
from runner.benchmarks.patches import PatchError, applied
from runner.models.base import Completion, ModelError, Usage

if TYPE_CHECKING:
    from aci_plugins.aci import ACI
    from runner.benchmarks.base import Instance


@plugin
class Gold:
    """Writes the files of the gold patch through the ACI's shell, then submits."""

    temperature: float = Field(default=0.0, ge=0)
    """Accepted so that a sweep over it composes with any model; it has no effect on this one."""

    @property
    def name(self) -> str:
        return "gold"

    def check(self) -> None:
        """Nothing is needed."""

    def start(self, aci: ACI, instance: Instance, repeat: int) -> Script:
        """Raises :class:`ModelError` when the gold patch does not apply to the instance's files."""
        try:
            after = applied(instance.files, instance.gold_patch)
        except PatchError as error:
            message = f"{instance.instance_id}: the gold patch does not apply: {error}"
            raise ModelError(message, "exit_error") from error
        command = write_command(instance.files, after)
        return Script(aci, [aci.shell_action(command), submission(aci)])


def submission(aci: ACI) -> Action:
    """The action that submits, whatever the composed ACI calls it."""
    return aci.action(aci.submit.tools()[0].name)


_CONFIRMATIONS = 9


@dataclass(slots=True)
class Script:
    """A conversation that was decided beforehand: one action after the other, whatever is observed. The last one is
    given up to ten times: a submission may have to be confirmed."""

    aci: ACI
    actions: list[Action]
    _next: int = field(default=0)

    def complete(self, messages: Sequence[Message], tools: Sequence[Tool], stop: Sequence[str]) -> Completion:
        """The next action, in the ACI's format; free of charge.

        Raises:
            ModelError: the script is over, but the episode goes on (its submission was not accepted).
        """
        if self._next >= len(self.actions) + _CONFIRMATIONS:
            raise ModelError("the scripted episode did not end with its submission", "exit_error")
        action = self.actions[min(self._next, len(self.actions) - 1)]
        self._next += 1
        message = self.aci.render("", action, self._next)
        return Completion(message.content, message.tool_calls, Usage(0, 0, 0), cost=0.0, finish_reason="stop")


def write_command(before: dict[str, bytes], after: dict[str, bytes]) -> str:
    """A POSIX shell command that turns the tree ``before`` into ``after``. Contents go as base64, so that no quoting,
    window or format can change them."""
    steps = []
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) == after.get(name):
            continue
        path = shlex.quote(name)
        if name not in after:
            steps.append(f"rm -f {path}")
            continue
        folder = shlex.quote(str(PurePosixPath(name).parent))
        data = base64.b64encode(after[name]).decode()
        steps.append(f"mkdir -p {folder} && printf %s '{data}' | base64 -d > {path}")
    return " && ".join(steps) or "true"
