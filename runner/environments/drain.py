"""Keeps reading what background jobs write while no command runs, so that they never block on a full pipe."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from threading import Lock, Thread


class Drain:
    """One thread for all idle sessions of this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sinks: dict[int, Callable[[bytes], None]] = {}
        self._epoll = select.epoll()
        Thread(target=self._run, name="drain", daemon=True).start()

    def add(self, fd: int, sink: Callable[[bytes], None]) -> None:
        """From now on give what comes in on ``fd`` (non-blocking) to ``sink``."""
        with self._lock:
            self._sinks[fd] = sink
            self._epoll.register(fd, select.EPOLLIN)

    def remove(self, fd: int) -> None:
        """Stop; when this returns, no call of the sink is under way."""
        with self._lock:
            if self._sinks.pop(fd, None):
                self._epoll.unregister(fd)

    def _run(self) -> None:
        while True:
            for fd, _ in self._epoll.poll():
                with self._lock:
                    self._read(fd)

    def _read(self, fd: int) -> None:
        sink = self._sinks.get(fd)
        if sink is None:
            return
        try:
            data = os.read(fd, 1 << 16)
        except BlockingIOError:
            return
        if data:
            sink(data)
        else:  # the other end is gone: the next command will find out
            del self._sinks[fd]
            self._epoll.unregister(fd)


_lock = Lock()
_drains: dict[int, Drain] = {}  # by process id: a forked child has no threads of its parent


def drain() -> Drain:
    """The drain of this process."""
    with _lock:
        pid = os.getpid()
        if pid not in _drains:
            _drains[pid] = Drain()
        return _drains[pid]
