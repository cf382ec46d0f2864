"""A persistent bash."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool


@plugin
class Bash:
    """Whatever is no command of the ACI runs in the persistent bash; with native calls, through the tool ``bash``."""

    def tools(self) -> tuple[Tool, ...]:
        """bash, for native calls."""
        return (tool(bash, "<any bash command>", text=lambda arguments: str(arguments["command"])),)


def bash(context: Context, command: str) -> ToolResult:
    """Run a command in the shell, which keeps its working directory and variables.

    Args:
        command: the command to run
    """
    result = context.env.run(command, timeout=context.timeout)
    text = result.output
    if result.timed_out:
        text = f"{text}\nEXECUTION TIMED OUT after {context.timeout:g} seconds ({result.note or 'interrupted'})\n"
    elif result.note:
        text = f"{text}\n({result.note})\n"
    return ToolResult(text, result.exit_code, timed_out=result.timed_out)
