"""HumanEvalFix from a file and from a hub, and its grades."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from aci_plugins.environment import Environment
from runner.benchmarks.base import Instance
from runner.benchmarks.humanevalfix import TEST, HumanEvalFix
from runner.errors import UserError

Start = Callable[[Mapping[str, bytes]], Environment]
Diff = Callable[[Mapping[str, bytes], Mapping[str, bytes | None]], str]

DATA = Path(__file__).resolve().parents[3] / "../shared/data/humanevalpack/humanevalpack_python.jsonl"
needs_data = pytest.mark.skipif(not DATA.is_file(), reason="HumanEvalPack lies beside the checkout only")

TASK = {
    "task_id": "Python/5",
    "prompt": 'import math\n\n\ndef helper(x: int) -> int:\n    """ Helps. """\n    return x\n\n\n'
    'def double(x: int) -> int:\n    """ Twice x.\n    >>> double(2)\n    4\n    """\n',
    "canonical_solution": "    return helper(x) * 2\n",
    "buggy_solution": "    return helper(x) + 2\n",
    "test": "\n\ndef check(double):\n    assert double(3) == 6\n    assert double(helper(5)) == 10\n\ncheck(double)",
    "example_test": "def check(double):\n    assert double(2) == 4\ncheck(double)\n",
    "entry_point": "double",
    "docstring": "Twice x.\n>>> double(2)\n4",
    "bug_type": "operator misuse",
    "failure_symptoms": "incorrect output",
}


def benchmark(place: Path, *rows: Any, **fields: Any) -> HumanEvalFix:
    path = place / "tasks.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return HumanEvalFix(path=str(path), **fields)


def test_instance(tmp_path: Path) -> None:
    (instance,) = benchmark(tmp_path, TASK).instances()
    assert instance.instance_id == "humanevalfix-python-5"
    assert set(instance.files) == {"main.py", "test_main.py", "README.md"}
    assert b"return helper(x) + 2" in instance.files["main.py"]
    assert "`double`" in instance.problem_statement
    assert "Twice x." in instance.problem_statement
    seen = instance.problem_statement + "".join(data.decode() for data in instance.files.values())
    for secret in ("operator misuse", "incorrect output", "double(3) == 6", "helper(x) * 2"):
        assert secret not in seen


def test_task_without_example_tests(tmp_path: Path) -> None:
    (instance,) = benchmark(tmp_path, {**TASK, "example_test": ""}).instances()
    assert set(instance.files) == {"main.py", "README.md"}
    assert "test_main.py" not in instance.problem_statement


def test_visible_tests_run(tmp_path: Path, start: Start) -> None:
    (instance,) = benchmark(tmp_path, TASK).instances()
    environment = start({**instance.files, "main.py": instance.files["main.py"].replace(b"+ 2", b"* 2")})
    for command in ("python3 test_main.py", "python3 -m unittest"):
        result = environment.run(command, timeout=60)
        assert (result.exit_code, "Ran 1 test" in result.output) == (0, True), result.output


def grade(bench: HumanEvalFix, instance: Instance, patch: str, start: Start) -> bool:
    return bench.grade(instance, patch, lambda: start(instance.files)).resolved


def test_grades(tmp_path: Path, start: Start, diff: Diff) -> None:
    bench = benchmark(tmp_path, TASK)
    (instance,) = bench.instances()
    main = instance.files["main.py"]
    assert grade(bench, instance, instance.gold_patch, start)
    assert not grade(bench, instance, "", start)
    assert instance.fail_to_pass == (TEST,)
    equal = main + b"\n\nclass Any(int):\n    __eq__ = lambda a, b: True\ndouble = lambda x: Any()\n"
    weak = main.replace(b"return x\n", b"return 4\n").replace(
        b"helper(x) + 2", b"4 + x - 2 if x == 4 else x * 2"
    )
    assert not grade(bench, instance, diff(instance.files, {"main.py": equal}), start)
    assert not grade(bench, instance, diff(instance.files, {"main.py": None}), start)
    assert grade(
        bench, instance, diff(instance.files, {"main.py": weak.replace(b"x == 4", b"x == 0")}), start
    )


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"buggy_solution": "    return (\n"}, r"tasks.jsonl:1: prompt and 'buggy_solution' are no Python"),
        ({"entry_point": 3}, r"tasks.jsonl:1: column 'entry_point' must be text, found int"),
    ],
)
def test_bad_rows(tmp_path: Path, changed: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        benchmark(tmp_path, {**TASK, **changed}).instances()


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"tasks.jsonl:2: duplicate instance id .* \(first on line 1\)"):
        benchmark(tmp_path, TASK, TASK).instances()
    with pytest.raises(UserError, match=r"tasks.jsonl:1: column 'prompt' is missing"):
        benchmark(tmp_path, {k: v for k, v in TASK.items() if k != "prompt"}).instances()
    with pytest.raises(UserError, match=r"benchmark.path=.*gone.jsonl: there is no such file"):
        HumanEvalFix(path=str(tmp_path / "gone.jsonl")).instances()
    with pytest.raises(UserError, match=r"benchmark.path=FILE"):
        HumanEvalFix(dataset=None).instances()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """A hub that serves one file of one data set, as far as downloading goes. Yields the requested paths."""
    data = (json.dumps(TASK) + "\n").encode()
    requested: list[str] = []

    class Hub(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._reply(b"")

        def do_GET(self) -> None:
            self._reply(data)

        def _reply(self, body: bytes) -> None:
            requested.append(f"{self.command} {self.path}")
            found = self.path == "/datasets/me/tasks/resolve/v1/data/python/data/humanevalpack.jsonl"
            self.send_response(200 if found else 404)
            self.send_header("content-length", str(len(data) if found else 0))
            if found:
                self.send_header("etag", f'"{hashlib.sha1(data).hexdigest()}"')
                self.send_header("x-repo-commit", "0123456789" * 4)
            else:
                self.send_header("x-error-code", "RepoNotFound")
            self.end_headers()
            if self.command == "GET" and found:
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read the list instead."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    yield requested
    server.shutdown()
    server.server_close()


def test_from_the_hub_and_then_from_its_cache(hub: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    bench = {"dataset": "me/tasks", "revision": "v1"}
    (instance,) = HumanEvalFix(**bench).instances()
    assert instance.instance_id == "humanevalfix-python-5"
    assert any(line.startswith("GET ") for line in hub)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert len(HumanEvalFix(**bench).instances()) == 1


def test_unknown_dataset(hub: list[str]) -> None:
    with pytest.raises(UserError, match=r"benchmark.dataset=me/other: .*benchmark.path=FILE"):
        HumanEvalFix(dataset="me/other").instances()


def test_no_hub(hub: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(UserError, match=r"benchmark.path=FILE") as raised:
        HumanEvalFix(dataset="me/tasks").instances()
    assert "\n" not in str(raised.value)


@needs_data
def test_real_data() -> None:
    instances = HumanEvalFix(path=str(DATA)).instances()
    assert len(instances) == 164
    assert instances[163].instance_id == "humanevalfix-python-163"
    assert HumanEvalFix(path=str(DATA), slice="0:10").instances() == instances[:10]


@needs_data
def test_gold_is_resolved_and_buggy_is_not_for_all_real_problems(start: Start) -> None:
    bench = HumanEvalFix(path=str(DATA), test_timeout=10)

    def wrong(instance: Instance) -> list[str]:
        fixed = grade(bench, instance, instance.gold_patch, start)
        buggy = grade(bench, instance, "", start)
        return [instance.instance_id] * (not fixed or buggy)

    with ThreadPoolExecutor(2) as pool:
        assert [name for names in pool.map(wrong, bench.instances()) for name in names] == []
