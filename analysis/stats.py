"""The statistics of the tables: intervals for rates and for paired differences, exact paired tests.

Everything here treats the *instance* as the unit that was sampled. Repeats of one instance are averaged
first, because they are not independent evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

Outcomes = Mapping[str, Sequence[bool]]
"""Per instance id: whether each graded repeat was resolved."""

_LATTICE = 4_000_000  # integer sums up to this size are enumerated exactly (a few seconds at worst)
_SAMPLES, _SEED = 200_000, 20240515


@dataclass(frozen=True, slots=True)
class Comparison:
    """A variant against its baseline on the instances that both have a result for.

    Attributes:
        pairs: instances compared; ``dropped``: instances that only one side has a result for.
        delta: mean difference of resolved rates, variant minus baseline, -1..1; ``low``/``high`` its interval.
        p_value: of the exact paired test.
        better, worse: instances on which the variant's rate is higher, lower.
    """

    pairs: int
    dropped: int
    delta: float
    low: float
    high: float
    p_value: float
    better: int
    worse: int


def compare(variant: Outcomes, baseline: Outcomes, confidence: float = 0.95) -> Comparison | None:
    """Compare two cells on their common instances; None when there are none.

    Test: :func:`sign_flip`. Interval: :func:`paired_interval`.
    """
    common = sorted(variant.keys() & baseline.keys())
    if not common:
        return None
    ours = [_mean(variant[i]) for i in common]
    theirs = [_mean(baseline[i]) for i in common]
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    low, high = paired_interval({i: variant[i] for i in common}, {i: baseline[i] for i in common}, confidence)
    return Comparison(
        pairs=len(common),
        dropped=len(variant.keys() ^ baseline.keys()),
        delta=float(sum(differences) / len(common)),
        low=low,
        high=high,
        p_value=sign_flip(differences),
        better=sum(d > 0 for d in differences),
        worse=sum(d < 0 for d in differences),
    )


def wilson(successes: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Score interval for a proportion, without continuity correction.

    Wilson, E. B. (1927), J. Am. Stat. Assoc. 22, 209-212; recommended for small n by Brown, Cai and DasGupta
    (2001), Stat. Sci. 16, 101-133. ``n`` and ``successes`` may be effective (fractional) sizes.

    Raises:
        ValueError: n <= 0, or successes outside 0..n.
    """
    if not 0 <= successes <= n or n <= 0:
        raise ValueError(f"need 0 <= successes <= n and n > 0, got {successes} of {n}")
    z = _z(confidence)
    p = successes / n
    centre = p + z * z / (2 * n)
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At 0 and n the bound is exactly 0 or 1; rounding must not push it past the estimate.
    low = 0.0 if successes == 0 else (centre - half) / scale
    high = 1.0 if successes == n else (centre + half) / scale
    return max(0.0, low), min(1.0, high)


def rate_interval(outcomes: Outcomes, confidence: float = 0.95) -> tuple[float, float]:
    """Interval for a resolved rate: Wilson's, with an effective sample size when instances were repeated.

    The effective size is n·p(1-p) / (variance of the rate over instances), the design-effect adjustment of Korn
    and Graubard (1998), Survey Methodology 24, 193-201, kept between the number of instances (repeats say
    nothing new) and the number of episodes (repeats are independent). Without repeats it is plain Wilson.

    Raises:
        ValueError: no outcomes.
    """
    episodes = sum(len(o) for o in outcomes.values())
    resolved = sum(sum(o) for o in outcomes.values())
    if episodes == 0:
        raise ValueError("need at least one outcome")
    rate = resolved / episodes
    size = effective_size(outcomes)
    return wilson(rate * size, size, confidence)


def effective_size(outcomes: Outcomes) -> float:
    """How many independent episodes the outcomes are worth; see :func:`rate_interval`."""
    instances = len(outcomes)
    episodes = sum(len(o) for o in outcomes.values())
    if episodes == instances:
        return float(instances)
    rate = sum(sum(o) for o in outcomes.values()) / episodes
    if instances < 2 or rate in (0.0, 1.0):
        return float(instances)
    # Linearised variance of a ratio estimate over clusters of unequal size.
    spread = sum((sum(o) - rate * len(o)) ** 2 for o in outcomes.values())
    variance = instances / (instances - 1) * spread / episodes**2
    size = rate * (1 - rate) / variance if variance > 0 else float(episodes)
    return min(max(size, float(instances)), float(episodes))


def paired_interval(variant: Outcomes, baseline: Outcomes, confidence: float = 0.95) -> tuple[float, float]:
    """Interval for the difference of two paired rates, variant minus baseline (the same instances in both).

    Square-and-add of the two Wilson intervals with their correlation: method 10 of Newcombe, R. G. (1998),
    Stat. Med. 17, 2635-2650, recommended by Fagerland, Lydersen and Laake (2014), Stat. Med. 33, 2850-2875. It
    stays sensible when few or no pairs differ, where Wald's and the bootstrap collapse to a point. With
    repeats, the rates are means of instances' means, the single intervals are those of
    :func:`rate_interval` and the correlation is Pearson's over instances: the general form of the method by Zou
    and Donner (2008), Stat. Med. 27, 1693-1702.

    Raises:
        ValueError: no instances, or not the same ones.
    """
    if variant.keys() != baseline.keys() or not variant:
        raise ValueError("both sides need the same instances, at least one")
    ids = sorted(variant)
    ours, theirs = [float(_mean(variant[i])) for i in ids], [float(_mean(baseline[i])) for i in ids]
    p1, p2 = sum(ours) / len(ids), sum(theirs) / len(ids)
    n1, n2 = effective_size(variant), effective_size(baseline)
    l1, u1 = wilson(p1 * n1, n1, confidence)
    l2, u2 = wilson(p2 * n2, n2, confidence)
    single = all(len(variant[i]) == len(baseline[i]) == 1 for i in ids)
    r = _phi(ours, theirs) if single else _pearson(ours, theirs)
    delta = p1 - p2
    down = (p1 - l1) ** 2 - 2 * r * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2
    up = (u1 - p1) ** 2 - 2 * r * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2
    return max(-1.0, delta - sqrt(max(down, 0.0))), min(1.0, delta + sqrt(max(up, 0.0)))


