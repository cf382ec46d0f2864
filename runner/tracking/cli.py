"""``acilab sync`` and ``acilab ui``."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.arguments import Parser, split_overrides
from analysis.load import experiment_folder, experiments
from runner.errors import Incomplete, UserError
from runner.records import Cell, cells, sweeps
from runner.say import say
from runner.tracking.plugin import MLflow
from runner.tracking.store import SETTINGS, TrackingError, opened, resolve_uri, shown


def sync(argv: Sequence[str]) -> int:
    """``acilab sync [EXPERIMENT] [paths.outputs=DIR] [tracking.uri=URI] [tracking.traces=all|failures|none]``.

    Brings MLflow up to date with the records of one experiment or of all. URI and traces are those that each
    sweep was run with unless given.

    Raises:
        UserError: unknown experiment or setting. Incomplete: MLflow cannot be reached.
    """
    words, given = split_overrides(
        argv, {"paths.outputs": "outputs", "tracking.uri": "", "tracking.traces": ""}
    )
    parser = Parser(prog="acilab sync", description="Bring MLflow up to date with the records.")
    parser.add_argument("experiment", nargs="?", help="all of them if not given")
    parser.add_argument("settings", nargs="*", metavar="paths.outputs=DIR|tracking.uri=URI|tracking.traces=…")
    asked = parser.parse_args(words)
    if asked.settings:
        parser.error(f"one experiment at a time, not also {' '.join(asked.settings)}")
    outputs = Path(given["paths.outputs"])
    names = [experiment_folder(outputs, asked.experiment).name] if asked.experiment else experiments(outputs)
    if not names:
        raise UserError(
            f"{outputs}: no experiment is recorded here (set paths.outputs=DIR to look elsewhere)"
        )
    for name in names:
        by_print = {str(c.meta["fingerprint"]): c for c in cells(outputs / name)}
        for record in sweeps(outputs / name):
            ran = next(
                (by_print[str(e["fingerprint"])] for e in record["cells"] if e["fingerprint"] in by_print),
                None,
            )
            _sync(outputs, name, record["id"], ran, given["tracking.uri"], given["tracking.traces"])
    return 0


def _sync(outputs: Path, name: str, sweep: str, ran: Cell | None, uri: str, traces: str) -> None:
    from runner.tracking.project import project_sweep

    recorded = (ran.meta["config"].get("tracking") or {}) if ran else {}
    usual = "all" if recorded.get("traces") in (None, "none") and not recorded.get("enabled", True) else None
    wanted = traces or usual or str(recorded.get("traces") or "all")
    if wanted not in ("all", "failures", "none"):
        raise UserError(f"tracking.traces={wanted}: known: all, failures, none")
    store = uri or str(recorded.get("uri") or "") or None
    MLflow(uri=store).check()
    record = next(r for r in sweeps(outputs / name) if r["id"] == sweep)
    try:
        parent = project_sweep(outputs, name, record, store, wanted)
    except TrackingError as error:
        raise Incomplete(str(error)) from error
    say(
        f"{name}: sweep {sweep}: {len(record['cells'])} cells in run {parent} of {shown(resolve_uri(outputs, store))}"
    )


def ui(argv: Sequence[str]) -> int:
    """``acilab ui [--port 5000] [--host 127.0.0.1] [paths.outputs=DIR] [tracking.uri=URI]``.

    Becomes the MLflow server on the local store, so that ^C stops it.

    Raises:
        UserError: the port is taken, or there is no store.
    """
    words, given = split_overrides(argv, {"paths.outputs": "outputs", "tracking.uri": ""})
    parser = Parser(prog="acilab ui", description="The MLflow UI on the local store.")
    parser.add_argument("--port", type=int, default=5000)
    parser.add_argument("--host", default="127.0.0.1", help="the default is reachable from this machine only")
    parser.add_argument("settings", nargs="*", metavar="paths.outputs=DIR|tracking.uri=URI")
    asked = parser.parse_args(words)
    if asked.settings:
        parser.error(f"unexpected: {' '.join(asked.settings)}")
    outputs = Path(given["paths.outputs"])
    uri = resolve_uri(outputs, given["tracking.uri"])
    if uri.startswith(("http:", "https:")):
        raise UserError(f"tracking.uri={shown(uri)} is a server already: open it in a browser")
    _check_port(asked.host, asked.port)
    database = Path(uri.removeprefix("sqlite:///")) if uri.startswith("sqlite:///") else None
    if database is not None and not database.is_file():
        raise UserError(f"{database}: no MLflow store yet; `acilab run` or `acilab sync` writes it")
    if database is not None:
        with opened(
            outputs, uri
        ) as client:  # an older schema is brought up to date before the server's workers race
            client.search_experiments(max_results=1)
    say(f"MLflow on http://{asked.host}:{asked.port} (store: {shown(uri)}); ^C stops it")
    sys.stdout.flush()
    command = [sys.executable, "-m", "mlflow", "server", "--backend-store-uri", uri, "--workers", "1"]
    command += ["--host", asked.host, "--port", str(asked.port)]
    command += ["--default-artifact-root", (outputs.resolve() / "mlartifacts").as_uri()]
    os.execve(sys.executable, command, {**SETTINGS, **SERVER, **os.environ})


SERVER = {
    "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}
"""The server alone: no job runners (a gigabyte of processes for features not used here), no outside look-ups."""


def _check_port(host: str, port: int) -> None:
    if not 0 < port < 65536:
        raise UserError(f"--port {port}: give a number from 1 to 65535")
    if _is_free(host, port):
        return
    free = next((p for p in range(port + 1, min(port + 100, 65536)) if _is_free(host, p)), None)
    hint = f"; {free} is free: acilab ui --port {free}" if free else ""
    raise UserError(f"port {port} on {host} is taken or not allowed{hint}")


def _is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
