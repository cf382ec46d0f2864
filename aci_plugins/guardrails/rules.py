"""Rules about commands, as data."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from aci_plugins.plugin import plugin


@plugin
class Rule:
    """Commands that are refused.

    Attributes:
        name: of the rule, for records.
        commands: globs for a command's name, or several words (``git rebase``): the name and its first argument.
        any: options or arguments (globs) of which one must be there; none given: always. A short option is also
            found among several (``-i`` in ``-di``).
        unless: options or arguments with which it is allowed.
        bare: only without any arguments and without input from a pipe or a file.
        reason: shown to the model.
    """

    name: str
    commands: tuple[str, ...]
    reason: str
    any: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    bare: bool = False

    def applies(self, words: Sequence[str], fed: bool) -> bool:
        """Whether it is about the command ``words``; ``fed``: its stdin is given."""
        arguments = self._arguments(words)
        if arguments is None or (self.bare and (arguments or fed)):
            return False
        if self.any and not any(has(arguments, option) for option in self.any):
            return False
        return not any(has(arguments, option) for option in self.unless)

    def _arguments(self, words: Sequence[str]) -> Sequence[str] | None:
        name = PurePosixPath(words[0]).name
        for command in self.commands:
            first, *second = command.split()
            if not fnmatchcase(name, first):
                continue
            if not second:
                return words[1:]
            # options of the command itself may stand before its first argument (git -C x rebase)
            if (at := next((i for i, word in enumerate(words) if i and word == second[0]), 0)) and all(
                w.startswith("-") or words[i].startswith("-") for i, w in enumerate(words[1:at])
            ):
                return words[at + 1 :]
        return None


def has(arguments: Sequence[str], option: str) -> bool:
    """Whether ``option`` is among ``arguments``."""
    for argument in arguments:
        if fnmatchcase(argument, option) or (option.startswith("--") and argument.startswith(f"{option}=")):
            return True
        short = len(option) == 2 and option[0] == "-" and option[1].isalpha()
        if short and argument[:1] == "-" and argument[1:2] != "-" and option[1] in argument[1:]:
            return True
    return False
