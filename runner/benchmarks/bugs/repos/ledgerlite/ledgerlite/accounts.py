"""The chart of accounts."""

from dataclasses import dataclass

from .errors import LedgerError, UnknownAccount

ASSET = "asset"
LIABILITY = "liability"
EQUITY = "equity"
INCOME = "income"
EXPENSE = "expense"

KINDS = (ASSET, LIABILITY, EQUITY, INCOME, EXPENSE)

DEBIT = "debit"
CREDIT = "credit"


@dataclass(frozen=True)
class Account:
    """One account. ``code`` is what postings refer to, ``name`` is for people."""

    code: str
    name: str
    kind: str
    active: bool = True

    def __post_init__(self):
        if self.kind not in KINDS:
            raise LedgerError(f"account {self.code}: kind must be one of {', '.join(KINDS)}, not {self.kind!r}")

    @property
    def normal_side(self):
        """The side on which the account grows: assets and expenses on the debit side, all others on the credit side."""
        if self.kind == ASSET or self.kind == EXPENSE:
            return DEBIT
        return CREDIT

    @property
    def is_temporary(self):
        """Income and expense accounts are closed at the end of the year."""
        return self.kind in (INCOME, EXPENSE)


class Chart:
    """The accounts of a business, by code."""

    def __init__(self, accounts=()):
        self._accounts = {}
        for account in accounts:
            self.add(account)

    @classmethod
    def standard(cls):
        """A small chart that is enough for a freelancer."""
        return cls(
            [
                Account("1000", "Bank", ASSET),
                Account("1100", "Receivables", ASSET),
                Account("1900", "Suspense", ASSET),
                Account("2000", "Payables", LIABILITY),
                Account("2200", "Tax payable", LIABILITY),
                Account("3000", "Owner's equity", EQUITY),
                Account("4000", "Sales", INCOME),
                Account("4900", "Other income", INCOME),
                Account("5000", "Purchases", EXPENSE),
                Account("6000", "Bank charges", EXPENSE),
                Account("6100", "Rent", EXPENSE),
            ]
        )

    def add(self, account):
        if account.code in self._accounts:
            raise LedgerError(f"account {account.code} exists already")
        self._accounts[account.code] = account

    def get(self, code):
        """The account with ``code``.

        Raises UnknownAccount when there is none.
        """
        try:
            return self._accounts[code]
        except KeyError:
            raise UnknownAccount(code) from None

    def find(self, text):
        """The one account whose code or name is ``text``, ignoring case and surrounding blanks; else None."""
        wanted = text.strip().lower()
        for account in self:
            if wanted in (account.code.lower(), account.name.lower()):
                return account
        return None

    def of_kind(self, *kinds):
        return [account for account in self if account.kind in kinds]

    def __contains__(self, code):
        return code in self._accounts

    def __iter__(self):
        return iter(sorted(self._accounts.values(), key=lambda account: account.code))

    def __len__(self):
        return len(self._accounts)
