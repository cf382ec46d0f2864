"""What the policy wants done, said with the tools that the composed ACI has."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from aci_plugins.message import Action
from aci_plugins.tool import Tool
from runner.models.embedded.editing import Change, Editor
from runner.models.embedded.reading import Did

if TYPE_CHECKING:
    from aci_plugins.aci import ACI


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer: why, what, and how its observation is to be read."""

    thought: str
    action: Action
    did: Did = Did("other")


class Hands:
    """Turns wishes (look, search, change, run) into actions of one ACI."""

    def __init__(self, aci: ACI, tools: Sequence[Tool]) -> None:
        self._aci = aci
        self._tools = {tool.name: tool for tool in tools}
        self._editor = Editor.among(tools)

    @property
    def search_kind(self) -> Literal["summarized", "iterative", "grep"]:
        if "search_dir" in self._tools:
            return "summarized"
        return "iterative" if {"search", "next"} <= set(self._tools) else "grep"

    @property
    def has_viewer(self) -> bool:
        return "open" in self._tools

    @property
    def has_editor(self) -> bool:
        return self._editor is not None

    @property
    def edits_open_file(self) -> bool:
        """Whether a file must be open to be edited."""
        return self._editor is not None and self._editor.on_open_file

    @property
    def edits_window(self) -> bool:
        """Whether an edit writes all the lines that the viewer shows."""
        return self._editor is not None and self._editor.kind == "window"

    @property
    def edits_whole_file(self) -> bool:
        """Whether an edit writes all lines of the file."""
        return self._editor is not None and self._editor.kind == "file"

    @property
    def checks_syntax(self) -> bool:
        """Whether the editor says that it refuses edits with syntax errors."""
        return self._editor is not None and self._editor.checks_syntax

    def look(self, thought: str, path: str, line: int, opened: str) -> Turn:
        """Show the part of ``path`` around ``line``; ``opened`` is the file that is open now."""
        if not self.has_viewer and "str_replace_editor" in self._tools:
            action = self._aci.action("str_replace_editor", **_view(path, line))
            return Turn(thought, action, Did("show" if line > _FAR else "whole", path))
        if not self.has_viewer:
            return self.run(thought, f"cat -n {shlex.quote(path)}", Did("whole", path))
        if opened == path and "goto" in self._tools and line > 1:
            return self._use(thought, "goto", line, did=Did("show", path))
        if line > 1:
            return self._use(thought, "open", path, line, did=Did("show", path))
        return self._use(thought, "open", path, did=Did("show", path))

    def look_for_edit(self, thought: str, path: str, line: int, opened: str) -> Turn:
        """Show what the editor must be told of ``path`` to change ``line``."""
        if self.edits_whole_file:
            return self.run(thought, f"cat -n {shlex.quote(path)}", Did("whole", path))
        return self.look(thought, path, line, opened)

    def look_on(self, thought: str, path: str, line: int, opened: str) -> Turn:
        """Show what follows ``line``."""
        if self.has_viewer and opened == path and "scroll_down" in self._tools:
            return self._use(thought, "scroll_down", did=Did("show", path))
        return self.look(thought, path, line, opened)

    def search(self, thought: str, term: str) -> Turn:
        """Where ``term`` occurs."""
        if self.search_kind == "summarized":
            return self._use(thought, "search_dir", term)
        if self.search_kind == "iterative":
            return self._use(thought, "search", term)
        return self.run(thought, f"grep -rn --include='*.py' -e {shlex.quote(term)} .")

    def search_file(self, thought: str, term: str, path: str) -> Turn:
        """Where ``term`` occurs in one file (summarized search only)."""
        return self._use(thought, "search_file", term, path)

    def next_result(self, thought: str) -> Turn:
        """The next result (iterative search only)."""
        return self._use(thought, "next")

    def list_files(self, thought: str) -> Turn:
        """All Python files."""
        if "find_file" in self._tools:
            return self._use(thought, "find_file", "*.py")
        return self.run(thought, "find . -name '*.py' -not -path './.git/*'")

    def change(self, thought: str, change: Change) -> Turn:
        """Replace lines. The file must be open where the editor works on the open file."""
        did = Did("change", change.path)
        arguments = self._editor.call(change) if self._editor else None
        if self._editor and arguments is not None:
            return Turn(thought, self._aci.action(self._editor.tool.name, **arguments), did)
        path = change.path
        command = (
            f"python - <<'END_OF_CHANGE'\n"
            f"lines = open({path!r}, encoding='utf-8').read().split('\\n')\n"
            f"lines[{change.first - 1}:{change.last}] = {list(change.new)!r}\n"
            f"open({path!r}, 'w', encoding='utf-8').write('\\n'.join(lines))\n"
            f"END_OF_CHANGE"
        )
        return self.run(thought, command, did)

    def run(self, thought: str, command: str, did: Did = Did("other")) -> Turn:  # noqa: B008 - frozen
        """A shell command."""
        return Turn(thought, self._aci.shell_action(command), did)

    def submit(self, thought: str) -> Turn:
        return self._use(thought, "submit")

    def _use(self, thought: str, name: str, *values: str | int, did: Did = Did("other")) -> Turn:  # noqa: B008
        parameters = self._tools[name].parameters
        arguments = {p.name: v for p, v in zip(parameters, values, strict=False)}
        return Turn(thought, self._aci.action(name, **arguments), did)


_FAR = 150  # from this line on only a part of the file is asked for


def _view(path: str, line: int) -> dict[str, Any]:
    """Arguments that show the part of a file around a line."""
    view: dict[str, Any] = {"command": "view", "path": path}
    return view | {"view_range": [line - 100, -1]} if line > _FAR else view
