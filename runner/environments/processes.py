"""Processes of a session as the host sees them, read from /proc."""

from __future__ import annotations

import os
import re
import select
import signal
from collections.abc import Iterable
from contextlib import suppress

_TICK = 1 / os.sysconf("SC_CLK_TCK")  # resolution of start times, in seconds
_DYING_MS = 5000  # how long a killed process may take; one that sleeps in the kernel cannot be waited for


def descendants(root: int, since: float = 0.0) -> list[int]:
    """Live processes below ``root`` that started at or after ``since`` (CLOCK_BOOTTIME seconds, give or take
    two clock ticks)."""
    found: list[int] = []
    todo = _children(root)
    while todo:
        pid = todo.pop()
        todo += _children(pid)
        if _counts(pid, since):
            found.append(pid)
    return found


def tagged(tag: str, since: float = 0.0) -> list[int]:
    """Live processes, wherever they hang, that have ``tag`` (NAME=value) in the environment they started with
    and started at or after ``since``."""
    wanted = os.fsencode(tag)
    found: list[int] = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - the hot path of a kill
        if name.isdigit():
            with suppress(OSError):  # gone, or another user's
                if wanted in _read(f"/proc/{name}/environ").split(b"\0") and _counts(int(name), since):
                    found.append(int(name))
    return found


def alive(pid: int) -> bool:
    """Whether ``pid`` exists and is no zombie."""
    stat = _stat(pid)
    return stat is not None and stat[0] not in ("Z", "X")


def send(pids: Iterable[int], number: signal.Signals) -> None:
    """Signal every process; those that are gone, or are no longer ours, are passed over."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def send_group(pid: int, number: signal.Signals) -> None:
    """Signal the process group that ``pid`` is in."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(os.getpgid(pid), number)


def kill_tree(root: int, tag: str = "") -> None:
    """SIGKILL everything below ``root`` until nothing is left, then ``root``.

    ``root`` goes last: it is what daemons are handed to when their parent dies (as a subreaper, or because it
    waits for the first process of a PID namespace, which ends after all others in it). ``tag``: see
    :func:`kill_strays`.
    """
    while below := descendants(root):
        kill(below)
    kill([root])
    kill_strays(tag)


def kill_strays(tag: str) -> None:
    """SIGKILL all processes that carry ``tag`` (see :func:`tagged`), wherever they hang; none if it is empty."""
    while tag and (strays := tagged(tag)):
        kill(strays)


def kill(pids: Iterable[int]) -> None:
    """SIGKILL processes and wait until they are dead."""
    todo = list(pids)
    send(todo, signal.SIGKILL)
    for pid in todo:
        with suppress(ProcessLookupError):
            fd = os.pidfd_open(pid)
            try:
                poll = select.poll()
                poll.register(fd, select.POLLIN)
                poll.poll(_DYING_MS)
            finally:
                os.close(fd)


def host_pid(root: int, inner: int) -> int | None:
    """The process below ``root`` that knows itself as ``inner`` (its id in the innermost PID namespace)."""
    for pid in descendants(root):
        with suppress(OSError):
            numbers = re.search(rb"^NSpid:(.*)$", _read(f"/proc/{pid}/status"), re.MULTILINE)
            if numbers and int(numbers[1].split()[-1]) == inner:
                return pid
    return None


def lineage(pid: int) -> set[int]:
    """``pid`` and its ancestors."""
    found: set[int] = set()
    while pid > 0 and pid not in found and (stat := _stat(pid)) is not None:
        found.add(pid)
        pid = stat[1]
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):  # it may end at any moment
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - the hot path of a kill
            found += [int(child) for child in _read(f"/proc/{pid}/task/{thread}/children").split()]
    return found


def _counts(pid: int, since: float) -> bool:
    stat = _stat(pid)
    return stat is not None and stat[0] not in ("Z", "X") and stat[2] >= since - 2 * _TICK


def _stat(pid: int) -> tuple[str, int, float] | None:
    """State, parent and start time (seconds since boot); None if there is no such process."""
    try:
        text = _read(f"/proc/{pid}/stat")
    except OSError:
        return None
    fields = text.rpartition(b")")[2].split()
    return fields[0].decode(), int(fields[1]), int(fields[19]) * _TICK


def _read(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(fd, 1 << 16)
    finally:
        os.close(fd)
