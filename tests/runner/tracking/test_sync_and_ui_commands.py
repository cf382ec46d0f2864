"""``acilab sync`` and ``acilab ui`` in processes of their own, against a real server."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.tracking.store import mlflow_client, resolve_uri
from tests.analysis.factory import write_sweep
from tests.analysis.test_ablation_table import simple

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-m", "runner.cli"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


def acilab(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two experiments that no tracker has seen, then one ``acilab sync``."""
    home = tmp_path_factory.mktemp("home")
    write_sweep(home / "outputs", "one", simple(("", [0]), ("aci/editor=none", [1]), count=3))
    write_sweep(home / "outputs", "two", simple(("", [0]), count=3), baseline=False)
    result = acilab("sync", cwd=home)
    assert result.returncode == 0, result.stderr
    assert [line.split(":")[0] for line in result.stdout.strip().split("\n")] == ["one", "two"]
    return home


@pytest.fixture(scope="module")
def server(synced: Path) -> Iterator[str]:
    """``acilab ui`` until the module's tests are done; ends by ^C."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*COMMAND, "ui", "--port", str(port)]
    with subprocess.Popen(
        command, cwd=synced, env=ENVIRONMENT, stdout=-1, stderr=-1, start_new_session=True
    ) as process:
        uri = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with urllib.request.urlopen(f"{uri}/health", timeout=5):
                    break
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        assert process.poll() is None, process.communicate()
        yield uri
        os.killpg(process.pid, signal.SIGINT)  # what a terminal does on ^C
        process.communicate(timeout=60)


def children(uri: str, experiment: str) -> list[Any]:
    client = mlflow_client(uri)
    found = client.get_experiment_by_name(experiment)
    assert found is not None
    return list(client.search_runs([found.experiment_id], "tags.`acilab.kind` = 'cell'"))


def test_sync_writes_all_experiments_to_the_local_store(synced: Path) -> None:
    uri = resolve_uri(synced / "outputs", None)
    assert len(children(uri, "one")) == 2
    assert len(children(uri, "two")) == 1


def test_the_ui_serves_the_store_and_its_artifacts(server: str) -> None:
    (run,) = children(server, "two")
    with urllib.request.urlopen(
        f"{server}/get-artifact?path=preds.json&run_uuid={run.info.run_id}"
    ) as answer:
        assert len(json.load(answer)) == 3
    with urllib.request.urlopen(server) as page:
        assert b"<html" in page.read()[:2000].lower()


def test_a_run_can_be_synced_to_a_server(server: str, synced: Path) -> None:
    write_sweep(synced / "elsewhere", "three", simple(("", [0]), ("aci/editor=none", [1]), count=3))
    arguments = ["sync", "three", "paths.outputs=elsewhere", f"tracking.uri={server}"]
    for _ in range(2):
        result = acilab(*arguments, cwd=synced)
        assert result.returncode == 0, result.stderr
        assert len(children(server, "three")) == 2
    assert not (synced / "elsewhere/mlflow.db").exists()
    from mlflow.tracing.client import TracingClient

    run = children(server, "three")[0]
    found = TracingClient(server).search_traces(locations=[run.info.experiment_id], run_id=run.info.run_id)
    assert len(found) == 3
    assert all(len(trace.data.spans) > 5 for trace in found)


def test_a_taken_port_is_one_line_that_names_a_free_one(synced: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = acilab("ui", "--port", str(port), cwd=synced)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert f"port {port} on 127.0.0.1 is taken" in result.stderr
    free = int(result.stderr.rsplit(" ", 1)[1])
    assert free > port


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ui", "paths.outputs=nowhere"], 2, "no MLflow store yet"),
        (["ui", "tracking.uri=http://localhost:1"], 2, "is a server already"),
        (["ui", "--port", "x"], 2, "invalid int value"),
        (["ui", "--port", "0"], 2, "give a number from 1 to 65535"),
        (["ui", "tracking.url=x"], 2, "did you mean tracking.uri=…?"),
        (["sync", "nonsense"], 2, "no experiment 'nonsense'"),
        (["sync", "paths.outputs=nowhere"], 2, "no experiment is recorded here"),
        (["sync", "one", "tracking.traces=some"], 2, "known: all, failures, none"),
        (["sync", "one", "tracking.uri=mlruns"], 2, "no such kind of store"),
        (["sync", "one", "tracking.uri=http://127.0.0.1:9"], 1, "does not answer"),
    ],
)
def test_mistakes_end_in_one_clear_line(synced: Path, arguments: list[str], code: int, message: str) -> None:
    result = acilab(*arguments, cwd=synced)
    assert (result.returncode, result.stderr.count("\n")) == (code, 1), result.stderr
    assert message in result.stderr
