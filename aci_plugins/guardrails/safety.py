"""A moderate gate against commands that harm the system or leave the repository; what belongs to ordinary work passes.

It reads commands, it does not run them: the environment stays the boundary that holds. A reason is always given, so
that the model can do what it wanted in another way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from pydantic import Field

from aci_plugins.guardrails.code import acts
from aci_plugins.guardrails.expand import HOME
from aci_plugins.guardrails.named_paths import named
from aci_plugins.guardrails.paths import is_everything, located, within
from aci_plugins.guardrails.rules import Rule
from aci_plugins.guardrails.unfold import Call, unfolded
from aci_plugins.guardrails.writes import destroyed, operands, recursive, written
from aci_plugins.plugin import plugin
from aci_plugins.policies import Proposal, Verdict
from aci_plugins.shell.bash import BASH


@plugin
class Safety:
    """Refuses commands by rules, by what they delete and write, by what they read, and when what they run is hidden.

    Attributes:
        rules: commands that are refused wherever they act; see :class:`aci_plugins.guardrails.rules.Rule`.
        system: folders outside the repository in which nothing may be written.
        writable: globs of files outside the repository that may be written and deleted.
        private: globs of files outside the repository that may not be read either; ``~`` is the home folder.
        public: globs of files that may be read although they are ``private``.
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    rules: tuple[Rule, ...] = ()
    system: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """The first reason against the command line."""
        if proposal.action.tool not in (None, BASH):
            return None
        env = proposal.context.env
        # A pretended home keeps `~` apart from the repository even where that is in somebody's home.
        looking = _Looking(self, str(env.root), dict(proposal.tools), 0)
        return next(looking.at(proposal.action.text, str(env.cwd)), None)


