"""Search by regular expressions over a tree, in the way of ripgrep: globs, context, what .gitignore names left out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import Field

from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.search.ignoring import Ignored
from aci_plugins.tool import Context, Tool, UsageError, tool

if TYPE_CHECKING:
    from regex import Pattern

_LONGEST = 400  # characters shown of a line


@dataclass(frozen=True, slots=True)
class _Found:
    """The lines of one file that match."""

    path: str
    file: TextFile
    lines: Sequence[int]


@plugin
class Regex:
    """``search_regex``.

    Attributes:
        max_matches: no more matching lines are shown; how many there are is told.
        max_bytes: larger files are not searched.
    """

    max_matches: int = Field(default=100, ge=1)
    max_bytes: int = Field(default=5_000_000, ge=1)

    def tools(self) -> tuple[Tool, ...]:
        """search_regex."""
        return (tool(self.search_regex, options=True),)

    def search_regex(
        self,
        context: Context,
        pattern: str,
        path: str | None = None,
        glob: str | None = None,
        context_lines: int = 0,
        ignore_case: bool = False,
    ) -> str:
        """Looks for a regular expression (Python's syntax) in a file, or in all files of a directory, and shows the
        lines that match with their numbers. Hidden files, binary files and what .gitignore names are left out.

        Args:
            pattern: the regular expression; it is matched line by line
            path: the file or directory to look in (default: the current directory)
            glob: only files with such a name, as *.py or src/**/*.c; several with commas, ! in front leaves out
            context_lines: how many lines to show above and below (default: 0)
            ignore_case: whether upper and lower case are the same (default: false)
        """
        deadline = time.monotonic() + context.timeout
        compiled = _compiled(pattern, ignore_case)
        kind = context.env.exists(path or ".")
        if kind is None:
            raise UsageError(f"There is no file or directory {path}.", 1)
        where = context.env.resolve(path or ".")
        files = [where] if kind == "file" else _files(context, where, glob)
        found: list[_Found] = []
        try:
            for file in files:
                if match := self._in(context, file, compiled, deadline):
                    found.append(match)
        except TimeoutError:
            raise UsageError(
                f"The search did not end within {context.timeout:g} seconds. Use a simpler pattern, or name a path or "
                "a glob.",
                1,
            ) from None
        what = f'for "{pattern}" in {where}'
        if not found:
            return f"No matches found {what}\n"
        total = sum(len(match.lines) for match in found)
        head = f"Found {total} matches in {len(found)} files {what}"
        if total > self.max_matches:
            head += f"; the first {self.max_matches} are shown. Narrow your search to see others"
        return "\n".join([f"{head}:", *self._rows(found, context_lines)]) + "\n"

    def _in(self, context: Context, path: str, pattern: Pattern[str], deadline: float) -> _Found | None:
        """Raises ``TimeoutError``."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            data = context.env.read(path)
        except OSError:  # gone meanwhile, or not to be read by us: nothing to find
            return None
        if len(data) > self.max_bytes or b"\0" in data:
            return None
        file = TextFile.of(data)
        # One look at the whole text tells most files apart; then line by line.
        text = data.decode(file.encoding, "backslashreplace").replace("\r\n", "\n")
        if not pattern.search(text, timeout=left):
            return None
        rows = file.rows(1, len(file.lines))
        lines = [n for n, row in enumerate(rows, 1) if pattern.search(row, timeout=left)]
        return _Found(path, file, lines) if lines else None

    def _rows(self, found: Sequence[_Found], around: int) -> Iterator[str]:
        """``path:number:line`` for lines that match, ``path-number-line`` around them."""
        left = self.max_matches
        for match in found:
            shown = match.lines[:left]
            left -= len(shown)
            wanted = sorted(
                {
                    n
                    for line in shown
                    for n in range(max(1, line - around), line + around + 1)
                    if n <= len(match.file.lines)
                }
            )
            before = None
            for n in wanted:
                if around and (before is None or n > before + 1):
                    yield "--"
                mark = ":" if n in shown else "-"
                (row,) = match.file.rows(n, n)
                yield f"{match.path}{mark}{n}{mark}{row if len(row) <= _LONGEST else row[:_LONGEST] + '…'}"
                before = n
            if left <= 0:
                return


def _compiled(pattern: str, ignore_case: bool) -> Pattern[str]:
    import regex

    try:
        return regex.compile(pattern, regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0))
    except (regex.error, RecursionError, OverflowError) as error:
        raise UsageError(f"{pattern!r} is no regular expression: {error}", 2) from error


def _files(context: Context, where: str, glob: str | None) -> list[str]:
    """The files to look in, sorted."""
    start = len(where.rstrip("/")) + 1
    files = [path for path in context.env.files(where) if "/." not in f"/{path[start:]}"]
    if glob:
        spec = _globs(glob)
        files = [path for path in files if spec.match_file(path[start:])]
    ignored = Ignored(context, where)
    return [path for path in files if not ignored.has(path)]


def _globs(glob: str) -> Any:
    from pathspec import GitIgnoreSpec

    lines = [part.strip() for part in glob.split(",") if part.strip()]
    if lines and all(line.startswith("!") for line in lines):
        lines.insert(0, "*")
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        raise UsageError(f"{glob!r} is no glob: {error}", 2) from error
