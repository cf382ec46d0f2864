"""Commands that are refused: those that wait for input that will never come, and others that a setting forbids.

The lists are SWE-agent's (0.7). Every command of a command line is looked at by its whole name, also behind
wrappers such as ``timeout`` and ``env``: a prefix is not enough (``view``), and ``cd x && vim f`` does not pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from pydantic import Field

from aci_plugins.bash import Simple, read
from aci_plugins.message import Action
from aci_plugins.plugin import plugin

# Programs that run the program named in their arguments, and those of their options that take a value.
_WRAPPERS: dict[str, frozenset[str]] = {
    "builtin": frozenset(),
    "command": frozenset(),
    "env": frozenset({"-u", "-C", "-S", "--unset", "--chdir"}),
    "exec": frozenset({"-a"}),
    "ionice": frozenset({"-c", "-n", "-p"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "setsid": frozenset(),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "sudo": frozenset({"-u", "-g", "-C", "-h", "-p"}),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "xargs": frozenset({"-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"}),
}
_SHELLS = frozenset({"bash", "sh", "dash", "zsh"})


@plugin
class Blocklist:
    """Refuses commands by name.

    Attributes:
        blocklist: names that are always refused.
        standalone: names that are refused when they are the whole command: without arguments and without input
            from a pipe or file they would wait at a prompt.
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    blocklist: tuple[str, ...] = ("vim", "vi", "emacs", "nano", "nohup", "git", "gdb", "less")
    standalone: tuple[str, ...] = (
        "python", "python3", "ipython", "bash", "sh", "exit", "/bin/bash", "/bin/sh", "nohup", "vi", "vim", "emacs",
        "nano", "su",
    )  # fmt: skip
    max_requeries: int = Field(default=2, ge=0)

    def check(self, action: Action, commands: Sequence[Simple]) -> str | None:
        """Why ``action`` must not run, or None. ``commands``: the simple commands in it."""
        for command in commands:
            for words in _effective([word.value for word in command.words]):
                if reason := self._refused(words, command.fed):
                    return reason
        return None

    def _refused(self, words: Sequence[str], fed: bool) -> str | None:
        name = PurePosixPath(words[0]).name
        if name in self.blocklist:
            return f"{name} cannot be used in this environment."
        if len(words) == 1 and not fed and words[0] in self.standalone:
            return f"{name} without arguments waits for input, which cannot be given in this environment."
        return None


def _effective(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The command itself, and the ones that it wraps."""
    while words and words[0]:
        yield words
        name = PurePosixPath(words[0]).name
        if name in _SHELLS and (script := _script(words)) is not None:
            for command in read(script).commands:
                yield from _effective([word.value for word in command.words])
            return
        if name not in _WRAPPERS:
            return
        words = _unwrapped(words, _WRAPPERS[name], skip=name == "timeout")


def _unwrapped(words: Sequence[str], with_value: frozenset[str], skip: bool) -> Sequence[str]:
    at = 1
    while at < len(words) and (words[at].startswith("-") or "=" in words[at]):
        at += 2 if words[at] in with_value else 1
    return words[at + 1 :] if skip else words[at:]


def _script(words: Sequence[str]) -> str | None:
    """What a shell is told to run with -c."""
    for option, value in pairwise(words[1:]):
        if not option.startswith("-"):
            return None
        if not option.startswith("--") and option.endswith("c"):
            return value
    return None
