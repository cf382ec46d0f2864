"""Nothing is refused."""

from __future__ import annotations

from pydantic import Field

from aci_plugins.plugin import plugin
from aci_plugins.policies import Proposal, Verdict


@plugin
class NoGuardrails:
    """Every action runs.

    Attributes:
        max_requeries: consecutive answers that may be malformed; with one more the episode ends.
    """

    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """Never a reason."""
        return None
