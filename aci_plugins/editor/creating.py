"""New files, with the folders above them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from aci_plugins.editor.change import broken, save
from aci_plugins.tool import Context


def create(context: Context, path: str, data: bytes, *, lint: Sequence[str], undo: bool) -> str:
    """Make the file ``path``, which does not exist; why not ("" if it is done)."""
    if why := broken(path, b"", data, lint):
        return why
    if why := make_folder(context, path.rpartition("/")[0]):
        return why
    save(context, path, None, data, undo=undo)
    return ""


def make_folder(context: Context, folder: str) -> str:
    """Make a folder and those above it; why not ("" if it is there)."""
    if not folder or context.env.exists(folder) == "directory":
        return ""
    if context.env.exists(folder) == "file":
        return f"{folder} is a file, no directory."
    if context.env.kind == "simulated":
        return f"There is no directory {folder}."
    result = context.env.run(f"command mkdir -p -- {shlex.quote(folder)}", timeout=context.timeout)
    return "" if result.exit_code == 0 else f"The directory {folder} cannot be made: {result.output.strip()}"
