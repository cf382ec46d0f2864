"""A file as lines, without losing a byte of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


@dataclass(frozen=True, slots=True)
class TextFile:
    """The lines of a file as bytes, their ends included.

    Attributes:
        bom: the UTF-8 byte order mark, if the file begins with one.
        lines: what stands before each newline, with it; the last line may have none.
        encoding: the one that the file declares (PEP 263), else UTF-8.
    """

    bom: bytes
    lines: tuple[bytes, ...]
    encoding: str = "utf-8"

    @classmethod
    def of(cls, data: bytes) -> TextFile:
        """Split ``data`` at newlines."""
        bom = _BOM if data.startswith(_BOM) else b""
        *lines, last = data[len(bom) :].split(b"\n")
        ended = [line + b"\n" for line in lines]
        return cls(bom, tuple([*ended, last] if last else ended), _declared(ended or [last]))

    @property
    def data(self) -> bytes:
        """The whole content."""
        return self.bom + b"".join(self.lines)

    @property
    def line_end(self) -> bytes:
        """The line end that most lines have; a last line without one does not count."""
        returns = sum(line.endswith(b"\r\n") for line in self.lines)
        ended = sum(line.endswith(b"\n") for line in self.lines)
        return b"\r\n" if returns * 2 > ended else b"\n"

    def rows(self, first: int, last: int) -> list[str]:
        """Lines ``first`` to ``last`` (from 1) as text: without their ends, bytes that cannot be decoded and
        NUL as ``\\xNN``."""
        return [self._text(line) for line in self.lines[max(first, 1) - 1 : last]]

    def replaced(self, first: int, last: int, new: Sequence[str]) -> TextFile:
        """Lines ``first`` to ``last`` replaced by ``new``; no byte outside of them changes.

        New lines get the line end that most lines of the file have. Beyond the end they are appended (then a
        last line without an end gets one). If ``last < first``, the lines from ``last + 1`` on follow again.

        Raises:
            UnicodeEncodeError: a new line cannot be written in the file's encoding.
        """
        end = self.line_end
        added = [self._trimmed(line, end).encode(self.encoding) + end for line in new]
        before, after = list(self.lines[: first - 1]), self.lines[last:]
        if before and not before[-1].endswith(b"\n") and (added or after):
            before[-1] += end
        return TextFile(self.bom, (*before, *added, *after), self.encoding)

    @staticmethod
    def _trimmed(line: str, end: bytes) -> str:
        return line.removesuffix("\r") if end == b"\r\n" else line

    def _text(self, line: bytes) -> str:
        bare = line.removesuffix(b"\n")
        bare = bare.removesuffix(b"\r") if len(bare) < len(line) else bare
        return bare.decode(self.encoding, "backslashreplace").replace("\0", "\\x00")


def _declared(lines: Sequence[bytes]) -> str:
    for line in lines[:2]:
        if found := _COOKIE.match(line):
            name = found[1].decode("ascii", "replace")
            try:
                plain = "a\n".encode(name) == b"a\n" and b"a\n".decode(name) == "a\n"
                b"\x80\xfe".decode(name, "backslashreplace")  # some codecs know no error handlers
            except (LookupError, UnicodeError):
                plain = False
            return name if plain else "utf-8"
    return "utf-8"
