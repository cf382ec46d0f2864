"""Episodes as MLflow traces: a root span, and per step the model's call and what the tool did.

They are written from the records, many spans in one call, so that an episode itself never waits for MLflow. Trace ids
are digests of what they show: writing them again is a no-op, and what changed replaces what it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from runner.records import Cell, Episode, Trajectory

if TYPE_CHECKING:
    from mlflow.entities import Span, TraceInfo
    from mlflow.tracing.client import TracingClient

MAX_STEPS = 40
"""Steps of one episode that become spans: the first ones and the last ones. The trajectory has all."""
MAX_TEXT = 4000
"""Characters of one text in a span; the trajectory has all."""
_SPANS_PER_CALL = 1000
_DELETED_PER_CALL = 100
_VERSION = "1"


def project_traces(
    store: str, experiment_id: str, run_id: str, cell: Cell, which: str, *, afresh: bool = False
) -> None:
    """Write the traces of a cell's episodes: ``all``, ``failures`` (not resolved, or an error) or ``none``.

    Traces of this run that no longer belong to it (an episode was run or graded again) are deleted; with ``afresh``
    all that there are.
    """
    from mlflow.tracing.client import TracingClient

    client = TracingClient(store)
    stale = _existing(client, experiment_id, run_id)
    if afresh:
        _delete(client, experiment_id, stale)
        stale = set()
    fingerprint = cell.folder.name
    spans: list[Span] = []
    for episode in cell.episodes():
        if not _wanted(episode, which):
            continue
        trace_id = _trace_id(run_id, episode)
        if trace_id in stale:
            stale.remove(trace_id)
            continue
        trajectory = episode.trajectory()
        client.start_trace(_info(trace_id, experiment_id, run_id, fingerprint, episode, trajectory))
        spans.extend(_spans(trace_id, episode, trajectory))
        if len(spans) >= _SPANS_PER_CALL:
            client.log_spans(experiment_id, spans)
            spans = []
    if spans:
        client.log_spans(experiment_id, spans)
    _delete(client, experiment_id, stale)


def _delete(client: TracingClient, experiment_id: str, trace_ids: set[str]) -> None:
    ids = sorted(trace_ids)
    for start in range(0, len(ids), _DELETED_PER_CALL):
        client.delete_traces(experiment_id, trace_ids=ids[start : start + _DELETED_PER_CALL])


def _existing(client: TracingClient, experiment_id: str, run_id: str) -> set[str]:
    found: set[str] = set()
    token = None
    while True:
        page = client.search_traces(
            locations=[experiment_id],
            filter_string=f"metadata.`mlflow.sourceRun` = '{run_id}'",
            max_results=500,
            page_token=token,
            include_spans=False,
        )
        found |= {trace.info.trace_id for trace in page}
        token = page.token
        if not token:
            return found


def _wanted(episode: Episode, which: str) -> bool:
    if which == "none" or not (episode.folder / "trajectory.jsonl").is_file():
        return False
    grade = episode.grade
    if grade is None and episode.error is None:
        return False
    return which == "all" or grade is None or not grade["resolved"]


def _trace_id(run_id: str, episode: Episode) -> str:
    stat = (episode.folder / "trajectory.jsonl").stat()
    told = [_VERSION, run_id, episode.instance_id, episode.repeat, stat.st_size, episode.grade, episode.error]
    return "tr-" + hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]


def _info(
    trace_id: str, experiment_id: str, run_id: str, fingerprint: str, episode: Episode, trajectory: Trajectory
) -> TraceInfo:
    from mlflow.entities import TraceInfo, TraceLocation
    from mlflow.entities.trace_state import TraceState

    end, header = trajectory.end or {}, trajectory.header
    usage = {"input_tokens": end.get("input_tokens"), "output_tokens": end.get("output_tokens")}
    metadata = {"mlflow.sourceRun": run_id}
    if None not in usage.values():
        usage["total_tokens"] = usage["input_tokens"] + usage["output_tokens"]  # type: ignore[operator]
        metadata["mlflow.trace.tokenUsage"] = json.dumps(usage)
    if end.get("cost") is not None:
        metadata["mlflow.trace.cost"] = json.dumps({"total_cost": end["cost"]})
    return TraceInfo(
        trace_id=trace_id,
        trace_location=TraceLocation.from_experiment_id(experiment_id),
        request_time=_start(header) // 1_000_000,
        execution_duration=int(1000 * float(end.get("seconds") or 0)),
        state=TraceState.ERROR if episode.error and not episode.grade else TraceState.OK,
        request_preview=str(header.get("problem_statement", ""))[:200],
        response_preview=_ending(episode, trajectory),
        client_request_id=f"{fingerprint}/{episode.instance_id}/{episode.repeat}",
        trace_metadata=metadata,
        tags={
            "mlflow.traceName": f"{episode.instance_id} {episode.repeat}",
            "acilab.fingerprint": str(header.get("fingerprint", "")),
            "acilab.instance_id": episode.instance_id,
            "acilab.repeat": str(episode.repeat),
            "acilab.exit_status": str(end.get("exit_status", "")),
            # Says where the spans are: in the store, beside the trace, as all spans written this way.
            "mlflow.trace.spansLocation": "TRACKING_STORE",
        },
        assessments=_assessments(trace_id, episode),
    )


def _assessments(trace_id: str, episode: Episode) -> list[Any]:
    """The grade, as feedback of the benchmark's tests."""
    from mlflow.entities import AssessmentSource, Feedback

    grade = episode.grade
    if grade is None:
        return []
    failed = [name for name, status in (grade.get("tests") or {}).items() if status != "passed"]
    reason = f"{len(failed)} of {len(grade.get('tests') or {})} tests did not pass: {', '.join(failed[:10])}"
    return [
        Feedback(
            name="resolved",
            value=bool(grade["resolved"]),
            rationale=reason if failed else "all tests passed",
            source=AssessmentSource(source_type="CODE", source_id="benchmark"),
            trace_id=trace_id,
        )
    ]


