"""Files in memory and a shell of a few words: no command of an agent ever becomes a process."""

from __future__ import annotations

import errno
import fnmatch
import os
import posixpath
import re
import shlex
import time
from dataclasses import field
from pathlib import PurePosixPath
from typing import Any, Literal

from pydantic import Field

from aci_plugins.environment import CommandResult, Environment, Match
from aci_plugins.plugin import plugin
from runner.environments.base import Workspace
from runner.environments.bre import compile_bre
from runner.environments.diff import diff, ignored
from runner.environments.gitobjects import REGULAR, Entry
from runner.environments.limits import Kept
from runner.environments.output import HeadTail, decode
from runner.environments.workspace import is_junk

_HEREDOC = re.compile(
    r"cat\s*(>>?)\s*(\S+)\s*<<-?\s*(['\"]?)(\w+)\3\s*\n(.*?)^\4\s*", re.DOTALL | re.MULTILINE
)


@plugin
class Canned:
    """What a command does that the simulation does not know.

    Attributes:
        output: what it writes.
        exit_code: its status.
        writes: files that it makes or replaces: path -> text.
    """

    output: str = ""
    exit_code: int = Field(default=0, ge=0, le=255)
    writes: dict[str, str] = field(default_factory=dict)


@plugin
class Simulated:
    """An environment without processes, for tests, demonstrations and machines that cannot isolate.

    Files are in memory. The shell knows ``cd``, ``pwd``, ``ls``, ``cat``, ``echo``, ``true``, ``false``, ``>``,
    ``>>`` and here-documents after ``cat >``, joined by ``&&``, ``;`` or line ends; everything else is looked up in
    ``commands`` and is otherwise "command not found". Only :meth:`patch` calls git, on the host.

    Attributes:
        commands: answers by the whole text of a command; a list is used one after the other, its last forever.
        output_head_kb, output_tail_kb: how much of an output is kept.
    """

    commands: dict[str, Canned | list[Canned]] = field(default_factory=dict)
    output_head_kb: Kept = 64
    output_tail_kb: Kept = 64

    @property
    def kind(self) -> str:
        return "simulated"

    def check(self) -> None:
        """Always possible."""

    def facts(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "mechanism": "memory",
            "protections": {"no processes": True},
            "leaks": [],
            "limits": {},
            "root": "/<name>",
        }

    def start(self, workspace: Workspace) -> Environment:
        return SimulatedEnvironment(self, workspace)


