"""File access from the host to a folder that an agent works in. Symlinks in it are hostile."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Literal

from runner.environments.beneath import Outside, open_beneath

#: Files beyond this size (bytes) are not read into memory.
LARGEST = 256 << 20


class Tree:
    """The files below a folder by relative path. What leads out of it raises :class:`Outside`."""

    def __init__(self, folder: Path, *, check_modes: bool) -> None:
        """``check_modes``: refuse by permission bits what the owner inside may not do, because this process
        (root) may do everything."""
        self._folder = os.path.realpath(folder)
        self._check_modes = check_modes
        self._root = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        os.close(self._root)

    def read(self, path: str) -> bytes:
        # O_NONBLOCK: a named pipe without a writer must not hang us
        fd = open_beneath(self._root, path, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(fd, "rb", closefd=True) as file:
            status = _regular(fd, path)
            self._demand(status, stat.S_IRUSR, path)
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        return data

    def write(self, path: str, data: bytes) -> None:
        target, mode = self._target(path)
        folder, _, name = target.rpartition("/")
        parent = open_beneath(self._root, folder, os.O_PATH | os.O_DIRECTORY)
        try:
            self._demand(os.fstat(parent), stat.S_IWUSR, path)
            part = f".{secrets.token_hex(8)}.part"
            fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=parent)
            try:
                with os.fdopen(fd, "wb", buffering=0) as file:
                    view = memoryview(data)
                    while view:
                        view = view[file.write(view) :]
                    os.fchmod(fd, mode)
                os.rename(part, name, src_dir_fd=parent, dst_dir_fd=parent)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(part, dir_fd=parent)
                raise
        finally:
            os.close(parent)

    def remove(self, path: str) -> None:
        folder, _, name = path.rstrip("/").rpartition("/")
        parent = open_beneath(self._root, folder, os.O_PATH | os.O_DIRECTORY)
        try:
            self._demand(os.fstat(parent), stat.S_IWUSR, path)
            os.unlink(name, dir_fd=parent)
        except OSError as error:
            raise OSError(error.errno, os.strerror(error.errno or 0), path) from error
        finally:
            os.close(parent)

    def exists(self, path: str) -> Literal["file", "directory"] | None:
        try:
            fd = open_beneath(self._root, path, os.O_PATH)
        except (FileNotFoundError, NotADirectoryError):
            if self._is_link(path):
                raise Outside(errno.EXDEV, "a symlink to nothing here", path) from None
            return None
        try:
            return "directory" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file"
        finally:
            os.close(fd)

    def resolve(self, path: str) -> str:
        """The path relative to the folder ("" for itself), symlinks resolved; the file need not exist."""
        try:
            return self._real(open_beneath(self._root, path, os.O_PATH), path)
        except FileNotFoundError:
            folder, _, name = path.rstrip("/").rpartition("/")
            if name in ("", ".", "..") or self._is_link(path):
                raise Outside(errno.EXDEV, "not for the host to resolve", path) from None
            parent = self.resolve(folder)
            return f"{parent}/{name}" if parent else name

    def _real(self, fd: int, path: str) -> str:
        """Where ``fd`` (closed here) really is, relative to the folder."""
        try:
            real = os.readlink(f"/proc/self/fd/{fd}")  # noqa: PTH115 - a magic link, no path
        finally:
            os.close(fd)
        if real == self._folder:
            return ""
        if not real.startswith(self._folder + "/"):
            raise Outside(errno.EXDEV, "the path leaves the folder", path)
        return real[len(self._folder) + 1 :]

    def _target(self, path: str) -> tuple[str, int]:
        """The file that a write to ``path`` replaces, symlinks resolved, and its mode."""
        try:
            fd = open_beneath(self._root, path, os.O_PATH)
        except FileNotFoundError:
            if self._is_link(path):
                raise Outside(errno.EXDEV, "a symlink to nothing here", path) from None
            if path.endswith("/"):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path) from None
            return path, 0o644
        status = os.fstat(fd)
        real = self._real(fd, path)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        if not status.st_mode & stat.S_IWUSR:  # replacing the file would get around this for every user
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real, stat.S_IMODE(status.st_mode)

    def _is_link(self, path: str) -> bool:
        folder, _, name = path.rstrip("/").rpartition("/")
        try:
            parent = open_beneath(self._root, folder, os.O_PATH | os.O_DIRECTORY)
        except (FileNotFoundError, NotADirectoryError):
            return False
        try:
            return stat.S_ISLNK(os.stat(name or ".", dir_fd=parent, follow_symlinks=False).st_mode)
        except FileNotFoundError:
            return False
        finally:
            os.close(parent)

    def _demand(self, status: os.stat_result, bit: int, path: str) -> None:
        if self._check_modes and not status.st_mode & bit:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def _regular(fd: int, path: str) -> os.stat_result:
    status = os.fstat(fd)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
    return status
