"""Runs the command line as a user does: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"


def acilab(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    input: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run ``acilab ARGUMENTS``; the environment holds no keys but those in ``env``, stdin ``input``."""
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        env=environment(env),
        input=input,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def command(*arguments: str | Path) -> list[str]:
    """The argv of ``acilab ARGUMENTS``."""
    return [sys.executable, "-m", "runner", *map(str, arguments)]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The process environment without anything that looks like a key."""
    from runner.secrets import secret_names

    kept = {k: v for k, v in os.environ.items() if k not in secret_names()}
    return {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "120", **(extra or {})}


def table(outputs: Path, experiment: str) -> list[dict[str, Any]]:
    """The rows of ``acilab table``."""
    done = acilab("table", experiment, "--format", "json", f"paths.outputs={outputs}")
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows
