"""Real records into real SQLite stores, read back through MLflow's own client."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from analysis.table import ablation_table
from runner.errors import UserError
from runner.records import sweeps
from runner.tracking import MLflow, TrackingError, project_sweep
from runner.tracking.names import flat, key, keys
from runner.tracking.store import mlflow_client, opened, resolve_uri, shown
from tests.analysis.factory import CellSpec, Outcome, ids, outcomes, paper_like, write_cell, write_sweep
from tests.analysis.test_ablation_table import simple

ROOT = Path(__file__).resolve().parents[3]


def runs(outputs: Path, kind: str, experiment: str = "lab") -> list[Any]:
    client = mlflow_client(resolve_uri(outputs, None))
    found = client.get_experiment_by_name(experiment)
    return list(client.search_runs([found.experiment_id], f"tags.`acilab.kind` = '{kind}'")) if found else []


def traces(outputs: Path, run_id: str, *, spans: bool = True) -> list[Any]:
    from mlflow.tracing.client import TracingClient

    found = mlflow_client(resolve_uri(outputs, None)).get_run(run_id)
    client = TracingClient(resolve_uri(outputs, None))
    return list(
        client.search_traces(locations=[found.info.experiment_id], run_id=run_id, include_spans=spans)
    )


def artifact(outputs: Path, run_id: str, name: str) -> str:
    client = mlflow_client(resolve_uri(outputs, None))
    return Path(client.download_artifacts(run_id, name)).read_text("utf-8")


def project(outputs: Path, which: str = "none", experiment: str = "lab", number: int = -1) -> str:
    return project_sweep(outputs, experiment, sweeps(outputs / experiment)[number], None, which)


@pytest.fixture(scope="module")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with MLflow's schema and nothing in it: making one takes seconds."""
    outputs = tmp_path_factory.mktemp("empty")
    with opened(outputs, resolve_uri(outputs, None)) as client:
        client.search_experiments()
    return outputs / "mlflow.db"


@pytest.fixture
def outputs(tmp_path: Path, empty_store: Path) -> Path:
    shutil.copy(empty_store, tmp_path / "mlflow.db")
    return tmp_path


@pytest.fixture(scope="module")
def projected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The paper's sweep, projected once with all its traces; tests only read it."""
    outputs = tmp_path_factory.mktemp("projected") / "out puts"
    paper_like(outputs)
    project(outputs, "all")
    return outputs


def test_a_sweep_is_a_parent_with_one_child_per_cell(projected: Path) -> None:
    (parent,) = runs(projected, "sweep")
    children = runs(projected, "cell")
    assert len(children) == 9
    assert {c.data.tags["mlflow.parentRunId"] for c in children} == {parent.info.run_id}
    assert {c.info.run_name for c in children} >= {"baseline", "aci/editor=none"}
    assert parent.data.metrics["cells"] == 9
    assert parent.data.metrics["errors"] == 1
    assert parent.data.tags["acilab.environment"] == children[0].data.tags["acilab.environment"]
    assert parent.data.tags["acilab.aci.search"] == "varies: summarized, iterative, none"


def test_a_cell_is_tagged_with_tuple_options_digests_and_versions(projected: Path) -> None:
    run = next(r for r in runs(projected, "cell") if r.info.run_name == "aci/editor=none")
    tags = run.data.tags
    assert tags["acilab.aci.editor"] == "none"
    assert tags["acilab.aci.viewer"] == "window100"
    assert tags["acilab.prompt.demonstration"] == "default"
    assert tags["acilab.model"].startswith("embedded@")
    assert tags["acilab.benchmark"] == "bugs"
    assert len(tags["acilab.fingerprint"]) == 64
    for name in ("model", "prompt", "aci", "environment", "benchmark", "agent", "budget", "aci.editor"):
        assert len(tags[f"acilab.digest.{name}"]) == 64
    assert tags["acilab.version.python"] == "3.11.9"
    assert tags["acilab.git.commit"] == tags["mlflow.source.git.commit"] == "0" * 40


