"""Runnable examples in an issue, and what they should give."""

from __future__ import annotations

import ast
import difflib
import doctest
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

EXPECT = r"expect\w*|should\w*|want\w*|correct\w*|ought|must|desired|supposed|right answer"
ACTUAL = r"got|gets?|gives?|gave|return(?:s|ed|ing)|actual\w*|currently|prints?|printed|wrong\w*|but|yields?|produces?|shows?|outputs?|is|was|results? in|bug"
FLIP = r"instead of|rather than|not"
_WORD = re.compile(rf"\b(?:(?P<expect>{EXPECT})|(?P<flip>{FLIP})|(?P<actual>{ACTUAL}))\b", re.I)
_ERROR = re.compile(r"(?:\b[a-z_]\w*\.)*\b[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Iteration|Exit)\b")


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of an example.

    Attributes:
        kind: ``do`` (needed before), ``value`` (an expression whose value matters), ``output`` (what it prints).
        source: Python.
        wants: results it may be meant to give, the likeliest first: expressions, texts, ``raises Name``.
        strong: the first want is certainly meant (an assertion, or called "expected").
        doubt: a result is called wrong: if it is what comes out now, something else is meant.
    """

    kind: Literal["do", "value", "output"]
    source: str
    wants: tuple[str, ...] = ()
    strong: bool = False
    doubt: bool = False


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value named in prose and what the words before it call it."""

    text: str
    label: Literal["expect", "actual", "none"]


def values(text: str) -> list[Labelled]:
    """The literals and exceptions in ``text``, each with its label."""
    found: list[Labelled] = []
    label: Literal["expect", "actual", "none"] = "none"
    position = 0
    while position < len(text):
        if re.match(r"[.!?]\s+[A-Z`]", text[position : position + 4]):
            label = "none"
        word = _WORD.match(text, position)
        if word and (position == 0 or not text[position - 1].isalnum()):
            if word["expect"]:
                label = "expect"
            elif word["flip"]:
                if label == "expect":
                    label = "actual"
                elif found and label == "actual":
                    label = "expect"
                elif word["flip"].lower() == "not":
                    label = "actual"
                elif found:  # "X instead of Y" without a verb: what is said first is what happens
                    found[-1] = Labelled(found[-1].text, "actual")
                    label = "expect"
            elif label != "expect" or word["actual"].lower() not in (
                "is",
                "was",
                "return",
                "returns",
                "returned",
                "give",
                "gives",
            ):
                label = "actual"
            position = word.end()
            continue
        literal = literal_at(text, position)
        if literal is not None:
            found.append(Labelled(literal[0], label))
            position = literal[1]
            continue
        position += 1
    return found


def literal_at(text: str, at: int) -> tuple[str, int] | None:
    """The literal (or name of an exception) that begins at ``at``, and where it ends."""
    char, before = text[at], text[at - 1] if at else " "
    if before.isalnum() or before in "_." or (before in "'\"" and char not in "'\""):
        return None
    error = _ERROR.match(text, at)
    if error:
        return "raises " + error[0].rsplit(".", 1)[-1], error.end()
    if char in "'\"":
        match = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'").match(text, at)
        if match and (match.end() == len(text) or not text[match.end()].isalnum()):
            return match[0], match.end()
        return None
    if char in "([{":
        end = balanced(text, at)
        if end and _literal(text[at:end]):
            return text[at:end], end
        return None
    match = re.compile(r"-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?|(?:True|False|None|true|false)\b").match(text, at)
    if match and match[0] in ("true", "false"):
        return match[0].capitalize(), match.end()
    if (
        match
        and match[0][-1].isdigit()
        and re.match(
            r"\s+(?!instead|but|not|and|or|rather|because|as|while|here|for|when|in)[a-z]",
            text[match.end() :],
        )
    ):
        return None  # a number of something
    if match and (
        match.end() == len(text) or not (text[match.end()].isalnum() or text[match.end()] in "_%:/-")
    ):
        return match[0], match.end()
    match = re.compile(r"(?:\w+\.)*[A-Za-z]\w*\(").match(text, at)
    if match:
        end = balanced(text, match.end() - 1)
        if (
            end
            and match[0][:-1].rsplit(".", 1)[-1]
            in (
                "Decimal",
                "Fraction",
                "date",
                "datetime",
                "timedelta",
                "set",
                "frozenset",
                "OrderedDict",
                "Counter",
                "deque",
                "PosixPath",
                "Path",
            )
            and _parses(text[at:end])
        ):
            return text[at:end], end
    return None


