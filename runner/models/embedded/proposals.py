"""Candidate edits of everything that can be seen, ranked across files and functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.models.embedded.issue import Issue
from runner.models.embedded.localise import Ran, file_score, is_test, name_score, text_score
from runner.models.embedded.material import material
from runner.models.embedded.mutations import propose
from runner.models.embedded.reading import FileView
from runner.models.embedded.source import Candidate


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate edit of a file, in a function (or module-level name)."""

    path: str
    function: str
    candidate: Candidate
    score: float

    @property
    def where(self) -> tuple[int, int, int, int]:
        s = self.candidate.span
        return s.line, s.col, s.end_line, s.end_col

    @property
    def new(self) -> str:
        return self.candidate.new

    @property
    def short(self) -> str:
        """``new`` with ``@@`` for what stands there now, where that is shorter."""
        old = self.candidate.old
        if len(old) > 2 and old in self.new and "@@" not in self.new:
            return self.new.replace(old, "@@", 1)
        return self.new

    @property
    def why(self) -> str:
        return self.candidate.why

    @property
    def key(self) -> str:
        return f"{self.path}:{self.where}:{self.new}"


def proposals(files: Mapping[str, FileView], issue: Issue, ran: Sequence[Ran] | None) -> list[Proposal]:
    """Edits of the visible functions, the most plausible first.

    Args:
        ran: the functions that failing checks ran; only these are changed. None: nothing is known to fail, so
            all visible functions count, and how near they are to the issue's words decides.
    """
    found: list[Proposal] = []
    known = {(r.path, r.line): (i, r.name) for i, r in enumerate(ran or ())}
    for path in sorted(files):
        if is_test(path) or not path.endswith(".py"):
            continue
        view = files[path]
        functions = view.functions()
        whole = view.text()
        by_owner: dict[str, list[str]] = {}
        for definition, lines in functions:
            by_owner.setdefault(definition.owner, []).append("\n".join(lines))
        stuffs = {owner: material("\n".join(texts), whole, issue.text) for owner, texts in by_owner.items()}
        prefer = {f.line for f in issue.frames if f.path.endswith("/" + path)}
        lines_run: set[int] | None = None
        if ran is not None:
            lines_run = set().union(
                *(r.lines for r in ran if r.path == path), (r.line for r in ran if r.path == path)
            )
        covered: set[int] = set()
        used: list[str] = []
        for definition, lines in functions:
            own = set(range(definition.line, definition.end + 1))
            if own <= covered:
                continue
            covered |= own
            if lines_run is not None and not own & lines_run:
                continue
            used.append("\n".join(lines))
            name = f"{definition.owner}.{definition.name}" if definition.owner else definition.name
            recent, name = known.get((path, definition.line), (12, name))
            near = 2.0 * name_score(name, issue) + file_score(path, issue) + max(0.0, 8.0 - recent)
            if ran is None:
                near = (
                    5.0 * name_score(name, issue)
                    + 3.0 * text_score("\n".join(lines), issue)
                    + 2 * file_score(path, issue)
                )
            for candidate in propose(
                lines, definition.line, issue, stuffs[definition.owner], lines_run, prefer
            ):
                found.append(Proposal(path, name, candidate, candidate.score + near))
        stuff = stuffs.get("") or material("", whole, issue.text)
        for name, first, lines in _module_level(view, covered):
            if any(re.search(rf"\b{re.escape(name)}\b", text) for text in used):
                for candidate in propose(lines, first, issue, stuff, None, prefer, known=ran is not None):
                    found.append(Proposal(path, name, candidate, candidate.score - 4))
    unique = {p.key: p for p in reversed(found)}
    return sorted(unique.values(), key=lambda p: (-p.score, p.path, p.where, p.new))


def _module_level(view: FileView, covered: set[int]) -> list[tuple[str, int, list[str]]]:
    """Assignments outside functions: (name, first line, lines)."""
    found: list[tuple[str, int, list[str]]] = []
    for first, lines in view.runs():
        i = 0
        while i < len(lines):
            match = re.match(r"^(?:    )?([A-Za-z_]\w*)(?:: [^=]+)? = ", lines[i])
            if not match or first + i in covered:
                i += 1
                continue
            for j in range(i, min(i + 40, len(lines))):
                text = "\n".join(lines[i : j + 1])
                try:
                    ast.parse(("if 1:\n" if lines[i][:1].isspace() else "") + text)
                except SyntaxError:
                    continue
                found.append((match[1], first + i, lines[i : j + 1]))
                i = j
                break
            i += 1
    return found
