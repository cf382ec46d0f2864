from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from analysis.compact import compact
from analysis.reference import paper
from analysis.stats import mcnemar_exact, wilson
from analysis.table import ablation_table, render
from runner.errors import UserError
from tests.analysis.factory import (
    PAPER_TABLE_3,
    CellSpec,
    Outcome,
    ids,
    outcomes,
    paper_like,
    random_outcomes,
    write_cell,
    write_sweep,
)

SHARED = Path(__file__).resolve().parents[2] / "../shared"
PROMISED = {
    *(
        "fingerprint",
        "tuple",
        "differs",
        "n",
        "resolved",
        "errors",
        "rate",
        "ci_low",
        "ci_high",
        "delta",
        "p_value",
    ),
    *("cost", "steps", "p_holm", "group", "label", "reference", "confounded", "unfinished", "repeats"),
}


def by_label(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["label"]: row for row in rows}


def simple(*specs: tuple[str, list[int]], count: int = 10) -> list[CellSpec]:
    return [CellSpec(overrides, outcomes(resolved, count), ids(count)) for overrides, resolved in specs]


def test_numbers_of_a_row_are_those_of_the_records(tmp_path: Path) -> None:
    write_sweep(tmp_path, "lab", simple(("", [0, 1, 2, 3, 4, 5]), ("aci/editor=none", [0, 6])))
    rows = by_label(ablation_table(tmp_path, "lab"))
    row = rows["aci/editor=none"]
    assert row.keys() >= PROMISED
    assert (row["n"], row["resolved"], row["errors"], row["rate"]) == (10, 2, 0, 0.2)
    assert (row["ci_low"], row["ci_high"]) == wilson(2, 10)
    assert row["delta"] == pytest.approx(-0.4)
    assert row["p_value"] == pytest.approx(mcnemar_exact(1, 5))
    assert row["delta_low"] < row["delta"] < row["delta_high"]
    assert (row["cost"], row["total_cost"], row["steps"]) == (0.25, 2.5, 6.0)
    assert row["differs"] == ["aci/editor: lint → none"]
    assert row["settings"] == {"aci/editor": "none"}
    base = rows["baseline"]
    assert (base["delta"], base["p_value"], base["differs"], base["settings"]) == (
        0.0,
        None,
        [],
        {"aci/editor": "lint"},
    )


def test_the_paper_like_sweep_is_grouped_as_in_the_paper(tmp_path: Path) -> None:
    paper_like(tmp_path)
    rows = ablation_table(tmp_path, "lab")
    assert [row["label"] for row in rows] == ["baseline", *PAPER_TABLE_3[1:]]
    groups = [row["group"] for row in rows]
    assert groups == ["baseline", *["editor"] * 2, *["search"] * 2, *["file viewer"] * 2, *["context"] * 2]
    assert [row["reference"]["rate"] for row in rows] == [
        0.18,
        0.15,
        0.103,
        0.12,
        0.157,
        0.143,
        0.127,
        0.15,
        0.163,
    ]
    assert not any(row["confounded"] for row in rows)


def test_compacted_or_not_the_table_is_the_same(tmp_path: Path) -> None:
    prints = paper_like(tmp_path)
    before = ablation_table(tmp_path, "lab")
    for fingerprint in prints:
        compact(tmp_path / "lab" / fingerprint[:12])
    assert ablation_table(tmp_path, "lab") == before


def test_errors_are_counted_apart_and_unfinished_and_unknown_are_said(tmp_path: Path) -> None:
    paper_like(tmp_path)
    rows = by_label(ablation_table(tmp_path, "lab"))
    failed = rows["aci/editor=no_lint"]
    assert (failed["n"], failed["errors"], failed["dropped"]) == (11, 1, 1)
    assert any("infrastructure failure" in note for note in failed["notes"])
    missing, cut_off = rows["aci/editor=none"], rows["aci/search=iterative"]
    assert missing["unfinished"] == cut_off["unfinished"] == 1
    assert any(note == "unfinished: 1 of 12 episodes to go" for note in cut_off["notes"])
    unknown = rows["aci/search=none"]
    assert unknown["cost"] is None
    assert "unknown" in render([unknown])


