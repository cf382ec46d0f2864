"""A fingerprint changes with what an episode is, and with nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

from runner.compose.fingerprint import digest, source_digest
from tests.composed import cell


def test_same_config_same_fingerprint() -> None:
    assert cell().fingerprint == cell().fingerprint
    assert digest({"b": 1, "a": "ü"}) == digest({"a": "ü", "b": 1})


def test_what_is_not_part_of_it(tmp_path: Path) -> None:
    base = cell().fingerprint
    for override in (
        f"paths.outputs={tmp_path}",
        "executor.workers=7",
        "benchmark.slice=0:2",
        "repeats=3",
        "tracking=none",
        "experiment_name=other",
        "budget.total_cost=5",
    ):
        assert cell(override).fingerprint == base, override


def test_one_override_moves_one_axis_and_one_part() -> None:
    base = cell()
    for override, axis, part in (
        ("aci/editor=no_lint", "aci", "aci.editor"),
        ("aci/viewer=window30", "aci", "aci.viewer"),
        ("aci/history=full", "aci", "aci.history"),
        ("prompt/demonstration=none", "prompt", "prompt.demonstration"),
    ):
        changed = cell(override)
        axes = {k for k in base.digests if k != "parts" and base.digests[k] != changed.digests[k]}
        parts = {k for k in base.digests["parts"] if base.digests["parts"][k] != changed.digests["parts"][k]}
        assert (axes, parts) == ({axis}, {part}), override
    moved = cell("budget.steps=3")
    assert {k for k in base.digests if base.digests[k] != moved.digests[k]} == {"budget"}


def test_comments_do_not_count_and_docstrings_do() -> None:
    plain = ast.dump(ast.parse("def f():\n    'doc'\n    return 1\n"))
    assert ast.dump(ast.parse("# note\ndef f():  # x\n    'doc'\n\n    return 1\n")) == plain
    assert ast.dump(ast.parse("def f():\n    'other'\n    return 1\n")) != plain
    assert len(source_digest("aci_plugins.history.observations")) == 64


def test_the_order_of_a_chain_counts() -> None:
    one, other = (
        cell("aci/history=chain", f"aci/history/policies=[{links}]") for links in ("full,last5", "last5,full")
    )
    assert one.digests["parts"]["aci.history"] != other.digests["parts"]["aci.history"]
    assert one.fingerprint != other.fingerprint