def test_metrics_equal_the_table(projected: Path) -> None:
    rows = {row["fingerprint"]: row for row in ablation_table(projected, "lab")}
    for run in runs(projected, "cell"):
        row, metrics = rows[run.data.tags["acilab.fingerprint"]], run.data.metrics
        assert metrics["resolved_rate"] == row["rate"]
        assert (metrics["ci_low"], metrics["ci_high"]) == (row["ci_low"], row["ci_high"])
        assert (metrics["n"], metrics["errors"]) == (row["n"], row["errors"])
        assert metrics.get("cost") == row["cost"]
        assert metrics["steps"] == row["steps"]
        assert metrics["tokens"] == row["tokens"]
        assert metrics["failed_edits"] == row["failed_edits"]
    exits = [name for run in runs(projected, "cell") for name in run.data.metrics if name.startswith("exit.")]
    assert set(exits) == {"exit.submitted", "exit.exit_api", "exit.submitted_exit_steps"}


def test_params_are_the_flat_config_and_long_ones_are_artifacts(projected: Path) -> None:
    run = runs(projected, "cell")[0]
    params = run.data.params
    assert params["agent.stages.1.name"] == "b"
    assert params["benchmark.pass_1"] == "True"
    assert params["budget.steps"] == "40"
    assert "executor.workers" not in params
    assert "see artifact params/prompt.system.txt" in params["prompt.system"]
    assert artifact(projected, run.info.run_id, "params/prompt.system.txt") == "line\n" * 2000


def test_artifacts_are_the_cell_the_episodes_and_the_predictions(projected: Path) -> None:
    import pandas as pd

    run = next(r for r in runs(projected, "cell") if r.info.run_name == "baseline")
    fingerprint = run.data.tags["acilab.fingerprint"]
    assert f"fingerprint: {fingerprint}" in artifact(projected, run.info.run_id, "cell.yaml")
    predictions = json.loads(artifact(projected, run.info.run_id, "preds.json"))
    assert sorted(predictions) == ids(12)
    one = predictions[ids(12)[0]]
    assert set(one) == {"model_name_or_path", "instance_id", "model_patch"}
    assert one["model_patch"].startswith("diff --git")
    client = mlflow_client(resolve_uri(projected, None))
    assert len(pd.read_parquet(client.download_artifacts(run.info.run_id, "episodes.parquet"))) == 12
    (parent,) = runs(projected, "sweep")
    assert json.loads(artifact(projected, parent.info.run_id, "table.json"))[0]["label"] == "baseline"
    assert "| variant |" in artifact(projected, parent.info.run_id, "table.md")
    assert Path(parent.info.artifact_uri.removeprefix("file://").replace("%20", " ")).is_relative_to(
        projected
    )


def test_runs_end_as_their_episodes_did(projected: Path) -> None:
    status = {r.info.run_name: r.info.status for r in runs(projected, "cell")}
    assert status["baseline"] == "FINISHED"
    assert status["aci/editor=none"] == "KILLED"  # an episode is missing
    run = runs(projected, "cell")[0]
    assert run.info.end_time - run.info.start_time == 60_000


def test_an_episode_is_a_trace_with_its_grade(projected: Path) -> None:
    run = next(r for r in runs(projected, "cell") if r.info.run_name == "aci/editor=no_lint")
    found = {t.info.tags["acilab.instance_id"]: t for t in traces(projected, run.info.run_id)}
    assert sorted(found) == ids(12)
    failed = found[ids(12)[0]]
    assert (failed.info.state.value, failed.info.assessments) == ("ERROR", [])
    trace = found[ids(12)[5]]
    (grade,) = trace.info.assessments
    cell = projected / "lab" / run.data.tags["acilab.fingerprint"][:12]
    recorded = json.loads((cell / "episodes" / ids(12)[5] / "0/grade.json").read_text("utf-8"))
    assert (grade.name, grade.feedback.value) == ("resolved", recorded["resolved"])
    spans = trace.data.spans
    steps = int(next(s for s in spans if s.parent_id is None).attributes["acilab.steps"])
    kinds = [s.span_type for s in spans]
    assert (kinds.count("AGENT"), kinds.count("LLM"), kinds.count("TOOL")) == (1, steps, steps - 2)
    call = next(s for s in spans if s.name == "1 model")
    assert call.outputs.startswith("I look at step 1.")
    assert call.attributes["mlflow.chat.tokenUsage"]["input_tokens"] == 100
    usage = json.loads(trace.info.trace_metadata["mlflow.trace.tokenUsage"])
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]


