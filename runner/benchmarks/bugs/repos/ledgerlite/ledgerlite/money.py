"""Exact amounts of money.

Amounts are kept as an integer number of minor units (cents, pence); a float never enters. Where a result must be
rounded, it is rounded half up, away from zero, as tax offices do it.
"""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction
from functools import total_ordering

from .errors import CurrencyMismatch, LedgerError

DEFAULT_CURRENCY = "EUR"

#: How many digits the minor unit of a currency has. Currencies that are not listed have two.
EXPONENTS = {"JPY": 0, "KRW": 0, "CLP": 0, "BHD": 3, "KWD": 3, "TND": 3}

SYMBOLS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"}


def exponent(currency):
    """Digits after the decimal point of ``currency``."""
    return EXPONENTS.get(currency, 2)


def round_half_up(value):
    """Round a Decimal or Fraction to the nearest integer, halves away from zero."""
    if isinstance(value, Fraction):
        doubled = abs(value) * 2
        nearest = (doubled.numerator + doubled.denominator) // (2 * doubled.denominator)
        return nearest if value >= 0 else -nearest
    return int(Decimal(value).quantize(Decimal(1), rounding=ROUND_HALF_UP))


@total_ordering
class Money:
    """An amount in one currency. Immutable and hashable.

    ``minor`` is the number of minor units: ``Money(1050)`` is 10.50 euros.
    """

    __slots__ = ("_minor", "_currency")

    def __init__(self, minor=0, currency=DEFAULT_CURRENCY):
        if not isinstance(minor, int):
            raise TypeError(f"minor units must be an int, not {type(minor).__name__}")
        self._minor = minor
        self._currency = currency

    @property
    def minor(self):
        return self._minor

    @property
    def currency(self):
        return self._currency

    # -- making -----------------------------------------------------------------

    @classmethod
    def parse(cls, text, currency=None):
        """Read ``"1,234.50"``, ``"€ 12"``, ``"-3.5 USD"`` or ``"(12.00)"`` (accountants' minus).

        A symbol or code in the text wins over ``currency``.
        """
        body = text.strip()
        negative = False
        if body.startswith("(") and body.endswith(")"):
            negative = True
            body = body[1:-1].strip()
        for symbol, code in SYMBOLS.items():
            if symbol in body:
                currency = code
                body = body.replace(symbol, "")
        parts = body.split()
        if parts and len(parts[-1]) == 3 and parts[-1].isalpha():
            currency = parts.pop().upper()
        currency = currency or DEFAULT_CURRENCY
        digits = "".join(parts).replace(",", "")
        try:
            number = Decimal(digits)
        except InvalidOperation:
            raise LedgerError(f"not an amount of money: {text!r}") from None
        if negative:
            number = -number
        return cls.from_decimal(number, currency)

    @classmethod
    def from_decimal(cls, number, currency=DEFAULT_CURRENCY):
        """Money for a Decimal number of major units, rounded to the minor unit."""
        return cls(round_half_up(number.scaleb(exponent(currency))), currency)

    @classmethod
    def zero(cls, currency=DEFAULT_CURRENCY):
        return cls(0, currency)

    @classmethod
    def total(cls, amounts, currency=DEFAULT_CURRENCY):
        """Sum of ``amounts``; zero of ``currency`` when there are none."""
        amounts = list(amounts)
        if not amounts:
            return cls.zero(currency)
        result = amounts[0]
        for amount in amounts[1:]:
            result = result + amount
        return result

    # -- arithmetic -------------------------------------------------------------

    def _same(self, other):
        if self._currency != other._currency:
            raise CurrencyMismatch(self._currency, other._currency)

    def __add__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        self._same(other)
        return Money(self._minor + other._minor, self._currency)

    def __sub__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        self._same(other)
        return Money(self._minor - other._minor, self._currency)

    def __mul__(self, factor):
        if isinstance(factor, float):
            raise TypeError("multiply by an int, Decimal or Fraction, not by a float")
        if isinstance(factor, int):
            return Money(self._minor * factor, self._currency)
        return Money(round_half_up(Fraction(factor) * self._minor), self._currency)

    __rmul__ = __mul__

    def __neg__(self):
        return Money(-self._minor, self._currency)

    def __abs__(self):
        return Money(abs(self._minor), self._currency)

    def __bool__(self):
        return self._minor != 0

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return (self._minor, self._currency) == (other._minor, other._currency)

    def __lt__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        self._same(other)
        return self._minor < other._minor

    def __hash__(self):
        return hash((self._minor, self._currency))

    # -- dividing ---------------------------------------------------------------

    def allocate(self, ratios):
        """Share the amount in proportion to ``ratios`` without losing a cent.

        What rounding leaves over goes, one minor unit each, to the first shares whose ratio is not zero.

            >>> [str(m) for m in Money(100).allocate([1, 1, 1])]
            ['EUR 0.34', 'EUR 0.33', 'EUR 0.33']
        """
        ratios = [Fraction(r) for r in ratios]
        if not ratios or any(r < 0 for r in ratios) or not sum(ratios):
            raise LedgerError("ratios must be non-negative and not all zero")
        whole = sum(ratios)
        sign = -1 if self._minor < 0 else 1
        size = abs(self._minor)
        shares = [int(size * ratio / whole) for ratio in ratios]
        left = size - sum(shares)
        for index, ratio in enumerate(ratios):
            if left == 0:
                break
            if ratio:
                shares[index] += 1
                left -= 1
        return [Money(sign * share, self._currency) for share in shares]

    def split(self, parts):
        """``parts`` equal shares; see :meth:`allocate`."""
        if parts < 1:
            raise LedgerError("cannot split into less than one part")
        return self.allocate([1] * parts)

    # -- showing ----------------------------------------------------------------

    def to_decimal(self):
        return Decimal(self._minor).scaleb(-exponent(self._currency))

    def format(self, grouping=","):
        """The number alone, with thousands grouped: ``"1,234.50"``."""
        digits = exponent(self._currency)
        text = f"{abs(self.to_decimal()):,.{digits}f}".replace(",", grouping)
        return f"-{text}" if self._minor < 0 else text

    def __str__(self):
        return f"{self._currency} {self.format()}"

    def __repr__(self):
        return f"Money({self._minor}, {self._currency!r})"