def test_two_changes_at_once_are_called_confounded_everywhere(tmp_path: Path) -> None:
    write_sweep(tmp_path, "lab", simple(("", [0]), ("aci/editor=none aci/history=full", [1])))
    rows = ablation_table(tmp_path, "lab")
    row = rows[1]
    assert row["confounded"]
    assert row["differs"] == ["aci/editor: lint → none", "aci/history: last5 → full"]
    for fmt in ("text", "markdown", "latex"):
        assert "confounded, 2 things differ" in render(rows, fmt)


def test_holm_corrects_over_all_comparisons(tmp_path: Path) -> None:
    write_sweep(
        tmp_path,
        "lab",
        simple(("", list(range(10))), ("aci/editor=none", []), ("aci/search=none", [0, 1, 2])),
    )
    rows = by_label(ablation_table(tmp_path, "lab"))
    assert rows["aci/editor=none"]["p_holm"] == pytest.approx(2 * rows["aci/editor=none"]["p_value"])
    assert rows["aci/search=none"]["p_holm"] == pytest.approx(rows["aci/search=none"]["p_value"])


def test_repeats_are_averaged_per_instance(tmp_path: Path) -> None:
    base = {(name, k): Outcome(resolved=True) for name in ids(3) for k in range(4)}
    variant = {(name, k): Outcome(resolved=k == 0) for name in ids(3) for k in range(4)}
    specs = [CellSpec("", base, ids(3), 4), CellSpec("aci/editor=none", variant, ids(3), 4)]
    write_sweep(tmp_path, "lab", specs)
    row = ablation_table(tmp_path, "lab")[1]
    assert (row["n"], row["instances"], row["pairs"], row["repeats"]) == (12, 3, 3, 4)
    assert row["delta"] == pytest.approx(-0.75)
    assert row["p_value"] == pytest.approx(0.25)


def test_cells_of_another_benchmark_are_compared_among_themselves_only(tmp_path: Path) -> None:
    specs = simple(
        ("", [0, 1]),
        ("aci/editor=none", []),
        ("benchmark=humanevalfix", [0]),
        ("benchmark=humanevalfix aci/editor=none", [1]),
    )
    prints = write_sweep(tmp_path, "lab", specs)
    rows = {row["fingerprint"]: row for row in ablation_table(tmp_path, "lab")}
    assert rows[prints[2]]["baseline"] == prints[2]
    assert rows[prints[3]]["baseline"] == prints[2]
    assert rows[prints[3]]["differs"] == ["aci/editor: lint → none"]
    explicit = {row["fingerprint"]: row for row in ablation_table(tmp_path, "lab", baseline=prints[0][:8])}
    assert explicit[prints[3]]["delta"] is None
    assert explicit[prints[3]]["p_value"] is None
    assert any("another benchmark" in note for note in explicit[prints[3]]["notes"])


def test_an_ablation_over_two_models_is_one_controlled_ablation_each(tmp_path: Path) -> None:
    specs = simple(
        ("", [0, 1]), ("aci/editor=none", []), ("model=replay", [0]), ("model=replay aci/editor=none", [1])
    )
    prints = write_sweep(tmp_path, "lab", specs)
    rows = {row["fingerprint"]: row for row in ablation_table(tmp_path, "lab")}
    assert rows[prints[2]]["differs"] == ["model: embedded → replay"]
    assert rows[prints[3]]["baseline"] == prints[2]
    assert not rows[prints[3]]["confounded"]
    assert "replay on bugs: editor" in render(list(rows.values()))
    asked = {row["fingerprint"]: row for row in ablation_table(tmp_path, "lab", baseline="baseline")}
    assert asked[prints[3]]["confounded"]


