"""From one episode's record to one flat row, and from its steps to rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runner.errors import UserError
from runner.records import Episode, Trajectory

EPISODE_TYPES: dict[str, str] = {
    "fingerprint": "string",
    "instance_id": "string",
    "repeat": "int64",
    "instance_digest": "string",
    "status": "string",
    "resolved": "boolean",
    "error": "bool",
    "exit_status": "string",
    "submitted": "bool",
    "steps": "int64",
    "api_calls": "int64",
    "cost": "float64",
    "input_tokens": "Int64",
    "output_tokens": "Int64",
    "cached_tokens": "Int64",
    "seconds": "float64",
    "latency": "float64",
    "failed_edits": "int64",
    "format_errors": "int64",
    "blocked": "int64",
    "timed_out": "int64",
    "retries": "int64",
    "model": "string",
    "served_models": "string",
    "patch_applied": "boolean",
    "tests_failed": "Int64",
    "started_at": "string",
    "ended_at": "string",
    "message": "string",
}
"""Columns of the episodes table and their pandas types.

``status`` is ``graded`` (a result), ``error`` (an infrastructure failure, no result) or ``unfinished``.
``resolved`` is missing unless graded. ``cost`` is NaN and the token counts are missing when unknown.
``steps`` counts billed answers; ``latency`` sums the model's seconds, ``seconds`` is the whole episode's.
``served_models`` are the models that answered, joined by ", "; ``tests_failed`` counts tests not passed.
"""

STEP_TYPES: dict[str, str] = {
    "fingerprint": "string",
    "instance_id": "string",
    "repeat": "int64",
    "step": "int64",
    "kind": "string",
    "tool": "string",
    "exit_code": "Int64",
    "error_code": "string",
    "guard": "string",
    "timed_out": "bool",
    "failed_edit": "bool",
    "elided_chars": "int64",
    "input_tokens": "Int64",
    "output_tokens": "Int64",
    "cached_tokens": "Int64",
    "cost": "float64",
    "latency": "float64",
    "seconds": "float64",
    "served_model": "string",
    "finish_reason": "string",
    "retries": "int64",
    "messages_sent": "int64",
    "observation_chars": "int64",
}
"""Columns of the steps table without text; see ``docs/records.md`` for the fields of a step."""

TEXT_TYPES: dict[str, str] = {name: "string" for name in ("thought", "action", "observation", "response")}
"""The text columns of the steps table: large, so they are stored and read apart."""


def read(episode: Episode) -> Trajectory:
    """The trajectory of ``episode``; an empty one when it failed before its first line.

    Raises:
        UserError: a broken line, or a schema newer than this program.
    """
    try:
        return episode.trajectory()
    except FileNotFoundError:
        return Trajectory({}, [], None)
    except (ValueError, KeyError) as error:
        text = str(error) if isinstance(error, ValueError) else f"a line without the key {error}"
        where = f"{episode.folder / 'trajectory.jsonl'}"
        raise UserError(text if where in text else f"{where}: {text}") from error


def episode_row(fingerprint: str, episode: Episode, trajectory: Trajectory) -> dict[str, Any]:
    """One row of the episodes table (columns: :data:`EPISODE_TYPES`)."""
    grade, failure = episode.grade, episode.error
    steps, end = trajectory.steps, trajectory.end or {}
    status = "graded" if grade else "error" if failure else "unfinished"
    tests: Mapping[str, str] = (grade or {}).get("tests") or {}
    return {
        "fingerprint": fingerprint,
        "instance_id": episode.instance_id,
        "repeat": episode.repeat,
        "instance_digest": trajectory.header.get("instance_digest") or (grade or {}).get("instance_digest"),
        "status": status,
        "resolved": bool(grade["resolved"]) if grade else None,
        "error": status == "error",
        "exit_status": end.get("exit_status") or (failure or {}).get("exit_status"),
        "submitted": bool(end.get("submitted", False)),
        "steps": end.get("steps", len(steps)),
        "api_calls": end.get("api_calls", len(steps)),
        "cost": end["cost"] if end else _total(s["cost"] for s in steps),
        "input_tokens": end["input_tokens"] if end else _total(s["input_tokens"] for s in steps),
        "output_tokens": end["output_tokens"] if end else _total(s["output_tokens"] for s in steps),
        "cached_tokens": _total(s["cached_tokens"] for s in steps),
        "seconds": end.get("seconds"),
        "latency": sum(s["latency"] for s in steps),
        "failed_edits": sum(s["failed_edit"] for s in steps),
        "format_errors": sum(s["kind"] == "format_error" for s in steps),
        "blocked": sum(s["kind"] == "blocked" for s in steps),
        "timed_out": sum(s["timed_out"] for s in steps),
        "retries": sum(s["retries"] for s in steps),
        "model": trajectory.header.get("model"),
        "served_models": ", ".join(sorted({s["served_model"] for s in steps if s["served_model"]})) or None,
        "patch_applied": (grade or {}).get("patch_applied"),
        "tests_failed": sum(v != "passed" for v in tests.values()) if grade else None,
        "started_at": trajectory.header.get("started_at"),
        "ended_at": end.get("ended_at") or (failure or {}).get("at"),
        "message": end.get("message") or (failure or {}).get("message") or None,
    }


def step_rows(fingerprint: str, episode: Episode, trajectory: Trajectory) -> list[dict[str, Any]]:
    """Rows of the steps table, text columns included (:data:`STEP_TYPES` and :data:`TEXT_TYPES`)."""
    names = [n for n in (*STEP_TYPES, *TEXT_TYPES) if n not in ("fingerprint", "instance_id", "repeat")]
    key = {"fingerprint": fingerprint, "instance_id": episode.instance_id, "repeat": episode.repeat}
    return [
        key | {"observation_chars": len(s["observation"])} | {n: s[n] for n in names if n in s}
        for s in trajectory.steps
    ]


def _total(values: Iterable[float | None]) -> float | None:
    """The sum, or None when any of them is unknown."""
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total
