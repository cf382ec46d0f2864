"""Invoices, payments and credit notes."""

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from . import tax as taxes
from .errors import LedgerError
from .journal import Entry, Posting
from .money import DEFAULT_CURRENCY, Money

DEFAULT_TERMS = 30

BANK = "1000"
RECEIVABLES = "1100"
TAX_PAYABLE = "2200"
SALES = "4000"

DRAFT = "draft"
OPEN = "open"
PARTIAL = "partial"
PAID = "paid"
OVERDUE = "overdue"


@dataclass(frozen=True)
class LineItem:
    """One line: ``quantity`` units at ``price`` net each, less ``discount`` percent."""

    description: str
    price: Money
    quantity: int = 1
    tax: str = "standard"
    discount: int = 0

    def __post_init__(self):
        if self.quantity < 0:
            raise LedgerError("quantity must not be negative; use a credit note")
        if not 0 <= self.discount <= 100:
            raise LedgerError("discount is a percentage between 0 and 100")

    @property
    def net(self):
        full = self.price * self.quantity
        if self.discount:
            return full * Fraction(100 - self.discount, 100)
        return full


@dataclass(frozen=True)
class Payment:
    """Money received for an invoice."""

    amount: Money
    day: date


class Invoice:
    """A bill to a customer.

    ``terms`` is the number of days the customer has. An invoice is a draft until it is posted.
    """

    def __init__(self, number, customer, issued, lines=None, terms=DEFAULT_TERMS, currency=DEFAULT_CURRENCY):
        self.number = number
        self.customer = customer
        self.issued = issued
        self.lines = list(lines) if lines is not None else []
        self.terms = terms
        self.currency = currency
        self.payments = []
        self.credits = []
        self.posted = False

    def add(self, line):
        """Append a line; only drafts can change."""
        if self.posted:
            raise LedgerError(f"invoice {self.number} is posted already")
        if line.price.currency != self.currency:
            raise LedgerError(f"invoice {self.number} is in {self.currency}")
        self.lines.append(line)
        return self

    # -- totals -----------------------------------------------------------------

    @property
    def net(self):
        return Money.total((line.net for line in self.lines), self.currency)

    @property
    def tax(self):
        return taxes.total_tax(((line.net, line.tax) for line in self.lines), self.currency)

    @property
    def gross(self):
        return self.net + self.tax

    def tax_summary(self):
        """Tax by rate, in the order in which the rates appear."""
        return taxes.summarize((line.net, line.tax) for line in self.lines)

    @property
    def paid(self):
        return Money.total((payment.amount for payment in self.payments), self.currency)

    @property
    def credited(self):
        return Money.total((note.gross for note in self.credits), self.currency)

    @property
    def balance(self):
        """What the customer still owes."""
        return self.gross - self.paid - self.credited

    # -- state ------------------------------------------------------------------

    @property
    def due(self):
        """The last day on which a payment is in time."""
        return self.issued + timedelta(days=self.terms)

    def is_settled(self):
        return self.posted and self.balance <= Money.zero(self.currency)

    def is_overdue(self, today):
        """True if money is owed and the last day to pay has passed."""
        return self.posted and not self.is_settled() and self.due < today

    def days_overdue(self, today):
        """Days since the last day to pay; 0 when it has not passed or nothing is owed."""
        if not self.is_overdue(today):
            return 0
        return (today - self.due).days

    def status(self, today):
        """One of the constants of this module."""
        if not self.posted:
            return DRAFT
        if self.is_settled():
            return PAID
        if self.is_overdue(today):
            return OVERDUE
        if self.payments or self.credits:
            return PARTIAL
        return OPEN

    # -- booking ----------------------------------------------------------------

    def post(self, journal):
        """Book the invoice: receivables against sales and tax."""
        if self.posted:
            raise LedgerError(f"invoice {self.number} is posted already")
        if not self.lines:
            raise LedgerError(f"invoice {self.number} has no lines")
        postings = [Posting(RECEIVABLES, self.gross, self.customer), Posting(SALES, -self.net)]
        if self.tax:
            postings.append(Posting(TAX_PAYABLE, -self.tax))
        entry = Entry(self.issued, f"Invoice {self.number}", tuple(postings), self.number, frozenset({"invoice"}))
        journal.post(entry)
        self.posted = True
        return entry

    def pay(self, amount, day, journal=None, account=BANK):
        """Record a payment, and book it if ``journal`` is given."""
        if not self.posted:
            raise LedgerError(f"invoice {self.number} is a draft")
        if amount <= Money.zero(self.currency):
            raise LedgerError("a payment must be positive")
        if amount > self.balance:
            raise LedgerError(f"payment of {amount} exceeds the balance of {self.balance}")
        if journal is not None:
            journal.record(day, f"Payment {self.number}", account, RECEIVABLES, amount, self.number, ("payment",))
        payment = Payment(amount, day)
        self.payments.append(payment)
        return payment


class CreditNote:
    """Takes back some or all of an invoice."""

    def __init__(self, number, invoice, lines, day):
        self.number = number
        self.invoice = invoice
        self.lines = list(lines)
        self.day = day

    @property
    def net(self):
        return Money.total((line.net for line in self.lines), self.invoice.currency)

    @property
    def tax(self):
        return taxes.total_tax(((line.net, line.tax) for line in self.lines), self.invoice.currency)

    @property
    def gross(self):
        return self.net + self.tax

    def post(self, journal):
        """Book the note and lower what the customer owes."""
        if not self.invoice.posted:
            raise LedgerError(f"invoice {self.invoice.number} is a draft")
        if self.gross > self.invoice.balance:
            raise LedgerError(f"credit of {self.gross} exceeds the balance of {self.invoice.balance}")
        postings = [Posting(SALES, self.net), Posting(RECEIVABLES, -self.gross, self.invoice.customer)]
        if self.tax:
            postings.append(Posting(TAX_PAYABLE, self.tax))
        entry = Entry(self.day, f"Credit note {self.number}", tuple(postings), self.invoice.number, frozenset({"credit"}))
        journal.post(entry)
        self.invoice.credits.append(self)
        return entry
