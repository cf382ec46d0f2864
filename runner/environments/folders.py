"""Folders of sessions on the host."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from runner.environments.janitor import force_remove, janitor


def new_folder() -> Path:
    """A private folder for one session. It is removed by :func:`remove_folder`, or when acilab is gone."""
    folder = Path(tempfile.mkdtemp(prefix="acilab-"))
    janitor().add(folder)
    return folder


def remove_folder(folder: Path) -> None:
    """Remove ``folder``, whatever permissions an agent gave to what is in it."""
    try:
        shutil.rmtree(folder)
    except (PermissionError, RecursionError):  # folders without permissions, or a thousand deep
        force_remove(str(folder))
    janitor().remove(folder)
