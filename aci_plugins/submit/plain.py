"""submit ends the episode; the changes of the repository are the submission."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool


@plugin
class Submit:
    """The command ``submit``."""

    def tools(self) -> tuple[Tool, ...]:
        """submit."""
        return (tool(submit, "submit", words=lambda words, body: {}),)


def submit(context: Context) -> ToolResult:
    """Submit the changes and end the session."""
    return ToolResult("", submitted=True)
