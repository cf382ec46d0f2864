"""Iterative search: one result at a time, with next and prev ("iterative" of Table 3, arXiv 2405.15793v3; the
paper shows only Fig. 5, so the number of context lines is our choice)."""

from __future__ import annotations

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, tool
from aci_plugins.viewer.window import lines_of


@plugin
class Iterative:
    """search, next and prev.

    Attributes:
        context_lines: lines shown above and below a result.
    """

    context_lines: int = 3

    def tools(self) -> tuple[Tool, ...]:
        """search, next, prev."""
        around = self.context_lines

        def search(context: Context, search_term: str, dir: str | None = None) -> str:
            """Search for a term in all files of a directory and show the first result; next and prev show the others.

            Args:
                search_term: what to search for
                dir: the directory (or file) to search in; the current one if not given
            """
            env, place = context.env, dir or "."
            if env.exists(place) is None:
                return f"Directory {place} not found\n"
            place = env.resolve(place)
            matches = [[m.path, m.line] for m in env.grep(search_term, place)]
            context.session.search = {"term": search_term, "matches": matches, "at": 0}
            if not matches:
                return f'No matches found for "{search_term}" in {place}\n'
            return _result(context, around)

        def next_(context: Context) -> str:
            """Show the next result of the last search."""
            return _move(context, +1, around)

        def prev(context: Context) -> str:
            """Show the previous result of the last search."""
            return _move(context, -1, around)

        return (
            tool(search, 'search "<search_term>" [<dir>]'),
            tool(next_, "next"),
            tool(prev, "prev"),
        )


def _move(context: Context, by: int, around: int) -> str:
    state = context.session.search
    if not state.get("matches"):
        return "There are no search results. Use search first.\n"
    at = state["at"] + by
    if not 0 <= at < len(state["matches"]):
        return f"There is no {'next' if by > 0 else 'previous'} result.\n"
    state["at"] = at
    return _result(context, around)


def _result(context: Context, around: int) -> str:
    state = context.session.search
    path, line = state["matches"][state["at"]]
    lines = lines_of(context.env.read(path))
    first, last = max(1, line - around), min(len(lines), line + around)
    parts = [f"[Result {state['at'] + 1}/{len(state['matches'])} (Line {line})]", f"[File: {path}]"]
    if first > 1:
        parts.append(f"({first - 1} more lines omitted)")
    parts += [f"{n}:{lines[n - 1]}" for n in range(first, last + 1)]
    if last < len(lines):
        parts.append(f"({len(lines) - last} more lines omitted)")
    return "\n".join(parts) + "\n"
