"""Confines itself with Landlock and seccomp, then becomes the command it was given.

Run as a script by a fresh interpreter (``python -I -S confine.py JSON COMMAND…``): between fork and exec of a
process with threads, Python code could deadlock. It imports nothing of this project.

Sources: ``landlock(7)``, ``seccomp(2)``, ``prctl(2)``, ``capabilities(7)``.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
_PDEATHSIG, _SECCOMP, _CAPBSET_DROP, _SUBREAPER, _NO_NEW_PRIVS = 1, 22, 24, 36, 38
_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522

# Rights in the order of their bits; the number that a Landlock version knows is in _KNOWN.
_RIGHTS = (
    *("execute", "write_file", "read_file", "read_dir", "remove_dir", "remove_file", "make_char", "make_dir"),
    *("make_reg", "make_sock", "make_fifo", "make_block", "make_sym", "refer", "truncate", "ioctl_dev"),
)
_KNOWN = {1: 13, 2: 14, 3: 15, 4: 15}
_READ = ("execute", "read_file", "read_dir")
_OF_FILES = ("execute", "write_file", "read_file", "truncate", "ioctl_dev")

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def abi() -> int:
    """The Landlock version of the running kernel; 0 if it has none."""
    found = int(_libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))
    return max(found, 0)


def main() -> None:
    """``argv[1]``: JSON with read_write, read_only (paths), network, seccomp (hex); then the command."""
    rules: dict[str, Any] = json.loads(sys.argv[1])
    command = sys.argv[2:]
    _prctl(_PDEATHSIG, signal.SIGKILL)
    _prctl(_SUBREAPER, 1)  # daemons stay below us, where close() finds them
    if os.geteuid() == 0:
        _drop_capabilities()
    _prctl(_NO_NEW_PRIVS, 1)
    _landlock(rules["read_write"], rules["read_only"], rules["network"])
    _seccomp(bytes.fromhex(rules["seccomp"]))
    os.execvp(command[0], command)


def _drop_capabilities() -> None:
    """Root without capabilities: with CAP_PERFMON or CAP_SYS_PTRACE it could still read what others hold."""
    for capability in range(64):
        _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0)  # beyond the last one the kernel says EINVAL
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _check(_libc.capset(ctypes.c_char_p(header), ctypes.c_char_p(bytes(24))), "capset")


def _landlock(read_write: list[str], read_only: list[str], network: bool) -> None:
    version = abi()
    known = _RIGHTS[: _KNOWN.get(version, len(_RIGHTS))]
    tcp = 0 if network else 0b11  # bind, connect
    scoped = 0b11  # abstract Unix sockets, signals
    attributes = struct.pack("QQQ", _bits(known, known), tcp, scoped)
    attributes = attributes[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = _libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    _check(int(ruleset), "landlock_create_ruleset")
    for paths, rights in ((read_write, known), (read_only, _READ)):
        for path in paths:
            with suppress(FileNotFoundError):
                _allow(int(ruleset), path, _bits(rights, known), known)
    _check(
        _libc.syscall(RESTRICT_SELF, ctypes.c_int(int(ruleset)), ctypes.c_uint32(0)), "landlock_restrict_self"
    )
    os.close(int(ruleset))


def _allow(ruleset: int, path: str, rights: int, known: Iterable[str]) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not Path(path).is_dir():
        rights &= _bits(_OF_FILES, known)
    rule = struct.pack("=Qi", rights, fd)
    done = _libc.syscall(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    _check(done, f"landlock_add_rule for {path}")
    os.close(fd)


def _bits(rights: Iterable[str], known: Iterable[str]) -> int:
    names = list(known)
    return sum(1 << names.index(right) for right in rights if right in names)


def _seccomp(code: bytes) -> None:
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    _check(_libc.prctl(_SECCOMP, _FILTER, ctypes.c_char_p(program), 0, 0), "seccomp")


def _prctl(option: int, value: int) -> None:
    _check(_libc.prctl(option, value, 0, 0, 0), f"prctl {option}")


def _check(result: int, what: str) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


if __name__ == "__main__":
    main()
