"""Refuses to edit a file that is no longer as the model last saw it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from pydantic import Field

from aci_plugins.files import TextFile
from aci_plugins.guardrails.edited import absolute, changes, edited
from aci_plugins.plugin import plugin
from aci_plugins.policies import Proposal, Verdict
from aci_plugins.tool import Context, Tool, ToolResult
from aci_plugins.viewer.window import constrained, move, shown

_KEY = "shown_files"
_LINES = 100  # of a file that is shown anew and is not the open one


@plugin
class StaleEdit:
    """An edit is refused when something else (a command of the shell, a formatter) changed the file after the ACI's
    own commands last showed or wrote it; the file is shown as it is now, and the next edit works. Files that only the
    shell showed are not known.

    Attributes:
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """Never a reason: it looks at each edit at the moment when it is made."""
        return None

    def guarded(self, tool: Tool) -> Tool:
        """``tool``, which remembers what it shows; an edit looks at that first."""

        def function(context: Context, **arguments: Any) -> ToolResult:
            if not changes(tool, arguments):
                result = tool.call(context, arguments)
                path = str(arguments.get("path") or context.session.open_file)
                if path and _shows(result.text, path, tool, context):
                    _remember(context, absolute(path, context))
                return result
            paths = [absolute(path, context) for path in edited(arguments, context.session)]
            stale = [path for path in paths if _stale(context, path)]
            if stale:
                return _refused(context, stale)
            result = tool.call(context, arguments)
            if not result.failed_edit:
                for path in paths:
                    _remember(context, path)
            return result

        return replace(tool, function=function)


def _shows(text: str, path: str, tool: Tool, context: Context) -> bool:
    return tool.edits or f"[File: {absolute(path, context)} (" in text


def _stale(context: Context, path: str) -> bool:
    known = context.session.extra.get(_KEY, {}).get(path)
    return known is not None and known != _digest(context, path)


def _remember(context: Context, path: str) -> None:
    digest = _digest(context, path)
    files = {name: known for name, known in context.session.extra.get(_KEY, {}).items() if name != path}
    # A new mapping each time: the steps that were recorded before hold the old one.
    context.session.extra[_KEY] = {**files, path: digest} if digest else files


def _digest(context: Context, path: str) -> str:
    if context.env.exists(path) != "file":
        return ""
    return hashlib.sha256(context.env.read(path)).hexdigest()[:16]


def _refused(context: Context, stale: list[str]) -> ToolResult:
    parts = []
    for path in stale:
        parts.append(
            f"{path} was changed by something else since it was last shown. Nothing was edited. As it is now:"
        )
        parts.append(_as_it_is(context, path))
        _remember(context, path)
    return ToolResult("\n".join(parts), 1, failed_edit=True, rule="stale_edit")


def _as_it_is(context: Context, path: str) -> str:
    if context.env.exists(path) != "file":
        return "(it is no longer there)\n"
    if path == context.session.open_file:
        return move(context, context.session.line)
    file = TextFile.of(context.env.read(path))
    return shown(path, file, constrained(_LINES / 2, len(file.lines), _LINES), _LINES)