def test_the_baseline_can_be_chosen(tmp_path: Path) -> None:
    prints = write_sweep(
        tmp_path, "lab", simple(("", [0]), ("aci/editor=none", [1]), ("aci/editor=no_lint", [2]))
    )
    for given in (prints[1], prints[1][:6], "aci/editor=none"):
        rows = ablation_table(tmp_path, "lab", baseline=given)
        assert rows[0]["fingerprint"] == prints[1]
        assert rows[0]["label"] == "baseline"
    with pytest.raises(UserError, match="fits no cell; give one of"):
        ablation_table(tmp_path, "lab", baseline="nonsense")


def test_without_a_recorded_baseline_the_most_usual_cell_is_it(tmp_path: Path) -> None:
    specs = simple(("aci/editor=none", [1]), ("", [0]), ("aci/search=none", [2]))
    prints = write_sweep(tmp_path, "lab", specs, baseline=False)
    assert ablation_table(tmp_path, "lab")[0]["fingerprint"] == prints[1]


def test_with_nothing_to_decide_the_baseline_must_be_given(tmp_path: Path) -> None:
    for spec in simple(("", [0]), ("aci/editor=none", [1])):
        write_cell(tmp_path, "lab", spec)
    with pytest.raises(UserError, match=r"give --baseline: .*aci/editor=none"):
        ablation_table(tmp_path, "lab")


def test_one_sweep_can_be_asked_for(tmp_path: Path) -> None:
    write_sweep(tmp_path, "lab", simple(("", [0]), ("aci/editor=none", [1])), "20260101-1")
    write_sweep(tmp_path, "lab", simple(("", [0]), ("aci/search=none", [1])), "20260102-1")
    assert len(ablation_table(tmp_path, "lab")) == 3
    assert [r["label"] for r in ablation_table(tmp_path, "lab", sweep="20260101-1")] == [
        "baseline",
        "aci/editor=none",
    ]
    assert [r["label"] for r in ablation_table(tmp_path, "lab", sweep="last")] == [
        "baseline",
        "aci/search=none",
    ]
    with pytest.raises(UserError, match="several sweeps begin with"):
        ablation_table(tmp_path, "lab", sweep="2026")
    with pytest.raises(UserError, match="no sweep '1999'; known: 20260101-1, 20260102-1"):
        ablation_table(tmp_path, "lab", sweep="1999")


def test_cells_run_again_with_new_source_replace_the_old_ones(tmp_path: Path) -> None:
    specs = simple(("", [0]), ("aci/editor=none", [1]))
    write_sweep(tmp_path, "lab", specs, "20260101-1")
    newer = [CellSpec(s.overrides, s.outcomes, s.instances, source="v2") for s in specs]
    prints = write_sweep(tmp_path, "lab", newer, "20260102-1")
    rows = ablation_table(tmp_path, "lab")
    assert {row["fingerprint"] for row in rows} == set(prints)
    assert any("2 cells left out" in note for note in rows[0]["table_notes"])
    assert len(ablation_table(tmp_path, "lab", sweep="all")) == 4


def test_different_versions_of_one_task_are_not_paired(tmp_path: Path) -> None:
    prints = write_sweep(tmp_path, "lab", simple(("", [0]), ("aci/editor=none", [1])))
    for name in ids(10)[:4]:
        path = tmp_path / "lab" / prints[1][:12] / "episodes" / name / "0" / "trajectory.jsonl"
        lines = path.read_text("utf-8").split("\n")
        header = json.loads(lines[0]) | {"instance_digest": "another"}
        path.write_text("\n".join([json.dumps(header), *lines[1:]]), "utf-8")
    row = ablation_table(tmp_path, "lab")[1]
    assert (row["pairs"], row["dropped"]) == (6, 8)


def test_a_change_of_the_serving_model_is_said(tmp_path: Path) -> None:
    specs = simple(("", [0]), ("aci/editor=none", [1]))
    specs[0].served_model, specs[1].served_model = "gpt-4o-05", "gpt-4o-11"
    write_sweep(tmp_path, "lab", specs)
    assert "answered by gpt-4o-11, the baseline by gpt-4o-05" in ablation_table(tmp_path, "lab")[1]["notes"]


