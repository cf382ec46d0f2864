"""Giving up, as SWE-agent 1.x's bundle ``forfeit``."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool


@plugin
class Forfeit:
    """``exit_forfeit`` ends the episode without a submission, with the exit status of that name."""

    def tools(self) -> tuple[Tool, ...]:
        """exit_forfeit."""
        return (tool(exit_forfeit, reader=lambda context, words, body: {}),)


def exit_forfeit(context: Context) -> ToolResult:
    """Gives up on the task and ends the session; nothing is submitted."""
    return ToolResult("", exit_status="exit_forfeit")
