import unittest
from datetime import date

from ledgerlite import Chart, Invoice, Journal, LineItem, Money, reports
from ledgerlite.importer import Rule, import_statement, read_statement
from ledgerlite.errors import ImportProblem

STATEMENT = """Date,Text,Amount
2024-01-03,Transfer from owner,1000.00
2024-01-05,RENT JANUARY,-400.00
"""


class ReportsTest(unittest.TestCase):
    def setUp(self):
        self.journal = Journal(Chart.standard())
        import_statement(STATEMENT, self.journal, [Rule("rent", "6100", "rent"), Rule("owner", "3000")])

    def test_trial_balance(self):
        report = reports.trial_balance(self.journal)
        self.assertTrue(report.balanced)
        self.assertEqual(report.debit, Money(100000))

    def test_render(self):
        text = reports.trial_balance(self.journal).render()
        self.assertIn("6100 Rent", text)
        self.assertIn("1,000.00", text)

    def test_income_statement(self):
        report = reports.income_statement(self.journal)
        self.assertEqual(report.profit, Money(-40000))
        self.assertIsNone(report.margin())
        self.assertIn("Loss", report.render())

    def test_balance_sheet(self):
        self.assertTrue(reports.balance_sheet(self.journal).balanced)

    def test_aged_receivables(self):
        invoice = Invoice("1", "ACME", date(2024, 1, 1), [LineItem("x", Money(100), tax="zero")], terms=10)
        invoice.post(self.journal)
        (row,) = reports.aged_receivables([invoice], date(2024, 1, 21))
        self.assertEqual(row.buckets[1], Money(100))
        self.assertEqual(row.total, Money(100))


class ImportTest(unittest.TestCase):
    def test_second_import_adds_nothing(self):
        journal = Journal(Chart.standard())
        self.assertEqual(len(import_statement(STATEMENT, journal)), 2)
        self.assertEqual(import_statement(STATEMENT, journal), [])

    def test_missing_column(self):
        with self.assertRaises(ImportProblem):
            read_statement("date,amount\n")

    def test_bad_amount_names_the_line(self):
        with self.assertRaises(ImportProblem) as caught:
            read_statement("date,amount,text\n2024-01-01,abc,x\n")
        self.assertEqual(caught.exception.line, 2)


if __name__ == "__main__":
    unittest.main()
