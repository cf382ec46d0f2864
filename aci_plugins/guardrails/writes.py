"""Which files a shell command changes, by its arguments and redirections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from aci_plugins.guardrails.paths import located
from aci_plugins.guardrails.unfold import Call

DESTROYERS = frozenset({"rm", "rmdir", "unlink", "shred", "srm", "wipe"})
"""Commands whose operands are gone afterwards (``mv`` too, but for its last one)."""

_ALL = frozenset({"touch", "mkdir", "mkfifo", "truncate", "tee", "mktemp", *DESTROYERS})
_LAST = frozenset({"cp", "install", "ln", "rsync", "scp", "link"})
_AFTER_FIRST = frozenset({"chmod", "chown", "chgrp", "chattr", "setfacl", "setfattr"})
_WITH_VALUE: dict[str, str] = {
    "touch": "dtr", "mkdir": "m", "truncate": "sr", "cp": "S", "install": "mogS", "ln": "S", "rsync": "efT",
    "shred": "ns", "mv": "S", "mktemp": "p", "tar": "", "sort": "kt",
}  # fmt: skip
_OUTPUT_OPTIONS: dict[str, tuple[str, ...]] = {
    "sort": ("-o", "--output"), "curl": ("-o", "--output"), "wget": ("-O", "-P", "--output-document"),
    "tar": ("-C", "--directory"), "unzip": ("-d",), "gcc": ("-o",), "cc": ("-o",), "patch": ("-o", "-d"),
    "cp": ("-t", "--target-directory"), "mv": ("-t", "--target-directory"), "install": ("-t",), "find": ("-fprint",),
    "openssl": ("-out",),
}  # fmt: skip


def written(call: Call) -> Iterator[str]:
    """Paths that are changed, made or deleted; as far as the text tells."""
    for operator, target in call.redirections:
        if ">" in operator and not (operator.endswith("&") and (target.isdigit() or target == "-")):
            yield from _known([target], call.cwd)
    if call.words:
        yield from _known([*destroyed(call), *_changed(call.words)], call.cwd)


def destroyed(call: Call) -> list[str]:
    """Operands that are gone afterwards, as written."""
    name, arguments = PurePosixPath(call.words[0]).name, call.words[1:]
    if name in DESTROYERS:
        return operands(arguments, _WITH_VALUE.get(name, ""))
    if name == "mv":
        moved = operands(arguments, "S")
        return moved if any(a == "-t" or a.startswith("--target-d") for a in arguments) else moved[:-1]
    if name == "rsync" and any(a.startswith("--delete") for a in arguments):
        return operands(arguments, "e")[-1:]
    if name == "git" and arguments[:1] == ("rm",):
        return []
    return []


def recursive(call: Call) -> bool:
    """Whether a command that changes files also changes all that is below them."""
    return any(
        a in ("--recursive",) or (a[:1] == "-" and a[1:2] != "-" and {"r", "R"} & set(a))
        for a in call.words[1:]
    )


def operands(arguments: Sequence[str], with_value: str = "") -> list[str]:
    """Arguments that are no options, nor values of the short options in ``with_value``."""
    found, ended, skip = [], False, False
    for argument in arguments:
        if skip:
            skip = False
        elif ended or argument == "-" or not argument.startswith("-"):
            found.append(argument)
        elif argument == "--":
            ended = True
        elif not argument.startswith("--") and argument[-1] in with_value:
            skip = True
    return found


def _changed(words: Sequence[str]) -> Iterator[str]:
    name, arguments = PurePosixPath(words[0]).name, words[1:]
    plain = operands(arguments, _WITH_VALUE.get(name, ""))
    if name in _ALL:
        yield from plain
    elif name in _LAST or name == "mv":
        yield from plain[-1:]
    elif name in _AFTER_FIRST:
        reference = any(a.startswith("--reference") for a in arguments)
        # a mode such as -x looks like an option
        minus = name == "chmod" and any(re.fullmatch(r"-[rwxXst]+", a) for a in arguments[:-1])
        yield from plain if reference or (minus and not re.match(r"[0-7ugoa+=]", plain[0])) else plain[1:]
    elif name in ("sed", "perl", "ruby") and any(_in_place(a) for a in arguments):
        scripted = any(a in ("-e", "-f", "--expression") or a.startswith("-e") for a in arguments)
        yield from operands(arguments, "ef")[0 if scripted else 1 :]
    elif name == "dd":
        yield from (a.removeprefix("of=") for a in arguments if a.startswith("of="))
    for option in _OUTPUT_OPTIONS.get(name, ()):
        for number, argument in enumerate(arguments):
            if argument == option and number + 1 < len(arguments):
                yield arguments[number + 1]
            elif option.startswith("--") and argument.startswith(f"{option}="):
                yield argument.partition("=")[2]


def _in_place(argument: str) -> bool:
    return argument.startswith(("-i", "--in-place", "-pi", "-ni", "-Ei", "-ri", "-pe -i"))


def _known(paths: Sequence[str], cwd: str) -> Iterator[str]:
    for path in paths:
        if found := located(path, cwd):
            yield found
