"""Reading a bash command line: where its simple commands, pipelines and lists begin and end.

Nothing is expanded or run. This is enough of bash's grammar to know which words stand where a command's name
stands, across quotes, here-documents, substitutions, loops and functions.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from aci_plugins.words import META, Unreadable, Word, Words

_OPERATORS = (
    "&&", "||", ";;&", ";;", ";&", ";", "|&", "|", "&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&",
    ">|", ">", "&", "(", ")",
)  # fmt: skip
_REDIRECTIONS = frozenset({"&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">"})
_PREFIXES = frozenset({"!", "time", "coproc"})
_CLOSERS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
_CASE_ENDS = frozenset({";;", ";&", ";;&"})
_BARE = re.compile(r"[^\s;&|<>()'\"\\$`]+")


@dataclass(slots=True)
class HereDocument:
    """``body``: the lines with their newlines; ``source``: those and the closing line, as written; ``closed`` is
    False when the closing line never came."""

    delimiter: str
    strip_tabs: bool = False
    body: str = ""
    source: str = ""
    closed: bool = False


@dataclass(slots=True)
class Simple:
    """A simple command.

    Attributes:
        words: its name and arguments, without assignments and redirections.
        assigned: whether assignments stand before it.
        fed: whether its stdin comes from a pipe, a file or a here-document.
        redirections: as written, here-documents left out.
        document: the here-document that it reads, or the lines below a multi-line command.
        assignments: what stands before its name (``A=1``).
        pipeline: the same number for all commands of one pipeline.
        function: name of the function whose body it is in ("" if none).
    """

    words: list[Word] = field(default_factory=list)
    assigned: bool = False
    fed: bool = False
    redirections: list[str] = field(default_factory=list)
    document: HereDocument | None = None
    assignments: list[Word] = field(default_factory=list)
    pipeline: int = 0
    function: str = ""


@dataclass(slots=True)
class Piece:
    """One pipeline of the top-level list.

    Attributes:
        operator: what joins it to the piece before: "" (first), "&&", "||" or ";" (also newline and "&").
        source: its text; here-documents that follow its line are in ``documents``.
        head: the first command, if the piece is a plain pipeline that begins with a simple command.
        rest: the rest of a plain pipeline, from its first "|" on.
    """

    operator: str
    source: str = ""
    documents: str = ""
    head: Simple | None = None
    rest: str = ""
    finished: bool = False


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line as read: its top-level pieces; all simple commands at any depth, in order; why reading stopped
    ("" if it came to the end); for each ``for`` loop its variable and the words that it goes through; and the
    here-strings that loops and groups read."""

    pieces: tuple[Piece, ...]
    commands: tuple[Simple, ...]
    error: str = ""
    loops: tuple[tuple[str, tuple[Word, ...]], ...] = ()
    given: tuple[Word, ...] = ()


def read(text: str, ends: Mapping[str, str] | None = None) -> CommandLine:
    """Read ``text`` as far as it can be read.

    ``ends``: names of multi-line commands, and the line that ends the lines below each of them.
    """
    return _read(text, tuple((ends or {}).items()))


@lru_cache(maxsize=64)
def _read(text: str, ends: tuple[tuple[str, str], ...]) -> CommandLine:
    # Remembered because guardrails and dispatch read the same action one after the other.
    reader, error = _Reader(text, dict(ends)), ""
    try:
        reader.top()
    except Unreadable as unreadable:
        error = str(unreadable)
    except RecursionError:
        error = "nested too deeply"
    return CommandLine(
        tuple(reader.pieces), tuple(reader.commands), error, tuple(reader.loops), tuple(reader.given)
    )


