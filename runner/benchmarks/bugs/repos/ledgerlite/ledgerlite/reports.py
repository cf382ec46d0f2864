"""What the books say: trial balance, income statement, balance sheet, aged receivables."""

from dataclasses import dataclass, field

from .accounts import ASSET, CREDIT, EQUITY, EXPENSE, INCOME, LIABILITY
from .money import Money

#: Upper ends, in days, of the columns of an aged receivables report; one more column takes the rest.
AGE_BUCKETS = (0, 30, 60, 90)


def _rule(width):
    return "-" * width


def _line(label, amount, width=48):
    text = amount.format()
    return f"{label:<{width - len(text)}}{text}"


@dataclass
class TrialBalance:
    """Accounts with their balances in a debit and a credit column."""

    rows: list = field(default_factory=list)
    debit: Money = Money()
    credit: Money = Money()

    @property
    def balanced(self):
        return self.debit == self.credit

    def render(self, width=60):
        """Plain text, one account a line."""
        lines = []
        for account, debit, credit in self.rows:
            left = debit.format() if debit else ""
            right = credit.format() if credit else ""
            label = f"{account.code} {account.name}"
            lines.append(f"{label:<{width - 28}}{left:>14}{right:>14}")
        lines.append(_rule(width))
        lines.append(f"{'':<{width - 28}}{self.debit.format():>14}{self.credit.format():>14}")
        return "\n".join(lines)


def trial_balance(journal, until=None, include_empty=False):
    """All accounts with a balance, each on the side where it stands.

    An account that stands on the other side than normal (an overdrawn bank account) is listed there with a positive
    amount.
    """
    zero = Money.zero(journal.currency)
    result = TrialBalance(debit=zero, credit=zero)
    for account in journal.chart:
        balance = journal.balance(account.code, until=until)
        if not balance and not include_empty:
            continue
        on_credit = account.normal_side == CREDIT
        if balance < zero:
            on_credit = not on_credit
            balance = -balance
        if on_credit:
            result.rows.append((account, zero, balance))
            result.credit = result.credit + balance
        else:
            result.rows.append((account, balance, zero))
            result.debit = result.debit + balance
    return result


@dataclass
class IncomeStatement:
    """Income and expenses of a period."""

    income: list
    expenses: list
    currency: str

    @property
    def total_income(self):
        return Money.total((amount for _, amount in self.income), self.currency)

    @property
    def total_expenses(self):
        return Money.total((amount for _, amount in self.expenses), self.currency)

    @property
    def profit(self):
        return self.total_income - self.total_expenses

    def margin(self):
        """Profit in percent of income, one decimal; None without income."""
        income = self.total_income
        if not income:
            return None
        return round(self.profit.minor * 100 / income.minor, 1)

    def render(self):
        lines = ["Income"]
        lines += [_line(f"  {account.name}", amount) for account, amount in self.income]
        lines.append(_line("Total income", self.total_income))
        lines.append("Expenses")
        lines += [_line(f"  {account.name}", amount) for account, amount in self.expenses]
        lines.append(_line("Total expenses", self.total_expenses))
        lines.append(_rule(48))
        lines.append(_line("Profit" if self.profit >= Money.zero(self.currency) else "Loss", self.profit))
        return "\n".join(lines)


def income_statement(journal, since=None, until=None):
    """Accounts with a balance in the period; closing entries are left out."""

    def collect(kind):
        rows = []
        for account in journal.chart.of_kind(kind):
            amount = Money.zero(journal.currency)
            for entry in journal.entries(since, until, account=account.code):
                if "closing" not in entry.tags:
                    amount = amount + entry.amount_on(account.code)
            if account.normal_side == CREDIT:
                amount = -amount
            if amount:
                rows.append((account, amount))
        return rows

    return IncomeStatement(collect(INCOME), collect(EXPENSE), journal.currency)


@dataclass
class BalanceSheet:
    """Assets against liabilities and equity on a day."""

    assets: Money
    liabilities: Money
    equity: Money
    result: Money

    @property
    def balanced(self):
        return self.assets == self.liabilities + self.equity + self.result


def balance_sheet(journal, until=None):
    """Sums by kind; ``result`` is what income and expense accounts have not passed on to equity yet."""

    def total(*kinds):
        amounts = (journal.balance(account.code, until=until) for account in journal.chart.of_kind(*kinds))
        return Money.total(amounts, journal.currency)

    return BalanceSheet(total(ASSET), total(LIABILITY), total(EQUITY), total(INCOME) - total(EXPENSE))


@dataclass
class AgedRow:
    """What one customer owes, by age."""

    customer: str
    buckets: list

    @property
    def total(self):
        return Money.total(self.buckets, self.buckets[0].currency)


def bucket_index(days, limits=AGE_BUCKETS):
    """Index of the column for a debt that is ``days`` overdue."""
    for index, limit in enumerate(limits):
        if days <= limit:
            return index
    return len(limits)


def aged_receivables(invoices, today, limits=AGE_BUCKETS):
    """Open amounts by customer and days overdue, customers in alphabetical order.

    The first column holds what is not overdue.
    """
    rows = {}
    for invoice in invoices:
        if not invoice.posted or invoice.is_settled():
            continue
        if invoice.customer not in rows:
            empty = [Money.zero(invoice.currency) for _ in range(len(limits) + 1)]
            rows[invoice.customer] = AgedRow(invoice.customer, empty)
        row = rows[invoice.customer]
        column = bucket_index(invoice.days_overdue(today), limits)
        row.buckets[column] = row.buckets[column] + invoice.balance
    return [rows[name] for name in sorted(rows, key=str.lower)]
