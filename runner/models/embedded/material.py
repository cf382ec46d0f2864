"""What edits may be made of, read from the issue and from visible code."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from runner.models.embedded.scope import BUILTINS

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Material:
    """What edits may be made of, besides the code they change.

    Attributes:
        strings / numbers: literals of the issue and of the visible file, in order of appearance.
        named: the strings that the issue quotes.
        code_numbers: integers of the visible file.
        attributes: attribute names used on ``self`` in the visible class.
        containers: attributes of ``self`` that are looked into with ``in``.
        helpers: functions of one argument seen in the visible file (``name`` or ``self.name``).
        functions: functions that are defined or imported at module level.
        globals: other names defined at module level.
        errors: exception names that the issue mentions.
        donors: simple statements of the class's other functions, as text.
        marks: punctuation that stands inside words of the issue's code.
        text: the visible text of the file.
    """

    strings: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    numbers: tuple[int | float, ...] = ()
    code_numbers: tuple[int, ...] = ()
    attributes: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    globals: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    donors: tuple[str, ...] = ()
    marks: str = ""
    text: str = ""

    def compatible(self, a: str, b: str) -> bool | None:
        """Whether two names (``x`` or ``self.x``) are used alike; None if it cannot be seen."""
        first, second = use_of(a, self.text), use_of(b, self.text)
        return bool(first & second) if first and second else None


def material(own: str, rest: str, issue: str) -> Material:
    """Read ``own`` (the visible text of one class, or of the module's functions), ``rest`` (of the file) and ``issue``."""
    whole = f"{own}\n{rest}"
    quoted = re.findall(r"'([^'\n]{1,24})'|\"([^\"\n]{1,24})\"|`([^`\n]{1,16})`", issue)
    named = [next(v for v in value if v) for value in quoted]
    strings = [a or b for a, b in re.findall(r"'([^'\n]{1,16})'|\"([^\"\n]{1,16})\"", whole)[:80]]
    words = list(dict.fromkeys(re.findall(r"[A-Za-z]{3,}", issue)))
    functions, globals_ = _module_names(whole)
    return Material(
        strings=_first([*named, *strings], 30) + _near(strings, words),
        named=frozenset(named),
        numbers=_first(_numbers(issue), 10),
        code_numbers=_first([int(n) for n in re.findall(r"(?<![\w.\"'#%])\d{1,4}(?![\w.\"'%])", whole)], 8),
        attributes=_first(
            [*re.findall(r"\bself\.(\w+)\b(?!\()", own), *re.findall(r"@property\n\s+def (\w+)", own)], 14
        ),
        containers=_first(re.findall(r"\bin self\.(\w+)\b(?!\()", own), 3),
        helpers=_first(_helpers(own, whole), 6),
        functions=_first(functions, 12),
        globals=_first(globals_, 12),
        errors=_first(_errors(issue), 3),
        donors=_first(_donors(own), 30),
        marks="".join(dict.fromkeys(re.findall(r"(?<=\w)[-.:/+@%'](?=\w)", issue)))[:5],
        text=whole,
    )


def _first(items: Sequence[T], count: int) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))[:count]


def _numbers(issue: str) -> list[int | float]:
    found = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)", issue)[:40]
    return [float(text) if "." in text else int(text) for text in found if len(text) < 9]


def _module_names(text: str) -> tuple[list[str], list[str]]:
    functions: list[str] = re.findall(r"^(?:async )?def (\w+)", text, re.M)
    for names in re.findall(r"^from \S+ import \(?([\w, ]+)", text, re.M):
        functions += [n.strip() for n in names.split(",") if n.strip().islower()]
    values: list[str] = re.findall(r"^([A-Za-z_]\w*)(?::[^=]+)? = ", text, re.M)
    skip = (
        "dataclass",
        "field",
        "wraps",
        "property",
        "contextmanager",
        "lru_cache",
        "cache",
        "total_ordering",
    )
    return [f for f in functions if f not in skip], values


def _helpers(own: str, whole: str) -> list[str]:
    found: list[str] = []
    for prefix, name in re.findall(r"(?<![\w.])(self\.)?(_?[a-z]\w*)\((?:\w+|self\.\w+)\)", own):
        if name not in BUILTINS and (prefix or re.search(rf"^def {name}\(|import .*\b{name}\b", whole, re.M)):
            found.append(prefix + name)
    for indent, name, parameters in re.findall(r"^( *)def (\w+)\(([^()]*)\)", own, re.M):
        names = [p.split(":")[0].split("=")[0].strip() for p in parameters.split(",") if p.strip()]
        if not name.startswith("__") and len(names) == (2 if indent else 1) and names[0] not in ("cls",):
            if indent and names[0] == "self":
                found.append(f"self.{name}")
            elif not indent:
                found.append(name)
    return found


def _errors(issue: str) -> list[str]:
    found: list[str] = re.findall(r"\bexcept \(?([A-Z]\w+)", issue)
    found += re.findall(r"\b[A-Z]\w*(?:Error|Exception)\b", issue)
    found += [a or b for a, b in re.findall(r"^(?:\w+\.)+([A-Z]\w+)(?::|$)|\braise ([A-Z]\w+)", issue, re.M)]
    return found


def _donors(own: str) -> list[str]:
    found: list[str] = []
    for line in own.split("\n"):
        text = line.strip()
        changes = re.match(r"self\.[\w.]+(\[[^]]+\])? [-+*/|]?= |self\.[\w.]+\(|[a-z]\w*\.\w+\(", text)
        if line[:1].isspace() and changes and len(text) < 80 and _parses(text):
            found.append(text)
    return found


def _near(strings: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """Words of the issue that look like a misspelt string of the code."""
    lowered = {w.lower() for w in strings if len(w) > 3}
    return tuple(
        w for w in words if len(w) > 4 and any(w[:3].lower() == s[:3] and w.lower() != s for s in lowered)
    )[:6]


_USES = (
    (
        "container",
        r"(?<![\w.]){0}\[|\bin {0}\b(?!\.)|\blen\({0}\)|\b(?:sorted|reversed|enumerate|list|sum)\({0}\b",
    ),
    (
        "container",
        r"(?<![\w.]){0}\.(?:append|extend|pop|get|items|keys|values|add|remove|setdefault|clear)\(",
    ),
    (
        "number",
        r"(?<![\w.]){0}(?: [-+*/%]=| (?:[-+*/%]|//|<|>|<=|>=) )|(?: [-+*/%]| (?:<|>|<=|>=)) {0}\b(?![\[.(])",
    ),
    ("number", r"(?<![\w.]){0} (?:==|!=|=) -?\d|\brange\({0}\b"),
    ("callable", r"(?<![\w.]){0}\("),
    ("object", r"(?<![\w.]){0}\.(?!append|extend|pop|get|items|keys|values|add|remove|setdefault|clear)\w+"),
    (
        "text",
        r"(?<![\w.]){0}\.(?:strip|lower|upper|split|startswith|endswith|replace|join)\(|(?<![\w.]){0} [=!]= [\"']",
    ),
)


@lru_cache(maxsize=4096)
def use_of(name: str, text: str) -> frozenset[str]:
    """How ``text`` uses a name: as ``number``, ``container``, ``callable``, ``text`` or ``object``."""
    return frozenset(kind for kind, pattern in _USES if re.search(pattern.format(re.escape(name)), text))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
