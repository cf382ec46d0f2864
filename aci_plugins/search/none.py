"""No search commands: ``grep`` and ``find`` remain."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool


@plugin
class NoSearch:
    """Brings no commands."""

    def tools(self) -> tuple[Tool, ...]:
        """None."""
        return ()
