"""Where the fault may be: ranking files and functions by what the issue says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runner.models.embedded.issue import Issue, stems
from runner.models.embedded.reading import Hit

_TEST = re.compile(
    r"(^|/)(tests?|testing|examples?|docs?|benchmarks?)/|(^|/)(test_[^/]*|[^/]*_test|conftest|setup)\.py$"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A function (or only a file, when ``line`` is 0) that is worth reading."""

    path: str
    line: int
    name: str
    why: str
    score: float = 0.0


def is_test(path: str) -> bool:
    """Whether the file holds tests, examples or documentation rather than what they are about."""
    return bool(_TEST.search(path))


def file_score(path: str, issue: Issue) -> float:
    """How much the issue points at the file by its name."""
    if not path.endswith(".py"):
        return -20.0
    score = -8.0 if is_test(path) else 0.0
    for i, named in enumerate(issue.files[:6]):
        if path == named or path.endswith("/" + named) or named.endswith("/" + path):
            score += 4.0 - 0.3 * i
    for frame in issue.frames:
        if frame.path.endswith("/" + path):
            score += 3.0
    score += 1.0 * len(set(stems(path.rsplit("/", 1)[-1].removesuffix(".py"))) & set(issue.words))
    if path.endswith("__init__.py"):
        score -= 1.5
    return score


def name_score(name: str, issue: Issue) -> float:
    """How much the issue points at a function by its (qualified) name."""
    last = name.rsplit(".", 1)[-1]
    score = 0.0
    if last in issue.names:
        score += 5.0 - 0.25 * issue.names.index(last)
    for i, frame in enumerate(reversed(issue.frames)):
        if frame.function == last:
            score += 4.0 - 0.5 * i
            break
    score += 1.0 * len(set(stems(name)) & set(issue.words))
    if last.startswith("__") and last.endswith("__"):
        score -= 2.0
    return score


def text_score(text: str, issue: Issue) -> float:
    """How many telling words the issue and a piece of code share, words of its strings and comments too."""
    return min(8.0, 0.8 * len(set(stems(text)) & set(issue.words)))


def rank_files(found: Iterable[Hit], issue: Issue) -> list[tuple[str, float]]:
    """Files that a search named, the likeliest first."""
    counts: dict[str, float] = {}
    for hit in found:
        counts[hit.path] = counts.get(hit.path, 0) + hit.count
    scored = [(path, file_score(path, issue) + min(count, 6) * 0.3) for path, count in counts.items()]
    return sorted(scored, key=lambda item: (-item[1], item[0]))


_RAN = re.compile(r"^(\S+\.py):(\d+) (\S+) ([\d,-]*)$", re.M)


@dataclass(frozen=True, slots=True)
class Ran:
    """A function that a failing check ran, and which of its lines."""

    path: str
    line: int
    name: str
    lines: frozenset[int]


def executed(output: str) -> list[Ran]:
    """Read the list of functions that the reproduction script prints."""
    found: list[Ran] = []
    for path, line, name, text in _RAN.findall(output):
        numbers: set[int] = set()
        for part in filter(None, text.split(",")):
            a, _, b = part.partition("-")
            numbers.update(range(int(a), int(b or a) + 1))
        found.append(Ran(path, int(line), name, frozenset(numbers)))
    return found


def rank_functions(ran: Sequence[Ran], issue: Issue) -> list[Place]:
    """Functions that failing checks ran, the likeliest first; ``ran`` begins with the last called."""
    places = []
    for i, function in enumerate(ran):
        score = (
            name_score(function.name, issue)
            + 0.5 * file_score(function.path, issue)
            + max(0.0, 4.0 - 0.4 * i)
        )
        short = len(function.lines) <= 1
        places.append(
            Place(
                function.path,
                function.line,
                function.name,
                "a failing check runs it",
                score - (1.5 if short else 0),
            )
        )
    return sorted(places, key=lambda p: (-p.score, p.path, p.line))
