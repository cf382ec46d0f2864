"""Tax rates and the arithmetic between net and gross amounts."""

from dataclasses import dataclass
from fractions import Fraction

from .errors import LedgerError
from .money import Money


@dataclass(frozen=True)
class TaxRate:
    """A named rate in percent."""

    name: str
    percent: Fraction

    def on(self, net):
        """Tax due on a net amount."""
        return net * (self.percent / 100)

    def gross(self, net):
        """Net plus tax."""
        return net + self.on(net)

    def extract(self, gross):
        """Split a gross amount into ``(net, tax)``; the two always add up to ``gross``."""
        net = gross * (1 / (1 + self.percent / 100))
        return net, gross - net


RATES = {
    "standard": TaxRate("standard", Fraction(20)),
    "reduced": TaxRate("reduced", Fraction(11, 2)),
    "zero": TaxRate("zero", Fraction(0)),
}


def rate(name):
    """The rate called ``name``; upper and lower case do not matter."""
    try:
        return RATES[name.strip().lower()]
    except KeyError:
        known = ", ".join(sorted(RATES))
        raise LedgerError(f"unknown tax rate {name!r}, known: {known}") from None


def summarize(items):
    """Tax per rate for ``(net, rate name)`` pairs.

    Tax is computed once per rate, on the sum of the nets, as it must appear on an invoice; computing it line by line
    and adding would round more than once.
    """
    nets = {}
    for net, name in items:
        key = rate(name).name
        nets[key] = nets[key] + net if key in nets else net
    return {key: rate(key).on(net) for key, net in nets.items()}


def total_tax(items, currency):
    """Sum of :func:`summarize`."""
    return Money.total(summarize(items).values(), currency)
