"""From visible code to a ranked list of candidate edits."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from runner.models.embedded.expressions import Expressions
from runner.models.embedded.issue import Issue, stems
from runner.models.embedded.material import Material
from runner.models.embedded.scope import scope_of
from runner.models.embedded.source import Candidate, Region, apply
from runner.models.embedded.statements import Statements

# Words of an issue, and the rules that they make likelier.
HINTS: tuple[tuple[str, str, float], ...] = (
    (
        r"off.by.one|one too (many|few)|one (more|less|short)|last (one|item|element|line|page|day|entry)",
        r"range|bound|slice|result\.shift|compare\.boundary|index|constant\.number",
        16,
    ),
    (
        r"inclusive|exclusive|boundar|exactly|edge|at least|at most|equal to|greater than or|less than or|limit|threshold",
        r"compare\.boundary|range|bound|slice",
        16,
    ),
    (r"negative|sign|minus|below zero", r"wrap\.abs|sign|compare|arithmetic|guard\.raise|result\.negate", 10),
    (r"duplicat|twice|unique|double", r"wrap\.set|compare|statement\.drop|negation|condition", 10),
    (
        r"\bcase\b|case.?(in)?sensitiv|upper|lower|capital",
        r"wrap\.(lower|upper|swapcase)|callee|constant\.string|parameter\.normal|wrap\.helper|parameter\.helper",
        16,
    ),
    (
        r"white.?space|blank|spaces?\b|trim|padd|trailing|leading",
        r"wrap\.(strip|rstrip)|callee|constant\.string|call\.split_any|parameter\.normal|wrap\.helper",
        16,
    ),
    (
        r"\bempty\b|no (items|elements|entries|values)|zero.length",
        r"guard\.empty|none\.|condition\.guard|call\.default|return\.constant",
        16,
    ),
    (
        r"\bNone\b|null|missing|absent|optional|unset|falsy|\bzero\b|\b0\b",
        r"guard\.none|guard\.item|none\.|condition\.guard|call\.default|index\.get|handler",
        12,
    ),
    (
        r"\border|sort|descend|ascend|revers|first|newest|oldest|highest|lowest|largest|smallest",
        r"order|chain\.order|merge\.order|wrap\.(sorted|reversed)|compare\.flip|tuple\.order|callee|sign|index\.end",
        12,
    ),
    (
        r"mutat|shared|leak|modif|side effect|alias|between (calls|instances)|accumulat|same (list|dict|object)|remember",
        r"default\.mutable|merge\.order|wrap\.(copy|list|list_copy)|parameter\.normal|statement\.order|wrap\.iterated",
        22,
    ),
    (
        r"ignor|not (used|passed|respected|honou?red|applied)|has no effect|no effect",
        r"call\.pass_through|name\.|statement\.donor|constant\.bool|wrap\.helper",
        14,
    ),
    (
        r"swap|exchang|wrong way|backward|invert|opposite|flipp|mixed up|the other way",
        r"call\.order|tuple\.order|compare\.flip|branches\.swap|arithmetic\.order|negation|return\.turn|constant\.bool|slice\.turn",
        14,
    ),
    (
        r"round|truncat|integer|fraction|decimal|half|cents?\b|precision",
        r"arithmetic\.swap|callee|wrap\.(round|int|float)|call\.drop",
        14,
    ),
    (
        r"overrid|overwrit|wins?\b|preced|priorit|defaults?\b",
        r"merge\.order|none\.|call\.default|statement\.order",
        14,
    ),
    (r"stale|cache|invalidat|refresh|outdated|old value", r"statement\.donor|name\.|statement\.order", 16),
    (
        r"only the first|stops? (after|at)|returns? early|too early|rest (is|are)|all of|every",
        r"indent|loop\.jump|callee|call\.count|index|return",
        14,
    ),
    (
        r"crash|raises?|exception|traceback|error",
        r"guard|handler|none\.|raise|condition\.guard|index\.get|call\.default",
        8,
    ),
    (
        r"infinite|hang|never (ends|returns|stops|terminates)|forever|loops?\b",
        r"compare|statement|name\.target|assign|arithmetic",
        10,
    ),
    (r"returns? None|is None|NoneType", r"return\.(missing|value|inplace)", 24),
    (r"los(es|t|ing)\b|\bcut\b|\bgone\b|the end of|truncat|the rest", r"call\.count|slice|index|range", 10),
    (
        r"forgot|missing|lost|dropp|skipp|omit",
        r"statement\.(donor|repeat)|range|slice|compare\.boundary|indent|branches|assign",
        6,
    ),
)


def _parses(lines: Sequence[str], first: int) -> bool:
    try:
        Region(list(lines), first)
    except SyntaxError:
        return False
    return True


def propose(
    lines: list[str],
    first: int,
    issue: Issue,
    stuff: Material,
    executed: Collection[int] | None = None,
    prefer: Collection[int] = (),
    *,
    known: bool | None = None,
) -> list[Candidate]:
    """Candidate edits of the region ``lines`` (from line number ``first``), the most plausible first.

    Args:
        issue: its words make some rules, and the lines that share them, likelier.
        executed: line numbers that a failing check ran; edits that touch none of them are left out.
        prefer: line numbers that a traceback or the issue points at.
        known: whether something is known to fail; where nothing is, the issue's words weigh more.

    Returns nothing when the text does not parse (a function cut off by the window).
    """
    try:
        region = Region(lines, first)
    except SyntaxError:
        return []
    hints = [
        (re.compile(rules), bonus) for words, rules, bonus in HINTS if re.search(words, issue.text, re.I)
    ]
    words = set(issue.words)
    weight = 1.0 if (executed is not None if known is None else known) else 1.8
    shared = {n: len(words & set(stems(text))) for n, text in enumerate(lines, first)}
    touched = _touched(region, executed)
    unique: dict[tuple[int, int, tuple[str, ...]], Candidate] = {}
    for candidate in _all(region, stuff):
        line, end, new = apply(lines, first, candidate)
        if touched is not None and not any(n in touched for n in range(line, end + 1)):
            continue
        bonus = max((b for rule, b in hints if rule.match(candidate.kind)), default=0.0)
        if any(n in prefer for n in range(line, end + 1)):
            bonus += 10
        bonus += min(4.0, 2.0 * len(words & set(stems(candidate.new))))
        bonus = weight * (bonus + min(5.0, 1.5 * max(shared[n] for n in range(line, end + 1))))
        scored = replace(candidate, score=candidate.score + bonus, old=region.cut(candidate.span))
        key = (line, end, tuple(new))
        if new != lines[line - first : end - first + 1] and (
            key not in unique or unique[key].score < scored.score
        ):
            unique[key] = scored
    kept = [c for c in unique.values() if _valid(lines, first, c)]
    return sorted(kept, key=lambda c: (-c.score, c.span.line, c.span.col, c.new))


def _all(region: Region, stuff: Material) -> Iterable[Candidate]:
    scope = scope_of(region)
    yield from Expressions(region, scope, stuff).candidates()
    yield from Statements(region, scope, stuff).candidates()


def _touched(region: Region, executed: Collection[int] | None) -> set[int] | None:
    """Lines of the statements that ran, with the lines next to them (room for what is missing)."""
    if executed is None:
        return None
    touched: set[int] = set()
    for node in region.walk(ast.stmt):
        assert isinstance(node, ast.stmt)
        span = region.span(node)
        end = span.end_line if not hasattr(node, "body") else region.span(node.body[0]).line - 1
        own = range(span.line, max(end, span.line) + 1)
        if any(n in executed for n in own):
            touched.update(own)
        if isinstance(node, ast.Try):
            touched.update(region.span(handler).line for handler in node.handlers if handler.lineno)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            whole = range(span.line, span.end_line + 1)
            if any(n in executed for n in whole):
                touched.update(own)
    return touched


def _valid(lines: list[str], first: int, candidate: Candidate) -> bool:
    line, end, new = apply(lines, first, candidate)
    return _parses([*lines[: line - first], *new, *lines[end - first + 1 :]], first)
