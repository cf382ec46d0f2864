import unittest
from datetime import date

from ledgerlite import Chart, CreditNote, Invoice, Journal, LineItem, Money
from ledgerlite.errors import LedgerError


def sample(**options):
    invoice = Invoice("1", "ACME", date(2024, 3, 1), **options)
    return invoice.add(LineItem("Work", Money(10000), quantity=2)).add(LineItem("Book", Money(2000), tax="reduced"))


class InvoiceTest(unittest.TestCase):
    def setUp(self):
        self.journal = Journal(Chart.standard())

    def test_totals(self):
        invoice = sample()
        self.assertEqual(invoice.net, Money(22000))
        self.assertEqual(invoice.tax, Money(4110))
        self.assertEqual(invoice.gross, Money(26110))

    def test_discount(self):
        self.assertEqual(LineItem("x", Money(999), discount=50).net, Money(500))

    def test_post_and_pay(self):
        invoice = sample()
        invoice.post(self.journal)
        invoice.pay(Money(26110), date(2024, 3, 5), self.journal)
        self.assertTrue(invoice.is_settled())
        self.assertEqual(self.journal.balance("1000"), Money(26110))
        self.assertEqual(self.journal.balance("1100"), Money(0))

    def test_overpaying_is_refused(self):
        invoice = sample()
        invoice.post(self.journal)
        with self.assertRaises(LedgerError):
            invoice.pay(Money(26111), date(2024, 3, 5))

    def test_status(self):
        invoice = sample()
        self.assertEqual(invoice.status(date(2024, 3, 2)), "draft")
        invoice.post(self.journal)
        self.assertEqual(invoice.status(date(2024, 3, 2)), "open")
        invoice.pay(Money(100), date(2024, 3, 3))
        self.assertEqual(invoice.status(date(2024, 3, 3)), "partial")
        self.assertEqual(invoice.status(date(2024, 5, 1)), "overdue")

    def test_posted_invoices_do_not_change(self):
        invoice = sample()
        invoice.post(self.journal)
        with self.assertRaises(LedgerError):
            invoice.add(LineItem("late", Money(1)))

    def test_credit_note(self):
        invoice = sample()
        invoice.post(self.journal)
        CreditNote("C1", invoice, [LineItem("Work", Money(10000))], date(2024, 3, 9)).post(self.journal)
        self.assertEqual(invoice.balance, Money(14110))


if __name__ == "__main__":
    unittest.main()
