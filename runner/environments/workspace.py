"""The repository that an agent works in: one commit made from bytes, and the patch against it.

Neither needs the repository's own ``.git`` afterwards. An agent may commit, rewrite history, stage, plant hooks
and filters or delete ``.git``: the patch compares the files on disk with the bytes that they were made from.
"""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from runner.environments.beneath import Outside, open_beneath
from runner.environments.diff import diff, ignored
from runner.environments.gitobjects import EXECUTABLE, REGULAR, SYMLINK, Entry, Objects, index_file

_BASE_COMMIT = (
    b"tree %s\n"
    b"author Base <base@localhost> 1577836800 +0000\n"
    b"committer Base <base@localhost> 1577836800 +0000\n\n"
    b"Base commit\n"
)
_CONFIG = (
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"
    "[user]\n\tname = agent\n\temail = agent@localhost\n"
    "[gc]\n\tauto = 0\n"
)

#: New files with these names are by-products of running code, never part of a patch.
JUNK = ("__pycache__", "*.pyc", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis")

#: Larger new or changed files (bytes) are left out of a patch: no fix is that large, a core dump is.
LARGEST = 32 << 20

# Folders within folders, and bytes of a path (the kernel takes 4096): beyond is a runaway program's work.
_DEEPEST, _LONGEST = 100, 3000

# A file changed in the same tick of the kernel's clock in which it was made looks unchanged.
_CLOCK_NS = 20_000_000


class _Stamp(tuple[int, int, int, int]):
    """Mode, inode, size and change time (which no program can set) of a file."""

    __slots__ = ()

    @classmethod
    def of(cls, status: os.stat_result) -> _Stamp:
        return cls((status.st_mode, status.st_ino, status.st_size, status.st_ctime_ns))


@dataclass(frozen=True)
class Repository:
    """``files`` committed in ``folder`` (on the host)."""

    folder: Path
    files: Mapping[str, bytes]
    stamps: Mapping[str, _Stamp]

    @classmethod
    def create(cls, folder: Path, files: Mapping[str, bytes], owner: tuple[int, int] | None) -> Repository:
        """Write the files and a ``.git`` with one commit of them; the commit id depends on ``files`` alone.

        ``owner``: user and group id of the files as they appear inside; None: as outside.

        Raises:
            ValueError: a path is absolute, leaves the folder, or is inside ``.git``.
        """
        folder.mkdir()
        staged: dict[str, tuple[Entry, os.stat_result]] = {}
        folders = {""}
        base = str(folder)
        for path, data in files.items():
            _check(path)
            parent = path.rpartition("/")[0]
            if parent not in folders:
                (folder / parent).mkdir(parents=True, exist_ok=True)
                folders.add(parent)
            with open(f"{base}/{path}", "xb", buffering=0) as file:  # noqa: PTH123 - once per file and episode
                file.write(data)
                staged[path] = Entry(REGULAR, data), os.fstat(file.fileno())
        _write_git(folder / ".git", staged, owner or (os.getuid(), os.getgid()))
        return cls(folder, files, {path: _Stamp.of(status) for path, (_, status) in staged.items()})

    def patch(self) -> str:
        """All changes as a git diff: changed, new and deleted files, modes and symlinks.

        Left out are new files that the base commit's ``.gitignore`` files ignore, ``JUNK`` and files beyond
        ``LARGEST``. Files that are not UTF-8 appear as binary hunks, so the text is always valid.

        Raises:
            EnvironmentFailure: git is missing or fails.
        """
        root = os.open(self.folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            found = _walk(root)
            before, after = {}, {}
            for path, data in self.files.items():
                status = found.pop(path, None)
                if status is not None and not self._maybe_changed(path, status):
                    continue
                old = Entry(REGULAR, data)
                new = _entry(root, path, status) if status is not None else None
                if new != old:
                    before[path] = old
                    if new is not None:
                        after[path] = new
            new_paths = sorted(path for path in found if not is_junk(path))
            for path in set(new_paths) - ignored(new_paths, self._ignore_files):
                if (entry := _entry(root, path, found[path])) is not None:
                    after[path] = entry
        finally:
            os.close(root)
        return diff(before, after) if before or after else ""

    def _maybe_changed(self, path: str, status: os.stat_result) -> bool:
        stamp = _Stamp.of(status)
        return stamp != self.stamps[path] or stamp[3] >= self._made - _CLOCK_NS

    @cached_property
    def _made(self) -> int:
        return max((stamp[3] for stamp in self.stamps.values()), default=0)

    @cached_property
    def _ignore_files(self) -> dict[str, bytes]:
        return {path: data for path, data in self.files.items() if PurePosixPath(path).name == ".gitignore"}


def _check(path: str) -> None:
    parts = path.split("/")
    if (
        path.startswith("/")
        or _is_runaway(path)
        or any(part in ("", ".", "..") or part.lower() == ".git" for part in parts)
    ):
        raise ValueError(f"{path!r} is no path of a repository")


def _write_git(git: Path, staged: Mapping[str, tuple[Entry, os.stat_result]], owner: tuple[int, int]) -> None:
    objects = Objects()
    tree = objects.add_tree({path: entry for path, (entry, _) in staged.items()})
    commit = objects.add("commit", _BASE_COMMIT % tree.hex().encode())
    name, pack, index = objects.pack()
    (git / "objects/pack").mkdir(parents=True)
    (git / "refs").mkdir()
    (git / f"objects/pack/pack-{name}.pack").write_bytes(pack)
    (git / f"objects/pack/pack-{name}.idx").write_bytes(index)
    (git / "packed-refs").write_text(f"{commit.hex()} refs/heads/main\n")
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(_CONFIG)
    (git / "index").write_bytes(index_file(staged, owner))


def _is_runaway(path: str) -> bool:
    return path.count("/") > _DEEPEST or len(os.fsencode(path)) > _LONGEST


def is_junk(path: str) -> bool:
    """Whether a new file is a by-product (see ``JUNK``)."""
    return any(fnmatch.fnmatchcase(part, pattern) for part in path.split("/") for pattern in JUNK)


def _walk(root: int) -> dict[str, os.stat_result]:
    """Every file and symlink below ``root`` but for ``.git`` folders (nested ones too)."""
    found: dict[str, os.stat_result] = {}
    todo = [""]
    while todo:
        folder = todo.pop()
        try:
            fd = open_beneath(root, folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except (FileNotFoundError, NotADirectoryError, PermissionError, Outside):
            continue  # a running job of the agent has just removed or replaced it, or it is locked
        try:
            with os.scandir(fd) as entries:
                for entry in entries:
                    if entry.name == ".git":
                        continue
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if not _is_runaway(path):
                            todo.append(path)
                    elif entry.is_file(follow_symlinks=False) or entry.is_symlink():
                        found[path] = entry.stat(follow_symlinks=False)
        finally:
            os.close(fd)
    return found


def _entry(root: int, path: str, status: os.stat_result) -> Entry | None:
    """What git would store; None if it is too large or has just vanished."""
    try:
        if stat.S_ISLNK(status.st_mode):
            parent, _, name = path.rpartition("/")
            fd = open_beneath(root, parent, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                return Entry(SYMLINK, os.fsencode(os.readlink(name, dir_fd=fd)))
            finally:
                os.close(fd)
        fd = open_beneath(root, path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, Outside, PermissionError):
        return None
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return None
        data = file.read(LARGEST + 1)
    return Entry(EXECUTABLE if status.st_mode & 0o100 else REGULAR, data) if len(data) <= LARGEST else None
