"""Search that shows one result at a time, as a text editor does ("iterative" of Table 3, arXiv 2405.15793v3).

The paper shows this interface in a figure only (Fig. 5), and no implementation was published; what the figure
does not say is our own design.
"""

from __future__ import annotations

from pydantic import Field

from aci_plugins.environment import Match
from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.search.matching import matching
from aci_plugins.tool import Context, Tool, UsageError, tool


@plugin
class Iterative:
    """search, next, prev.

    Attributes:
        context_lines: lines shown above and below the line that matches.
    """

    context_lines: int = Field(default=5, ge=0)

    def tools(self) -> tuple[Tool, ...]:
        """search, next, prev."""
        return (
            tool(self.search, signature="search <search_term> [<path>]"),
            tool(self.next, name="next", reader=lambda context, words, body: {}),
            tool(self.prev, name="prev", reader=lambda context, words, body: {}),
        )

    def search(self, context: Context, search_term: str, path: str | None = None) -> str:
        """Looks for a term in a file, or in all files of a directory that are not hidden, and shows the first
        place where it matches with the lines around it. The term is a regular expression as grep reads it.

        Args:
            search_term: what to look for
            path: the file or directory to look in (default: the current directory)
        """
        if path and context.env.exists(path) is None:
            raise UsageError(f"File or directory {path} not found")
        where = context.env.resolve(path or ".")
        context.session.search = {"term": search_term, "path": where, "index": 0}
        return self._show(context, 0)

    def next(self, context: Context) -> str:
        """Shows the next result of the last search."""
        return self._show(context, 1)

    def prev(self, context: Context) -> str:
        """Shows the previous result of the last search."""
        return self._show(context, -1)

    def _show(self, context: Context, step: int) -> str:
        """Move by ``step`` and show. The search is made anew: files may have changed since."""
        search = context.session.search
        if not search:
            raise UsageError("There is no search to go on with. Use the search command first.")
        matches = matching(context, search["term"], search["path"])
        if not matches:
            return f'No matches found for "{search["term"]}" in {search["path"]}\n'
        index = min(search["index"], len(matches) - 1) + step
        if index >= len(matches):
            return f'There is no next result: this is the last of {len(matches)} for "{search["term"]}".\n'
        if index < 0:
            return (
                f'There is no previous result: this is the first of {len(matches)} for "{search["term"]}".\n'
            )
        context.session.search = {**search, "index": index}
        return self._result(context, matches[index], index + 1, len(matches))

    def _result(self, context: Context, match: Match, number: int, total: int) -> str:
        file = TextFile.of(context.env.read(match.path))
        first = max(1, match.line - self.context_lines)
        rows = file.rows(first, match.line + self.context_lines)
        omitted = len(file.lines) - len(rows)
        lines = [f"[Result {number}/{total} (Line {match.line})]", f"[File: {match.path}]"]
        lines += [f"{n}:{row}" for n, row in enumerate(rows, first)]
        lines += [f"({omitted} more lines omitted)"] if omitted else []
        return "\n".join(lines) + "\n"
