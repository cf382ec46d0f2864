"""What a program inside an environment can reach. Run there as a script, by any Python 3; it reports as JSON.

It is given, as JSON, what the host has laid out: ``secret`` (a file), ``socket`` (a Unix socket with a path),
``abstract`` (one without), ``port`` (TCP on loopback), ``pid`` and ``token`` (a process that carries the token in
its arguments and environment), ``home`` (entries of the user's home), ``names`` (of the allowed variables) and
``memory`` (the limit in bytes, or null). After the report it tries to kill ``pid``; the host looks.
"""

# A plain script for any Python 3; its output is the report.
# ruff: noqa: PTH108, PTH112, PTH118, PTH120, PTH123, PTH207, PTH208, T201

import ctypes
import glob
import json
import mmap
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

_PTRACE_TRACEME = 0
_CLONE_NEWUSER = 0x10000000
_UNAVOIDABLE = {"PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"}


def main() -> None:
    given = json.loads(sys.argv[1])
    libc = ctypes.CDLL(None, use_errno=True)
    status = _text("/proc/self/status")
    folder = os.path.dirname(given["secret"])
    report = {
        "home hidden": not any(_readable(path) for path in given["home"]),
        "host files hidden": not _readable(given["secret"]),
        "no writes outside": not any(
            _writable(path) for path in (folder, "/", "/usr", "/etc", given["user_home"])
        ),
        "kernel settings safe": not any(_opens_for_writing(path) for path in _kernel_files()),
        "no password hashes": not _readable("/etc/shadow"),
        "clean variables": not set(os.environ) - set(given["names"]) - _UNAVOIDABLE,
        "host processes hidden": not _found("/proc/[0-9]*/cmdline", given["token"]),
        "host variables hidden": not _found("/proc/[0-9]*/environ", given["token"]),
        "no abstract sockets": not _connects(socket.AF_UNIX, "\0" + given["abstract"]),
        "no socket files": not _connects(socket.AF_UNIX, given["socket"]),
        "no network": not _connects(socket.AF_INET, ("127.0.0.1", given["port"])),
        "no new privileges": "NoNewPrivs:\t1" in status and "CapEff:\t0000000000000000" in status,
        "no new namespaces": _in_child(lambda: libc.unshare(_CLONE_NEWUSER) != 0),
        "no tracing": _in_child(lambda: libc.ptrace(_PTRACE_TRACEME, 0, 0, 0) != 0),
        "process limit": _processes_limited(),
        "memory limit": given["memory"] is not None and not _allocates(given["memory"]),
    }
    print(json.dumps({"protections": report, "loopback": _own_server()}), flush=True)
    with suppress(OSError):
        os.kill(given["pid"], signal.SIGKILL)


def _text(path: str) -> str:
    try:
        with open(path, errors="replace") as file:
            return file.read(1 << 16)
    except OSError:
        return ""


def _readable(path: str) -> bool:
    try:
        if os.path.isdir(path):
            os.listdir(path)
        else:
            with open(path, "rb") as file:
                file.read(1)
    except OSError:
        return False
    return True


def _writable(folder: str) -> bool:
    path = os.path.join(folder, ".acilab-probe")
    try:
        with open(path, "x"):
            pass
        os.unlink(path)
    except OSError:
        return False
    return True


def _kernel_files() -> Iterator[str]:
    yield "/proc/sysrq-trigger"
    for folder, _, names in os.walk("/proc/sys"):
        # What belongs to namespaces may be set in them.
        if not folder.startswith(("/proc/sys/net", "/proc/sys/user")):
            yield from (os.path.join(folder, name) for name in names)


def _opens_for_writing(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        return False
    return True


def _found(pattern: str, token: str) -> bool:
    own = f"/proc/{os.getpid()}/"
    parent = f"/proc/{os.getppid()}/"
    return any(token in _text(path) for path in glob.glob(pattern) if not path.startswith((own, parent)))


def _connects(family: int, address: Any) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as client:
            client.settimeout(2)
            client.connect(address)
    except OSError:
        return False
    return True


def _own_server() -> bool:
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            return _connects(socket.AF_INET, server.getsockname())
    except OSError:
        return False


def _processes_limited() -> bool:
    """Whether the kernel holds this user to RLIMIT_NPROC at all: with a limit of one, a fork must fail."""
    if resource.getrlimit(resource.RLIMIT_NPROC)[1] == resource.RLIM_INFINITY:
        return False

    def fork_fails() -> bool:
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        try:
            if os.fork() == 0:
                os._exit(0)
        except OSError:
            return True
        return False

    return _in_child(fork_fails)


def _in_child(test: Callable[[], bool]) -> bool:
    """The answer of ``test`` in a process of its own, which what it does may spoil."""
    child = os.fork()
    if child == 0:
        os._exit(0 if test() else 1)
    return os.waitpid(child, 0)[1] == 0


def _allocates(size: int) -> bool:
    try:
        mmap.mmap(-1, size).close()
    except (OSError, MemoryError):
        return False
    return True


if __name__ == "__main__":
    main()
