"""Isolation without namespaces, with Landlock and seccomp: weaker than bubblewrap, but it works in containers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.environments import confine, seccomp
from runner.environments.bubblewrap import ETC, ETC_NETWORK
from runner.environments.interpreter import Interpreter
from runner.environments.spawner import spawn

#: Below this version processes inside could signal those outside, or truncate their files.
NEEDED_ABI = 6

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sys/devices/system/cpu")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@dataclass(frozen=True, slots=True)
class Landlock:
    """Starts commands that may write below ``folder`` only, and read it and the system's programs.

    Paths cannot be moved: the repository appears where it is on the host.
    """

    folder: str
    cwd: str
    python: Interpreter
    read_only: tuple[str, ...]
    network: bool
    env: Mapping[str, str]

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        etc = (*ETC, "passwd", "group", "hosts", *(ETC_NETWORK if self.network else ()))
        # Landlock does not guard sockets that have a path (docker.sock, ssh-agent): no Unix sockets at all.
        code = seccomp.program(refuse_sockets=not self.network, refuse_unix_sockets=True)
        rules = {
            "read_write": [self.folder, *_DEVICES],
            "read_only": [
                *_SYSTEM,
                *(f"/etc/{name}" for name in etc),
                *self.python.prefixes,
                *self.read_only,
            ],
            "network": self.network,
            "seccomp": code.hex(),
        }
        script = str(Path(confine.__file__).resolve())
        argv = [sys.executable, "-I", "-S", script, json.dumps(rules), *command]
        return spawn(argv, env=self.env, cwd=self.cwd)