def _spans(trace_id: str, episode: Episode, trajectory: Trajectory) -> Iterator[Span]:
    clock = _start(trajectory.header)
    root = _span_id(trace_id, "root")
    shown = _shown(trajectory.steps)
    elided = len(trajectory.steps) - len(shown)
    seen = str(trajectory.header.get("problem_statement", ""))
    total = sum(_nanoseconds(s["latency"]) + _nanoseconds(s["seconds"]) for s in trajectory.steps)
    spent = max(total, _nanoseconds((trajectory.end or {}).get("seconds") or 0))
    outputs = {"ending": _ending(episode, trajectory), "submission": (episode.submission or "")[:MAX_TEXT]}
    attributes = {"acilab.steps": len(trajectory.steps), "acilab.steps_not_shown": elided}
    yield _span(trace_id, root, None, "episode", "AGENT", clock, clock + spent, seen, outputs, attributes)
    for step in trajectory.steps:
        asked, answered = clock, clock + _nanoseconds(step["latency"])
        clock = answered + _nanoseconds(step["seconds"])
        if step["step"] in shown:
            number = step["step"]
            call = _span_id(trace_id, f"model {number}")
            yield _span(
                trace_id,
                call,
                root,
                f"{number} model",
                "LLM",
                asked,
                answered,
                seen,
                step["response"],
                _usage(step),
            )
            if step["kind"] == "action":
                tool = _span_id(trace_id, f"tool {number}")
                name = f"{number} {step['tool'] or 'tool'}"
                told = {"acilab.exit_code": step["exit_code"], "acilab.failed_edit": step["failed_edit"]}
                text = step["observation"]
                yield _span(trace_id, tool, root, name, "TOOL", answered, clock, step["action"], text, told)
        seen = step["observation"]


def _shown(steps: Sequence[Mapping[str, Any]]) -> set[int]:
    numbers = [int(s["step"]) for s in steps]
    if len(numbers) <= MAX_STEPS:
        return set(numbers)
    half = MAX_STEPS // 2
    return {*numbers[:half], *numbers[-half:]}


def _usage(step: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"acilab.kind": step["kind"], "acilab.served_model": step["served_model"]}
    if step["input_tokens"] is not None and step["output_tokens"] is not None:
        told["mlflow.chat.tokenUsage"] = {
            "input_tokens": step["input_tokens"],
            "output_tokens": step["output_tokens"],
            "total_tokens": step["input_tokens"] + step["output_tokens"],
        }
    # Told the model but no cost, MLflow would import LiteLLM and make one up from its price list.
    if step["cost"] is not None:
        told["mlflow.llm.cost"] = {"total_cost": step["cost"]}
        told["mlflow.llm.model"] = step["served_model"] or "unnamed"
    return told


def _span(
    trace_id: str,
    span_id: str,
    parent: str | None,
    name: str,
    kind: str,
    start: int,
    end: int,
    inputs: Any,
    outputs: Any,
    attributes: Mapping[str, Any],
) -> Span:
    from mlflow.entities import Span

    values = {
        "mlflow.traceRequestId": trace_id,
        "mlflow.spanType": kind,
        "mlflow.spanInputs": inputs[:MAX_TEXT] if isinstance(inputs, str) else inputs,
        "mlflow.spanOutputs": outputs[:MAX_TEXT] if isinstance(outputs, str) else outputs,
        **attributes,
    }
    return Span.from_dict(
        {
            "trace_id": trace_id,
            "span_id": span_id,
            "parent_span_id": parent,
            "name": name,
            "start_time_unix_nano": start,
            "end_time_unix_nano": end,
            "events": [],
            "status": {"code": "OK", "message": ""},
            "attributes": {key: json.dumps(value, ensure_ascii=False) for key, value in values.items()},
        }
    )


def _ending(episode: Episode, trajectory: Trajectory) -> str:
    grade = episode.grade
    verdict = "no grade" if grade is None else "resolved" if grade["resolved"] else "not resolved"
    status = (trajectory.end or {}).get("exit_status") or (episode.error or {}).get(
        "exit_status", "unfinished"
    )
    return f"{verdict}, {status}"


def _span_id(trace_id: str, name: str) -> str:
    return hashlib.sha256(f"{trace_id} {name}".encode()).hexdigest()[:16]


def _start(header: Mapping[str, Any]) -> int:
    """Nanoseconds since 1970 of an episode's start."""
    moment = datetime.fromisoformat(header["started_at"]) if header.get("started_at") else datetime.now(UTC)
    return int(moment.timestamp() * 1_000_000) * 1000


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1_000_000_000)
