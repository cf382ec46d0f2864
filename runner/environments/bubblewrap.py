"""Isolation by namespaces, with bubblewrap (``bwrap(1)``)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runner.environments import seccomp
from runner.environments.interpreter import Interpreter
from runner.environments.spawner import spawn

UID = 1000  # of the agent inside, whoever runs it outside: outputs repeat on other machines
HOME = "/home/agent"

_PASSWD = (
    f"root:x:0:0:root:/root:/bin/bash\nagent:x:{UID}:{UID}:agent:{HOME}:/bin/bash\nnobody:x:65534:65534::/:\n"
)
_GROUP = f"root:x:0:\nagent:x:{UID}:\nnogroup:x:65534:\n"
_HOSTS = "127.0.0.1 localhost sandbox\n::1 localhost\n"

#: What programs need of /etc. The rest stays hidden: uid 0 outside may read its secrets, mapped or not.
ETC = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "protocols",
    "services",
    "ssl/openssl.cnf",
)
ETC_NETWORK = (
    "ca-certificates",
    "crypto-policies",
    "pki/tls/certs",
    "pki/ca-trust",
    "resolv.conf",
    "ssl/certs",
)
_NAMESPACES = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--uid", str(UID), "--gid", str(UID), "--hostname", "sandbox"),
)
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Starts commands in a sandbox of its own each: a root made of read-only system folders, the repository, and
    private /tmp, home, /proc and /dev; own namespaces for users, processes, network, IPC, host name and cgroups.

    Attributes:
        bwrap: the program.
        repository: host folder and the path where it appears.
        python: the interpreter to bind.
        read_only: further host paths, at the same place inside.
        network: keep the host's network.
        tmp_mb: size of /tmp, of the home and of /dev/shm.
        env: the whole environment inside.
        disable_userns: forbid new user namespaces (bwrap 0.8 or later; the seccomp filter forbids them too).
    """

    bwrap: str
    repository: tuple[str, str]
    python: Interpreter
    read_only: tuple[str, ...]
    network: bool
    tmp_mb: int
    env: Mapping[str, str]
    disable_userns: bool

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        fds: list[int] = []
        options = self._options()
        try:
            for path, text in (("/etc/passwd", _PASSWD), ("/etc/group", _GROUP), ("/etc/hosts", _HOSTS)):
                fds.append(_memory_file(text.encode()))
                options += ["--perms", "0644", "--ro-bind-data", str(fds[-1]), path]
            if seccomp.SUPPORTED:
                fds.append(_memory_file(seccomp.program()))
                options += ["--seccomp", str(fds[-1])]
            # Nothing but the folders below is writable, not even the bare root or /dev. And /proc/sys belongs to
            # root: run by root, bwrap leaves its files, those of the whole machine, writable.
            options += ["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"]
            # By descriptor, because the command line of bwrap can be read inside.
            fds.append(_memory_file(os.fsencode("\0".join(options) + "\0")))
            return spawn([self.bwrap, "--args", str(fds[-1]), "--", *command], env=self.env, pass_fds=fds)
        finally:
            for fd in fds:
                os.close(fd)

    def _options(self) -> list[str]:
        host, inside = self.repository
        size = ("--size", str(self.tmp_mb << 20))
        shared = ("--perms", "1777", *size, "--tmpfs")
        options = [*_NAMESPACES, *_system(self.network), "--proc", "/proc", "--dev", "/dev"]
        if self.disable_userns:
            options.append("--disable-userns")
        if not self.network:
            options.append("--unshare-net")
        options += [
            *shared,
            "/dev/shm",
            *shared,
            "/tmp",
            *size,
            "--tmpfs",
            HOME,
            "--symlink",
            "/tmp",
            "/var/tmp",
        ]
        for path in (*self.python.prefixes, *self.read_only):
            if not _is_below(path, _SYSTEM):
                options += ["--ro-bind", path, path]
        return [*options, "--bind", host, inside, "--chdir", inside]


@cache
def _system(network: bool) -> tuple[str, ...]:
    """What is shown of /usr, /etc and the like."""
    options: list[str] = []
    for path in _SYSTEM:
        options += _system_folder(path)
    for name in ETC + (ETC_NETWORK if network else ()):
        if Path("/etc", name).exists():
            options += ["--ro-bind", str(Path("/etc", name).resolve()), f"/etc/{name}"]
    return tuple(options)


def _system_folder(path: str) -> list[str]:
    """/bin and the like are links into /usr on most systems."""
    if Path(path).is_symlink():
        return ["--symlink", os.readlink(path), path]  # noqa: PTH115 - the literal target
    return ["--ro-bind", path, path] if Path(path).is_dir() else []


def _is_below(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def _memory_file(data: bytes) -> int:
    fd = os.memfd_create("acilab")
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd
