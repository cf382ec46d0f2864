"""Paths as commands name them, without looking at the files."""

from __future__ import annotations

import posixpath

from aci_plugins.guardrails.expand import HOME


def located(path: str, cwd: str) -> str:
    """``path`` from ``cwd``, without "." and "..": absolute, below ``~``, or "" where the text does not tell."""
    if not path or path.startswith(("$", "`", "<(")):
        return ""
    if path.startswith("~"):
        _, _, rest = path.partition("/")
        inner = posixpath.normpath(f"/{rest}") if rest else "/"
        # `..` from the home folder leads to places as bad as the home folder itself
        return HOME if inner == "/" or ".." in rest.split("/") else HOME + inner
    if not path.startswith("/"):
        if not cwd:
            return ""
        path = f"{cwd}/{path}"
    return located(path, "") if path.startswith("~") else posixpath.normpath("/" + path.lstrip("/"))


def within(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder`` or below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def is_everything(path: str) -> str:
    """For ``folder/*`` and the like, the folder whose whole content is meant; else ""."""
    folder, _, name = path.rpartition("/")
    return (folder or "/") if name in ("*", ".*", "{*,.*}", ".[!.]*", "?*", "**", "[!.]*") else ""
