"""Only the last turn: an agent without memory, as the smallest bash agents have it."""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.message import Message
from aci_plugins.plugin import plugin


@plugin
class LastTurn:
    """The system message, the task, the last action with its observation, and answers that are not corrected yet.

    Attributes:
        demonstration: whether the demonstration stays, too.
    """

    demonstration: bool = False

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        opening = {"system", "instance", *(["demonstration"] if self.demonstration else [])}
        last = max((m.step for m in messages if m.kind == "action"), default=0)
        return [m for m in messages if m.kind in opening or (m.step >= last and m.step > 0)]
