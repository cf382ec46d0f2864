"""The paper's search: counts per file instead of every line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, UsageError, tool


@plugin
class Summarized:
    """search_dir, search_file and find_file.

    Attributes:
        max_files: more matching files than this are not listed (100 in SWE-agent 0.7; the paper's text says 50).
    """

    max_files: int = 100

    def tools(self) -> tuple[Tool, ...]:
        """search_dir, search_file, find_file."""
        most = self.max_files

        def search_dir(context: Context, search_term: str, dir: str | None = None) -> str:
            """Search for a term in all files of a directory and list the files with their numbers of matches.

            Args:
                search_term: what to search for
                dir: the directory to search in; the current one if not given
            """
            return _search_dir(context, search_term, dir, most)

        return (
            tool(search_dir, 'search_dir "<search_term>" [<dir>]', words=_dir_words),
            tool(search_file, 'search_file "<search_term>" [<file>]', words=_file_words),
            tool(find_file, 'find_file "<file_name>" [<dir>]', words=_find_words),
        )


@plugin
class NoSearch:
    """No search commands: names are found with grep and find."""

    def tools(self) -> tuple[Tool, ...]:
        """None."""
        return ()


def _search_dir(context: Context, term: str, directory: str | None, most: int) -> str:
    env = context.env
    place = directory or "."
    if env.exists(place) != "directory":
        return f"Directory {place} not found\n"
    place = env.resolve(place)
    files = Counter(match.path for match in env.grep(term, place))
    if not files:
        return f'No matches found for "{term}" in {place}\n'
    if len(files) > most:
        return f'More than {len(files)} files matched for "{term}" in {place}. Please narrow your search.\n'
    rows = "".join(f"{path} ({count} matches)\n" for path, count in sorted(files.items()))
    total = sum(files.values())
    return f'Found {total} matches for "{term}" in {place}:\n{rows}End of matches for "{term}" in {place}\n'


def search_file(context: Context, search_term: str, file: str | None = None) -> str:
    """Search for a term in one file and list the matching lines.

    Args:
        search_term: what to search for
        file: the file to search in; the open one if not given
    """
    env = context.env
    path = file or context.session.open_file
    if not path:
        return "No file open. Use the open command first.\n"
    if env.exists(path) != "file":
        return f"Usage: search_file <search_term> [<file>]\nError: File name {path} not found. Please provide a valid file name.\n"
    path = env.resolve(path)
    matches = env.grep(search_term, path)
    if not matches:
        return f'No matches found for "{search_term}" in {path}\n'
    rows = "".join(f"Line {match.line}:{match.text}\n" for match in matches)
    head = f'Found {len(matches)} matches for "{search_term}" in {path}:\n'
    return f'{head}{rows}End of matches for "{search_term}" in {path}\n'


def find_file(context: Context, file_name: str, dir: str | None = None) -> str:
    """Find all files of a name in a directory; shell wildcards work.

    Args:
        file_name: the name to find
        dir: the directory to look in; the current one if not given
    """
    env = context.env
    place = dir or "."
    if env.exists(place) != "directory":
        return f"Directory {place} not found\n"
    place = env.resolve(place)
    files = env.files(place, file_name)
    if not files:
        return f'No matches found for "{file_name}" in {place}\n'
    return f'Found {len(files)} matches for "{file_name}" in {place}:\n' + "".join(
        f"{path}\n" for path in files
    )


def _two(words: Sequence[str], usage: str) -> tuple[str, str | None]:
    if not 1 <= len(words) <= 2:
        raise UsageError(f"Usage: {usage}\n")
    return words[0], words[1] if len(words) > 1 else None


def _dir_words(words: Sequence[str], body: str) -> dict[str, Any]:
    term, place = _two(words, "search_dir <search_term> [<dir>]")
    return {"search_term": term, "dir": place}


def _file_words(words: Sequence[str], body: str) -> dict[str, Any]:
    term, path = _two(words, "search_file <search_term> [<file>]")
    return {"search_term": term, "file": path}


def _find_words(words: Sequence[str], body: str) -> dict[str, Any]:
    name, place = _two(words, "find_file <file_name> [<dir>]")
    return {"file_name": name, "dir": place}