class SimulatedEnvironment:
    """See :class:`Simulated`."""

    kind = "simulated"

    def __init__(self, spec: Simulated, workspace: Workspace) -> None:
        self.root = PurePosixPath("/", workspace.name)
        self._spec = spec
        self._base = {str(self.root / path): data for path, data in workspace.files.items()}
        self._files = dict(self._base)
        self._folders = {"/", str(self.root), "/tmp"}
        for path in self._files:
            self._add_folders(path)
        self._cwd = str(self.root)
        self._used: dict[str, int] = {}

    @property
    def cwd(self) -> PurePosixPath:
        return PurePosixPath(self._cwd)

    # ---- files -------------------------------------------------------------------------------------------

    def read(self, path: str) -> bytes:
        full = self.resolve(path)
        if full in self._folders:
            raise _error(errno.EISDIR, path)
        if full not in self._files:
            raise _error(errno.ENOENT, path)
        return self._files[full]

    def write(self, path: str, data: bytes) -> None:
        full = self.resolve(path)
        if full in self._folders or path.endswith("/"):
            raise _error(errno.EISDIR, path)
        if posixpath.dirname(full) not in self._folders:
            raise _error(errno.ENOENT, path)
        self._files[full] = bytes(data)

    def remove(self, path: str) -> None:
        self.read(path)
        del self._files[self.resolve(path)]

    def resolve(self, path: str) -> str:
        if not path:
            raise _error(errno.ENOENT, path)
        if "\0" in path:
            raise OSError(errno.EINVAL, "no possible path", path)
        full = posixpath.normpath(posixpath.join(self._cwd, path))
        return "/" + full.lstrip("/")

    def exists(self, path: str) -> Literal["file", "directory"] | None:
        full = self.resolve(path)
        return "file" if full in self._files else "directory" if full in self._folders else None

    def files(self, directory: str, name: str = "*") -> list[str]:
        full = self.resolve(directory)
        if full not in self._folders:
            raise _error(errno.ENOTDIR if full in self._files else errno.ENOENT, directory)
        below = full.rstrip("/") + "/"
        found = [path for path in self._files if path.startswith(below)]
        return sorted(path for path in found if fnmatch.fnmatchcase(posixpath.basename(path), name))

    def grep(self, pattern: str, path: str) -> list[Match]:
        regex = compile_bre(pattern)
        full = self.resolve(path)
        if full in self._files:
            return _matches(full, self._files[full], regex)
        hidden = len(full.rstrip("/"))
        found = [file for file in self.files(path) if "/." not in file[hidden:]]
        return [match for file in found for match in _matches(file, self._files[file], regex)]

    def patch(self) -> str:
        """See the contract; the rules for what is left out are those of the other environments."""
        here = str(self.root) + "/"
        base = {path.removeprefix(here): data for path, data in self._base.items()}
        now = {path.removeprefix(here): data for path, data in self._files.items() if path.startswith(here)}
        new = [path for path in sorted(now) if path not in base and not is_junk(path)]
        rules = {path: data for path, data in base.items() if posixpath.basename(path) == ".gitignore"}
        left_out = {path for path in now if path not in base and is_junk(path)} | ignored(new, rules)
        changed = [path for path in {*base, *now} - left_out if base.get(path) != now.get(path)]
        before = {path: Entry(REGULAR, base[path]) for path in changed if path in base}
        after = {path: Entry(REGULAR, now[path]) for path in changed if path in now}
        return diff(before, after) if changed else ""

    def close(self) -> None:
        """Nothing to do."""

    # ---- the shell ---------------------------------------------------------------------------------------

    def run(self, command: str, *, timeout: float) -> CommandResult:
        del timeout  # nothing here takes time
        begin = time.monotonic()
        output, code = self._run(command.strip())
        sink = HeadTail(self._spec.output_head_kb << 10, self._spec.output_tail_kb << 10)
        sink.add(output.encode("utf-8", "surrogatepass"))
        text, lost = sink.text()
        return CommandResult(text, code, False, lost, time.monotonic() - begin)

    def _run(self, command: str) -> tuple[str, int]:
        if (canned := self._canned(command)) is not None:
            try:
                for path, text in canned.writes.items():
                    self._add_folders(self.resolve(path))
                    self.write(path, text.encode())
            except OSError as error:
                return f"bash: {error.filename}: {error.strerror}\n", 1
            return canned.output, canned.exit_code
        if here := _HEREDOC.fullmatch(command):
            arrow, target, _, _, body = here.groups()
            return self._redirect(body, arrow, shlex.split(target)[0])
        try:
            words = list(shlex.shlex(command.replace("\n", ";"), posix=True, punctuation_chars=";&|<>"))
        except ValueError as error:
            return f"bash: syntax error: {error}\n", 2
        return self._sequence(words)

    def _canned(self, command: str) -> Canned | None:
        answers = self._spec.commands.get(command)
        if not isinstance(answers, list):
            return answers
        used = self._used.get(command, 0)
        self._used[command] = used + 1
        return answers[min(used, len(answers) - 1)] if answers else None

    def _sequence(self, words: list[str]) -> tuple[str, int]:
        output, code, simple = "", 0, list[str]()
        skip = False
        for word in [*words, ";"]:
            if word not in (";", "&&"):
                simple.append(word)
                continue
            if simple and not skip:
                text, code = self._simple(simple)
                output += text
            skip = word == "&&" and (skip or code != 0)
            simple = []
        return output, code

    def _simple(self, words: list[str]) -> tuple[str, int]:
        arrow = next((w for w in words if w in (">", ">>")), None)
        if arrow:
            at = words.index(arrow)
            if len(words) != at + 2:
                return "bash: syntax error near `newline'\n", 2
            output, code = self._simple(words[:at]) if at else ("", 0)
            written, failed = self._redirect(output, arrow, words[at + 1])
            return written, failed or code
        name, *arguments = words
        known = {"cd": self._cd, "ls": self._ls, "cat": self._cat}
        if name in known:
            return known[name](arguments)
        if name == "pwd":
            return self._cwd + "\n", 0
        if name == "echo":
            return " ".join(arguments) + "\n", 0
        if name in ("true", "false"):
            return "", int(name == "false")
        return f"bash: {name}: command not found\n", 127

    def _redirect(self, output: str, arrow: str, path: str) -> tuple[str, int]:
        try:
            before = self.read(path) if arrow == ">>" and self.exists(path) else b""
            self.write(path, before + output.encode("utf-8", "surrogatepass"))
        except OSError as error:
            return f"bash: {path}: {error.strerror}\n", 1
        return "", 0

    def _cd(self, arguments: list[str]) -> tuple[str, int]:
        target = arguments[0] if arguments else str(self.root)
        if self.exists(target) == "directory":
            self._cwd = self.resolve(target)
            return "", 0
        why = "Not a directory" if self.exists(target) else "No such file or directory"
        return f"bash: cd: {target}: {why}\n", 1

    def _ls(self, arguments: list[str]) -> tuple[str, int]:
        every = any(a.startswith("-") and ("a" in a or "A" in a) for a in arguments)
        output, code = "", 0
        for path in [a for a in arguments if not a.startswith("-")] or ["."]:
            kind = self.exists(path)
            if kind is None:
                output += f"ls: cannot access '{path}': No such file or directory\n"
                code = 2
            elif kind == "file":
                output += path + "\n"
            else:
                names = self._names(self.resolve(path))
                output += "".join(f"{name}\n" for name in names if every or not name.startswith("."))
        return output, code

    def _cat(self, arguments: list[str]) -> tuple[str, int]:
        output, code = "", 0
        for path in arguments:
            try:
                output += decode(self.read(path))
            except OSError as error:
                output += f"cat: {path}: {error.strerror}\n"
                code = 1
        return output, code

    def _names(self, folder: str) -> list[str]:
        below = folder.rstrip("/") + "/"
        return sorted(
            {p[len(below) :].split("/")[0] for p in {*self._files, *self._folders} if p.startswith(below)}
            - {""}
        )

    def _add_folders(self, path: str) -> None:
        self._folders.update(str(parent) for parent in PurePosixPath(path).parents)


def _matches(path: str, data: bytes, regex: re.Pattern[str]) -> list[Match]:
    if not data or b"\0" in data:
        return []
    found: list[Match] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines[:-1] if data.endswith(b"\n") else lines, 1):
        text = decode(line)
        if regex.search(text):
            found.append(Match(path, number, text))
    return found


def _error(code: int, path: str) -> OSError:
    return OSError(code, os.strerror(code), path)
