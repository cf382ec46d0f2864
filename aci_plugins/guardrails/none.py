"""Nothing is refused."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from aci_plugins.bash import Simple
from aci_plugins.message import Action
from aci_plugins.plugin import plugin


@plugin
class NoGuardrails:
    """Every action runs.

    Attributes:
        max_requeries: consecutive answers that may be malformed; with one more the episode ends.
    """

    max_requeries: int = Field(default=2, ge=0)

    def check(self, action: Action, commands: Sequence[Simple]) -> str | None:
        """Never a reason."""
        return None
