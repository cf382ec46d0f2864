"""Processes of a session as the host sees them, read from /proc."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_TICK = 1 / os.sysconf("SC_CLK_TCK")  # resolution of start times, in seconds


def descendants(root: int, since: float = 0.0) -> list[int]:
    """Live processes below ``root`` that started at or after ``since`` (CLOCK_BOOTTIME seconds, give or take
    two clock ticks)."""
    children: dict[int, list[int]] = {}
    started: dict[int, float] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - the hot path of a kill
        if not name.isdigit() or (stat := _stat(name)) is None:
            continue
        state, parent, start = stat
        if state not in ("Z", "X"):
            children.setdefault(parent, []).append(int(name))
            started[int(name)] = start
    found: list[int] = []
    todo = [root]
    while todo:
        below = children.get(todo.pop(), [])
        todo += below
        found += [pid for pid in below if started[pid] >= since - 2 * _TICK]
    return found


def alive(pid: int) -> bool:
    """Whether ``pid`` exists and is no zombie."""
    stat = _stat(str(pid))
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


def host_pid(root: int, inner: int) -> int | None:
    """The process below ``root`` that knows itself as ``inner`` (its id in the innermost PID namespace)."""
    for pid in descendants(root):
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("NSpid:") and int(line.split()[-1]) == inner:
                    if b"--noediting" in Path(f"/proc/{pid}/cmdline").read_bytes():
                        return pid
    return None


def lineage(pid: int) -> set[int]:
    """``pid`` and its ancestors."""
    found: set[int] = set()
    while pid > 0 and pid not in found and (stat := _stat(str(pid))) is not None:
        found.add(pid)
        pid = stat[1]
    return found


def _stat(name: str) -> tuple[str, int, float] | None:
    """State, parent and start time (seconds since boot)."""
    try:
        text = Path(f"/proc/{name}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return fields[0], int(fields[1]), int(fields[19]) * _TICK