def balanced(text: str, at: int) -> int | None:
    """Where the bracket that opens at ``at`` is closed (index behind it)."""
    depth, quote, i = 0, "", at
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\":
                i += 1
            elif char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if not depth:
                return i + 1
        i += 1
    return None


def _literal(text: str) -> bool:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return False
    return not text.startswith("(") or isinstance(value, tuple)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


# -- blocks ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the issue: prose, or code set apart."""

    kind: Literal["prose", "code"]
    text: str


def blocks(issue: str) -> list[Block]:
    """Split the issue into prose and code (fenced, or doctest lines)."""
    found: list[Block] = []
    prose: list[str] = []
    lines = issue.split("\n")
    i = 0

    def flush() -> None:
        if any(line.strip() for line in prose):
            found.append(Block("prose", "\n".join(prose)))
        prose.clear()

    while i < len(lines):
        fence = re.match(r"^\s*(```+|~~~+)\s*([\w+-]*)", lines[i])
        if fence:
            flush()
            body: list[str] = []
            i += 1
            while i < len(lines) and not lines[i].strip().startswith(fence[1]):
                body.append(lines[i])
                i += 1
            found += _console(textwrap.dedent("\n".join(body)))
            i += 1
        elif lines[i].lstrip().startswith(">>> "):
            flush()
            body = []
            while i < len(lines) and lines[i].strip() and not lines[i].strip().startswith('"""'):
                body.append(lines[i])
                i += 1
            found.append(Block("code", textwrap.dedent("\n".join(body))))
        elif re.match(r"^(    |\t)\S", lines[i]) and (not prose or not prose[-1].strip()):
            body, j = [], i
            while j < len(lines) and (not lines[j].strip() or re.match(r"^(    |\t)", lines[j])):
                body.append(lines[j])
                j += 1
            text = textwrap.dedent("\n".join(body)).strip("\n")
            flush()
            found.append(Block("code", text))
            i = j
        else:
            prose.append(lines[i])
            i += 1
    flush()
    return found


def _console(text: str) -> list[Block]:
    """A block of code; a console session is taken apart at its prompts: files shown with ``cat`` and output."""
    if not re.match(r"^\$ ", text):
        return [Block("code", text)]
    parts = re.split(r"^\$ (.*)$", text, flags=re.M)[1:]
    pieces = [(parts[i], parts[i + 1].strip("\n")) for i in range(0, len(parts) - 1, 2)]
    found: list[Block] = []
    for command, output in pieces:
        inline = re.search(r"python3? -c (['\"])(.*)\1", command)
        if inline:
            found.append(Block("code", inline[2]))
        if output.strip() and (command.startswith("cat ") or inline or found):
            found.append(Block("code", output))
    return found


