"""The paper's submit: the changes as they are, at once."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool


@plugin
class Submit:
    """``submit`` ends the episode; the changes in the repository are what is submitted."""

    def tools(self) -> tuple[Tool, ...]:
        """submit."""
        return (tool(_submit, name="submit", reader=lambda context, words, body: {}),)


def _submit(context: Context) -> ToolResult:
    """Submits the changes you have made in the repository, and ends the session."""
    return ToolResult("", submitted=True)
