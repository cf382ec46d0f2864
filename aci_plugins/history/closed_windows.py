"""Only the newest view of each file stays (SWE-agent's closed-window processor)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from aci_plugins.history.errors import CorrectedErrors, settled
from aci_plugins.message import Message
from aci_plugins.plugin import plugin

_HEADER = re.compile(r"^\[File: (.+) \(\d+ lines total\)\]$")
_ROW = re.compile(r"^\d+:|^\(\d+ more lines (above|below)\)$")


@plugin
class ClosedWindows:
    """The rows of a file's window are collapsed to one line when a later observation shows the same file.

    Attributes:
        corrected_errors: see :data:`aci_plugins.history.errors.CorrectedErrors`.
    """

    corrected_errors: CorrectedErrors = "first"

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        shown: set[str] = set()
        kept: list[Message] = []
        for message in reversed(settled(messages, self.corrected_errors)):
            if message.kind != "observation":
                kept.append(message)
                continue
            blocks = list(_blocks(message.content))
            lines = [line for path, rows in blocks for line in (_closed(rows) if path in shown else rows)]
            kept.append(replace(message, content="\n".join(lines)))
            shown |= {path for path, _ in blocks if path}
        return kept[::-1]


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of ``text``, cut into windows (path, header and rows) and what stands between them ("", lines)."""
    path, block = "", list[str]()
    for line in text.split("\n"):
        header = _HEADER.match(line)
        if header or (path and not _ROW.match(line)):
            yield path, block
            path, block = header[1] if header else "", []
        block.append(line)
    yield path, block


def _closed(window: list[str]) -> list[str]:
    rows = sum(bool(re.match(r"\d+:", line)) for line in window)
    return [window[0], f"Outdated window with {rows} lines omitted..."] if rows else window
