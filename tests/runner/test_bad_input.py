"""Bad input ends in one clear line and exit code 2, and nothing is run."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from tests.acilab import acilab

STATEMENT = {
    "task_id": "Python/0",
    "prompt": "def f(x):\n    '''Twice x.'''\n",
    "declaration": "def f(x):\n",
    "canonical_solution": "    return 2 * x\n",
    "buggy_solution": "    return x\n",
    "test": "def check(f):\n    assert f(2) == 4\ncheck(f)",
    "text": "Twice x.",
    "docstring": "Twice x.",
    "example_test": "",
    "bug_type": "missing logic",
    "failure_symptoms": "incorrect output",
    "entry_point": "f",
    "signature": "f(x)",
}

CASES = {
    "unknown override": (["budget.stepz=3"], ["budget.stepz", "steps"]),
    "unknown top-level key": (["budgte.steps=3"], ["budgte", "budget"]),
    "unknown group": (["aci/editr=none"], ["aci/editr", "aci/editor"]),
    "unknown option": (["aci/editor=lnt"], ["aci/editor", "lnt", "'lint'"]),
    "wrong type": (["budget.steps=many"], ["budget.steps", "many", "integer"]),
    "wrong type in a plugin": (["aci.viewer.window=wide"], ["aci.viewer.window", "wide"]),
    "unknown key in a plugin": (["+aci.viewer.windo=3"], ["aci.viewer", "windo", "'window'"]),
    "foreign _target_": (["model._target_=os.system"], ["model", "os.system", "not allowed"]),
    "a class that is no plugin": (["model._target_=runner.budget.Meter"], ["model", "names no plugin"]),
    "missing data file": (["benchmark=humanevalfix", "benchmark.path=/nowhere.jsonl"], ["/nowhere.jsonl"]),
    "unknown instance": (["benchmark.ids=[no-such-instance]"], ["no-such-instance"]),
    "missing key variable": (
        ["model=litellm", "model.name=openai/gpt-4o", "model.api_key_env=[NO_SUCH_VARIABLE_KEY]"],
        ["NO_SUCH_VARIABLE_KEY"],
    ),
    "a literal key": (
        ["model=litellm", "model.name=openai/gpt-4o", "+model.api_key=sk-1234567890abcdef"],
        ["model.api_key", "environment variable"],
    ),
    "undefined name in a template": (
        ["prompt.next_step='{{ observtion }}'"],
        ["prompt.next_step", "observtion"],
    ),
    "broken template": (["prompt.next_step='{% if %}'"], ["prompt.next_step"]),
    "prompt names a disabled command": (
        ["aci/editor=none", "prompt.system='Use `edit` to change files. {{ command_docs }}'"],
        ["prompt.system", "'edit'"],
    ),
    "missing demonstration": (
        ["prompt/demonstration=file", "prompt.demonstration.path=/nowhere"],
        ["/nowhere"],
    ),
    "not key=value": (["budget.steps"], ["budget.steps"]),
    "a broken cell in a sweep": (["-m", "aci/editor=lint,lnt"], ["lnt"]),
}


@pytest.mark.parametrize(("arguments", "named"), CASES.values(), ids=CASES.keys())
def test_one_clear_line(tmp_path: Path, arguments: list[str], named: list[str]) -> None:
    done = acilab("run", *arguments, f"paths.outputs={tmp_path / 'out'}", cwd=tmp_path)
    _is_one_line(done.returncode, done.stderr, named)
    assert "1234567890" not in done.stderr
    assert not list(tmp_path.glob("out/*/*/episodes"))


def test_broken_line_and_duplicate_id(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    run = ["run", "benchmark=humanevalfix", f"benchmark.path={data}", f"paths.outputs={tmp_path / 'out'}"]
    data.write_text(json.dumps(STATEMENT) + "\n{broken\n")
    done = acilab(*run, cwd=tmp_path)
    _is_one_line(done.returncode, done.stderr, ["data.jsonl", "2"])
    data.write_text(json.dumps(STATEMENT) + "\n" + json.dumps(STATEMENT) + "\n")
    done = acilab(*run, cwd=tmp_path)
    _is_one_line(done.returncode, done.stderr, ["data.jsonl", "1", "2"])


def test_unwritable_outputs(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    done = acilab("run", f"paths.outputs={blocker / 'out'}", cwd=tmp_path)
    _is_one_line(done.returncode, done.stderr, ["paths.outputs", "file/out"])


def test_port_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = acilab("ui", "--port", str(port), f"paths.outputs={tmp_path}", cwd=tmp_path)
    _is_one_line(done.returncode, done.stderr, [str(port)])


def test_unknown_command_and_experiment(tmp_path: Path) -> None:
    done = acilab("tabel")
    _is_one_line(done.returncode, done.stderr, ["tabel", "'table'"])
    done = acilab("table", "nothing", f"paths.outputs={tmp_path}", cwd=tmp_path)
    _is_one_line(done.returncode, done.stderr, ["nothing"])


def _is_one_line(code: int, stderr: str, named: list[str]) -> None:
    assert code == 2, stderr
    assert "Traceback" not in stderr
    assert len(stderr.strip().splitlines()) == 1, stderr
    for word in named:
        assert word in stderr, stderr
