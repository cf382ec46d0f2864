"""A viewer without a window: the whole file at once ("full file" of Table 3, arXiv 2405.15793v3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, tool
from aci_plugins.viewer.window import open_file, read_open


@plugin
class FullFile:
    """Shows all lines of a file; there is nothing to go or scroll to."""

    @property
    def window(self) -> int | None:
        return None

    def tools(self, search_file: bool) -> tuple[Tool, ...]:
        """open."""

        def whole(context: Context, path: str) -> str:
            """Opens a file and shows all of its lines.

            Args:
                path: the file to open
            """
            return open_file(context, path)

        def from_words(context: Context | None, words: Sequence[str], body: str | None) -> dict[str, Any]:
            return {"path": read_open(context, words[:1], body)["path"]}

        return (tool(whole, name="open", signature='open "<path>"', reader=from_words),)
