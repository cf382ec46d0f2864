"""Cleans up after an acilab that was killed: ends what its sessions left running, removes their folders.

bubblewrap's sandboxes die with their parent; sessions without a PID namespace do not, and no process removes its
files when it is killed. So one small process per acilab waits for the end of a pipe. It is this file, run as a
script (``python -I -S janitor.py``) that is told ``+FOLDER`` and ``-FOLDER``, NUL-terminated, on its stdin.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock


class Janitor:
    """The side of acilab: tells the janitor which folders are in use."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(__file__).resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={},
            start_new_session=True,  # ^C is for acilab
        )
        atexit.register(self._end)

    def add(self, folder: Path) -> None:
        """From now on ``folder``, and the processes whose TMPDIR is below it, belong to a session."""
        self._tell(b"+", folder)

    def remove(self, folder: Path) -> None:
        """The session has cleaned up itself."""
        self._tell(b"-", folder)

    def _end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()

    def _tell(self, sign: bytes, folder: Path) -> None:
        # Without a janitor everything works but the cleaning after a kill.
        with self._lock, suppress(BrokenPipeError):
            if self._process.stdin is not None and not self._process.stdin.closed:
                self._process.stdin.write(sign + os.fsencode(folder) + b"\0")


_lock = Lock()
_janitors: dict[int, Janitor] = {}  # by process id: a forked child's sessions are its own


def janitor() -> Janitor:
    """The janitor of this process; it starts with the first session."""
    with _lock:
        pid = os.getpid()
        if pid not in _janitors:
            _janitors[pid] = Janitor()
        return _janitors[pid]


def main() -> None:
    """Listen until acilab is gone, then clean up."""
    folders: set[bytes] = set()
    rest = b""
    while data := os.read(0, 1 << 16):
        *words, rest = (rest + data).split(b"\0")
        for word in words:
            if word.startswith(b"+"):
                folders.add(word[1:])
            else:
                folders.discard(word[1:])
    while pids := [int(path.name) for path in Path("/proc").glob("[0-9]*") if _belongs(path, folders)]:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    for folder in folders:
        force_remove(os.fsdecode(folder))


def force_remove(folder: str) -> None:
    """Remove ``folder`` whatever is in it. Neither program follows symlinks or minds depth."""
    env = {"PATH": "/usr/bin:/bin"}
    for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        subprocess.run([*command, "--", folder], stderr=subprocess.DEVNULL, env=env, check=False)


def _belongs(process: Path, folders: set[bytes]) -> bool:
    try:
        variables = (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return False
    return any(b"TMPDIR=" + folder + b"/tmp" in variables for folder in folders)


if __name__ == "__main__":
    main()