class _Reader:
    """Recursive descent. ``depth`` is 0 only for the list at the top."""

    def __init__(self, text: str, ends: Mapping[str, str], at: int = 0, depth: int = 0) -> None:
        self.text, self.ends, self.at, self.depth = text, ends, at, depth
        self.pieces: list[Piece] = []
        self.commands: list[Simple] = []
        self.loops: list[tuple[str, tuple[Word, ...]]] = []
        self.given: list[Word] = []
        self.end = at  # of the last token
        self.pending: list[tuple[HereDocument, Piece]] = []
        self.line: list[Piece] = []  # pieces that begin on this line
        self.pipelines = itertools.count(1)
        self.of_pipeline, self.function = 0, ""

    def top(self) -> None:
        self.list(frozenset())
        self.documents()
        if self.at < len(self.text):
            raise Unreadable(f"unexpected {self.text[self.at]!r}")

    # ---- lists and pipelines -----------------------------------------------------------------------------

    def list(self, stops: frozenset[str]) -> None:
        """Commands up to a word or operator of ``stops``, or to the end."""
        operator = ""
        while True:
            self.blank(newlines=True)
            if self.at >= len(self.text) or self.sees(stops):
                if operator in ("&&", "||"):
                    raise Unreadable(f"nothing after {operator!r}")
                return
            self.pipeline(operator)
            operator = ""
            self.blank()
            found = self.operator()
            if found in ("&&", "||", ";", "&"):
                self.at += len(found)
                if found == "&" and self.depth == 0:
                    self.pieces[-1].source += " &"
                operator = found if found in ("&&", "||") else ";"
            elif self.text[self.at : self.at + 1] == "\n":
                operator = ";"
            elif self.at < len(self.text) and not self.sees(stops):
                raise Unreadable(f"unexpected {self.text[self.at]!r}")

    def pipeline(self, operator: str) -> None:
        piece = Piece(operator)
        if self.depth == 0:
            self.pieces.append(piece)
            self.line.append(piece)
        begin, pipe, plain = self.at, -1, True
        number = next(self.pipelines)
        while True:
            self.of_pipeline = number
            while (word := self.bare()) in _PREFIXES:
                self.at += len(word)
                self.blank()
                if word == "time" and self.bare() == "-p":
                    self.at += len("-p")
                    self.blank()
                plain = False
            simple = self.command(piece, fed=pipe >= 0)
            if pipe < 0:
                plain = plain and simple is not None
                piece.head = simple if plain else None
            self.blank()
            if (found := self.operator()) not in ("|", "|&"):
                break
            pipe = self.at if pipe < 0 else pipe
            self.at += len(found)
            self.blank(newlines=True)
        piece.source = self.text[begin : self.end]
        piece.rest = self.text[pipe : self.end] if plain and pipe >= 0 else ""
        piece.finished = True

    # ---- commands ----------------------------------------------------------------------------------------

    def command(self, piece: Piece, fed: bool) -> Simple | None:
        """A simple command; None for any other kind."""
        name = self.bare()
        if name in _CLOSERS:
            raise Unreadable(f"unexpected {name!r}")
        if self.text.startswith("(", self.at):
            words = self.words()
            if self.text.startswith("((", self.at) and words.arithmetic(self.at):
                self.at = words.at
            else:
                self.at += 1
                self.within(frozenset({")"}))
        elif name == "{":
            self.take(name)
            self.within(frozenset({"}"}))
        elif name == "if":
            self.take(name)
            closer = ""
            while closer != "fi":
                if closer != "else":
                    self.within(frozenset({"then"}))
                closer = self.within(frozenset({"elif", "else", "fi"}))
        elif name in ("while", "until"):
            self.take(name)
            self.within(frozenset({"do"}))
            self.within(frozenset({"done"}))
        elif name in ("for", "select"):
            self.take(name)
            self.loop_head()
            self.within(frozenset({"done"}))
        elif name == "case":
            self.take(name)
            self.cases()
        elif name == "[[":
            self.take(name)
            self.condition()
        elif name == "function":
            self.take(name)
            self.blank()
            name = self.word().value
            self.blank()
            self.function_body(piece, name)
            return None
        else:
            return self.simple(piece, fed)
        self.end = self.at
        while True:
            self.blank()
            if not self.redirection(None, piece):
                return None

    def simple(self, piece: Piece, fed: bool) -> Simple | None:
        simple = Simple(fed=fed, pipeline=self.of_pipeline, function=self.function)
        self.commands.append(simple)
        begin = self.at
        while True:
            self.blank()
            if self.at >= len(self.text) or self.redirection(simple, piece):
                if self.at >= len(self.text):
                    break
                continue
            if self.text[self.at] in META and not self.text.startswith(("<(", ">("), self.at):
                break
            word = self.word()
            if not simple.words and word.assigns:
                simple.assigned = True
                simple.assignments.append(word)
            else:
                simple.words.append(word)
        if self.text.startswith("(", self.at):
            if len(simple.words) != 1 or not re.match(r"\([ \t]*\)", self.text[self.at :]):
                raise Unreadable("unexpected '('")
            self.commands.remove(simple)
            self.function_body(piece, simple.words[0].value)
            return None
        if self.at == begin:
            raise Unreadable(f"unexpected {self.text[self.at : self.at + 1]!r}")
        return simple

    def function_body(self, piece: Piece, name: str) -> None:
        if found := re.compile(r"\([ \t]*\)").match(self.text, self.at):
            self.at = found.end()
        self.blank(newlines=True)
        outer, self.function = self.function, name
        self.command(piece, fed=False)
        self.function = outer

    def within(self, stops: frozenset[str]) -> str:
        """A list inside a compound command, and the word that ends it."""
        self.depth += 1
        self.list(stops)
        self.depth -= 1
        found = self.sees(stops)
        if not found:
            raise Unreadable(f"missing {' or '.join(sorted(stops))}")
        self.take(found)
        return found

    def loop_head(self) -> None:
        """From after ``for`` to after ``do``."""
        self.blank()
        words, name = self.words(), ""
        if self.text.startswith("((", self.at) and words.arithmetic(self.at):
            self.at = words.at
        else:
            name = self.word().value
        values: list[Word] = []
        while True:
            self.blank(newlines=True)
            if self.bare() == "do":
                self.take("do")
                self.loops.append((name, tuple(values[1:])))  # the first one is "in"
                return
            if self.text.startswith(";", self.at):
                self.at += 1
            elif self.at >= len(self.text) or self.text[self.at] in META:
                raise Unreadable("missing 'do'")
            else:
                values.append(self.word())

    def cases(self) -> None:
        """From after ``case`` to after ``esac``."""
        self.blank()
        self.word()
        self.blank(newlines=True)
        if self.bare() != "in":
            raise Unreadable("missing 'in'")
        self.take("in")
        while True:
            self.blank(newlines=True)
            if self.bare() == "esac":
                self.take("esac")
                return
            if self.text.startswith("(", self.at):
                self.at += 1
            while not self.text.startswith(")", self.at):
                self.blank()
                if self.text.startswith("|", self.at):
                    self.at += 1
                elif not self.text.startswith(")", self.at):
                    self.word()
            self.at += 1
            if self.within(_CASE_ENDS | {"esac"}) == "esac":
                return

    def condition(self) -> None:
        """Skip to ``]]``."""
        while self.at < len(self.text):
            if self.text[self.at] in META:
                self.at += 1
            elif self.word().raw == "]]":
                return
        raise Unreadable("missing ']]'")

    # ---- tokens ------------------------------------------------------------------------------------------

    def blank(self, newlines: bool = False) -> None:
        """Skip spaces, continued lines and comments; newlines too if told so."""
        text = self.text
        while self.at < len(text):
            if text[self.at] in " \t":
                self.at += 1
            elif text.startswith("\\\n", self.at):
                self.at += 2
            elif text[self.at] == "#" and text[self.at - 1 : self.at] in (
                "",
                " ",
                "\t",
                "\n",
                ";",
                "&",
                "|",
                "(",
            ):
                self.at = _find(text, "\n", self.at)
            elif newlines and text[self.at] == "\n":
                self.at += 1
                self.documents()
            else:
                return

    def bare(self) -> str:
        """The unquoted word that begins here ("" if none does)."""
        found = _BARE.match(self.text, self.at)
        if not found or self.text[found.end() : found.end() + 1] in ("'", '"', "\\", "$", "`"):
            return ""
        return found[0]

    def sees(self, stops: frozenset[str]) -> str:
        """The one of ``stops`` that stands here ("" if none does)."""
        found = self.operator() or self.bare()
        return found if found in stops else ""

    def take(self, token: str) -> None:
        self.at += len(token)
        self.end = self.at

    def operator(self) -> str:
        if (
            self.at >= len(self.text)
            or self.text[self.at] not in META
            or self.text.startswith(("<(", ">("), self.at)
        ):
            return ""
        return next((op for op in _OPERATORS if self.text.startswith(op, self.at)), "")

    def words(self) -> Words:
        return Words(self.text, self.at, self.inside, self.inside_backticks)

    def word(self) -> Word:
        words = self.words()
        word = words.word()
        if words.at == self.at:
            raise Unreadable(f"unexpected {self.text[self.at : self.at + 1]!r}")
        self.at = self.end = words.at
        return word

    def inside(self, at: int) -> int:
        """Commands in ``$(…)``: what is found in them is kept; where they end."""
        inner = _Reader(self.text, self.ends, at, depth=1)
        inner.pipelines, inner.function = self.pipelines, self.function
        inner.loops, inner.given = self.loops, self.given
        try:
            inner.list(frozenset({")"}))
        finally:
            self.commands += inner.commands
        if not self.text.startswith(")", inner.at):
            raise Unreadable("missing ')'")
        return inner.at + 1

    def inside_backticks(self, text: str) -> None:
        found = read(text, self.ends)
        self.commands += found.commands
        if found.error:
            raise Unreadable(found.error)

    def redirection(self, simple: Simple | None, piece: Piece) -> bool:
        """Take the redirection that begins here; False if none does."""
        found = re.compile(r"[0-9]*(?=[<>])|(?=&>)").match(self.text, self.at)
        if not found or self.text.startswith(("<(", ">("), found.end()):
            return False
        begin, self.at = self.at, found.end()
        operator = self.operator()
        self.at += len(operator)
        self.blank()
        target = self.word()
        if operator in ("<<", "<<-"):
            document = HereDocument(target.value, operator == "<<-")
            self.pending.append((document, piece))
            if simple is not None:
                simple.document = document
        elif simple is None and operator == "<<<":
            self.given.append(target)
        elif simple is not None:
            simple.redirections.append(self.text[begin : self.at])
        if simple is not None:
            simple.fed |= operator.startswith("<")
        return True

    # ---- here-documents ----------------------------------------------------------------------------------

    def documents(self) -> None:
        """Read the here-documents of the line that has just ended."""
        for piece in self.line:
            head = piece.head
            if head and head.words and not head.document and (end := self.ends.get(head.words[0].value)):
                head.document = HereDocument(end)
                self.pending.append((head.document, piece))
        pending, self.pending, self.line = self.pending, [], []
        for document, owner in pending:
            self.document(document)
            # A document in the middle of a piece is part of the piece's own text.
            if owner.finished:
                owner.documents += document.source

    def document(self, document: HereDocument) -> None:
        """Read the lines of ``document``; without its closing line it goes on to the end, as in bash."""
        ours = document.delimiter in self.ends.values()
        begin, rows = self.at, []
        while self.at < len(self.text):
            end = _find(self.text, "\n", self.at)
            row = self.text[self.at : end]
            row = row.lstrip("\t") if document.strip_tabs else row
            self.at = min(end + 1, len(self.text))
            if (row.rstrip() if ours else row) == document.delimiter:
                document.closed = True
                break
            rows.append(row + "\n")
        document.body = "".join(rows)
        document.source = self.text[begin : self.at]
        if document.source and not document.source.endswith("\n"):
            document.source += "\n"


def _find(text: str, what: str, at: int) -> int:
    found = text.find(what, at)
    return len(text) if found < 0 else found
