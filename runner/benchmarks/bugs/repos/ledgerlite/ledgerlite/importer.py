"""Bank statements to journal entries."""

import csv
import io
import re
from datetime import date, datetime

from .errors import ImportProblem, LedgerError
from .invoice import BANK
from .journal import Entry, Posting
from .money import Money

REQUIRED = ("date", "amount", "text")

DATE_FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y")

FALLBACK_ACCOUNT = "1900"


class Rule:
    """Books lines whose text matches ``pattern`` on ``account``."""

    def __init__(self, pattern, account, tag=""):
        self.pattern = re.compile(pattern, re.IGNORECASE)
        self.account = account
        self.tag = tag

    def matches(self, text):
        return self.pattern.search(text) is not None


def parse_date(text):
    """A date in any of DATE_FORMATS; LedgerError otherwise."""
    for layout in DATE_FORMATS:
        try:
            return datetime.strptime(text.strip(), layout).date()
        except ValueError:
            continue
    raise LedgerError(f"not a date: {text!r}")


def read_statement(text, currency=None, delimiter=","):
    """Rows ``(line, day, amount, text)`` of a CSV statement with a header line.

    Columns may come in any order; names are matched without regard to case and blanks. Raises ImportProblem.
    """
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    header = [name.strip().lower() for name in next(reader, [])]
    for name in REQUIRED:
        if name not in header:
            raise ImportProblem(1, f"column {name!r} is missing")
    rows = []
    for number, record in enumerate(reader, start=2):
        if not any(cell.strip() for cell in record):
            continue
        if len(record) != len(header):
            raise ImportProblem(number, f"expected {len(header)} cells, found {len(record)}")
        cells = dict(zip(header, record))
        try:
            day = parse_date(cells["date"])
            amount = Money.parse(cells["amount"], currency)
        except LedgerError as error:
            raise ImportProblem(number, str(error)) from error
        rows.append((number, day, amount, cells["text"].strip()))
    return rows


def choose(rules, text, fallback=FALLBACK_ACCOUNT):
    """Account and tag of the first rule that matches."""
    for rule in rules:
        if rule.matches(text):
            return rule.account, rule.tag
    return fallback, ""


def import_statement(text, journal, rules=(), bank=BANK, since=None, **options):
    """Post one entry per row that is not in the journal yet; returns the new entries.

    A row counts as known when an entry of the same day, text and amount on the bank account exists, so a statement
    that overlaps the last one can be imported safely. Two equal rows within one statement are both kept.
    """
    known = _fingerprints(journal, bank)
    posted = []
    for _, day, amount, label in read_statement(text, **options):
        if since is not None and day < since:
            continue
        key = (day, label, amount)
        if known.get(key, 0) > 0:
            known[key] -= 1
            continue
        account, tag = choose(rules, label)
        postings = (Posting(bank, amount, label), Posting(account, -amount))
        tags = frozenset({"import", tag} if tag else {"import"})
        posted.append(journal.post(Entry(day, label, postings, tags=tags)))
    return posted


def _fingerprints(journal, bank):
    counts: dict[tuple[date, str, Money], int] = {}
    for entry in journal.entries(account=bank):
        key = (entry.day, entry.description, entry.amount_on(bank))
        counts[key] = counts.get(key, 0) + 1
    return counts
