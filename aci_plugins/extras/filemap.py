"""A map of a Python file, as SWE-agent 1.x's bundle ``filemap`` shows it."""

from __future__ import annotations

from pydantic import Field

from aci_plugins.editor.change import problem
from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, UsageError, tool
from aci_plugins.viewer.outline import outline


@plugin
class Filemap:
    """``filemap``.

    Attributes:
        longest_body: bodies of functions with more lines than that are left out.
    """

    longest_body: int = Field(default=5, ge=1)

    def tools(self) -> tuple[Tool, ...]:
        """filemap."""
        return (tool(self.filemap, signature="filemap <path>"),)

    def filemap(self, context: Context, path: str) -> str:
        """Shows a Python file without the long bodies of its functions.

        Args:
            path: the file to show
        """
        if why := problem(context, path):
            raise UsageError(why, 1)
        try:
            return outline(TextFile.of(context.env.read(path)), self.longest_body)
        except ValueError as error:
            raise UsageError(f"{path} is no Python that can be parsed: {error}", 1) from error
