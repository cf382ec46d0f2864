"""Several history policies, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from aci_plugins.message import Message
from aci_plugins.plugin import plugin
from aci_plugins.policies import HistoryPolicy


@plugin
class Chain:
    """Each policy gets what the one before it leaves.

    Attributes:
        policies: by name, in this order; ``'aci/history/policies=[closed_windows,last_n]'`` chooses them.
    """

    policies: Mapping[str, HistoryPolicy] = Field(min_length=1)

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        shown = list(messages)
        for policy in self.policies.values():
            shown = policy.apply(shown)
        return shown
