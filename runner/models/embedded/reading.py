"""Reading a conversation: the issue, the state of the interface, and the code that can be seen in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aci_plugins.message import Message
from runner.models.embedded.source import Definition, definitions

_HEADER = re.compile(r"^\[File: (.+) \((\d+) lines total\)\]$")
_ROW = re.compile(r"^(\d+):(.*)$")
_NUMBERED = re.compile(r"^\s*(\d+)\t(.*)$")
_GREP = re.compile(r"^(?:\./)?([^\s:][^:]*\.\w+):(\d+):(.*)$")


@dataclass(slots=True)
class FileView:
    """The lines of one file that can be seen now."""

    path: str
    lines: dict[int, str] = field(default_factory=dict)
    total: int | None = None

    def runs(self) -> list[tuple[int, list[str]]]:
        """Consecutive visible lines: (number of the first, lines)."""
        found: list[tuple[int, list[str]]] = []
        for number in sorted(self.lines):
            if found and found[-1][0] + len(found[-1][1]) == number:
                found[-1][1].append(self.lines[number])
            else:
                found.append((number, [self.lines[number]]))
        return found

    def functions(self) -> list[tuple[Definition, list[str]]]:
        """Functions whose beginning can be seen, with the lines of them that can be seen."""
        found: list[tuple[Definition, list[str]]] = []
        for first, lines in self.runs():
            at_end = self.total is not None and first + len(lines) - 1 >= self.total
            for d in definitions(lines, first, at_end):
                if d.kind == "def":
                    found.append((d, lines[d.line - first : d.end - first + 1]))
        return found

    def text(self) -> str:
        """Everything visible; gaps are empty lines."""
        return "\n\n".join("\n".join(lines) for _, lines in self.runs())


@dataclass(frozen=True, slots=True)
class Did:
    """What the policy meant by an action: enough to read its answer.

    Attributes:
        kind: ``show`` (numbered lines of ``path``), ``whole`` (all of its lines), ``change`` (``path`` was
            edited), ``other``.
    """

    kind: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """What can be known from the messages of one turn, and nothing else."""

    issue: str
    answer: str
    failed: bool
    open_file: str
    cwd: str
    files: Mapping[str, FileView]
    chars: int
    steps_told: int | None


def read(messages: Sequence[Message], did: Mapping[int, Did], root: str) -> View:
    """Read what is left of a conversation.

    Args:
        did: what the actions of earlier steps were meant to do, by step.
        root: directory that paths are made relative to; "" takes the current one.
    """
    issue, told = "", None
    files: dict[str, FileView] = {}
    open_file, cwd, answer = "", "", ""
    for message in messages:
        if message.kind == "instance":
            issue = _between(message.content)
            number = re.search(
                r"\b(\d+) (?:steps|commands|actions|turns)\b", message.content.replace(issue, "")
            )
            told = int(number[1]) if number else None
        if message.kind not in ("instance", "observation", "error") or message.role == "assistant":
            continue
        body, state = split_state(message.content)
        open_file, cwd = state.get("Open file", open_file), state.get("Current directory", cwd)
        answer = body
        if message.kind == "observation":
            home = root or cwd
            _read_code(body, did.get(message.step, Did("other")), home, cwd or home, files)
    last = messages[-1] if messages else None
    return View(
        issue=issue,
        answer=answer,
        failed=last is not None and last.kind == "error",
        open_file="" if open_file == "n/a" else relative(open_file, root or cwd, cwd),
        cwd=cwd,
        files=files,
        chars=sum(
            len(m.content) + sum(len(c.arguments) + len(c.name) for c in m.tool_calls) for m in messages
        ),
        steps_told=told,
    )


def split_state(content: str) -> tuple[str, dict[str, str]]:
    """An observation without the state lines at its end, and what they say."""
    lines = content.rstrip().split("\n")
    state: dict[str, str] = {}
    while lines:
        match = re.match(r"^\((Open file|Current directory): (.*)\)$", lines[-1].strip())
        if match:
            state[match[1]] = match[2]
        elif lines[-1].strip() not in ("bash-$", ""):
            break
        lines.pop()
    return "\n".join(lines), state


def relative(path: str, root: str, cwd: str) -> str:
    """``path`` as seen from ``root`` when it lies below it, else as it is."""
    if not path:
        return ""
    if not path.startswith("/"):
        path = f"{cwd or root}/{path.removeprefix('./')}"
    base = root.rstrip("/") + "/"
    return path[len(base) :] if path.startswith(base) else path


def _between(content: str) -> str:
    match = re.search(r"^\s*<issue>\s*\n(.*?)\n\s*</issue>\s*$", content, re.S | re.M)
    return match[1] if match else split_state(content)[0]


def _read_code(body: str, did: Did, root: str, cwd: str, files: dict[str, FileView]) -> None:
    if did.kind == "change" and not rejected(body):
        files.pop(did.path, None)  # line numbers seen before are out of date
    if rejected(body):
        # Of a refused edit only the file as it is counts, not what it would have been.
        body = body[max(0, body.find("This is the original code")) :]
    current: FileView | None = None
    for line in body.split("\n"):
        header = _HEADER.match(line)
        if header:
            path = relative(header[1], root, cwd)
            current = files.setdefault(path, FileView(path))
            current.total = int(header[2])
            continue
        row = _ROW.match(line) if current is not None else None
        if row and current is not None:
            current.lines[int(row[1])] = row[2]
            continue
        if current is not None and not re.match(r"^\(\d+ more lines? (above|below|between)\)$", line):
            current = None
        numbered = _NUMBERED.match(line) if did.kind in ("show", "whole") else None
        if numbered:
            view = files.setdefault(did.path, FileView(did.path))
            view.lines[int(numbered[1])] = numbered[2]
            continue
    whole = did.kind == "whole" and "<response clipped>" not in body
    if whole and did.path in files and files[did.path].lines:
        files[did.path].total = max(files[did.path].lines)


def rejected(body: str) -> bool:
    """Whether the observation says that an edit was refused."""
    return _REFUSED.search(body) is not None


_REFUSED = re.compile(
    r"Your changes have NOT been applied|[Nn]othing was changed|The (edit|diff) changes nothing"
)


def in_sight(body: str) -> dict[int, str]:
    """The lines that the viewer shows, by number."""
    rows = (_ROW.match(line) for line in body.split("\n"))
    return {int(row[1]): row[2] for row in rows if row}


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a search named; ``line`` is 0 where it told only the file."""

    path: str
    line: int
    text: str
    count: int = 1


def hits(body: str, root: str, cwd: str, path: str = "") -> list[Hit]:
    """Read the answer of any search: grep's rows, counts by file, rows of one file, one result of many."""
    found: list[Hit] = []
    current = path
    number = 0
    for line in body.split("\n"):
        counted = re.match(r"^(\S.*?) \((\d+) match(?:es)?\)$", line)
        grep = _GREP.match(line)
        row = re.match(r"^Line (\d+):(.*)$", line)
        result = re.match(r"^\[Result (\d+)/(\d+) \(Line (\d+)\)\]", line)
        shown = re.match(r"^\[File: (.+?)(?: \(\d+ lines total\))?\]$", line)
        if result:
            number = int(result[3])
        elif shown and number:
            current = relative(shown[1], root, cwd)
        elif number and current and line.startswith(f"{number}:"):
            found.append(Hit(current, number, line.split(":", 1)[1]))
        elif counted:
            found.append(Hit(relative(counted[1], root, cwd), 0, "", int(counted[2])))
        elif row and path:
            found.append(Hit(path, int(row[1]), row[2]))
        elif grep:
            found.append(Hit(relative(grep[1], root, cwd), int(grep[2]), grep[3]))
    if not found and number and current:
        found.append(Hit(current, number, ""))
    return found
