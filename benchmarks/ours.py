"""acilab on the same workload: recorded answers replayed through the whole product (compose, loop, records, grade).

usage: ours.py prepare DIR | ours.py run DIR ENVIRONMENT
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from workload import SAMPLES, WORKERS, commands, statement


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
    from runner.records import End, Header, Step, TrajectoryWriter

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


def run(base: Path, environment: str) -> None:
    """Run it, as a user would."""
    from runner.cli import main

    main(
        [
            "run",
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
    )


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]))
    else:
        run(Path(sys.argv[2]), sys.argv[3])
