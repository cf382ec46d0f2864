"""Keeps edits to some files, or away from some."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from pydantic import Field

from aci_plugins.guardrails.edited import absolute, changes, edited
from aci_plugins.guardrails.unfold import unfolded
from aci_plugins.guardrails.writes import written
from aci_plugins.plugin import plugin
from aci_plugins.policies import Proposal, Verdict
from aci_plugins.tool import Context, Tool, ToolResult


@plugin
class PathGuard:
    """Refuses changes of files by where they are: by the ACI's commands, and by shell commands whose arguments or
    redirections name them (``sed -i``, ``rm``, ``mv``, ``>``, ``tee`` …). What a program does on its own is not seen;
    to make files unchangeable, use the environment.

    Attributes:
        only: globs below the repository; if there are any, other files must not be changed. A folder means all that
            is in it; ``*`` also matches "/"; a glob without "/" matches names in any folder.
        never: globs of files that must not be changed.
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """Why a shell command may not change one of its files."""
        for path in _written(proposal):
            if reason := self._reason(path, proposal.context):
                return Verdict("path", reason)
        return None

    def guarded(self, tool: Tool) -> Tool:
        """``tool``; if it edits, it looks at the paths first."""
        if not tool.edits:
            return tool

        def function(context: Context, **arguments: Any) -> ToolResult:
            if changes(tool, arguments):
                for path in edited(arguments, context.session):
                    if reason := self._reason(absolute(path, context), context):
                        return ToolResult(f"{reason} Nothing was edited.\n", 1, failed_edit=True, rule="path")
            return tool.call(context, arguments)

        return replace(tool, function=function)

    def _reason(self, path: str, context: Context) -> str:
        root = absolute(str(context.env.root), context)
        if path != root and not path.startswith(f"{root}/"):
            return ""  # not a file of the repository: nothing that these globs speak of
        name = posixpath.relpath(path, root)
        for glob in self.never:
            if _matches(name, glob):
                return f"{name} must not be changed here (files that match {glob})."
        if self.only and not any(_matches(name, glob) for glob in self.only):
            return f"{name} must not be changed here (only {', '.join(self.only)})."
        return ""


def _matches(name: str, glob: str) -> bool:
    glob = glob.removesuffix("/")
    if "/" not in glob and fnmatchcase(posixpath.basename(name), glob):
        return True
    return fnmatchcase(name, glob) or fnmatchcase(name, f"{glob}/*")


def _written(proposal: Proposal) -> Iterator[str]:
    env = proposal.context.env
    for call in unfolded(proposal.action.text, str(env.cwd), str(env.root), proposal.tools).calls:
        if call.words and call.words[0] in proposal.tools:
            continue  # the ACI's own commands are looked at when they run
        for path in written(call):
            yield absolute(path, proposal.context)
