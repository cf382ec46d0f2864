"""Bad input ends in one clear line and exit code 2, and nothing is run."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from runner.benchmarks.humanevalfix import HumanEvalFix
from runner.benchmarks.rows import Row, named
from runner.errors import UserError
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
    "template without an end": (
        ["prompt.next_step='{% for i in range(10**12) %}x{% endfor %}'"],
        ["prompt.next_step", "100,000"],
    ),
    "memory below zero": (["environment.memory_mb=-1"], ["environment.memory_mb", "greater than", "-1"]),
    "no room for /tmp": (["environment.tmp_mb=0"], ["environment.tmp_mb", "greater than", "0"]),
    "no workers": (["executor.workers=0"], ["executor.workers", "greater than", "0"]),
    "steps below zero": (["budget.steps=-3"], ["budget.steps", "greater than", "-3"]),
    "not a number": (["budget.cost=nan"], ["budget.cost", "finite", "nan"]),
    "endless": (["benchmark.test_timeout=inf"], ["benchmark.test_timeout", "finite", "inf"]),
    "too many seconds": (["budget.command_seconds=1e300"], ["budget.command_seconds", "31536000"]),
    "no seconds": (["benchmark.test_timeout=0"], ["benchmark.test_timeout", "greater than 0"]),
    "temperature below zero": (["model.temperature=-1"], ["model.temperature", "greater than", "-1"]),
    "too many repeats": (["repeats=1000000000000"], ["repeats", "10000"]),
    "empty slice": (["benchmark.slice=5:2"], ["benchmark.slice", "5:2", "empty"]),
    "letters as a slice": (["benchmark.slice=a:b"], ["benchmark.slice", "a:b", "0:10"]),
    "number as a slice": (["benchmark.slice=5"], ["benchmark.slice", "5", "0:10"]),
    "broken filter": (["benchmark.filter='('"], ["benchmark.filter", "regular expression"]),
    "the later of two overrides": (
        ["budget.steps=1", "budget.steps=many"],
        ["command line (budget.steps=many)"],
    ),
    "several values but no sweep": (["aci/editor=lint,none"], ["aci/editor=lint,none", "add -m"]),
    "several numbers but no sweep": (["budget.steps=1,2"], ["budget.steps=1,2", "add -m"]),
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


@pytest.mark.parametrize(("arguments", "words"), CASES.values(), ids=CASES.keys())
def test_one_clear_line(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    done = acilab("run", *arguments, f"paths.outputs={tmp_path / 'out'}", cwd=tmp_path)
    _is_one_line(done.returncode, done.stderr, words)
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


def test_template_errors_name_file_and_line(tmp_path: Path) -> None:
    option = tmp_path / "mine" / "prompt" / "broken.yaml"
    option.parent.mkdir(parents=True)
    option.write_text(
        "defaults: [swe_agent, _self_]\nname: broken\nsystem: |\n  One {{ command_docs }}\n  {% if x\n  more\n"
    )
    done = acilab("run", "--config-dir", tmp_path / "mine", "prompt=broken", cwd=tmp_path)
    _is_one_line(done.returncode, done.stderr, [f"{option}:6: prompt.system", "not a valid Jinja2 template"])
    assert "command_docs" not in done.stderr
    assert len(done.stderr) < 300 + len(str(option))


BAD_ROWS = {
    "half a surrogate pair": ('"text": "\\ud800"', ["data.jsonl:2", "'text'", "U+D800"]),
    "half of one in a list": ('"more": [{"x": "\\udc00"}]', ["data.jsonl:2", "'more'", "U+DC00"]),
    "long id": (f'"task_id": "Python/{"x" * 300}"', ["data.jsonl:2", "200"]),
    "empty id": ('"task_id": "Python/ "', ["data.jsonl:2", "bad instance id"]),
    "NUL": ('"task_id": "Python/a\\u0000"', ["data.jsonl:2", "bad instance id"]),
    "deep": (f'"more": {"[" * 100_000}{"]" * 100_000}', ["data.jsonl:2", "nested too deeply"]),
}


@pytest.mark.parametrize(("column", "words"), BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_rows_that_no_record_can_hold(tmp_path: Path, column: str, words: list[str]) -> None:
    data = tmp_path / "data.jsonl"
    row = json.dumps({**STATEMENT, "task_id": "Python/1"})
    data.write_text(json.dumps(STATEMENT) + "\n" + row[:-1] + f", {column}}}\n")
    with pytest.raises(UserError) as raised:
        HumanEvalFix(path=str(data)).instances()
    for word in words:
        assert word in str(raised.value)
    assert len(str(raised.value)) < 400
    str(raised.value).encode()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../x", "a\0b", "-x", "é", "a b", "x" * 201])
def test_ids_that_name_no_folder(name: str) -> None:
    with pytest.raises(UserError, match=r"data\.jsonl:7: .*instance id"):
        named([(name, Row("data.jsonl:7", {}))])


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


def _is_one_line(code: int, stderr: str, words: list[str]) -> None:
    assert code == 2, stderr
    assert "Traceback" not in stderr
    assert len(stderr.strip().splitlines()) == 1, stderr
    for word in words:
        assert word in stderr, stderr
