"""Lines for the person at the terminal: results to stdout, notes to stderr."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """A result, on stdout."""
    sys.stdout.write(f"{text}\n")


def note(text: str) -> None:
    """A remark, on stderr."""
    sys.stderr.write(f"{text}\n")
