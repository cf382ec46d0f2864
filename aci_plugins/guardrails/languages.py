"""Interpreters of other languages, and where their code is in a command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

LANGUAGES = {
    **dict.fromkeys(("python", "ipython", "pypy"), "python"),
    **dict.fromkeys(("node", "nodejs"), "node"),
    **dict.fromkeys(("awk", "gawk", "mawk"), "awk"),
    **{name: name for name in ("perl", "ruby", "php", "lua")},
}
_CODE_OPTIONS = {
    "python": ("-c",),
    "php": ("-r",),
    "perl": ("-e", "-E"),
    "ruby": ("-e",),
    "node": ("-e", "-p", "--eval", "--print"),
    "lua": ("-e",),
}


def language_of(name: str) -> str:
    """The language that the program ``name`` interprets ("" if none): ``python3.11`` is ``python``."""
    return LANGUAGES.get(re.sub(r"[\d.]+$", "", PurePosixPath(name).name), "")


def inline(language: str, words: Sequence[str]) -> list[str]:
    """Code that is in the arguments themselves."""
    if language == "awk":
        return operands(words)[:1]
    options = _CODE_OPTIONS.get(language, ())
    return [
        words[n + 1] for n, word in enumerate(words[:-1]) if any(_takes(word, option) for option in options)
    ]


def operands(words: Sequence[str]) -> list[str]:
    """Arguments that are no options; "-" is stdin."""
    return [word for word in words[1:] if not word.startswith("-") or word == "-"]


def _takes(word: str, option: str) -> bool:
    return word == option or (
        word[:1] == "-" and word[1:2] != "-" and word.endswith(option[1]) and len(word) > 1
    )
