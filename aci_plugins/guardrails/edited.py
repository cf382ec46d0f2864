"""Which files a call of an editing command is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aci_plugins.session import Session
from aci_plugins.tool import Context, Tool

_DIFF_FILE = re.compile(r"^(?:---|\+\+\+) (?:[ab]/)?([^\t\n]+)", re.MULTILINE)


def changes(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    """Whether this call changes files; some editing commands can also only show them."""
    return tool.edits and arguments.get("command") != "view"


def edited(arguments: Mapping[str, Any], session: Session) -> list[str]:
    """The files as the call names them: by path, in a diff, or else the open one."""
    named = [str(arguments[key]) for key in ("path", "filename") if arguments.get(key)]
    if "diff" in arguments:
        named += [name for name in _DIFF_FILE.findall(str(arguments["diff"])) if name != "/dev/null"]
    return named or ([session.open_file] if session.open_file else [])


def absolute(path: str, context: Context) -> str:
    """``path`` with symlinks resolved."""
    return context.env.resolve(path)
