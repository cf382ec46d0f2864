"""Against values in the literature and against brute force."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest

from analysis.stats import (
    compare,
    effective_size,
    holm,
    mcnemar_exact,
    minimal_detectable_effect,
    paired_interval,
    rate_interval,
    sign_flip,
    wilson,
)

SHARED = Path(__file__).resolve().parents[2] / "../shared"


def pairs(
    both: int, first: int, second: int, neither: int
) -> tuple[dict[str, list[bool]], dict[str, list[bool]]]:
    """Outcomes of a 2x2 table of pairs."""
    ours: dict[str, list[bool]] = {}
    theirs: dict[str, list[bool]] = {}
    for count, a, b in (
        (both, True, True),
        (first, True, False),
        (second, False, True),
        (neither, False, False),
    ):
        for _ in range(count):
            ours[f"i{len(ours)}"] = [a]
            theirs[f"i{len(theirs)}"] = [b]
    return ours, theirs


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [  # Newcombe (1998), Stat. Med. 17, 857-872, Table I, method 3 (score, uncorrected)
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_newcombes_published_values(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (5, 5), (1, 1), (0, 1)])
def test_wilson_stays_within_0_and_1_and_covers_the_estimate(successes: int, n: int) -> None:
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (0, 0)])
def test_wilson_refuses_impossible_counts(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="successes"):
        wilson(successes, n)


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [  # Newcombe (1998), Stat. Med. 17, 2635-2650, Table II, method 10
        ((36, 12, 2, 0), 0.0569, 0.3404),
        ((20, 12, 2, 16), 0.0562, 0.3290),
        # Fagerland, Lydersen and Laake (2014), Stat. Med. 33, 2850-2875, airway hyper-responsiveness
        ((1, 1, 7, 12), -0.507, -0.026),
    ],
)
def test_the_paired_interval_gives_published_values(
    table: tuple[int, int, int, int], low: float, high: float
) -> None:
    assert paired_interval(*pairs(*table)) == pytest.approx((low, high), abs=6e-4)


def test_the_paired_interval_does_not_collapse_when_no_pair_differs() -> None:
    low, high = paired_interval(*pairs(6, 0, 0, 6))
    assert low < -0.05
    assert high > 0.05


def test_the_paired_interval_needs_the_same_instances() -> None:
    with pytest.raises(ValueError, match="same instances"):
        paired_interval({"a": [True]}, {"b": [True]})


def test_exact_mcnemar_gives_published_values() -> None:
    assert mcnemar_exact(1, 7) == pytest.approx(0.0703, abs=5e-5)  # Fagerland et al. (2014)
    assert mcnemar_exact(6, 16) == pytest.approx(0.0525, abs=5e-5)  # the same, complete response after CVE
    assert mcnemar_exact(0, 0) == 1.0


@pytest.mark.parametrize(("better", "worse"), [(0, 1), (3, 3), (8, 13), (0, 6), (40, 20)])
def test_without_repeats_the_sign_flip_test_is_exact_mcnemar(better: int, worse: int) -> None:
    differences = [Fraction(1)] * better + [Fraction(-1)] * worse + [Fraction(0)] * 9
    assert sign_flip(differences) == pytest.approx(mcnemar_exact(better, worse))


def test_the_sign_flip_test_counts_all_assignments() -> None:
    differences = [Fraction(n, 5) for n in (3, -1, 2, 5, -2, 4, 1)]
    observed = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    assert sign_flip(differences) == pytest.approx(sum(s >= observed for s in sums) / len(sums))


def test_repeats_are_no_independent_evidence() -> None:
    ours = {f"i{n}": [True] * 10 for n in range(3)}
    theirs = {f"i{n}": [False] * 10 for n in range(3)}
    against = compare(ours, theirs)
    assert against is not None
    # Three instances can at best give 2 of 2^3 assignments; thirty "pairs" would have given 2e-9.
    assert against.p_value == pytest.approx(0.25)


def test_huge_lattices_are_sampled_reproducibly_and_nearly_exactly() -> None:
    denominators = [101, 103, 107, 109, 113, 127, 131, 137]
    differences = [Fraction(d // 2 + n, d) * (-1) ** (n % 3) for n, d in enumerate(denominators)]
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    exact = sum(s >= abs(sum(differences)) for s in sums) / len(sums)
    assert sign_flip(differences) == sign_flip(differences)
    assert sign_flip(differences) == pytest.approx(exact, abs=0.01)


def test_holm_gives_the_textbook_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_effective_size_lies_between_instances_and_episodes() -> None:
    same = {f"i{n}": [n < 5] * 4 for n in range(10)}  # repeats agree: nothing new
    mixed = {f"i{n}": [True, False, True, False] for n in range(10)}  # repeats as varied as can be
    assert effective_size(same) == pytest.approx(10, rel=0.11)
    assert effective_size(mixed) == 40
    low, high = rate_interval(same)
    assert (low, high) == pytest.approx(wilson(5, 10), abs=0.02)
    assert rate_interval({f"i{n}": [n < 5] for n in range(10)}) == wilson(5, 10)


def test_instances_that_one_side_lacks_are_dropped_and_counted() -> None:
    against = compare({"a": [True], "b": [True], "c": [False]}, {"a": [False], "d": [True]})
    assert against is not None
    assert (against.pairs, against.dropped, against.delta) == (1, 3, 1.0)
    assert compare({"a": [True]}, {"b": [True]}) is None


def test_the_minimal_detectable_effect_has_the_power_it_promises() -> None:
    effect = minimal_detectable_effect(300, 0.2)
    assert effect is not None
    # Connor's formula turned round: the sample size for this effect is the one we asked for.
    z_a, z_b = 1.959964, 0.841621
    n = ((z_a * 0.2**0.5 + z_b * (0.2 - effect**2) ** 0.5) / effect) ** 2
    assert n == pytest.approx(300, rel=1e-3)
    assert minimal_detectable_effect(12, 0.1) is None


def test_two_published_runs_compare_as_expected() -> None:
    if not SHARED.is_dir():
        pytest.skip("needs the shared data folder beside the checkout")
    expected = json.loads((SHARED / "data/published/expected.json").read_text("utf-8"))
    runs, told = expected["runs"], expected["pairs"]["run1_vs_run2"]
    everything = [f"other{n}" for n in range(told["neither"])]
    solved = [set(runs[name]["resolved"]) for name in ("sweagent_lite_run1", "sweagent_lite_run2")]
    ids = sorted(solved[0] | solved[1]) + everything
    first, second = ({i: [i in one] for i in ids} for one in solved)
    against = compare(first, second)
    assert against is not None
    assert against.pairs == expected["denominators"]["sweagent_lite"]
    assert (against.better, against.worse) == (told["only_first"], told["only_second"])
    assert against.p_value == pytest.approx(told["mcnemar_exact_p"], abs=1e-5)
