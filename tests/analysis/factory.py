"""Writes realistic experiment folders through :mod:`runner.records`, as a sweep would leave them."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.records import SCHEMA, End, Header, Step, TrajectoryWriter, dump_yaml, write_atomic

CHOICES = {
    "model": "embedded",
    "prompt": "swe_agent",
    "prompt/demonstration": "default",
    "aci": "swe_agent",
    "aci/viewer": "window100",
    "aci/editor": "lint",
    "aci/search": "summarized",
    "aci/shell": "bash",
    "aci/submit": "patch",
    "aci/format": "thought_action",
    "aci/feedback": "default",
    "aci/history": "last5",
    "aci/guardrails": "default",
    "environment": "sandbox",
    "benchmark": "bugs",
    "agent": "loop",
    "budget": "default",
    "executor": "threads",
    "tracking": "mlflow",
}
PAPER_TABLE_3 = (
    "",
    "aci/editor=no_lint",
    "aci/editor=none",
    "aci/search=iterative",
    "aci/search=none",
    "aci/viewer=window30",
    "aci/viewer=full_file",
    "aci/history=full",
    "prompt/demonstration=none",
)
PATCH = "diff --git a/src/app.py b/src/app.py\n--- a/src/app.py\n+++ b/src/app.py\n@@ -1,2 +1,2 @@\n-old\n+new\n x\n"


@dataclass
class Outcome:
    """What becomes of one episode: ``resolved`` True/False, or an exit status of an error, or cut off."""

    resolved: bool = False
    exit_status: str = "submitted"
    error: bool = False
    cut_off: bool = False
    steps: int = 6
    cost: float | None = 0.25


@dataclass
class CellSpec:
    """A cell to write. ``overrides`` as on the command line; ``source`` stands for the text of the plugins."""

    overrides: str = ""
    outcomes: Mapping[tuple[str, int], Outcome] = field(default_factory=dict)
    instances: Sequence[str] = ()
    repeats: int = 1
    source: str = "v1"
    served_model: str | None = None
    created_at: str = "2026-01-01T00:00:00.000+00:00"


def sha(*values: Any) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def meta_of(spec: CellSpec, experiment: str = "lab") -> dict[str, Any]:
    """``cell.yaml`` as the runner writes it."""
    choices = dict(CHOICES)
    config: dict[str, Any] = {
        "model": {"_target_": "runner.models.embedded.Embedded", "temperature": 0.0},
        "prompt": {"_target_": "runner.prompt.Prompt", "system": "line\n" * 2000},
        "aci": {"_target_": "aci_plugins.swe_agent.ACI"},
        "environment": {"_target_": "runner.environments.sandbox.Sandbox"},
        "benchmark": {"_target_": "runner.benchmarks.bugs.Bugs", "slice": None, "pass@1": True},
        "agent": {"_target_": "runner.agents.loop.Loop", "stages": [{"name": "a"}, {"name": "b"}]},
        "budget": {"steps": 40, "cost": 4.0},
        "executor": {"workers": None},
        "tracking": {"_target_": "runner.tracking.MLflow"},
        "experiment_name": experiment,
        "repeats": spec.repeats,
        "paths": {"outputs": "outputs"},
    }
    for override in spec.overrides.split():
        key, _, value = override.partition("=")
        if key in choices:
            choices[key] = value
        else:
            axis, *rest = key.split(".")
            node = config[axis]
            for part in rest[:-1]:
                node = node.setdefault(part, {})
            node[rest[-1]] = float(value) if value.replace(".", "").isdigit() else value
    if choices["aci"] == "bash_only":
        choices |= {"aci/editor": "none", "aci/viewer": "none", "aci/search": "none"}
    parts = {}
    for group, option in choices.items():
        axis, _, part = group.partition("/")
        if part:
            parts[f"{axis}.{part}"] = sha(option, config[axis].get(part), spec.source)
            config[axis].setdefault(part, {"_target_": f"x.{option}"})
    parts["prompt.templates"] = sha(
        choices["prompt"], {k: v for k, v in config["prompt"].items() if k == "system"}
    )
    digests: dict[str, Any] = {
        axis: sha(axis, choices[axis], {k: v for k, v in config[axis].items() if k != "slice"})
        for axis in ("model", "environment", "benchmark", "agent", "budget")
    }
    for axis in ("prompt", "aci"):
        digests[axis] = sha(choices[axis], config[axis], [v for k, v in parts.items() if k.startswith(axis)])
    fingerprint = sha(digests)
    digests["parts"] = parts
    names = {axis: choices[axis] for axis in ("model", "prompt", "aci", "environment")}
    return {
        "schema": SCHEMA,
        "fingerprint": fingerprint,
        "experiment": experiment,
        "label": spec.overrides or "baseline",
        "tuple": {axis: f"{name}@{digests[axis][:6]}" for axis, name in names.items()},
        "choices": choices,
        "overrides": spec.overrides.split(),
        "digests": digests,
        "versions": {"python": "3.11.9", "acilab": "0.1.0"},
        "git": {"commit": "0" * 40, "dirty": False},
        "created_at": spec.created_at,
        "repeats": spec.repeats,
        "instances": list(spec.instances),
        "config": config,
    }


def write_cell(outputs: Path, experiment: str, spec: CellSpec) -> str:
    """Write one cell with its episodes; returns its fingerprint."""
    meta = meta_of(spec, experiment)
    folder = outputs / experiment / meta["fingerprint"][:12]
    write_atomic(folder / "cell.yaml", dump_yaml(meta))
    for (instance_id, repeat), outcome in spec.outcomes.items():
        write_episode(
            folder / "episodes" / instance_id / str(repeat), meta, instance_id, repeat, outcome, spec
        )
    return str(meta["fingerprint"])


def write_episode(
    folder: Path, meta: dict[str, Any], instance_id: str, repeat: int, outcome: Outcome, spec: CellSpec
) -> None:
    digest = sha(instance_id)
    writer = TrajectoryWriter(folder)
    writer.write(
        Header(
            instance_id=instance_id,
            repeat=repeat,
            fingerprint=meta["fingerprint"],
            experiment=meta["experiment"],
            model=meta["choices"]["model"],
            tuple=meta["tuple"],
            started_at="2026-01-01T00:00:00.000+00:00",
            problem_statement=f"{instance_id} is broken: [bold]total()[/bold] is off by one.",
            instance_digest=digest,
            messages=[{"role": "system", "kind": "system", "content": "You are …"}],
        )
    )
    for number in range(1, outcome.steps + 1):
        kind = "format_error" if number == 2 else "blocked" if number == 3 else "action"
        failed = number == 4
        writer.write(
            Step(
                step=number,
                kind=kind,
                response=f"I look at step {number}.\n```\nopen src/app.py {number}\n```",
                thought=f"I look at step {number}.",
                action="" if kind == "format_error" else f"open src/app.py {number}",
                tool="edit" if failed else "open",
                observation="\n".join(f"{n}:line" for n in range(40)),
                exit_code=0,
                state={"open_file": "src/app.py", "working_dir": "/repo"},
                failed_edit=failed,
                input_tokens=100 * number,
                output_tokens=20,
                cached_tokens=0,
                cost=None if outcome.cost is None else outcome.cost / outcome.steps,
                latency=0.5,
                seconds=0.1,
                served_model=spec.served_model,
            )
        )
    if outcome.cut_off:
        writer.close()
        return
    writer.write(
        End(
            exit_status=outcome.exit_status,
            submitted=outcome.exit_status.startswith("submitted"),
            steps=outcome.steps,
            api_calls=outcome.steps,
            cost=outcome.cost,
            input_tokens=sum(100 * n for n in range(1, outcome.steps + 1)),
            output_tokens=20 * outcome.steps,
            seconds=4.0,
            ended_at="2026-01-01T00:01:00.000+00:00",
        )
    )
    writer.close()
    if outcome.error:
        failure = {"exit_status": outcome.exit_status, "message": "connection refused", "at": "2026-01-01"}
        write_atomic(folder / "error.json", json.dumps(failure))
        return
    write_atomic(folder / "submission.patch", PATCH)
    tests = {
        "tests/test_app.py::test_total": "passed" if outcome.resolved else "failed",
        "tests/test_app.py::test_x": "passed",
    }
    grade = {
        "schema": SCHEMA,
        "resolved": outcome.resolved,
        "tests": tests,
        "patch_applied": True,
        "seconds": 1.0,
        "log": "1 failed",
        "instance_digest": digest,
        "graded_at": "2026-01-01T00:02:00.000+00:00",
    }
    write_atomic(folder / "grade.json", json.dumps(grade))


def ids(count: int) -> list[str]:
    return [f"repo__bug-{n:02d}" for n in range(count)]


def outcomes(resolved: Sequence[int], count: int, **kwargs: Any) -> dict[tuple[str, int], Outcome]:
    """One repeat of ``count`` instances, of which those numbered in ``resolved`` are resolved."""
    return {(name, 0): Outcome(resolved=n in set(resolved), **kwargs) for n, name in enumerate(ids(count))}


def random_outcomes(count: int, repeats: int, rate: float, seed: str) -> dict[tuple[str, int], Outcome]:
    """Outcomes with hard and easy instances; the same seed gives the same ones."""
    dice = random.Random(seed)
    hardness = random.Random("instances")
    easy = {name: hardness.random() for name in ids(count)}
    return {
        (name, k): Outcome(resolved=dice.random() < rate * 2 * easy[name], steps=4 + dice.randrange(6))
        for name in ids(count)
        for k in range(repeats)
    }


def write_sweep(
    outputs: Path,
    experiment: str,
    specs: Sequence[CellSpec],
    sweep: str = "20260101-000000",
    baseline: bool = True,
) -> list[str]:
    """Write the cells and the record of the sweep that started them together; returns the fingerprints."""
    prints = [write_cell(outputs, experiment, spec) for spec in specs]
    record = {
        "schema": SCHEMA,
        "id": sweep,
        "started_at": "2026-01-01T00:00:00.000+00:00",
        "command": f"acilab run experiment={experiment}",
        "baseline": prints[0] if baseline else None,
        "cells": [
            {"fingerprint": p, "label": s.overrides or "baseline", "overrides": s.overrides.split()}
            for p, s in zip(prints, specs, strict=True)
        ],
    }
    write_atomic(outputs / experiment / "sweeps" / f"{sweep}.yaml", dump_yaml(record))
    return prints


def paper_like(outputs: Path, experiment: str = "lab", count: int = 12, repeats: int = 1) -> list[str]:
    """The nine cells of the paper's Table 3 with errors, a missing and a cut-off episode."""
    specs = []
    for number, overrides in enumerate(PAPER_TABLE_3):
        found = random_outcomes(count, repeats, 0.55 - 0.05 * number, overrides)
        if number == 1:
            found[ids(count)[0], 0] = Outcome(error=True, exit_status="exit_api", steps=2)
        if number == 2:
            del found[ids(count)[1], 0]
        if number == 3:
            found[ids(count)[2], 0] = Outcome(cut_off=True, steps=3)
        if number == 4:
            found[ids(count)[3], 0] = Outcome(cost=None, exit_status="submitted (exit_steps)")
        specs.append(CellSpec(overrides, found, ids(count), repeats))
    return write_sweep(outputs, experiment, specs)
