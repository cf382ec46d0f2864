"""No editor: files are changed with the shell (redirection, ``sed`` …)."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool


@plugin
class NoEditor:
    """Brings no commands; neither ``edit`` nor ``create``."""

    @property
    def lint(self) -> tuple[str, ...]:
        return ()

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """None."""
        return ()
