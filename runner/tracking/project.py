"""From records to MLflow runs: a parent run per sweep, a child run per cell.

Doing it again changes nothing, or brings the runs up to date. A cell's run is found by its tags, never by its name.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.records import Cell, cells
from runner.tracking.content import cell_content, milliseconds, sweep_content
from runner.tracking.store import is_server, opened, resolve_uri
from runner.tracking.traces import project_traces

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

    from runner.tracking.content import Content

_BATCH = 100  # the server takes at most so many params or tags in one call


def project_sweep(
    outputs: Path,
    experiment: str,
    sweep_record: Mapping[str, Any],
    uri: str | None = None,
    traces: str = "all",
) -> str:
    """Bring MLflow up to date with one sweep; returns the id of its parent run.

    A sweep of the same cells as an earlier one (the same command given again) continues the earlier parent run.

    Args:
        outputs: folder of all experiments; the local store lies in it.
        sweep_record: as in ``sweeps/<id>.yaml``.
        uri: of the store; None or "" for ``<outputs>/mlflow.db``.
        traces: all, failures or none.

    Raises:
        TrackingError: the store cannot be reached or written. What was written so far stays valid.
        runner.errors.UserError: a record cannot be read.
    """
    store = resolve_uri(outputs, uri)
    wanted = [str(entry["fingerprint"]) for entry in sweep_record["cells"]]
    found = {str(c.meta["fingerprint"]): c for c in cells(outputs / experiment)}
    present = [found[f] for f in wanted if f in found]
    with opened(outputs, store) as client:
        experiment_id = _experiment(client, experiment, outputs, served=is_server(store))
        parent = _parent(client, experiment_id, sweep_record, wanted)
        children = _children(client, experiment_id, parent)
        for cell in present:
            _cell(client, store, experiment_id, parent, cell, children, traces)
        content = sweep_content(outputs, experiment, sweep_record, present)
        _write(client, client.get_run(parent), content)
        _end(client, parent, content)
    return parent


def _experiment(client: MlflowClient, name: str, outputs: Path, *, served: bool) -> str:
    """The experiment of this name, made or taken out of the bin if need be.

    A server decides itself where artifacts lie; without one MLflow would put them into the working directory.
    """
    known = client.get_experiment_by_name(name)
    if known is None:
        place = None if served else (outputs.resolve() / "mlartifacts" / name).as_uri()
        return str(client.create_experiment(name, artifact_location=place))
    if known.lifecycle_stage == "deleted":
        client.restore_experiment(known.experiment_id)
    return str(known.experiment_id)


def _parent(
    client: MlflowClient, experiment_id: str, record: Mapping[str, Any], wanted: Sequence[str]
) -> str:
    """The sweep's run: that of its id, else that of an earlier sweep of the same cells, else a new one."""
    sweep = str(record["id"])
    same = hashlib.sha256("\n".join(sorted(wanted)).encode()).hexdigest()
    tags = {"acilab.kind": "sweep", "acilab.sweep": sweep, "acilab.cells": same}
    for tag in ("acilab.sweep", "acilab.cells"):
        query = f"tags.`acilab.kind` = 'sweep' and tags.`{tag}` = '{tags[tag]}'"
        runs = client.search_runs([experiment_id], query, max_results=1)
        if runs:
            run_id = str(runs[0].info.run_id)
            for name, value in tags.items():
                if runs[0].data.tags.get(name) != value:
                    client.set_tag(run_id, name, value)
            return run_id
    started = milliseconds(record.get("started_at"))
    run = client.create_run(experiment_id, start_time=started, tags=tags, run_name=f"sweep {sweep}")
    return str(run.info.run_id)


def _children(client: MlflowClient, experiment_id: str, parent: str) -> dict[str, Run]:
    """The runs of a parent's cells, by fingerprint."""
    query = f"tags.`mlflow.parentRunId` = '{parent}'"
    runs = client.search_runs([experiment_id], query, max_results=50_000)
    return {run.data.tags["acilab.fingerprint"]: run for run in runs if "acilab.fingerprint" in run.data.tags}


def _cell(
    client: MlflowClient,
    store: str,
    experiment_id: str,
    parent: str,
    cell: Cell,
    children: Mapping[str, Run],
    traces: str,
) -> None:
    """Bring one cell's run up to date, or leave it alone if it is."""
    content = cell_content(cell, traces)
    run = children.get(content.tags["acilab.fingerprint"])
    before = run.data.tags.get("acilab.projected") if run is not None else None
    if before == content.stamp:
        return
    if run is not None and _contradicts(run, content):
        # Params never change and metrics never go away: what is no longer true needs a new run.
        client.delete_run(run.info.run_id)
        run = None
    elif run is not None and before:
        client.set_tag(run.info.run_id, "acilab.projected", "")
    if run is None:
        tags = {"mlflow.parentRunId": parent, **content.tags}
        run = client.create_run(experiment_id, start_time=content.started, tags=tags, run_name=content.name)
    _write(client, run, content)
    # A projection that was cut off may have left a trace without its spans: then all are written afresh.
    project_traces(store, experiment_id, str(run.info.run_id), cell, traces, afresh=not before)
    _end(client, str(run.info.run_id), content)
    # Last: this tag says that the run is complete.
    client.set_tag(run.info.run_id, "acilab.projected", content.stamp)


def _contradicts(run: Run, content: Content) -> bool:
    params, metrics = run.data.params, run.data.metrics
    changed = any(params.get(name, value) != value for name, value in content.params.items())
    return changed or bool(metrics.keys() - content.metrics.keys())


def _write(client: MlflowClient, run: Run, content: Content) -> None:
    """Log what the run does not have yet, in few calls, and its artifacts."""
    from mlflow.entities import Metric, Param, RunTag

    run_id, data = run.info.run_id, run.data
    now = int(time.time() * 1000)
    params = [Param(k, v) for k, v in content.params.items() if k not in data.params]
    tags = [RunTag(k, v) for k, v in content.tags.items() if data.tags.get(k) != v]
    metrics = [Metric(k, v, now, 0) for k, v in content.metrics.items() if data.metrics.get(k) != v]
    for start in range(0, max(len(params), len(tags), len(metrics)), _BATCH):
        part = slice(start, start + _BATCH)
        client.log_batch(run_id, metrics=metrics[part], params=params[part], tags=tags[part])
    with tempfile.TemporaryDirectory() as folder:
        for name, data_bytes in content.artifacts.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data_bytes)
        client.log_artifacts(run_id, folder)


def _end(client: MlflowClient, run_id: str, content: Content) -> None:
    if content.status == "RUNNING":
        client.update_run(run_id, status="RUNNING")
    else:
        client.set_terminated(run_id, status=content.status, end_time=content.ended)
