"""Exceptions of stashbox."""


class StashError(Exception):
    """Base class."""


class RetryError(StashError):
    """All attempts failed. ``attempts`` is their number, ``last`` the exception of the last one."""

    def __init__(self, attempts, last):
        super().__init__(f"gave up after {attempts} attempts: {last!r}")
        self.attempts = attempts
        self.last = last


class StoreError(StashError):
    """A stored cache cannot be read or written."""
