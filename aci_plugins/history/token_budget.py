"""Old observations give way until the prompt fits a number of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from aci_plugins.history.errors import CorrectedErrors, settled
from aci_plugins.history.observations import collapsed
from aci_plugins.history.tokens import estimated
from aci_plugins.message import Message
from aci_plugins.plugin import plugin


@plugin
class TokenBudget:
    """Collapses observations to one line, or drops whole turns, from the oldest on, until the messages have at most
    ``max_tokens``. What stands before the first step, the last ``keep`` turns and answers that are not corrected yet
    always stay, so a prompt may still be longer.

    Attributes:
        max_tokens: of all messages together. Tokens are estimated, at ``chars_per_token`` characters each; schemas
            of native tools are not counted.
        how: ``collapse`` observations (thoughts and actions stay) or ``drop`` whole turns.
        keep: how many turns, counted from the last, stay as they are.
        corrected_errors: see :data:`aci_plugins.history.errors.CorrectedErrors`.
    """

    max_tokens: int = Field(default=8000, ge=1)
    how: Literal["collapse", "drop"] = "collapse"
    keep: int = Field(default=1, ge=0)
    chars_per_token: float = Field(default=4.0, gt=0)
    corrected_errors: CorrectedErrors = "first"

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        shown = settled(messages, self.corrected_errors)
        steps = sorted({m.step for m in shown if m.kind in ("action", "observation")})
        for step in steps[: max(0, len(steps) - self.keep)]:
            if estimated(shown, self.chars_per_token) <= self.max_tokens:
                break
            shown = [kept for m in shown for kept in self._less(m, step)]
        return shown

    def _less(self, message: Message, step: int) -> list[Message]:
        if message.step != step or message.kind not in ("action", "observation"):
            return [message]
        if self.how == "drop":
            return []
        return [collapsed(message) if message.kind == "observation" else message]
