"""mini-swe-agent: its own batch function, its deterministic model and its local environment."""

from __future__ import annotations

import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ["MSWEA_SILENT_STARTUP"] = os.environ["MSWEA_CONFIGURED"] = "1"

import yaml
from minisweagent.config import builtin_config_dir
from minisweagent.run.benchmarks import swebench
from minisweagent.run.benchmarks.utils.batch_progress import RunBatchProgressManager
from workload import SAMPLES, WORKERS, commands, statement

SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; echo done"


def answer(number: int, command: str) -> dict:
    call = {"id": f"c{number}", "type": "function"}
    call["function"] = {"name": "bash", "arguments": json.dumps({"command": command})}
    extra = {"actions": [{"command": command, "tool_call_id": f"c{number}"}], "cost": 0.0}
    return {"role": "assistant", "content": f"Step {number}.", "tool_calls": [call], "extra": extra}


def main() -> None:
    agent = yaml.safe_load((builtin_config_dir / "benchmarks" / "swebench.yaml").read_text())["agent"]
    agent |= {"step_limit": 0, "cost_limit": 0.0}
    with tempfile.TemporaryDirectory() as base:
        out = Path(base) / "out"
        out.mkdir()
        manager = RunBatchProgressManager(SAMPLES, out / "exit.yaml")

        def one(number: int) -> None:
            work = Path(base) / f"w{number}"
            work.mkdir()
            outputs = [answer(n, f"cd {work} && {c}") for n, c in enumerate([*commands(), SUBMIT])]
            config = {
                "model": {
                    "model_class": "minisweagent.models.test_models.DeterministicToolcallModel",
                    "model_name": "stub",
                    "outputs": outputs,
                    "cost_per_call": 0.0,
                },
                "environment": {"environment_class": "local", "timeout": 30},
                "agent": agent | {"output_path": out / f"s{number}" / f"s{number}.traj.json"},
            }
            task = {"instance_id": f"s{number}", "problem_statement": statement(number)}
            swebench.process_instance(task, out, config, manager)

        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(one, range(SAMPLES)))
        info = json.loads((out / "s0" / "s0.traj.json").read_text())["info"]
        assert info["exit_status"] == "Submitted", info


main()
