"""What the .gitignore files of a repository leave out."""

from __future__ import annotations

from typing import Any

from aci_plugins.tool import Context


class Ignored:
    """The rules for the files below a directory: of the .gitignore files in it, and of those above it up to the
    repository's root."""

    def __init__(self, context: Context, directory: str) -> None:
        from pathspec import GitIgnoreSpec

        root = str(context.env.root)
        found = set(context.env.files(directory, ".gitignore"))
        above = directory
        while above != root and above.startswith(f"{root}/"):
            above = above.rpartition("/")[0]
            if context.env.exists(f"{above}/.gitignore") == "file":
                found.add(f"{above}/.gitignore")
        self._specs: dict[str, Any] = {}
        for path in found:
            try:
                text = context.env.read(path).decode("utf-8", "replace")
                self._specs[path.rpartition("/")[0]] = GitIgnoreSpec.from_lines(text.splitlines())
            except (OSError, ValueError):
                continue  # git, too, goes on without what it cannot read
        self._folders: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Whether a file is left out; of several .gitignore files the nearest one decides. What is in a folder that is
        left out cannot be taken in again."""
        if not self._specs:
            return False
        return self._folder(path.rpartition("/")[0]) or self._named(path)

    def _folder(self, folder: str) -> bool:
        if not folder or not any(folder.startswith(f"{place}/") for place in self._specs):
            return False
        if folder not in self._folders:
            self._folders[folder] = self._folder(folder.rpartition("/")[0]) or self._named(f"{folder}/")
        return self._folders[folder]

    def _named(self, path: str) -> bool:
        """Whether a rule names this very path."""
        place = path.rstrip("/").rpartition("/")[0]
        while place:
            if spec := self._specs.get(place):
                verdict = spec.check_file(path[len(place) + 1 :]).include
                if verdict is not None:
                    return bool(verdict)
            place = place.rpartition("/")[0]
        return False
