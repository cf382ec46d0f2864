"""Finds out what isolates on this machine by running a program inside and believing only what it reports."""

from __future__ import annotations

import json
import secrets
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from aci_plugins.environment import EnvironmentFailure
from runner.environments import probe_inside
from runner.environments.launcher import variables
from runner.environments.limits import Limits
from runner.environments.mechanisms import Choice, Mechanism, Settings, candidates
from runner.environments.spawner import spawn

_SECONDS = 60.0
_HOME_ENTRIES = 50

#: Without these a mechanism is not used. The others are reported.
ESSENTIAL = (
    "home hidden",
    "host files hidden",
    "no writes outside",
    "kernel settings safe",
    "no password hashes",
    "clean variables",
    "host variables hidden",
    "host processes safe",
    "no abstract sockets",
    "no socket files",
    "no network",
    "no new privileges",
)


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found.

    Attributes:
        mechanism: the strongest that works; None if none does.
        protections: (name, whether it holds) as tried inside.
        loopback: whether a program inside can talk to its own server on 127.0.0.1.
        rejected: why stronger mechanisms were not taken, one line each.
        refusal: when there is no mechanism, what is missing and how to get it, in one line.
    """

    mechanism: Mechanism | None
    protections: tuple[tuple[str, bool], ...] = ()
    loopback: bool = False
    rejected: tuple[str, ...] = ()
    refusal: str = ""

    @property
    def leaks(self) -> tuple[str, ...]:
        """Protections that do not hold."""
        return tuple(name for name, holds in self.protections if not holds)


_lock = Lock()
_known: dict[tuple[Choice, Settings, Limits], Probe] = {}


def probe(choice: Choice, settings: Settings, limits: Limits) -> Probe:
    """The mechanism to use for such sessions; tried once per process."""
    with _lock:
        key = choice, settings, limits
        if key not in _known:
            mechanisms, missing = candidates(choice)
            _known[key] = try_all(mechanisms, missing, settings, limits)
        return _known[key]


def try_all(
    mechanisms: Sequence[Mechanism], missing: Sequence[str], settings: Settings, limits: Limits
) -> Probe:
    """The first of ``mechanisms`` (strongest first) that has every essential protection."""
    rejected = list(missing)
    for mechanism in mechanisms:
        try:
            protections, loopback = _try(mechanism, settings, limits)
        except EnvironmentFailure as error:
            rejected.append(f"{mechanism.title}: {error}")
            continue
        wanted = [name for name in ESSENTIAL if name != "no network" or not settings.network]
        lacking = [name for name in wanted if not protections[name]]
        if not lacking:
            return Probe(mechanism, tuple(protections.items()), loopback, tuple(rejected))
        rejected.append(f"{mechanism.title}: does not give: {', '.join(lacking)}")
    return Probe(None, rejected=tuple(rejected), refusal=_refusal(rejected))


def _try(mechanism: Mechanism, settings: Settings, limits: Limits) -> tuple[dict[str, bool], bool]:
    with _bait(settings) as (given, bait), tempfile.TemporaryDirectory(prefix="acilab-") as folder:
        repository = Path(folder) / "repo"
        repository.mkdir()
        _, launcher = mechanism.session(Path(folder), repository, settings, {})
        given["names"] = list(variables("", "", "", {}))
        given["memory"] = limits.memory_mb << 20 if limits.memory_mb is not None else None
        source = Path(probe_inside.__file__).read_text("utf-8")
        script = f'{limits.commands()}\nexec "$@"'
        command = [
            "bash",
            "-c",
            script,
            "probe",
            settings.python.executable,
            "-I",
            "-c",
            source,
            json.dumps(given),
        ]
        try:
            process = launcher.start(command)
        except OSError as error:
            raise EnvironmentFailure(str(error)) from error
        with process:
            try:
                out, complaint = process.communicate(timeout=_SECONDS)
            except subprocess.TimeoutExpired as error:
                process.kill()
                raise EnvironmentFailure(f"no answer in {_SECONDS:.0f} s") from error
        try:
            report: dict[str, Any] = json.loads(out)
        except ValueError as error:
            words = complaint.decode("utf-8", "replace").strip().splitlines()
            said = words[-1] if words else f"status {process.returncode}"
            raise EnvironmentFailure(said[-300:]) from error
        protections: dict[str, bool] = report["protections"]
        protections["host processes safe"] = bait.poll() is None
    return protections, report["loopback"]


@contextmanager
def _bait(settings: Settings) -> Iterator[tuple[dict[str, Any], subprocess.Popen[bytes]]]:
    """Lay out on the host what a program inside must not reach."""
    token = secrets.token_hex(8)
    home = Path.home()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="acilab-bait-")))
        (folder / "secret").write_text(token)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address in (str(folder / "socket"), "\0" + token):
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(address)
            server.listen()
        argv = ["bash", "-c", "read -r", token]  # waits for its stdin, which is our pipe
        bait = spawn(argv, env={"PATH": "/usr/bin:/bin", "TOKEN": token})
        stack.enter_context(bait)
        stack.callback(bait.kill)
        yield (
            {
                "secret": str(folder / "secret"),
                "socket": str(folder / "socket"),
                "abstract": token,
                "port": listener.getsockname()[1],
                "pid": bait.pid,
                "token": token,
                "user_home": str(home),
                "home": [
                    str(path) for path in _entries(home, (*settings.python.prefixes, *settings.read_only))
                ],
            },
            bait,
        )


def _entries(home: Path, offered: Sequence[str]) -> list[Path]:
    """Some entries of the home folder, but for those that lead to what is offered inside on purpose."""
    if home == Path("/") or not home.is_dir():
        return []
    found = [
        path for path in sorted(home.iterdir()) if not any(_related(path, Path(other)) for other in offered)
    ]
    return found[:_HOME_ENTRIES]


def _related(one: Path, other: Path) -> bool:
    return one == other or one in other.parents or other in one.parents


def _refusal(rejected: Sequence[str]) -> str:
    said = " ".join(rejected)
    advice: list[str] = []
    if "not installed" in said:
        advice.append("install bubblewrap (apt install bubblewrap, dnf install bubblewrap)")
    if "uid map: Permission denied" in said or "RTM_NEWADDR" in said:
        advice.append(
            "on Ubuntu 24.04 allow it in AppArmor: sudo apt install bubblewrap apparmor-profiles && sudo install -m644 "
            "/usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r "
            "/etc/apparmor.d/bwrap-userns-restrict"
        )
    if any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv")):
        advice.append(
            "in a container start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined, or, "
            "as the container is a boundary already, take environment=local"
        )
    advice.append("or choose environment=simulated (no processes) or environment=local (no isolation)")
    return (
        f"environment=sandbox: nothing isolates here ({'; '.join(rejected)}). What helps: {'; '.join(advice)}"
    )
