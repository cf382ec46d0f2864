"""Refuses programs that cannot work without a terminal, wherever they stand in a command."""

from __future__ import annotations

import re
import shlex

from aci_plugins.message import Action
from aci_plugins.plugin import plugin

_WRAPPERS = {"timeout", "env", "nohup", "nice", "time", "command", "exec", "sudo", "stdbuf", "xargs"}
_SEPARATORS = re.compile(r"^(?:[;&|()]+|\n)$")


@plugin
class Blocklist:
    """SWE-agent 0.7's lists, matched by command word in every part of a compound command.

    Attributes:
        blocked: programs that are refused with any arguments.
        blocked_alone: programs that are refused without arguments (they would wait for input).
        max_requeries: consecutive answers that may be malformed or refused before the episode ends.
    """

    blocked: tuple[str, ...] = ("vim", "vi", "emacs", "nano", "nohup", "git", "gdb")
    blocked_alone: tuple[str, ...] = (
        "python",
        "python3",
        "ipython",
        "bash",
        "sh",
        "exit",
        "/bin/bash",
        "/bin/sh",
        "su",
    )
    max_requeries: int = 2

    def check(self, action: Action) -> str | None:
        """Why the action must not run, or None."""
        for words in _simple_commands(action.text.split("\n", 1)[0] if "<<" in action.text else action.text):
            name = words[0]
            if name in self.blocked:
                return f"the command {name!r} is not supported in this environment."
            if len(words) == 1 and name in self.blocked_alone:
                return (
                    f"{name!r} without arguments waits for input, which is not supported in this environment."
                )
        return None


@plugin
class NoGuardrails:
    """Nothing is refused."""

    max_requeries: int = 2

    def check(self, action: Action) -> str | None:
        """Always None."""
        return None


def _simple_commands(text: str) -> list[list[str]]:
    lexer = shlex.shlex(text.replace("\n", ";"), posix=True, punctuation_chars=";&|()")
    lexer.whitespace_split = True
    try:
        tokens = list(lexer)
    except ValueError:
        return []
    commands: list[list[str]] = [[]]
    for token in tokens:
        if _SEPARATORS.match(token):
            commands.append([])
        else:
            commands[-1].append(token)
    return [bare for words in commands if (bare := _unwrapped(words))]


def _unwrapped(words: list[str]) -> list[str]:
    while words:
        if re.match(r"^\w+=", words[0]):
            words = words[1:]
        elif words[0] in _WRAPPERS and words[0] != "nohup" and len(words) > 1:
            words = words[1:]
            while words and (words[0].startswith("-") or re.fullmatch(r"[\d.]+[smhd]?", words[0])):
                words = words[1:]
        else:
            return words
    return words
