"""No viewer: files are read with the shell (``cat``)."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool


@plugin
class NoViewer:
    """Brings no commands; no file is ever open."""

    @property
    def window(self) -> int | None:
        return None

    def tools(self, search_file: bool) -> tuple[Tool, ...]:
        """None."""
        return ()
