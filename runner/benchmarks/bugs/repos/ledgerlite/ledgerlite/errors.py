"""Everything ledgerlite raises on purpose."""


class LedgerError(Exception):
    """Base class, so that callers can catch all of them at once."""


class CurrencyMismatch(LedgerError):
    """Two amounts in different currencies met in one operation."""

    def __init__(self, left, right):
        super().__init__(f"cannot combine {left} with {right}")
        self.left = left
        self.right = right


class UnknownAccount(LedgerError):
    """A posting names an account that is not in the chart."""

    def __init__(self, code):
        super().__init__(f"no account {code!r} in the chart")
        self.code = code


class UnbalancedEntry(LedgerError):
    """Debits and credits of an entry differ."""

    def __init__(self, difference):
        super().__init__(f"entry is out of balance by {difference}")
        self.difference = difference


class ImportProblem(LedgerError):
    """A line of a statement cannot be understood."""

    def __init__(self, line, reason):
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
