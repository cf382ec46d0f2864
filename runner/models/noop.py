"""Submits nothing: for checking that a benchmark's instances are unsolved at their start, not a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from aci_plugins.plugin import plugin
from runner.models.gold import Script, submission

if TYPE_CHECKING:
    from aci_plugins.aci import ACI
    from runner.benchmarks.base import Instance


@plugin
class Noop:
    """Submits at once."""

    temperature: float = Field(default=0.0, ge=0)
    """Accepted so that a sweep over it composes with any model; it has no effect on this one."""

    @property
    def name(self) -> str:
        return "noop"

    def check(self) -> None:
        """Nothing is needed."""

    def start(self, aci: ACI, instance: Instance, repeat: int) -> Script:
        """Begin an episode."""
        return Script(aci, [submission(aci)])