def mcnemar_exact(better: int, worse: int) -> float:
    """Two-sided exact McNemar test: the binomial test on the pairs that differ.

    McNemar, Q. (1947), Psychometrika 12, 153-157, in its exact conditional form. 1.0 when no pair differs.
    """
    from scipy.stats import binomtest

    return float(binomtest(better, better + worse, 0.5).pvalue) if better + worse else 1.0


def sign_flip(differences: Sequence[Fraction]) -> float:
    """Two-sided exact paired permutation test on per-instance differences.

    Under the null hypothesis each instance's difference is as likely with the other sign (Fisher's
    randomisation test for pairs; Good (2005), *Permutation, Parametric and Bootstrap Tests*, 3rd ed.). The
    p-value is the share of all 2^n sign assignments whose sum is at least as far from 0 as the one observed. The
    instance is the cluster: repeats enter through its mean. Without repeats the differences are -1, 0, 1 and
    this *is* :func:`mcnemar_exact`.

    All assignments are counted exactly, by adding one instance at a time to the distribution of integer sums.
    If repeats are so uneven that those integers grow beyond a few million, 200,000 assignments are
    sampled with a fixed seed instead, counting the observed one (Phipson and Smyth (2010), SAGMB 9:39).
    """
    import numpy as np

    nonzero = [abs(d) for d in differences if d]
    if not nonzero:
        return 1.0
    scale = lcm(*(d.denominator for d in nonzero))
    sizes = [int(d * scale) for d in nonzero]
    observed = abs(sum(int(d * scale) for d in differences if d))
    if observed == 0:
        return 1.0
    if sum(sizes) > _LATTICE:
        signs = np.random.default_rng(_SEED).integers(0, 2, (_SAMPLES, len(sizes)), dtype=np.int8) * 2 - 1
        sums = np.abs(signs @ np.array([float(s) for s in sizes]))
        return float((np.count_nonzero(sums >= observed * (1 - 1e-12)) + 1) / (_SAMPLES + 1))
    chance = _sum_distribution(sizes)
    total = sum(sizes)
    # Index i holds the chance that the positive signs add up to i, that is, that the sum is 2i - total.
    sums = np.abs(2 * np.arange(total + 1) - total)
    return float(min(1.0, chance[sums >= observed].sum()))


def _sum_distribution(sizes: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    import numpy as np

    chance = np.zeros(sum(sizes) + 1)
    chance[0] = 1.0
    reach = 0
    for size, times in sorted(Counter(sizes).items()):
        for _ in range(times):
            chance[size : reach + size + 1] += chance[: reach + 1].copy()
            reach += size
            chance[: reach + 1] *= 0.5
    return chance


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values that control the chance of any false difference in a table.

    Holm, S. (1979), Scand. J. Statist. 6, 65-70. Order is kept.
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, index in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = running
    return adjusted


def minimal_detectable_effect(
    pairs: int, discordant: float, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """The smallest difference of two paired rates that a two-sided McNemar test finds with ``power``.

    Normal approximation of Connor, R. J. (1987), Biometrics 43, 207-211: solve
    ``z_a·sqrt(psi) + z_b·sqrt(psi - d²) = d·sqrt(n)`` for d, where psi is ``discordant``, the share of pairs that
    differ. None when even the largest possible difference, psi itself, would be missed too often.

    Raises:
        ValueError: pairs < 1, or discordant outside 0..1.
    """
    from scipy.optimize import brentq

    if pairs < 1 or not 0 <= discordant <= 1:
        raise ValueError(f"need pairs >= 1 and 0 <= discordant <= 1, got {pairs} and {discordant}")
    z_a, z_b = _z(1 - alpha), _z(2 * power - 1)

    def short(d: float) -> float:
        return z_a * sqrt(discordant) + z_b * sqrt(max(discordant - d * d, 0.0)) - d * sqrt(pairs)

    if discordant == 0 or short(discordant) > 0:
        return None
    return float(brentq(short, 0.0, discordant))


def _z(confidence: float) -> float:
    """The two-sided normal quantile."""
    from scipy.special import ndtri

    return float(ndtri(0.5 + confidence / 2))


def _mean(outcomes: Sequence[bool]) -> Fraction:
    return Fraction(sum(outcomes), len(outcomes))


def _phi(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Newcombe's phi of a 2x2 table, shrunk by n/2 where positive (his equation for method 10)."""
    n = len(ours)
    both = sum(1 for a, b in zip(ours, theirs, strict=True) if a and b)
    first, second = sum(1 for a in ours if a), sum(1 for b in theirs if b)
    only_first, only_second = first - both, second - both
    neither = n - both - only_first - only_second
    product = first * (n - first) * second * (n - second)
    if product == 0:
        return 0.0
    cross = float(both * neither - only_first * only_second)
    if cross > 0:
        cross = max(cross - n / 2, 0.0)
    return cross / sqrt(product)


def _pearson(ours: Sequence[float], theirs: Sequence[float]) -> float:
    import numpy as np

    if len(ours) < 2 or np.ptp(ours) == 0 or np.ptp(theirs) == 0:
        return 0.0
    return float(np.corrcoef(ours, theirs)[0, 1])
