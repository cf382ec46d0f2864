"""What the commands of a pipeline hand to the next one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from aci_plugins.bash import Simple


def upstream(commands: Sequence[Simple], number: int) -> Sequence[Simple]:
    """The commands before this one in its pipeline; for one fed by a group, all of the group that can be told."""
    this = commands[number]
    if not this.fed:
        return ()
    same = [c for c in commands[:number] if c.pipeline == this.pipeline]
    return same or commands[max(0, number - 1) : number]


def given(words: list[str], before: Sequence[Sequence[str]], stdin: str | None) -> list[str]:
    """The command of xargs or parallel, with the arguments that it is fed."""
    fed = stdin.split() if stdin is not None else [f for c in before for f in listing(c)]
    return [*(w for w in words or ["echo"] if w not in (":::", "{}")), *fed]


def listing(words: Sequence[str]) -> list[str]:
    """What ``find`` or ``ls`` may list: something below each of its folders."""
    name, starts = PurePosixPath(words[0]).name, []
    if name not in ("find", "ls", "fd", "du"):
        return []
    for word in words[1:]:
        if word.startswith("-") and name == "find":
            break
        starts += [] if word.startswith("-") else [word]
    return [f"{start.rstrip('/')}/(found)" for start in starts]