@dataclass(frozen=True)
class _Looking:
    """One look at one command line. ``depth``: through how many languages it came."""

    gate: Safety
    root: str
    tools: dict[str, object]
    depth: int

    def at(self, text: str, cwd: str) -> Iterator[Verdict]:
        """All reasons against ``text``."""
        found = unfolded(text, cwd, self.root, self.tools)  # type: ignore[arg-type]
        for why in found.hidden:
            yield Verdict("safety.hidden", f"{why[0].upper()}{why[1:]}. Write out what you want to run.")
        for call in found.calls:
            if call.words[0] not in self.tools:
                yield from self.call(call)
        for language, code, where in found.code:
            for act, what in acts(language, code):
                yield from self.act(act, what, where)

    def act(self, act: str, what: str, cwd: str) -> Iterator[Verdict]:
        """Reasons against something that code does."""
        if act == "hidden":
            yield Verdict("safety.hidden", f"{what[0].upper()}{what[1:]}. Write out what you want to run.")
        elif act == "shell" and self.depth < 4:
            yield from _Looking(self.gate, self.root, self.tools, self.depth + 1).at(what, cwd)
        elif act == "delete":
            yield from self.deletion(what, cwd, deep=True)
        elif act == "write" and (path := located(what, cwd)):
            yield from self.change(path)

    def call(self, call: Call) -> Iterator[Verdict]:
        """Reasons against one command."""
        for rule in self.gate.rules:
            if rule.applies(call.words, call.fed):
                yield Verdict(f"safety.{rule.name}", rule.reason)
        name = PurePosixPath(call.words[0]).name
        if name == "kill" and {"1", "-1"} & set(_processes(call.words[1:])):
            yield Verdict(
                "safety.kill", "This ends every process of the machine. Name the process that you started."
            )
        gone = destroyed(call)
        for path in gone:
            yield from self.deletion(path, call.cwd, deep=recursive(call) or name != "rm")
        for path in written(call):
            yield from self.change(path)
        if name in ("chmod", "chown", "chgrp") and recursive(call):
            for path in operands(call.words[1:])[1:]:
                yield from self.everything(path, call.cwd, "changes the rights of")
        if name == "ln":
            for path in operands(call.words[1:])[:-1]:
                yield from self.everything(path, call.cwd, "makes a link to")
        if "$" in call.words[0] or "`" in call.words[0]:
            # which command it is cannot be told: it must not be one that deletes
            for path in operands(call.words[1:]):
                if path.startswith(("/", "~")):
                    yield from self.deletion(path, call.cwd, deep=True)
        for path in named(call):
            yield from self.reading(path, call.cwd)

    def deletion(self, word: str, cwd: str, *, deep: bool) -> Iterator[Verdict]:
        """Reasons against deleting or moving what ``word`` means. ``deep``: with all that is below."""
        if deep and word.startswith("$") and "/" in word:
            yield Verdict(
                "safety.unknown_target",
                f"If the variable in {word} is empty, this deletes from the top of the file system. Write the path "
                "out.",
            )
        path = located(word, cwd)
        if not path:
            return
        yield from self.everything(word, cwd, "deletes")
        folder = is_everything(path) or path
        if within(folder, self.root) and folder != self.root:
            if folder == f"{self.root}/.git":
                yield Verdict("safety.repository", "This deletes the repository's history (.git).")
        elif not self.writable(path) and folder != self.root:
            yield Verdict(
                "safety.outside", f"{_shown(path)} is outside of the repository and must not be deleted."
            )

    def everything(self, word: str, cwd: str, does: str) -> Iterator[Verdict]:
        """A reason if ``word`` means the whole repository or a folder around it."""
        path = located(word, cwd)
        folder = is_everything(path) or path
        if does == "deletes" and folder == self.root:
            yield Verdict("safety.repository", "This deletes the whole repository.")
        elif (
            folder
            and folder != self.root
            and (within(self.root, folder) or _covers(folder, self.gate.system))
        ):
            yield Verdict(
                "safety.system", f"This {does} {_shown(folder)} with all that is in it, the system included."
            )

    def change(self, path: str) -> Iterator[Verdict]:
        """Reasons against writing to ``path``."""
        if within(path, self.root) or self.writable(path):
            return
        folder = is_everything(path) or path.removesuffix("/(found)") or "/"
        if within(self.root, folder) or _in_system(folder, self.gate.system) or folder.startswith(HOME):
            yield Verdict(
                "safety.system", f"{_shown(path)} belongs to the system. Write in the repository or in /tmp."
            )

    def reading(self, word: str, cwd: str) -> Iterator[Verdict]:
        """Reasons against looking at what ``word`` means."""
        path = located(word, cwd)
        if not path or within(path, self.root) or self.writable(path):
            return
        if any(_is(path, glob) for glob in self.gate.public):
            return
        if path.startswith(HOME) or any(_is(path, glob) or within(path, glob) for glob in self.gate.private):
            yield Verdict(
                "safety.private", f"{_shown(path)} is outside of the repository and none of its business."
            )
        elif "../../.." in word:
            yield Verdict("safety.escape", f"{word} leads out of the repository. Use a path in {self.root}.")

    def writable(self, path: str) -> bool:
        """Whether it may be written although it is outside of the repository."""
        return not within(self.root, path) and any(fnmatchcase(path, glob) for glob in self.gate.writable)


def _is(path: str, glob: str) -> bool:
    """Whether ``path``, or what it may match when it is a glob itself, is meant by ``glob``."""
    return fnmatchcase(path, glob) or (any(c in path for c in "*?[") and fnmatchcase(glob, path))


def _in_system(path: str, system: tuple[str, ...]) -> bool:
    return any(within(path, folder) or _is(path.split("/(")[0], folder) for folder in system)


def _covers(folder: str, system: tuple[str, ...]) -> bool:
    """Whether ``folder`` is one of the system's own, or the top."""
    return folder in ("/", HOME) or any(_is(folder, each) for each in system)


def _processes(arguments: tuple[str, ...]) -> list[str]:
    """The targets of ``kill``: what is behind the signal."""
    rest = list(arguments)
    if rest[:1] in (["-s"], ["-n"]):
        rest = rest[2:]
    elif rest and rest[0].startswith("-") and rest[0] != "--" and len(rest) > 1:
        rest = rest[1:]
    return [word for word in rest if word != "--"]


def _shown(path: str) -> str:
    return path.replace("/(found)", "")
