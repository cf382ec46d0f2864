"""Everything that was said ("full history" of Table 3, arXiv 2405.15793v3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from aci_plugins.history.errors import settled
from aci_plugins.message import Message
from aci_plugins.plugin import plugin


@plugin
class Full:
    """All messages.

    Attributes:
        corrected_errors: what becomes of malformed answers and of the replies to them once a well-formed answer
            was given: ``all`` stay; ``first``: only the first reply stays; ``none`` stays.
    """

    corrected_errors: Literal["all", "first", "none"] = "all"

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        return settled(messages, self.corrected_errors)
