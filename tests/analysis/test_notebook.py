"""The notebook runs from top to bottom on a small experiment made on the spot, and its two files say the same."""

from __future__ import annotations

from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

from runner.records import sweeps
from runner.tracking import project_sweep
from tests.analysis.factory import paper_like

ROOT = Path(__file__).resolve().parents[2]
SCRIPT, NOTEBOOK = ROOT / "notebooks/ablation_table.py", ROOT / "notebooks/ablation_table.ipynb"


def test_script_and_notebook_are_the_same() -> None:
    script, notebook = jupytext.read(SCRIPT), nbformat.read(NOTEBOOK, as_version=4)
    assert [(c.cell_type, c.source) for c in script.cells] == [
        (c.cell_type, c.source) for c in notebook.cells
    ]


def test_the_notebook_is_kept_without_outputs() -> None:
    cells = [c for c in nbformat.read(NOTEBOOK, as_version=4).cells if c.cell_type == "code"]
    assert cells
    assert all(not c.outputs and c.execution_count is None for c in cells)


def test_the_notebook_runs_and_finds_records_and_mlflow_in_agreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = tmp_path / "outputs"
    paper_like(outputs, "small", count=6)
    project_sweep(outputs, "small", sweeps(outputs / "small")[0], None, "none")
    monkeypatch.setenv("OUTPUTS", str(outputs))
    monkeypatch.setenv("EXPERIMENT", "small")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    outputs_of = [output for c in notebook.cells if c.cell_type == "code" for output in c.outputs]
    text = "".join(o.text for o in outputs_of if o.output_type == "stream" and o.name == "stdout")
    assert "9 cells: records and MLflow agree" in text
    assert "────" in text  # the table as text
    assert "editor (baseline: lint)" in text
    assert r"\begin{tabular}" in text
    assert any("image/png" in o.get("data", {}) for o in outputs_of)
