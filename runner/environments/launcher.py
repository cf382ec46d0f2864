"""How the process tree of a session is started."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from runner.environments.spawner import spawn

#: Search path of commands; an interpreter's own folder is put before it.
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Launcher(Protocol):
    """Starts a command where, and with the rights with which, a session runs."""

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start ``command`` with three pipes. Raises ``OSError`` if the launcher itself cannot be started."""
        ...


@dataclass(frozen=True, slots=True)
class Plain:
    """``prefix`` + command, with exactly the variables ``env``, in the host folder ``cwd``."""

    env: Mapping[str, str]
    prefix: tuple[str, ...] = ()
    cwd: str | None = None

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        return spawn([*self.prefix, *command], env=self.env, cwd=self.cwd)


def variables(path: str, home: str, tmp: str, more: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of commands: an allow-list, never the environment of this process.

    Pagers and editors would wait for a terminal, so they are replaced; Python leaves no ``.pyc`` behind.
    """
    return {
        "PATH": path,
        "HOME": home,
        "TMPDIR": tmp,
        "USER": "agent",
        "LOGNAME": "agent",
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_EDITOR": "true",
        "GIT_TERMINAL_PROMPT": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        **more,
    }
