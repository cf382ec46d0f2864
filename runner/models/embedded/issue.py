"""What an issue says: names, files, tracebacks, examples, words."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from runner.models.embedded.examples import Step, blocks, examples

_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "do",
        "does",
        "doing",
        "for",
        "from",
        "get",
        "gets",
        "had",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "like",
        "made",
        "make",
        "me",
        "my",
        "no",
        "not",
        "now",
        "of",
        "on",
        "only",
        "or",
        "our",
        "out",
        "should",
        "so",
        "some",
        "still",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "too",
        "up",
        "us",
        "use",
        "used",
        "using",
        "very",
        "want",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "bug",
        "issue",
        "error",
        "expected",
        "actual",
        "output",
        "result",
        "results",
        "returns",
        "return",
        "returned",
        "got",
        "instead",
        "example",
        "following",
        "code",
        "function",
        "method",
        "class",
        "python",
        "version",
        "works",
        "work",
        "working",
        "wrong",
        "problem",
        "please",
        "true",
        "false",
        "none",
        "print",
        "import",
        "def",
        "self",
        "value",
        "values",
        "call",
        "calls",
        "called",
        "file",
        "line",
        "traceback",
        "recent",
        "most",
        "see",
        "same",
        "also",
        "than",
        "any",
        "all",
        "after",
        "before",
        "because",
        "even",
        "though",
        "seems",
        "think",
        "thanks",
        "here",
        "one",
        "two",
        "seen",
    ]
)
_BUILTINS = frozenset(dir(builtins))


class Frame(NamedTuple):
    """One entry of a traceback."""

    path: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue, read.

    Attributes:
        text: all of it.
        examples: runnable examples (:func:`runner.models.embedded.examples.examples`).
        frames: traceback entries, outermost first.
        names: identifiers worth looking for, the most telling first.
        unbound: names that examples use but neither import nor define.
        files: names of Python files and dotted modules as paths, in order of appearance.
        words: stems of the telling words, in order of appearance.
    """

    text: str
    examples: tuple[tuple[Step, ...], ...]
    frames: tuple[Frame, ...]
    names: tuple[str, ...]
    unbound: tuple[str, ...]
    files: tuple[str, ...]
    words: tuple[str, ...]


def read_issue(text: str) -> Issue:
    """Read the text of an issue."""
    found = tuple(tuple(steps) for steps in examples(text))
    frames = tuple(
        Frame(path, int(line), function)
        for path, line, function in re.findall(r'File "([^"]+)", line (\d+), in (\S+)', text)
        if not path.startswith("<")
    )
    unbound = _unbound(found)
    names = _names(text, found, frames, unbound)
    files = re.findall(r"(?<![\w/])((?:[\w-]+/)*[\w-]+\.py)\b", text)
    for module in re.findall(r"^\s*(?:>>> |\.\.\. )?(?:from|import)\s+([\w.]+)", text, re.M):
        files.append(module.replace(".", "/") + ".py")
    words = [
        stem(w) for w in re.findall(r"[A-Za-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).replace("_", " "))
    ]
    return Issue(
        text=text,
        examples=found,
        frames=frames,
        names=tuple(names),
        unbound=unbound,
        files=tuple(dict.fromkeys(files)),
        words=tuple(dict.fromkeys(w for w in words if len(w) > 2 and w not in _STOP)),
    )


def stem(word: str) -> str:
    """A rough stem, so that "sorting", "sorted" and "sorts" meet."""
    word = word.lower()
    if word in _STOP:
        return word
    for ending in ("ings", "ing", "ations", "ation", "ies", "ied", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def stems(text: str) -> list[str]:
    """Stems of the telling words of ``text``, identifiers taken apart."""
    split = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).replace("_", " ")
    return [s for s in map(stem, re.findall(r"[A-Za-z]{3,}", split)) if s not in _STOP]


def _unbound(found: tuple[tuple[Step, ...], ...]) -> tuple[str, ...]:
    needed: list[str] = []
    for block in found:
        bound: set[str] = set()
        for step in block:
            try:
                tree = ast.parse(step.source)
            except SyntaxError:
                continue
            loads: list[str] = []
            for node in ast.walk(tree):
                match node:
                    case ast.Name(id=name, ctx=ast.Load()):
                        loads.append(name)
                    case ast.Name(id=name):
                        bound.add(name)
                    case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                        bound.update((a.asname or a.name).split(".")[0] for a in aliases)
                    case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                        bound.add(name)
                    case ast.arg(arg=name):
                        bound.add(name)
                    case ast.ExceptHandler(name=str() as name):
                        bound.add(name)
            needed += [name for name in loads if name not in bound and name not in _BUILTINS]
    return tuple(dict.fromkeys(needed))


_COMMON = frozenset(n for t in (str, list, dict, set, int, float, bytes, datetime) for n in dir(t))


def _foreign(found: tuple[tuple[Step, ...], ...]) -> set[str]:
    """Names that the examples take from the standard library, and methods of its everyday types."""
    names = set(_COMMON)
    for source in (step.source for block in found for step in block if "import" in step.source):
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").split(".")[0] in sys.stdlib_module_names
            ):
                names.update(a.asname or a.name for a in node.names)
            elif isinstance(node, ast.Import):
                names.update((a.asname or a.name).split(".")[0] for a in node.names)
    for block in found:
        for step in block:
            names.update(re.findall(r"^\s*(?:def|class) (\w+)", step.source, re.M))  # the example's own
    return names


