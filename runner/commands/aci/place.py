"""A place where a person, or another program, works with an ACI: a copy of a folder in a fresh environment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from aci_plugins.environment import Environment
from runner.environments.base import EnvironmentSpec, Workspace
from runner.folder import Folder
from runner.prompt.demonstration import SHIPPED


@contextmanager
def opened(environment: EnvironmentSpec, folder: Folder, name: str = "repo") -> Iterator[Environment]:
    """A fresh environment with a copy of ``folder`` in it, closed at the end.

    Raises:
        aci_plugins.environment.EnvironmentFailure, runner.errors.UserError
    """
    env = environment.start(Workspace(folder.files, name=name))
    try:
        folder.complete(env)
        yield env
    finally:
        env.close()


@cache
def sample() -> tuple[str, Folder]:
    """The task of the shipped demonstration, for those who name no folder: its issue, and its repository."""
    task: dict[str, Any] = yaml.safe_load((SHIPPED / "slug.yaml").read_text("utf-8"))
    return task["problem_statement"], Folder({path: text.encode() for path, text in task["files"].items()})


def task(path: Path | None, statement: str) -> tuple[str, Folder]:
    """The issue and the contents of the folder ``path``, those of :func:`sample` without one.

    Raises:
        runner.errors.UserError: it cannot be read.
    """
    if path is None:
        shown, folder = sample()
        return statement or shown, folder
    return statement or "(whatever you like)", Folder.read(path)
