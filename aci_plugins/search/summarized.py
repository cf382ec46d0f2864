"""The paper's search: what matched, summarized in a list ("summarized" of Table 3, arXiv 2405.15793v3)."""

from __future__ import annotations

from collections import Counter

from pydantic import Field

from aci_plugins.plugin import plugin
from aci_plugins.search.matching import matching
from aci_plugins.tool import Context, Tool, UsageError, tool


@plugin
class Summarized:
    """find_file, search_file, search_dir, as in SWE-agent 0.7.

    Attributes:
        max_files: search_dir lists no more files than that; it asks for a narrower search instead.
        max_lines: likewise for the lines of search_file; None for no limit. The paper speaks of 50 results; the
            published commands never limited them (their check counts files, of which there is one).
        max_names: likewise for the files that find_file finds.
    """

    max_files: int | None = Field(default=100, ge=1)
    max_lines: int | None = Field(default=None, ge=1)
    max_names: int | None = Field(default=None, ge=1)

    def tools(self) -> tuple[Tool, ...]:
        """search_dir, search_file, find_file."""
        search_file = tool(self.search_file, signature="search_file <search_term> [<file>]")
        return (
            tool(self.search_dir, signature="search_dir <search_term> [<dir>]"),
            search_file,
            tool(self.find_file, signature="find_file <file_name> [<dir>]"),
        )

    def search_dir(self, context: Context, search_term: str, dir: str | None = None) -> str:
        """Looks for a term in all files of a directory that are not hidden, and says how many lines match in
        which file. The term is a regular expression as grep reads it.

        Args:
            search_term: what to look for
            dir: where to look (default: the current directory)
        """
        where = _directory(context, dir)
        matches = matching(context, search_term, where)
        if not matches:
            return f'No matches found for "{search_term}" in {where}\n'
        files = Counter(match.path for match in matches)
        if self.max_files is not None and len(files) > self.max_files:
            what = f'{len(files)} files matched for "{search_term}" in {where}'
            return f"More than {what}. Please narrow your search.\n"
        rows = [f"{path} ({count} matches)" for path, count in sorted(files.items())]
        return _listed(f'{len(matches)} matches for "{search_term}" in {where}', rows)

    def search_file(self, context: Context, search_term: str, file: str | None = None) -> str:
        """Looks for a term in one file, and shows every line that matches with its number. The term is a regular
        expression as grep reads it.

        Args:
            search_term: what to look for
            file: the file to look in (default: the open file)
        """
        if file:
            if context.env.exists(file) != "file":
                raise UsageError(
                    "Usage: search_file <search_term> [<file>]\n"
                    f"Error: File name {file} not found. Please provide a valid file name."
                )
        elif not context.session.open_file:
            raise UsageError("No file open. Use the open command first.")
        where = context.env.resolve(file or context.session.open_file)
        matches = matching(context, search_term, where)
        if not matches:
            return f'No matches found for "{search_term}" in {where}\n'
        if self.max_lines is not None and len(matches) > self.max_lines:
            what = f'{len(matches)} lines matched for "{search_term}" in {where}'
            return f"More than {what}. Please narrow your search.\n"
        rows = [f"Line {match.line}:{match.text}" for match in matches]
        return _listed(f'{len(matches)} matches for "{search_term}" in {where}', rows)

    def find_file(self, context: Context, file_name: str, dir: str | None = None) -> str:
        """Finds all files with a given name in a directory and below it. The name may hold the wildcards * and ?.

        Args:
            file_name: the name, or a pattern for it
            dir: where to look (default: the current directory)
        """
        where = _directory(context, dir)
        found = context.env.files(where, file_name)
        if not found:
            return f'No matches found for "{file_name}" in {where}\n'
        if self.max_names is not None and len(found) > self.max_names:
            return (
                f'More than {len(found)} files matched "{file_name}" in {where}. Please narrow your search.\n'
            )
        return "\n".join([f'Found {len(found)} matches for "{file_name}" in {where}:', *found]) + "\n"


def _directory(context: Context, given: str | None) -> str:
    if given and context.env.exists(given) != "directory":
        raise UsageError(f"Directory {given} not found")
    return context.env.resolve(given or ".")


def _listed(what: str, rows: list[str]) -> str:
    end = what.split(" ", 1)[1]
    return "\n".join([f"Found {what}:", *rows, f"End of {end}"]) + "\n"
