"""Folders of sessions on the host."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from runner.environments.janitor import janitor


def new_folder() -> Path:
    """A private folder for one session. It is removed by :func:`remove_folder`, or when acilab is gone."""
    folder = Path(tempfile.mkdtemp(prefix="acilab-"))
    janitor().add(folder)
    return folder


def remove_folder(folder: Path) -> None:
    """Remove ``folder``, whatever permissions an agent gave to what is in it."""
    try:
        shutil.rmtree(folder)
    except PermissionError:
        for here, _, _ in os.walk(folder):
            Path(here).chmod(0o700)
        shutil.rmtree(folder)
    janitor().remove(folder)
