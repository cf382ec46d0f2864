"""Entries, postings and the journal that holds them."""

from dataclasses import dataclass, field
from datetime import date

from .accounts import DEBIT
from .errors import LedgerError, UnbalancedEntry
from .money import DEFAULT_CURRENCY, Money


@dataclass(frozen=True)
class Posting:
    """One leg of an entry. A positive amount is a debit, a negative one a credit."""

    account: str
    amount: Money
    memo: str = ""


@dataclass(frozen=True)
class Entry:
    """A dated set of postings that sum to zero."""

    day: date
    description: str
    postings: tuple
    reference: str = ""
    tags: frozenset = field(default_factory=frozenset)

    @property
    def difference(self):
        """Debits minus credits; zero when balanced."""
        return Money.total((p.amount for p in self.postings), self.currency)

    @property
    def currency(self):
        return self.postings[0].amount.currency if self.postings else DEFAULT_CURRENCY

    def touches(self, code):
        """True if any posting is on the account ``code``."""
        return any(p.account == code for p in self.postings)

    def amount_on(self, code):
        """Net amount that the entry puts on the account ``code``."""
        return Money.total((p.amount for p in self.postings if p.account == code), self.currency)

    def reversed(self, day=None):
        """The entry that undoes this one."""
        flipped = tuple(Posting(p.account, -p.amount, p.memo) for p in self.postings)
        return Entry(day or self.day, f"Reversal: {self.description}", flipped, self.reference, self.tags)


@dataclass(frozen=True)
class StatementLine:
    """One row of an account statement."""

    day: date
    description: str
    amount: Money
    balance: Money


class Journal:
    """All entries of a business, in order of their day."""

    def __init__(self, chart, currency=DEFAULT_CURRENCY):
        self.chart = chart
        self.currency = currency
        self._entries = []
        self._closed_until = None

    # -- writing ----------------------------------------------------------------

    def post(self, entry):
        """Add ``entry`` after checking it.

        Raises UnknownAccount, UnbalancedEntry, or LedgerError when the period is closed, an account is inactive or
        there are fewer than two postings.
        """
        if len(entry.postings) < 2:
            raise LedgerError("an entry needs at least two postings")
        for posting in entry.postings:
            account = self.chart.get(posting.account)
            if not account.active:
                raise LedgerError(f"account {account.code} is inactive")
        if entry.difference:
            raise UnbalancedEntry(entry.difference)
        if self._closed_until is not None and entry.day <= self._closed_until:
            raise LedgerError(f"the books are closed until {self._closed_until.isoformat()}")
        self._entries.append(entry)
        self._entries.sort(key=lambda e: e.day)
        return entry

    def record(self, day, description, debit, credit, amount, reference="", tags=()):
        """Shorthand for an entry with two postings."""
        postings = (Posting(debit, amount), Posting(credit, -amount))
        return self.post(Entry(day, description, postings, reference, frozenset(tags)))

    def close(self, until, into="3000"):
        """Move the balances of income and expense accounts to ``into`` and forbid entries up to ``until``."""
        postings = []
        for account in self.chart:
            if not account.is_temporary:
                continue
            raw = self.raw_balance(account.code, until=until)
            if raw:
                postings.append(Posting(account.code, -raw))
        if postings:
            rest = Money.total((p.amount for p in postings), self.currency)
            postings.append(Posting(into, -rest))
            self.post(Entry(until, "Closing entry", tuple(postings), tags=frozenset({"closing"})))
        self._closed_until = until

    # -- asking -----------------------------------------------------------------

    def __len__(self):
        return len(self._entries)

    def __iter__(self):
        return iter(self._entries)

    def entries(self, since=None, until=None, account=None, tag=None):
        """Entries in order; both ends of the period are included."""
        for entry in self._entries:
            if since is not None and entry.day < since:
                continue
            if until is not None and entry.day > until:
                continue
            if account is not None and not entry.touches(account):
                continue
            if tag is not None and tag not in entry.tags:
                continue
            yield entry

    def raw_balance(self, code, since=None, until=None):
        """Debits minus credits of the account, whatever its kind."""
        self.chart.get(code)
        amounts = (entry.amount_on(code) for entry in self.entries(since, until, account=code))
        return Money.total(amounts, self.currency)

    def balance(self, code, since=None, until=None):
        """Balance as people expect it: positive when the account stands on its normal side."""
        raw = self.raw_balance(code, since, until)
        return raw if self.chart.get(code).normal_side == DEBIT else -raw

    def statement(self, code, since=None, until=None):
        """Rows of the account with a running balance that starts from everything before ``since``."""
        account = self.chart.get(code)
        sign = 1 if account.normal_side == DEBIT else -1
        running = Money.zero(self.currency)
        rows = []
        for entry in self.entries(until=until, account=code):
            amount = entry.amount_on(code) * sign
            running = running + amount
            if since is None or entry.day >= since:
                rows.append(StatementLine(entry.day, entry.description, amount, running))
        return rows

    def search(self, text):
        """Entries whose description, reference or memo contains ``text``, ignoring case."""
        wanted = text.lower()
        found = []
        for entry in self._entries:
            haystack = [entry.description, entry.reference, *(p.memo for p in entry.postings)]
            if any(wanted in part.lower() for part in haystack):
                found.append(entry)
        return found
