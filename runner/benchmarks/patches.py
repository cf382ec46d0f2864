"""Git patches on trees that are held in memory."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

_HEADER = re.compile(r"(?:---|\+\+\+|rename from|rename to|copy from|copy to) (?P<name>[^\t]+?)\t?\r?$")
_SAME_NAME = re.compile(r'diff --git (?P<name>"?a/(?P<bare>.+)) "?b/(?P=bare)$')
_ESCAPES = {b"t": b"\t", b"n": b"\n"}
_SAFE_NAME = re.compile(r"(?!.*(^|/)(\.\.|\.git)(/|$))[^/\0].*")


class PatchError(ValueError):
    """The patch does not apply; the message is git's first line."""


class Tree:
    """A tree of files on disk to which patches are applied one at a time; each starts from ``files``.

    One folder serves many patches, since only the files that a patch touches are written again.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = dict(files)
        self._folder = tempfile.TemporaryDirectory(prefix="acilab-tree-")
        for name, data in self._files.items():
            self._write(name, data)

    def __enter__(self) -> Tree:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def applied(self, patch: str, *, reverse: bool = False) -> dict[str, bytes]:
        """All files after ``patch``.

        Raises:
            PatchError
        """
        touched = paths(patch)
        self._git(patch, *(["--reverse"] if reverse else []))
        result = dict(self._files)
        for name in touched:
            path = Path(self._folder.name, name)
            if path.is_file() and not path.is_symlink():
                result[name] = path.read_bytes()
            else:
                result.pop(name, None)
            if name in self._files:
                self._write(name, self._files[name])
            else:
                path.unlink(missing_ok=True)
        return result

    def _git(self, patch: str, *options: str) -> None:
        # A git repository around the temporary folder, or the user's own settings, must not matter.
        variables = {
            "PATH": os.environ.get("PATH", os.defpath),
            "GIT_CEILING_DIRECTORIES": str(Path(self._folder.name).resolve().parent),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C",
        }
        done = subprocess.run(
            ["git", "apply", "--whitespace=nowarn", *options, "-"],
            cwd=self._folder.name,
            env=variables,
            input=patch.encode("utf-8", "surrogateescape"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if done.returncode:
            lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
            raise PatchError(lines[0] if lines else f"git apply ended with {done.returncode}")

    def _write(self, name: str, data: bytes) -> None:
        path = Path(self._folder.name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def applied(files: Mapping[str, bytes], patch: str) -> dict[str, bytes]:
    """``files`` after ``patch``; only what the patch touches goes to disk.

    Raises:
        PatchError
    """
    touched = set(paths(patch))
    with Tree({name: data for name, data in files.items() if name in touched}) as tree:
        changed = tree.applied(patch)
    return {name: data for name, data in files.items() if name not in touched} | changed


def paths(patch: str) -> list[str]:
    """Paths that a git diff may touch: old and new names, in order, without duplicates.

    Content that looks like a header may add a name that is not touched, never hide one. Names that git
    refuses (absolute, ``..``, ``.git``) are left out.
    """
    found: dict[str, None] = {}
    for line in patch.split("\n"):
        # The second form is the only header of an empty or binary file.
        if match := _HEADER.match(line) or _SAME_NAME.match(line):
            name = _unquoted(match["name"])
            if _SAFE_NAME.fullmatch(name):
                found[name] = None
    return list(found)


def _unquoted(name: str) -> str:
    """Without prefix; git writes unusual names in C quotes with octal escapes."""
    if name.startswith('"'):
        raw = re.sub(
            rb"\\([0-7]{3}|.)",
            lambda m: bytes([int(m[1], 8)]) if len(m[1]) == 3 else _ESCAPES.get(m[1], m[1]),
            name.strip().strip('"').encode("utf-8", "surrogateescape"),
        )
        name = raw.decode("utf-8", "surrogateescape")
    return name[2:] if name[:2] in ("a/", "b/") else name
