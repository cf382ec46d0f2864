"""Double-entry bookkeeping in memory."""

from . import reports
from .accounts import Account, Chart
from .errors import LedgerError, UnbalancedEntry, UnknownAccount
from .invoice import CreditNote, Invoice, LineItem
from .journal import Entry, Journal, Posting
from .money import Money

__version__ = "0.9.0"

__all__ = [
    "Account",
    "Chart",
    "CreditNote",
    "Entry",
    "Invoice",
    "Journal",
    "LedgerError",
    "LineItem",
    "Money",
    "Posting",
    "UnbalancedEntry",
    "UnknownAccount",
    "reports",
]
