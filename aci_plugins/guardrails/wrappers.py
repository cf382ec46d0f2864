"""Programs that run the program named in their arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from aci_plugins.bash import read

WRAPPERS: dict[str, frozenset[str]] = {
    "builtin": frozenset(),
    "busybox": frozenset(),
    "chroot": frozenset(),
    "command": frozenset(),
    "doas": frozenset({"-u", "-C"}),
    "env": frozenset({"-u", "-C", "-S", "--unset", "--chdir"}),
    "exec": frozenset({"-a"}),
    "flock": frozenset({"-w", "-E"}),
    "ionice": frozenset({"-c", "-n", "-p"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "nohup": frozenset(),
    "parallel": frozenset({"-j", "-a"}),
    "setsid": frozenset(),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "strace": frozenset({"-e", "-o", "-p", "-s"}),
    "sudo": frozenset({"-u", "-g", "-C", "-h", "-p"}),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "toybox": frozenset(),
    "xargs": frozenset({"-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"}),
}
"""By name, those of their options that take a value in the next word."""
SHELLS = frozenset({"bash", "sh", "dash", "zsh", "ksh", "ash"})


def effective(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The command itself, and the ones that it wraps."""
    while words and words[0]:
        yield words
        name = PurePosixPath(words[0]).name
        if name in SHELLS and (text := script(words)) is not None:
            for command in read(text).commands:
                yield from effective([word.value for word in command.words])
            return
        if name not in WRAPPERS:
            return
        words = unwrapped(words, WRAPPERS[name], skip=name in ("timeout", "chroot", "flock"))


def unwrapped(words: Sequence[str], with_value: frozenset[str], skip: bool) -> Sequence[str]:
    at = 1
    while at < len(words) and (words[at].startswith("-") or "=" in words[at]):
        at += 2 if words[at] in with_value else 1
    return words[at + 1 :] if skip else words[at:]


def script(words: Sequence[str]) -> str | None:
    """What a shell is told to run with -c."""
    for option, value in pairwise(words[1:]):
        if not option.startswith("-"):
            return None
        if not option.startswith("--") and option.endswith("c"):
            return value
    return None
