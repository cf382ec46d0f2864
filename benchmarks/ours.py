"""acilab on the same workload: recorded answers replayed through the whole product (compose, loop, records, grade).

usage: ours.py prepare DIR | ours.py run DIR ENVIRONMENT
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hydra import compose
from hydra.core.hydra_config import HydraConfig
from workload import SAMPLES, WORKERS, commands, statement

from runner.benchmarks.base import Grade
from runner.compose.app import CONFIG_NAME, composing
from runner.compose.cell import compose_cells
from runner.records import End, Header, Step, TrajectoryWriter
from runner.sweep import run_sweep


def prepare(base: Path) -> None:
    """Write a benchmark in the layout of the shipped one, and trajectories whose answers are the workload."""
    patch = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-bench\n+benched\n"
    test = "import unittest\n\n\nclass TestAny(unittest.TestCase):\n    def test_any(self):\n        pass\n"
    added = "".join(f"+{line}\n" for line in test.splitlines())
    test_patch = f"--- /dev/null\n+++ b/test_bench.py\n@@ -0,0 +1,{len(test.splitlines())} @@\n{added}"
    repo = base / "bench" / "repos" / "bench"
    repo.mkdir(parents=True)
    (repo / "README.md").write_text("bench\n")
    with (base / "bench" / "instances.jsonl").open("w") as file:
        for number in range(SAMPLES):
            row = {
                "instance_id": f"s{number}",
                "repo": "bench",
                "base_commit": "0" * 40,
                "patch": patch,
                "test_patch": test_patch,
                "problem_statement": statement(number),
                "hints_text": "",
                "created_at": "2026-01-01T00:00:00Z",
                "version": "1",
                "FAIL_TO_PASS": '["test_bench.TestAny.test_any"]',
                "PASS_TO_PASS": "[]",
                "environment_setup_commit": "0" * 40,
            }
            file.write(json.dumps(row) + "\n")
    recorded = base / "recorded"
    recorded.mkdir()
    (recorded / "cell.yaml").write_text("schema: 1\n")
    for number in range(SAMPLES):
        writer = TrajectoryWriter(recorded / "episodes" / f"s{number}" / "0")
        writer.write(Header(f"s{number}", 0, "0" * 64, "bench", "stub", {}, "", "", "", []))
        for step, command in enumerate([*commands(), "submit"], 1):
            response = f"Step {step}.\n\n```\n{command}\n```\n"
            writer.write(
                Step(step, "action", response, "", command, "", "", 0, {}, input_tokens=100, output_tokens=20)
            )
        writer.write(End("submitted", True, STEPS_AND_SUBMIT, STEPS_AND_SUBMIT, 0.0, 0, 0, 0.0, ""))
        writer.close()


STEPS_AND_SUBMIT = len(commands()) + 1


@dataclass(frozen=True)
class Ungraded:
    """The benchmark without its tests: no peer runs any on this workload."""

    inner: Any
    name: str = "bench"

    def instances(self) -> Any:
        return self.inner.instances()

    def grade(self, instance: Any, submission: str, start: Any) -> Grade:
        return Grade(resolved=bool(submission))


def run(base: Path, environment: str) -> None:
    """Compose and run the cell as ``acilab run`` does: loop, environment, records, sweep."""
    overrides = [
        "model=replay",
        f"model.path={base / 'recorded'}",
        "benchmark=bugs",
        f"benchmark.path={base / 'bench'}",
        "prompt/demonstration=none",
        f"environment={environment}",
        "tracking=none",
        f"executor.workers={WORKERS}",
        f"paths.outputs={base / environment}",
        "experiment_name=bench",
    ]
    with composing():
        config = compose(CONFIG_NAME, overrides=overrides, return_hydra_config=True)
        HydraConfig.instance().set_config(config)
        (cell,) = compose_cells([(config, config.hydra)])
    run_sweep([replace(cell, benchmark=Ungraded(cell.benchmark))])


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]))
    else:
        run(Path(sys.argv[2]), sys.argv[3])
