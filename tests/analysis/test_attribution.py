from __future__ import annotations

import pytest

from analysis.attribution import comparable, confounded, differences
from tests.analysis.factory import CellSpec, meta_of


def told(first: CellSpec, second: CellSpec) -> list[str]:
    return [str(change) for change in differences(meta_of(first), meta_of(second))]


BASE = CellSpec()


def test_a_cell_does_not_differ_from_itself() -> None:
    assert told(BASE, BASE) == []


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ("aci/editor=none", "aci/editor: lint → none"),
        ("prompt/demonstration=none", "prompt/demonstration: default → none"),
        ("model.temperature=0.2", "model.temperature: 0.0 → 0.2"),
        ("model=gold", "model: embedded → gold"),
        ("environment=local", "environment: sandbox → local"),
        ("budget.steps=10", "budget.steps: 40 → 10.0"),
        ("agent=other", "agent: loop → other"),
        ("prompt.system=Hello", "prompt.system: one text → another"),
        ("aci.viewer.window=50", "aci.viewer.window: null → 50.0"),
        ("aci=bash_only", "aci: swe_agent → bash_only (viewer, editor, search)"),
    ],
)
def test_one_change_is_named_and_controlled(overrides: str, expected: str) -> None:
    changes = differences(meta_of(BASE), meta_of(CellSpec(overrides)))
    assert [str(c) for c in changes] == [expected]
    assert not confounded(changes)


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ("aci/editor=none aci/history=full", ["aci/editor: lint → none", "aci/history: last5 → full"]),
        ("model=gold aci/editor=none", ["model: embedded → gold", "aci/editor: lint → none"]),
        (
            "aci=bash_only prompt/demonstration=none",
            ["prompt/demonstration: default → none", "aci: swe_agent → bash_only (viewer, editor, search)"],
        ),
        ("aci/editor=none budget.steps=9", ["aci/editor: lint → none", "budget.steps: 40 → 9.0"]),
    ],
)
def test_two_changes_are_confounded_and_both_named(overrides: str, expected: list[str]) -> None:
    changes = differences(meta_of(BASE), meta_of(CellSpec(overrides)))
    assert sorted(str(c) for c in changes) == sorted(expected)
    assert confounded(changes)


def test_several_values_of_one_axis_are_one_change() -> None:
    changes = told(BASE, CellSpec("model.temperature=0.2 model.top_p=0.9"))
    assert changes == ["model (temperature 0.0 → 0.2, top_p null → 0.9)"]


def test_a_change_of_source_is_told_without_options_to_name() -> None:
    changes = differences(meta_of(BASE), meta_of(CellSpec(source="v2")))
    assert {c.axis for c in changes} == {"prompt", "aci"}
    assert all("source or versions" in str(c) for c in changes)


def test_a_change_of_option_is_not_hidden_behind_a_change_of_source() -> None:
    changes = told(BASE, CellSpec("aci/editor=none", source="v2"))
    assert "aci/editor: lint → none" in changes
    assert any("source or versions of viewer" in c for c in changes)


def test_digests_decide_not_the_config() -> None:
    first, second = meta_of(BASE), meta_of(BASE)
    second["config"]["benchmark"]["slice"] = "0:3"  # which instances: no part of a digest
    assert differences(first, second) == []


def test_an_axis_that_differs_in_digest_alone_is_named_with_its_digests() -> None:
    first, second = meta_of(BASE), meta_of(BASE)
    second["digests"]["environment"] = "f" * 64
    (change,) = differences(first, second)
    assert (
        str(change)
        == f"environment (source or versions changed, {first['digests']['environment'][:6]} to ffffff)"
    )


def test_cells_of_different_benchmarks_are_not_comparable() -> None:
    assert comparable(meta_of(BASE), meta_of(CellSpec("aci/editor=none")))
    assert not comparable(meta_of(BASE), meta_of(CellSpec("benchmark=humanevalfix")))
