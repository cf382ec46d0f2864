"""Everything that was said ("full history" of Table 3, arXiv 2405.15793v3)."""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.history.errors import CorrectedErrors, settled
from aci_plugins.message import Message
from aci_plugins.plugin import plugin


@plugin
class Full:
    """All messages.

    Attributes:
        corrected_errors: see :data:`aci_plugins.history.errors.CorrectedErrors`.
    """

    corrected_errors: CorrectedErrors = "all"

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        return settled(messages, self.corrected_errors)
