"""Command lines of the commands that are no Hydra applications: argparse, and ``paths.outputs=DIR`` as in runs."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from typing import NoReturn

from runner.errors import UserError


class Parser(argparse.ArgumentParser):
    """Reports a mistake as one line (:class:`runner.errors.UserError`) instead of a usage text."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message} (see {self.prog} --help)")


def split_overrides(words: Sequence[str], known: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """(the other words, the values of ``key=value`` words), with ``known`` naming the keys and their defaults.

    A word is an override if it has a ``=`` and no option's dashes. What follows a ``--option`` stays where it is.

    Raises:
        UserError: an unknown key; names the nearest.
    """
    rest: list[str] = []
    values = dict(known)
    after_option = False
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or word.startswith("-") or after_option or "/" in key:
            rest.append(word)
        elif key in known:
            values[key] = value
        else:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]}=…?" if near else f"known: {', '.join(f'{k}=…' for k in known)}"
            raise UserError(f"{word}: no such setting here; {hint}")
        after_option = word.startswith("--") and not equals
    return rest, values
