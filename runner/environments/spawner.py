"""Starts child processes from one thread that lives as long as this process.

The kernel ties "die with the parent" (PR_SET_PDEATHSIG, ``bwrap --die-with-parent``) to the THREAD that
forked, not to the process: a session started by a worker thread would be killed when that worker ends.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

_lock = Lock()
_threads: dict[int, ThreadPoolExecutor] = {}  # by process id: a forked child has no threads of its parent


def spawn(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: str | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start ``argv`` in a new session with three unbuffered pipes and exactly the environment ``env``.

    Raises:
        OSError: the program cannot be started.
    """
    return _thread().submit(_start, list(argv), dict(env), cwd, tuple(pass_fds)).result()


def _thread() -> ThreadPoolExecutor:
    with _lock:
        pid = os.getpid()
        if pid not in _threads:
            _threads[pid] = ThreadPoolExecutor(1, "spawner")
        return _threads[pid]


def _start(
    argv: list[str], env: dict[str, str], cwd: str | None, pass_fds: tuple[int, ...]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=env,
        cwd=cwd,
        pass_fds=pass_fds,
        start_new_session=True,
    )
