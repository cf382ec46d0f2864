"""Opening files below a folder that somebody else may be filling with symlinks this very moment."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import struct

_NR_OPENAT2 = 437 if platform.machine() in ("x86_64", "aarch64") else None
_RESOLVE_NO_MAGICLINKS, _RESOLVE_BENEATH = 0x02, 0x08
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


class Outside(OSError):
    """The path leaves the folder (or may): only the environment itself may follow it."""


def open_beneath(root: int, path: str, flags: int, mode: int = 0o666) -> int:
    """Open ``path`` below the folder ``root`` (a descriptor); symlinks are followed while they stay below it.

    Raises:
        Outside: the path leads out of the folder.
        OSError: as ``open`` does.
    """
    flags |= os.O_CLOEXEC if flags & os.O_PATH else os.O_CLOEXEC | os.O_NOCTTY
    name = os.fsencode(path) or b"."
    if _NR_OPENAT2 is None:
        return _walk(root, path, flags, mode)
    how = struct.pack(
        "=QQQ", flags, mode if flags & os.O_CREAT else 0, _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS
    )
    while True:
        fd = _libc.syscall(_NR_OPENAT2, ctypes.c_int(root), name, how, ctypes.c_size_t(len(how)))
        if fd >= 0:
            return int(fd)
        code = ctypes.get_errno()
        if code == errno.EXDEV:
            raise Outside(code, "the path leaves the folder", path)
        if code in (errno.ENOSYS, errno.EPERM):  # kernel before 5.6, or a filter that does not know the call
            return _walk(root, path, flags, mode)
        if code not in (errno.EAGAIN, errno.EINTR):  # EAGAIN: a rename elsewhere raced with the look-up
            raise OSError(code, os.strerror(code), path)


def _walk(root: int, path: str, flags: int, mode: int) -> int:
    """The same without ``openat2``: component by component; any symlink counts as leading out."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts or path.startswith("/"):
        raise Outside(errno.EXDEV, "the path leaves the folder", path)
    here = os.dup(root)
    try:
        for part in parts[:-1]:
            below = _open_component(part, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, 0, here, path)
            os.close(here)
            here = below
        last = parts[-1] if parts else "."
        return _open_component(last, flags | os.O_NOFOLLOW, mode, here, path)
    finally:
        os.close(here)


def _open_component(name: str, flags: int, mode: int, here: int, path: str) -> int:
    try:
        if stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
            raise Outside(errno.EXDEV, "a symlink", path)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    try:
        return os.open(name, flags, mode, dir_fd=here)
    except OSError as error:
        if error.errno == errno.ELOOP:  # it has become a symlink since we looked
            raise Outside(errno.EXDEV, "a symlink", path) from error
        raise OSError(error.errno, os.strerror(error.errno or 0), path) from error
