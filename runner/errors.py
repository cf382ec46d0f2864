"""The errors that end a command without a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Bad input (exit code 2): the message says in one line what is wrong, in which file and key, and what
    would be right."""


class Incomplete(Exception):
    """The command ran to its end, but some episodes ended in an infrastructure failure (exit code 1); giving
    the same command again tries them again."""
