"""The environment's persistent shell."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool

BASH = "bash"


@plugin
class Bash:
    """Any text that is no command of the interface goes to bash. For native function calling that is a
    tool of its own."""

    def tools(self) -> tuple[Tool, ...]:
        """bash, for native calls."""
        return (tool(_bash, name=BASH),)


def _bash(context: Context, command: str) -> ToolResult:
    """Runs a command in a bash session that goes on from call to call: the working directory, variables and
    functions stay.

    Args:
        command: the command to run
    """
    result = context.env.run(command, timeout=context.timeout)
    return ToolResult(result.output, result.exit_code)
