"""The paper's history: only the last observations in full (arXiv 2405.15793v3, section 3 and appendix A)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from aci_plugins.history.errors import CorrectedErrors, settled
from aci_plugins.message import Message
from aci_plugins.plugin import plugin

Wording = Literal["paper", "swe_agent_1"]
_COLLAPSED: dict[Wording, str] = {
    "paper": "Old output omitted ({lines} lines)",
    "swe_agent_1": "Old environment output: ({lines} lines omitted)",
}


@plugin
class LastObservations:
    """Observations before the last ``n`` are collapsed to one line; thoughts and actions, the system message, the
    demonstration and the task always stay.

    Attributes:
        n: how many observations stay in full.
        polling: how many observations pass until older ones are collapsed, all at once. Between two such moments the
            prompt only grows, so that a provider's prompt cache holds; between ``n`` and ``n + polling - 1``
            observations are in full (SWE-agent 1.x).
        wording: of the line that stands for a collapsed observation: SWE-agent's 0.x (``paper``) or 1.x.
        keep_tags, remove_tags: observations with one of these tags always stay in full, or are always collapsed;
            see :class:`aci_plugins.history.tagged.Tagged`.
        corrected_errors: see :func:`aci_plugins.history.errors.settled`; the paper keeps the first reply.
    """

    n: int = Field(default=5, ge=1)
    polling: int = Field(default=1, ge=1)
    wording: Wording = "paper"
    keep_tags: tuple[str, ...] = ("keep_output",)
    remove_tags: tuple[str, ...] = ("remove_output",)
    corrected_errors: CorrectedErrors = "first"

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        steps = sorted({m.step for m in messages if m.kind == "observation"})
        # SWE-agent counts the task as one more observation, which shows as soon as polling is more than 1.
        old = set(steps[: max(0, (len(steps) + 1) // self.polling * self.polling - self.n - 1)])
        return [
            collapsed(m, self.wording) if m.kind == "observation" and self._goes(m, m.step in old) else m
            for m in settled(messages, self.corrected_errors)
        ]

    def _goes(self, message: Message, old: bool) -> bool:
        if set(message.tags) & set(self.keep_tags):
            return False
        return old or bool(set(message.tags) & set(self.remove_tags))


def collapsed(message: Message, wording: Wording = "paper") -> Message:
    """``message`` with one line in the place of its content, which says how many lines it had."""
    return replace(message, content=_COLLAPSED[wording].format(lines=len(message.content.splitlines())))
