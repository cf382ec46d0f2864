import unittest
from decimal import Decimal
from fractions import Fraction

from ledgerlite.errors import CurrencyMismatch, LedgerError
from ledgerlite.money import Money


class ParseTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(Money.parse("12.50"), Money(1250))

    def test_grouping(self):
        self.assertEqual(Money.parse("1,234.50"), Money(123450))

    def test_symbol_and_code(self):
        self.assertEqual(Money.parse("$ 3"), Money(300, "USD"))
        self.assertEqual(Money.parse("3.5 gbp"), Money(350, "GBP"))

    def test_accountants_minus(self):
        self.assertEqual(Money.parse("(12.00)"), Money(-1200))

    def test_yen_has_no_minor_unit(self):
        self.assertEqual(Money.parse("500 JPY"), Money(500, "JPY"))

    def test_garbage(self):
        with self.assertRaises(LedgerError):
            Money.parse("twelve")


class ArithmeticTest(unittest.TestCase):
    def test_add_and_subtract(self):
        self.assertEqual(Money(100) + Money(50), Money(150))
        self.assertEqual(Money(100) - Money(150), Money(-50))

    def test_currency_mismatch(self):
        with self.assertRaises(CurrencyMismatch):
            Money(1) + Money(1, "USD")

    def test_multiply_rounds_half_up(self):
        self.assertEqual(Money(5) * Fraction(1, 2), Money(3))
        self.assertEqual(Money(-5) * Fraction(1, 2), Money(-3))

    def test_no_floats(self):
        with self.assertRaises(TypeError):
            Money(5) * 0.5

    def test_order(self):
        self.assertLess(Money(1), Money(2))
        self.assertGreaterEqual(Money(2), Money(2))

    def test_total_of_nothing(self):
        self.assertEqual(Money.total([], "USD"), Money(0, "USD"))


class AllocateTest(unittest.TestCase):
    def test_even(self):
        self.assertEqual(Money(90).split(3), [Money(30)] * 3)

    def test_one_cent_over(self):
        self.assertEqual(Money(100).split(3), [Money(34), Money(33), Money(33)])

    def test_bad_ratios(self):
        with self.assertRaises(LedgerError):
            Money(100).allocate([0, 0])


class FormatTest(unittest.TestCase):
    def test_format(self):
        self.assertEqual(Money(123456).format(), "1,234.56")
        self.assertEqual(Money(-5).format(), "-0.05")
        self.assertEqual(str(Money(500, "JPY")), "JPY 500")

    def test_to_decimal(self):
        self.assertEqual(Money(1050).to_decimal(), Decimal("10.50"))


if __name__ == "__main__":
    unittest.main()
