"""The paper's history: only the last observations in full (arXiv 2405.15793v3, section 3 and appendix A)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from aci_plugins.history.errors import settled
from aci_plugins.message import Message
from aci_plugins.plugin import plugin


@plugin
class LastObservations:
    """Observations before the last ``observations`` are collapsed to one line; thoughts and actions, the system
    message, the demonstration and the task always stay.

    Attributes:
        observations: how many observations stay in full.
        corrected_errors: see :class:`aci_plugins.history.full.Full`; the paper keeps the first reply.
    """

    observations: int = Field(default=5, ge=1)
    corrected_errors: Literal["all", "first", "none"] = "first"

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        steps = sorted({m.step for m in messages if m.kind == "observation"})
        old = set(steps[: -self.observations])
        return [
            replace(m, content=f"Old output omitted ({len(m.content.splitlines())} lines)")
            if m.kind == "observation" and m.step in old
            else m
            for m in settled(messages, self.corrected_errors)
        ]
