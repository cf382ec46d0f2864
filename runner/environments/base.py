"""What a configured environment is, and what it starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from aci_plugins.environment import Environment


@dataclass(frozen=True, slots=True)
class Workspace:
    """What a fresh environment holds.

    Attributes:
        files: the repository at its base commit: relative path -> content. They are committed as one base
            commit with a fixed author and date, so that the commit id repeats; nothing later exists there.
        name: folder name of the repository inside the environment; several names with slashes between where it
            decides on the whole path.
        variables: environment variables for commands, beside the environment's own allow-list.
    """

    files: Mapping[str, bytes]
    name: str = "repo"
    variables: Mapping[str, str] = field(default_factory=dict)


class EnvironmentSpec(Protocol):
    """An environment as configured (a plugin). Shared by all threads."""

    @property
    def kind(self) -> str: ...

    def check(self) -> None:
        """Fail early with ``runner.errors.UserError`` where this machine cannot provide it."""
        ...

    def facts(self) -> dict[str, Any]:
        """What it really is here: mechanism, protections, versions. Written to records; JSON."""
        ...

    def start(self, workspace: Workspace) -> Environment:
        """A fresh environment with the workspace in it.

        Raises:
            aci_plugins.environment.EnvironmentFailure
        """
        ...