def test_costs_are_the_recorded_ones_and_litellm_is_not_asked(tmp_path: Path) -> None:
    known, unknown = outcomes([], 1), {(ids(2)[1], 0): Outcome(cost=None)}
    spec = CellSpec("", {**known, **unknown}, ids(2), served_model="gpt-4o")
    write_sweep(tmp_path, "lab", [spec], baseline=False)
    program = (
        "import sys; from pathlib import Path; from runner.records import sweeps; "
        "from runner.tracking import project_sweep; out = Path(sys.argv[1]); "
        "project_sweep(out, 'lab', sweeps(out / 'lab')[0]); print('litellm' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program, str(tmp_path)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
    (run,) = runs(tmp_path, "cell")
    cost = {
        t.info.tags["acilab.instance_id"]: t.info.trace_metadata for t in traces(tmp_path, run.info.run_id)
    }
    assert json.loads(cost[ids(2)[0]]["mlflow.trace.cost"]) == {"total_cost": 0.25}
    assert "mlflow.trace.cost" not in cost[ids(2)[1]]


@pytest.mark.parametrize(("which", "expected"), [("none", 0), ("failures", 7), ("all", 10)])
def test_only_the_wanted_episodes_become_traces(outputs: Path, which: str, expected: int) -> None:
    write_sweep(outputs, "lab", simple(("", [0, 1, 2])))
    project(outputs, which)
    (run,) = runs(outputs, "cell")
    assert len(traces(outputs, run.info.run_id, spans=False)) == expected


def test_doing_it_again_changes_nothing(outputs: Path) -> None:
    write_sweep(outputs, "lab", simple(("", [0]), ("aci/editor=none", [1]), count=3))
    project(outputs, "all")
    client = mlflow_client(resolve_uri(outputs, None))

    def everything() -> list[Any]:
        state = []
        for kind in ("sweep", "cell"):
            for run in runs(outputs, kind):
                history = [len(client.get_metric_history(run.info.run_id, name)) for name in run.data.metrics]
                found = sorted(t.info.trace_id for t in traces(outputs, run.info.run_id, spans=False))
                state.append(
                    [run.info.run_id, run.data.params, run.data.tags, run.data.metrics, history, found]
                )
        return state

    before = everything()
    project(outputs, "all")
    assert everything() == before


def test_the_same_cells_started_again_continue_the_same_runs(outputs: Path) -> None:
    specs = simple(("", [0]), ("aci/editor=none", [1]), count=3)
    half = [specs[0], CellSpec(specs[1].overrides, {}, ids(3))]
    write_sweep(outputs, "lab", half, "20260101-1")
    first = project(outputs)
    assert {r.info.status for r in runs(outputs, "cell")} == {"FINISHED", "KILLED"}
    write_sweep(outputs, "lab", specs, "20260102-1")
    assert project(outputs) == first
    (parent,) = runs(outputs, "sweep")
    assert parent.data.tags["acilab.sweep"] == "20260102-1"
    assert [r.info.status for r in runs(outputs, "cell")] == ["FINISHED", "FINISHED"]
    assert sum(r.data.metrics["n"] for r in runs(outputs, "cell")) == 6


def test_a_projection_that_was_cut_off_is_completed(outputs: Path) -> None:
    write_sweep(outputs, "lab", simple(("", []), count=3), baseline=False)
    project(outputs, "all")
    (run,) = runs(outputs, "cell")
    uri = resolve_uri(outputs, None)
    # As after a kill between a trace and its spans: the run is not marked complete, and spans are missing.
    mlflow_client(uri).set_tag(run.info.run_id, "acilab.projected", "")
    with sqlite3.connect(outputs / "mlflow.db") as database:
        database.execute("DELETE FROM spans")
    project(outputs, "all")
    found = traces(outputs, run.info.run_id)
    assert len(found) == 3
    assert all(len(trace.data.spans) > 5 for trace in found)


def test_a_changed_grade_changes_the_run_and_replaces_the_trace(outputs: Path) -> None:
    (fingerprint,) = write_sweep(outputs, "lab", simple(("", []), count=2), baseline=False)
    project(outputs, "failures")
    (run,) = runs(outputs, "cell")
    assert len(traces(outputs, run.info.run_id, spans=False)) == 2
    grade = outputs / "lab" / fingerprint[:12] / "episodes" / ids(2)[0] / "0/grade.json"
    grade.write_text(json.dumps(json.loads(grade.read_text("utf-8")) | {"resolved": True}), "utf-8")
    project(outputs, "failures")
    (again,) = runs(outputs, "cell")
    assert again.info.run_id == run.info.run_id
    assert again.data.metrics["resolved_rate"] == 0.5
    assert len(traces(outputs, run.info.run_id, spans=False)) == 1


def test_what_mlflow_cannot_change_is_replaced(outputs: Path) -> None:
    (fingerprint,) = write_sweep(outputs, "lab", simple(("", [0]), count=2), baseline=False)
    project(outputs)
    more = CellSpec("", {(name, k): Outcome(resolved=True) for name in ids(2) for k in range(2)}, ids(2), 2)
    assert write_cell(outputs, "lab", more) == fingerprint  # more repeats are the same cell
    project(outputs)
    (run,) = runs(outputs, "cell")
    assert run.data.params["repeats"] == "2"
    assert run.data.metrics["n"] == 4
    client = mlflow_client(resolve_uri(outputs, None))
    assert "preds.1.json" in {a.path for a in client.list_artifacts(run.info.run_id)}


def test_long_episodes_keep_their_first_and_last_steps(outputs: Path) -> None:
    write_sweep(outputs, "lab", [CellSpec("", outcomes([], 1, steps=200), ids(1))], baseline=False)
    project(outputs, "all")
    (run,) = runs(outputs, "cell")
    (trace,) = traces(outputs, run.info.run_id)
    names = [s.name for s in trace.data.spans]
    assert "1 model" in names
    assert "200 model" in names
    assert "100 model" not in names
    root = next(s for s in trace.data.spans if s.parent_id is None)
    assert root.attributes["acilab.steps_not_shown"] == 160


def test_many_processes_may_start_on_an_empty_store(tmp_path: Path) -> None:
    for number in range(3):
        write_sweep(tmp_path, f"lab{number}", simple(("", [0]), count=2), baseline=False)
    program = (
        "import sys; from pathlib import Path; from runner.records import sweeps; "
        "from runner.tracking import project_sweep; out = Path(sys.argv[1]); "
        "project_sweep(out, sys.argv[2], sweeps(out / sys.argv[2])[0], None, 'none')"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path), f"lab{n}"], env=environment, stderr=-1
        )
        for n in range(3)
    ]
    for process in started:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    assert all(len(runs(tmp_path, "cell", f"lab{n}")) == 1 for n in range(3))