def test_the_rule_based_model_is_labelled(tmp_path: Path) -> None:
    write_sweep(tmp_path, "lab", simple(("", [0]), ("aci/editor=none", [1])))
    for fmt in ("text", "markdown", "latex"):
        assert "rule-based baseline, not a language model" in render(ablation_table(tmp_path, "lab"), fmt)


def test_json_is_plain_json_without_nan(tmp_path: Path) -> None:
    paper_like(tmp_path)
    rows = ablation_table(tmp_path, "lab")
    assert json.loads(render(rows, "json")) == rows


def test_csv_has_a_line_per_cell_and_a_column_per_field(tmp_path: Path) -> None:
    paper_like(tmp_path)
    rows = ablation_table(tmp_path, "lab")
    read = list(csv.DictReader(io.StringIO(render(rows, "csv"))))
    assert [float(r["rate"]) for r in read] == pytest.approx([r["rate"] for r in rows])
    assert read[1]["differs"] == "aci/editor: lint → no_lint"
    assert read[1]["tuple.model"] == rows[1]["tuple"]["model"]
    assert read[4]["cost"] == ""


def test_markdown_lines_have_equal_numbers_of_cells(tmp_path: Path) -> None:
    paper_like(tmp_path)
    lines = [
        line
        for line in render(ablation_table(tmp_path, "lab"), "markdown").split("\n")
        if line.startswith("|")
    ]
    assert len({line.count("|") for line in lines}) == 1
    assert any("**editor (baseline: lint)**" in line for line in lines)


def test_latex_is_escaped_and_balanced(tmp_path: Path) -> None:
    paper_like(tmp_path)
    text = render(ablation_table(tmp_path, "lab"), "latex")
    assert r"editor=no\_lint" in text
    assert text.count(r"\begin{") == text.count(r"\end{")
    body = [line for line in text.split("\n") if line.endswith(r"\\") and "multicolumn" not in line]
    assert {line.count(" & ") for line in body} == {11}
    assert not any(c in text for c in "−Δ→")


def test_text_is_aligned_and_plain_away_from_a_terminal(tmp_path: Path) -> None:
    paper_like(tmp_path)
    rows = ablation_table(tmp_path, "lab")
    text = render(rows)
    assert "\x1b" not in text
    lines = text.split("\n")
    header = next(line for line in lines if line.startswith("variant"))
    assert all(
        len(line) == len(header)
        for line in lines
        if line.startswith(("baseline  ", "  editor=", "  search="))
    )
    assert "\x1b" in render(rows, color=True)
    assert render(rows, color=True).count("18.0") == text.count("18.0")


def test_a_narrow_terminal_gets_fewer_columns_and_is_told(tmp_path: Path) -> None:
    paper_like(tmp_path)
    text = render(ablation_table(tmp_path, "lab"), width=110)
    table = text.split("\n\n")[0].split("\n")
    assert max(len(line) for line in table) <= 110
    assert "left out on this narrow terminal: 95 % CI of Δ" in text
    assert "resolved %" in text


def test_a_full_grid_is_laid_out_as_one(tmp_path: Path) -> None:
    specs = [
        CellSpec(
            f"model.temperature={t} aci/viewer={v} aci/history={h}",
            random_outcomes(8, 1, 0.4, t + v + h),
            ids(8),
        )
        for t in ("0.0", "0.2")
        for v in ("window100", "window200")
        for h in ("full", "last5")
    ]
    write_sweep(tmp_path, "lab", specs)
    rows = ablation_table(tmp_path, "lab")
    text = render(rows)
    assert "model.temperature=0.0" in text
    assert "(paper 9.2)" in text  # Table 5: window 200, full history, temperature 0
    assert {row["reference"]["table"] for row in rows} == {"Table 5"}
    pivot, listing = text.split("\n\n")[:2]
    assert pivot.count("window200") == 2
    assert len([line for line in listing.split("\n") if "window200" in line.split()[:3]]) == 4
    assert "confounded" in text


