import unittest
from datetime import date

from ledgerlite import Chart, Entry, Journal, Money, Posting
from ledgerlite.errors import LedgerError, UnbalancedEntry, UnknownAccount


class JournalTest(unittest.TestCase):
    def setUp(self):
        self.journal = Journal(Chart.standard())
        self.journal.record(date(2024, 1, 2), "Opening", "1000", "3000", Money(100000))
        self.journal.record(date(2024, 1, 10), "Rent January", "6100", "1000", Money(40000))
        self.journal.record(date(2024, 2, 10), "Rent February", "6100", "1000", Money(40000))

    def test_balance_of_bank(self):
        self.assertEqual(self.journal.balance("1000"), Money(20000))

    def test_balance_until(self):
        self.assertEqual(self.journal.balance("1000", until=date(2024, 1, 31)), Money(60000))

    def test_balance_of_equity_is_positive(self):
        self.assertEqual(self.journal.balance("3000"), Money(100000))

    def test_statement(self):
        rows = self.journal.statement("1000", since=date(2024, 2, 1))
        self.assertEqual([row.balance for row in rows], [Money(20000)])

    def test_unknown_account(self):
        with self.assertRaises(UnknownAccount):
            self.journal.record(date(2024, 3, 1), "?", "9999", "1000", Money(1))

    def test_unbalanced(self):
        postings = (Posting("1000", Money(5)), Posting("3000", Money(-4)))
        with self.assertRaises(UnbalancedEntry):
            self.journal.post(Entry(date(2024, 3, 1), "off", postings))

    def test_search(self):
        self.assertEqual(len(self.journal.search("rent")), 2)

    def test_closed_period(self):
        self.journal.close(date(2024, 1, 31))
        with self.assertRaises(LedgerError):
            self.journal.record(date(2024, 1, 31), "late", "6100", "1000", Money(1))

    def test_reversal(self):
        entry = next(self.journal.entries(account="6100"))
        self.journal.post(entry.reversed(date(2024, 3, 1)))
        self.assertEqual(self.journal.balance("6100"), Money(40000))


if __name__ == "__main__":
    unittest.main()