def examples(issue: str) -> list[list[Step]]:
    """The runnable examples of ``issue``; names may still have to be imported."""
    result: list[list[Step]] = []
    parts = blocks(issue)
    for i, part in enumerate(parts):
        before = parts[i - 1].text if i and parts[i - 1].kind == "prose" else ""
        if part.kind == "prose":
            for step in _prose(part.text):
                root = re.match(r"\w+", step.source)
                before_it = "\n".join(s.source for s in result[-1]) if result and parts[i - 1 : i] else ""
                if root and re.search(rf"^{root[0]}\b", before_it, re.M):
                    result[-1].append(step)  # it goes on with what the code before set up
                else:
                    result.append([step])
        elif ">>> " in part.text:
            after = parts[i + 1].text if i + 1 < len(parts) and parts[i + 1].kind == "prose" else ""
            result += _session(part.text, after)
        elif "Traceback (most recent call last)" in part.text:
            continue
        elif _parses(part.text) and _is_code(part.text):
            steps = _script(part.text)
            outputs = list(_outputs(parts, i))
            result.append(_with_output(part.text, steps, outputs, parts[i + 1 :]))
        elif not _output_label(before):
            result += [[step] for step in _prose(part.text)]
    useful = [steps for steps in result if any(s.kind != "do" for s in steps)]
    unique: list[list[Step]] = []
    for steps in useful:
        sources = {s.source for s in steps if s.kind == "value"}
        known = {s.source for other in unique for s in other if s.kind == "value"}
        if steps not in unique and not (len(steps) == 1 and sources and sources <= known):
            unique.append(steps)
    return unique[:12]


def _is_code(text: str) -> bool:
    return any(
        isinstance(n, ast.Call | ast.Import | ast.ImportFrom | ast.Assert) for n in ast.walk(ast.parse(text))
    )


def _output_label(text: str) -> Literal["expect", "actual"] | None:
    """What the words right before a block of output call it."""
    tail = text.strip().split("\n")[-1].lower() if text.strip() else ""
    words = list(_WORD.finditer(tail))
    if re.search(r"\b(output|result|prints?|expected|actual|got|gives?|instead|but|should)\b", tail):
        for word in reversed(words):
            if word["expect"]:
                return "expect"
        return "actual"
    return None


def _outputs(parts: Sequence[Block], at: int) -> Iterator[tuple[str, str | None]]:
    """Blocks of output that follow the script at ``at``: (text, label)."""
    for i in range(at + 1, len(parts)):
        part = parts[i]
        if part.kind == "prose":
            continue
        if (
            "Traceback (most" in part.text
            or ">>> " in part.text
            or (_parses(part.text) and _is_code(part.text))
        ):
            return
        before = parts[i - 1].text if parts[i - 1].kind == "prose" else ""
        yield part.text, _output_label(before)


def _with_output(
    source: str, steps: list[Step], outputs: Sequence[tuple[str, str | None]], rest: Sequence[Block]
) -> list[Step]:
    wanted = [s for s in steps if s.kind != "do" and s.wants]
    prints = "print(" in source
    if wanted and not any(label == "expect" for _, label in outputs):
        return steps
    expected = [t for t, label in outputs if label == "expect"]
    actual = [t for t, label in outputs if label != "expect"]
    if prints and (expected or actual):
        wants = (*expected, *actual)
        return [Step("output", source, wants, strong=bool(expected), doubt=bool(actual) and not expected)]
    last = next((s for s in reversed(steps) if s.kind == "value"), None)
    if expected and last is not None:
        return [
            s if s is not last else Step("value", s.source, (expected[0].strip(),), strong=True)
            for s in steps
        ]
    if wanted:
        return steps
    return _from_prose(steps, rest)


def _from_prose(steps: list[Step], rest: Sequence[Block]) -> list[Step]:
    """The values for a script's last result from the prose that follows it."""
    following = rest[0].text if rest and rest[0].kind == "prose" else ""
    found = values(following.strip().split("\n\n")[0][:300])
    probes = [i for i, s in enumerate(steps) if s.kind != "do"]
    if not probes:
        return steps
    i = probes[-1]
    if steps[i].kind == "output":
        found = _spans(following.strip().split("\n\n")[0][:300])
    wants, strong, doubt = _choose(found)
    if not wants:
        return steps
    return [*steps[:i], Step(steps[i].kind, steps[i].source, wants, strong, doubt), *steps[i + 1 :]]


def _spans(text: str) -> list[Labelled]:
    """Texts in backticks, each with what the words before it call it."""
    found: list[Labelled] = []
    for match in re.finditer(r"`([^`\n]+)`", text):
        words = list(_WORD.finditer(re.sub(r"`[^`]*`", "", text[: match.start()])[-40:]))
        label: Literal["expect", "actual", "none"] = "none"
        if words:
            label = "expect" if words[-1]["expect"] else "actual"
        found.append(Labelled(match[1], label))
    return found