def test_systems_are_named_by_what_they_are(tmp_path: Path) -> None:
    specs = simple(("", [0, 1]), ("aci=bash_only", [0]), ("aci=bash_only prompt/demonstration=none", []))
    write_sweep(tmp_path, "lab", specs)
    rows = ablation_table(tmp_path, "lab")
    assert [row["reference"]["rate"] for row in rows] == [0.18, 0.11, 0.0733]
    header = render(rows).split("\n")[0]
    assert header.split()[:2] == ["prompt/demonstration", "aci"] or header.split()[:2] == [
        "aci",
        "prompt/demonstration",
    ]
    assert "variant" in render(rows, layout="ablation")


def test_an_aci_changed_beyond_options_has_no_number_in_the_paper(tmp_path: Path) -> None:
    write_sweep(tmp_path, "lab", simple(("", [0]), ("aci.viewer.window=50", [1])))
    rows = ablation_table(tmp_path, "lab")
    assert rows[0]["reference"]["rate"] == 0.18
    assert rows[1]["reference"] is None


def test_a_single_cell_is_a_table_too(tmp_path: Path) -> None:
    write_sweep(tmp_path, "lab", simple(("", [0, 1])), baseline=False)
    rows = ablation_table(tmp_path, "lab")
    assert len(rows) == 1
    for fmt in ("text", "markdown", "latex", "csv", "json"):
        assert render(rows, fmt)


def test_a_cell_without_results_is_a_row_without_numbers(tmp_path: Path) -> None:
    failed = {(name, 0): Outcome(error=True, exit_status="exit_api") for name in ids(3)}
    write_sweep(tmp_path, "lab", [*simple(("", [0]), count=3), CellSpec("aci/editor=none", failed, ids(3))])
    row = ablation_table(tmp_path, "lab")[1]
    assert (row["n"], row["errors"], row["rate"], row["delta"], row["cost"]) == (0, 3, None, None, None)
    assert "no instance in common" in " ".join(row["notes"])
    assert render([row])


def test_the_reference_numbers_are_the_papers() -> None:
    if not SHARED.is_dir():
        pytest.skip("needs the shared data folder beside the checkout")
    tables = json.loads((SHARED / "data/paper_tables.json").read_text("utf-8"))
    ours = paper()
    mine = [(e["resolved"]) for e in ours["matched"]["table3"]["entries"]]
    theirs = [18.0] + [r["resolved"] for r in tables["table3_ablations"]["rows"] if not r.get("default")]
    assert sorted(mine) == sorted(theirs)
    for key, model in (("table5", "GPT-4 Turbo"), ("table5_opus", "Claude 3 Opus")):
        published = {
            (r["window"], r["history"], r["temperature"]): r["resolved"]
            for r in tables["table5_sweep"]["rows"]
            if r["model"] == model
        }
        found = {
            (
                200 if "aci/viewer" in e["change"] else 100,
                "full" if "aci/history" in e["change"] else "last5",
                e["temperature"],
            ): e["resolved"]
            for e in ours["matched"][key]["entries"]
        }
        assert found == published
    lite = {(r["system"], r["model"]): (r["lite"], r["lite_cost"]) for r in tables["table1_main"]["rows"]}
    names = ["SWE-agent", "Shell-only", "Shell-only w/o demonstration"]
    assert [(e["resolved"], e["cost"]) for e in ours["matched"]["table1"]["entries"]] == [
        lite[name, "GPT-4 Turbo"] for name in names
    ]
    assert ours["facts"]["table13"]["rows"] == tables["table13_exits"]["rows"]
    assert ours["facts"]["figure8"]["shares"] == tables["figure8_failure_modes"]["rows"]
    assert ours["facts"]["table2"]["rows"] == tables["table2_humanevalfix"]["rows"]
    assert ours["facts"]["table10"]["runs"] == tables["table10_variance"]["runs"]
