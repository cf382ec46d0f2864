"""The Python that an environment offers as ``python``."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from runner.environments.launcher import SYSTEM_PATH
from runner.errors import UserError

_QUESTION = """
import importlib.metadata, json, sys, sysconfig
packages = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions() if d.metadata["Name"]}
print(json.dumps({
    "version": sys.version.split()[0], "prefix": sys.prefix, "base_prefix": sys.base_prefix,
    "executable": sys.executable, "packages": dict(sorted(packages.items())),
}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter as it describes itself.

    Attributes:
        executable: absolute path.
        version: e.g. ``3.11.7``.
        prefixes: the folders that it needs, outermost first.
        packages: (name, version) of the distributions that it can import.
    """

    executable: str
    version: str
    prefixes: tuple[str, ...]
    packages: tuple[tuple[str, str], ...]

    @property
    def folder(self) -> str:
        """Where ``python`` and the scripts of its packages are."""
        return str(Path(self.executable).parent)

    @property
    def path(self) -> str:
        """The search path of commands that finds this interpreter first."""
        return SYSTEM_PATH if self.folder in SYSTEM_PATH.split(":") else f"{self.folder}:{SYSTEM_PATH}"


@cache
def interpreter(python: str | None) -> Interpreter:
    """Ask ``python`` (a path or a command name; None: the one that this process's virtual environment was made
    from, without the packages installed here).

    Raises:
        UserError: it is not there, or is no Python.
    """
    asked = python or str(getattr(sys, "_base_executable", sys.executable))
    found = shutil.which(asked)
    if found is None:
        raise UserError(f"environment.python: {asked!r} is no executable file; give the path of a Python 3")
    try:
        done = subprocess.run(
            [found, "-I", "-c", _QUESTION], capture_output=True, text=True, env={}, check=True
        )
        facts: dict[str, Any] = json.loads(done.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise UserError(f"environment.python: {found!r} does not run as a Python 3: {error}") from error
    executable = Path(facts["executable"])
    if python is None:  # names such as /usr/local/bin/python3 may be links into the real place
        executable = executable.resolve()
    prefixes = dict.fromkeys((facts["base_prefix"], facts["prefix"]))
    return Interpreter(str(executable), facts["version"], tuple(prefixes), tuple(facts["packages"].items()))