def test_a_database_elsewhere_keeps_its_artifacts_in_the_outputs(
    tmp_path: Path, empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    shutil.copy(empty_store, tmp_path / "other.db")
    write_sweep(tmp_path / "outputs", "lab", simple(("", [0]), count=2), baseline=False)
    uri = f"sqlite:///{tmp_path / 'other.db'}"
    project_sweep(tmp_path / "outputs", "lab", sweeps(tmp_path / "outputs/lab")[0], uri, "none")
    assert list((tmp_path / "work").iterdir()) == []
    assert not (tmp_path / "outputs/mlflow.db").exists()
    assert (tmp_path / "outputs/mlartifacts/lab").is_dir()


def test_an_experiment_in_the_bin_is_taken_out_again(outputs: Path) -> None:
    write_sweep(outputs, "lab", simple(("", [0]), count=2), baseline=False)
    project(outputs)
    client = mlflow_client(resolve_uri(outputs, None))
    found = client.get_experiment_by_name("lab")
    assert found is not None
    client.delete_experiment(found.experiment_id)
    project(outputs)
    assert len(runs(outputs, "cell")) == 1


def test_a_server_that_is_away_costs_seconds_and_one_warning(
    outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sweep(outputs, "lab", simple(("", [0]), count=2), baseline=False)
    with socket.socket() as listener:  # bound but not listening: connections are refused
        listener.bind(("127.0.0.1", 0))
        uri = f"http://user:secret@127.0.0.1:{listener.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(TrackingError, match="does not answer"):
            project_sweep(outputs, "lab", sweeps(outputs / "lab")[0], uri, "all")
        MLflow(uri=uri).project(outputs, "lab", "20260101-000000")
        assert time.monotonic() - began < 10
    warned = capsys.readouterr().err
    assert warned.count("\n") == 1
    assert "`acilab sync lab` does it later" in warned
    assert "secret" not in warned


def test_switched_off_nothing_is_written(tmp_path: Path) -> None:
    write_sweep(tmp_path, "lab", simple(("", [0]), count=2), baseline=False)
    MLflow(enabled=False).project(tmp_path, "lab", "20260101-000000")
    assert not (tmp_path / "mlflow.db").exists()


def test_a_uri_that_cannot_be_one_is_refused_before_anything_runs() -> None:
    with pytest.raises(UserError, match=r"tracking\.uri='mlruns'"):
        MLflow(uri="mlruns").check()
    MLflow(uri="sqlite:///x.db").check()
    MLflow(uri="").check()
    MLflow().check()


def test_passwords_do_not_show() -> None:
    assert shown("http://me:pw@host:80/x") == "http://host:80/x"
    assert shown("sqlite:////a b/mlflow.db") == "sqlite:////a b/mlflow.db"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pass@1", "pass_1"),
        ("a[0].b", "a_0_.b"),
        ("a=b", "a_b"),
        ("exit.submitted (exit_cost)", "exit.submitted_exit_cost"),
        ("model._target_", "model._target_"),
        ("aci/editor", "aci/editor"),
        ("../up", "__up"),
        ("/root", "_root"),
        ("naïve", "na_ve"),
        ("@", "_"),
    ],
)
def test_keys_become_what_mlflow_takes(name: str, expected: str) -> None:
    from mlflow.utils.validation import _validate_metric_name, _validate_param_name, _validate_tag_name

    assert key(name) == expected
    for validate in (_validate_metric_name, _validate_param_name, _validate_tag_name):
        validate(key(name))


def test_keys_that_would_fall_together_stay_apart() -> None:
    made = keys({"a@1": 1, "a#1": 2, "a_1": 3, "x" * 300: 4, "x" * 300 + "y": 5})
    assert sorted(made.values()) == [1, 2, 3, 4, 5]
    assert all(len(name) <= 250 for name in made)


def test_configs_are_flattened_with_every_value() -> None:
    node = {"a": {"b": None, "c": [1, 2], "d": [{"e": True}], "f": {}, "g": []}, "h": ""}
    assert dict(flat(node)) == {
        "a.b": "null",
        "a.c": "[1, 2]",
        "a.d.0.e": "True",
        "a.f": "{}",
        "a.g": "[]",
        "h": "",
    }