def _names(
    text: str, found: tuple[tuple[Step, ...], ...], frames: tuple[Frame, ...], unbound: tuple[str, ...]
) -> list[str]:
    score: dict[str, float] = {}
    order: list[str] = []

    foreign = _foreign(found)

    def vote(name: str, points: float, *, attribute: bool = False) -> None:
        if (
            len(name) < 3
            or name in foreign
            or (name in _BUILTINS and not attribute)
            or name
            in (
                "self",
                "cls",
                "main",
                "test",
                "foo",
                "bar",
                "assert",
                "with",
                "def",
                "from",
                "import",
                "class",
                "python",
                "python3",
            )
        ):
            return
        if name not in score:
            order.append(name)
        score[name] = score.get(name, 0) + points

    title = text.strip().split("\n", 1)[0]
    for name in re.findall(r"\b([A-Za-z_]\w*)\(", title):
        vote(name, 6)
    for span in re.findall(r"`([^`\n]+)`", text):
        for name in re.findall(r"[A-Za-z_]\w*", span)[:6] if re.fullmatch(r"[\w.]+(\(.*\))?", span) else ():
            shape = 3.0 if "_" in name or re.search(rf"\b{name}\(", span) or span == name else 1.5
            vote(name, shape)
    for frame in reversed(frames):
        if frame.function != "<module>":
            vote(frame.function, 3)
    for block in found:
        for step in block:
            for name in re.findall(r"([A-Za-z_]\w*)\(", step.source):
                vote(name, 2.5 if step.kind == "value" else 0.7)
            if step.kind == "value":
                for name in re.findall(r"\.([A-Za-z_]\w*)", step.source):
                    vote(name, 2, attribute=True)
    for name in unbound:
        vote(name, 2)
    for names in re.findall(r"^\s*(?:>>> )?from [\w.]+ import ([\w, ]+)", text, re.M):
        for name in names.split(","):
            vote(name.strip(), 0.8)
    prose = "\n".join(b.text for b in blocks(text) if b.kind == "prose")
    for name in re.findall(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b", prose):
        vote(name, 1.5)
    for owner, name in re.findall(r"\b([A-Za-z_]\w*)\.([a-z_]\w*)\b(?!\.)", prose):
        if name not in ("py", "com", "org", "txt", "md", "csv", "json", "e", "g", "cfg", "toml"):
            vote(name, 2)
            vote(owner, 1)
    for name in re.findall(r"\b([A-Za-z_]\w*)\(", prose):
        vote(name, 2)
    return sorted(order, key=lambda n: (-score[n], order.index(n)))[:12]
