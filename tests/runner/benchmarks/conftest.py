"""Real environments and real git patches for grading."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from aci_plugins.environment import Environment
from aci_plugins.plugin import build
from runner.environments.base import Workspace

Start = Callable[[Mapping[str, bytes]], Environment]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts sandboxes with the given files; they are closed when the test ends."""
    spec = build({"_target_": "runner.environments.sandbox.Sandbox"})
    opened: list[Environment] = []

    def fresh(files: Mapping[str, bytes]) -> Environment:
        opened.append(spec.start(Workspace(files)))
        return opened[-1]

    yield fresh
    for environment in opened:
        environment.close()


@pytest.fixture
def diff(tmp_path: Path) -> Callable[[Mapping[str, bytes], Mapping[str, bytes | None]], str]:
    """``diff(files, changes)``: the git patch of the changes (None deletes a file)."""

    def make(files: Mapping[str, bytes], changes: Mapping[str, bytes | None]) -> str:
        folder = tmp_path / f"diff{len(list(tmp_path.iterdir()))}"
        folder.mkdir()

        def git(*arguments: str) -> str:
            command = ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments]
            return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        git("init", "-q")
        git("add", "-A")
        git("commit", "-q", "-m", "base")
        for name, changed in changes.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if changed is None:
                (folder / name).unlink()
            else:
                (folder / name).write_bytes(changed)
        git("add", "-A", "-f")
        return git("diff", "--cached", "--binary")

    return make