def _choose(found: Sequence[Labelled]) -> tuple[tuple[str, ...], bool, bool]:
    """(wants in order, strong, doubt) from labelled values."""
    expected = [v.text for v in found if v.label == "expect"]
    plain = [v.text for v in found if v.label == "none"]
    actual = [v.text for v in found if v.label == "actual"]
    wants = tuple(dict.fromkeys([*expected, *plain, *actual]))
    return wants[:3], bool(expected), bool(actual) and not expected


def _comments(source: str) -> dict[int, str]:
    """Comments by line."""
    found: dict[int, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(source + "\n").readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.string.lstrip("# ")
    except (tokenize.TokenError, IndentationError):
        return found
    return found


def _script(source: str) -> list[Step]:
    """The statements of a snippet, with what its comments say."""
    comments = _comments(source)
    lines = source.split("\n")
    body = ast.parse(source).body
    steps: list[Step] = []
    for position, node in enumerate(body):
        end = node.end_lineno or node.lineno
        text = "\n".join(lines[node.lineno - 1 : end])
        text = ast.get_source_segment(source, node) or text
        note = comments.get(end, "")
        following = body[position + 1].lineno if position + 1 < len(body) else len(lines) + 1
        for line in range(end + 1, following):
            if line in comments and not lines[line - 1][:1].isspace():
                note += " ; " + comments[line]
        steps += _statement(node, text, note, last=position == len(body) - 1)
    return steps


def _statement(node: ast.stmt, text: str, note: str, *, last: bool) -> list[Step]:
    wants, strong, doubt = _choose(values(note))
    if note and not wants:
        bare = re.sub(r"^[-=]+>\s*", "", note).strip()
        if bare and " " not in bare and re.match(r"^\S+$", bare):
            wants = (bare,)
    if isinstance(node, ast.Assert):
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            return [Step("value", ast.unparse(test.left), (ast.unparse(test.comparators[0]),), strong=True)]
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return [Step("value", f"bool({ast.unparse(test.operand)})", ("False",), strong=True)]
        return [Step("value", f"bool({ast.unparse(test)})", ("True",), strong=True)]
    if isinstance(node, ast.Expr):
        value = node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print":
            if len(value.args) == 1 and not value.keywords and not isinstance(value.args[0], ast.Starred):
                return [Step("value", ast.unparse(value.args[0]), wants, strong, doubt)]
            return [Step("output", text, wants, strong, doubt)]
        if wants or last or isinstance(value, ast.Compare | ast.Attribute | ast.Subscript):
            if (
                isinstance(value, ast.Compare)
                and len(value.ops) == 1
                and isinstance(value.ops[0], ast.Eq)
                and not wants
            ):
                return [Step("value", ast.unparse(value.left), (ast.unparse(value.comparators[0]),))]
            return [Step("value", ast.unparse(value), wants, strong, doubt)]
        return [Step("do", text)]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and (wants or last):
        return (
            [Step("do", text), Step("value", node.targets[0].id, wants, strong, doubt)]
            if not wants or not any(w.startswith("raises") for w in wants)
            else [Step("value", ast.unparse(node.value), wants, strong, doubt)]
        )
    if last and not isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
        return [Step("output", text, wants, strong, doubt)]
    return [Step("do", text)]


def _session(text: str, after: str) -> list[list[Step]]:
    """A doctest session; the shown results may be the wrong ones."""
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []
    steps: list[Step] = []
    named = values(_first_words(after))
    expected = [v.text for v in named if v.label == "expect"]
    shown_at = [i for i, e in enumerate(found) if e.want or e.exc_msg]
    home = -1
    if expected and shown_at:
        # What is expected replaces the shown result that it resembles most.
        alike = [difflib.SequenceMatcher(None, expected[0], found[i].want.strip()).ratio() for i in shown_at]
        home = shown_at[-1] if max(alike) < 0.3 else shown_at[alike.index(max(alike))]
    for i, example in enumerate(found):
        source = example.source.strip()
        comment = " ".join(_comments(source).values())
        wants: list[str] = []
        if example.exc_msg:
            wants.append("raises " + example.exc_msg.split(":")[0].strip().rsplit(".", 1)[-1])
        elif "Traceback" in example.want:
            error = _ERROR.findall(example.want)
            wants += ["raises " + error[-1].rsplit(".", 1)[-1]] if error else []
        elif example.want:
            shown = example.want.strip()
            note = re.search(r"\s+#\s*(.+)$", shown)
            if note and "\n" not in shown:
                comment += " " + note[1]
                shown = shown[: note.start()].strip()
            wants.append(shown)
        strong = doubt = False
        told, told_strong, told_doubt = _choose(values(comment)) if comment else ((), False, False)
        if not told and i == home:
            told, told_strong, _ = _choose([v for v in named if v.label != "actual"])
            row = re.search(r"-?[\d.]+(?:, -?[\d.]+){2,}", _first_words(after))
            if row and wants and wants[0].startswith("["):
                told, told_strong = (f"[{row[0].rstrip('.')}]",), True
        if told_strong:
            wants, strong = [told[0], *wants], True
        else:
            wants += [w for w in told if w not in wants]
        doubt = told_doubt
        try:
            node = ast.parse(source).body[0]
        except (SyntaxError, IndexError):
            continue
        if isinstance(node, ast.Expr) and (wants or i == len(found) - 1):
            printed = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "print"
            if printed and len(node.value.args) != 1:  # type: ignore[attr-defined]
                steps.append(Step("output", source, tuple(wants), strong, doubt))
            else:
                inner = node.value.args[0] if printed else node.value  # type: ignore[attr-defined]
                steps.append(Step("value", ast.unparse(inner), tuple(wants), strong, doubt))
        elif wants:
            steps.append(Step("output", source, tuple(wants), strong, doubt))
        else:
            steps.append(Step("do", source))
    return [steps]


def _first_words(text: str) -> str:
    return text.strip().split("\n\n")[0][:300]


_CALL = re.compile(r"(?<![\w.'\"])(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*\(")


def _prose(text: str) -> Iterator[Step]:
    """Calls in running text, with the values that the rest of the sentence names."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*] )|\n(?=\s*\w+\()|(?<=[.;])\s+(?=[A-Z`])", text):
        flat = " ".join(paragraph.split())
        calls: list[tuple[int, int]] = []
        for match in _CALL.finditer(flat):
            end = balanced(flat, match.end() - 1)
            inner = calls and match.start() < calls[-1][1]
            if end and not inner and _argument_list(flat[match.start() : end]):
                calls.append((match.start(), end))
        for i, (start, end) in enumerate(calls):
            stop = calls[i + 1][0] if i + 1 < len(calls) else len(flat)
            source = flat[start:end]
            if flat[max(0, start - 4) : start].endswith(("def ", "lass ")):
                continue
            rest = flat[end:stop]
            found = values(rest.replace("`", " "))
            earlier = values(flat[:start][-60:].replace("`", " ")) if not found else []
            wants, strong, doubt = _choose(found or earlier)
            if wants and re.match(r"\s*`?\s*(==|=>|➞|→|->|==>|=|-+>)", rest):
                wants, strong, doubt = (
                    (found[0].text, *[w for w in wants if w != found[0].text]),
                    False,
                    doubt,
                )
            if wants:
                yield Step("value", source, wants, strong, doubt)


def _argument_list(source: str) -> bool:
    """Whether it is a call whose arguments are values (not names of parameters, as in a signature)."""
    try:
        node = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError):
        return False
    if not isinstance(node, ast.Call):
        return False
    names = [a for a in (*node.args, *(k.value for k in node.keywords)) if isinstance(a, ast.Name)]
    return bool(node.args or node.keywords) and not names
