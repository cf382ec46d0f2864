"""Full history, or the last observations only (SWE-agent paper: the last five)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aci_plugins.message import Message
from aci_plugins.plugin import plugin


@plugin
class LastObservations:
    """Older observations are collapsed to one line; opening, thoughts and actions stay.

    Attributes:
        keep: observations shown in full; None keeps all.
        drop_errors: malformed answers that were corrected are removed, with their replies, except the first pair
            (paper, Fig. 26 and its text).
    """

    keep: int | None = 5
    drop_errors: bool = True

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages to send."""
        kept = self._without_errors(messages) if self.drop_errors else list(messages)
        if self.keep is None:
            return kept
        observations = [i for i, m in enumerate(kept) if m.kind == "observation"]
        for index in observations[: max(0, len(observations) - self.keep)]:
            count = len(kept[index].content.splitlines())
            kept[index] = replace(kept[index], content=f"Old output omitted ({count} lines)")
        return kept

    @staticmethod
    def _without_errors(messages: Sequence[Message]) -> list[Message]:
        last = max((m.step for m in messages if m.kind == "action"), default=0)
        errors = sorted({m.step for m in messages if m.kind == "error"})
        gone = {step for step in errors[1:] if step < last}
        return [m for m in messages if not (m.kind == "error" and m.step in gone)]
