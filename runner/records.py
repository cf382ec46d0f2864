"""The record of what happened, and the only module that knows its files.

    outputs/<experiment>/
      sweeps/<id>.yaml                 what was started together: cells in order, baseline, command
      <fingerprint12>/
        cell.yaml                      composed config, tuple, digests, versions
        episodes/<instance_id>/<repeat>/
          trajectory.jsonl             header, step…, end; appended and flushed per step
          submission.patch
          grade.json                   written last, atomically: its presence means finished
          error.json                   an infrastructure failure instead: the next start tries again
          attempt-<k>.jsonl            earlier attempts that were cut off or ended in such a failure
        episodes.parquet  steps.parquet    compacted when the cell ends; rebuilt from the above at any time

``docs/records.md`` explains every field. ``SCHEMA`` counts up when a field changes its meaning.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import yaml

from runner.secrets import redact, secret_names

SCHEMA = 1

EXIT_STATUSES: dict[str, str] = {
    "submitted": "the model submitted",
    "exit_format": "too many consecutive answers were malformed or blocked",
    "exit_cost": "the cost limit of the episode was reached",
    "exit_steps": "the step limit was reached",
    "exit_tokens": "the token limit was reached",
    "exit_time": "the wall-time limit of the episode was reached",
    "exit_command_timeout": "too many commands in a row ran out of time",
    "exit_context": "the prompt no longer fits the model's context window",
    "exit_total_cost": "the cost limit of the whole sweep was reached while the episode ran",
    "exit_content_filter": "the provider's content filter refused the prompt",
    "exit_api": "the model could not answer",
    "exit_environment": "the environment failed",
    "exit_forfeit": "the model gave up",
    "exit_error": "an unexpected error in the harness",
}
"""Every way an episode can end. A limit that ends an episode whose repository has changes reads
``submitted (exit_cost)``: the changes were submitted and the cause is kept."""

ERROR_STATUSES = frozenset({"exit_api", "exit_environment", "exit_error"})
"""These are failures of the infrastructure: no result, tried again on the next start, counted apart."""


@dataclass(frozen=True, slots=True)
class Header:
    """First line of a trajectory: what was attempted."""

    instance_id: str
    repeat: int
    fingerprint: str
    experiment: str
    model: str
    tuple: dict[str, str]
    started_at: str
    problem_statement: str
    instance_digest: str
    messages: list[dict[str, Any]]
    environment: dict[str, Any] = field(default_factory=dict)
    schema: int = SCHEMA
    type: str = "header"


@dataclass(frozen=True, slots=True)
class Step:
    """One billed answer of the model and what came of it.

    Attributes:
        step: from 1, without gaps; every billed call is a step, also malformed and blocked ones.
        kind: ``action`` (it ran), ``format_error`` (malformed), ``blocked`` (a guardrail refused it).
        response: the raw text of the answer; ``tool_calls`` its native calls.
        thought, action: as parsed ("" when malformed). ``tool`` is the first word of the action or the name
            of the native call.
        observation: what the model was told, templates included.
        guard: the guardrail rule that fired: it refused the action, sent a submission back or intervened.
        state: the tools' session after the step, with ``working_dir``.
        input_tokens, output_tokens, cached_tokens: as billed, null where the response does not say.
        cost: US dollars, null when the price is unknown.
        latency: seconds the model took; ``seconds``: what the action took.
    """

    step: int
    kind: str
    response: str
    thought: str
    action: str
    tool: str
    observation: str
    exit_code: int | None
    state: dict[str, Any]
    tool_calls: list[dict[str, str]] = field(default_factory=list)
    error_code: str | None = None
    guard: str | None = None
    timed_out: bool = False
    failed_edit: bool = False
    elided_chars: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None
    latency: float = 0.0
    seconds: float = 0.0
    served_model: str | None = None
    system_fingerprint: str | None = None
    finish_reason: str | None = None
    retries: int = 0
    messages_sent: int = 0
    type: str = "step"


@dataclass(frozen=True, slots=True)
class End:
    """Last line of a trajectory: how it ended, and the totals over its steps.

    ``cost`` is null when the price of any call is unknown. ``input_tokens``/``output_tokens`` are null when
    any call did not report them.
    """

    exit_status: str
    submitted: bool
    steps: int
    api_calls: int
    cost: float | None
    input_tokens: int | None
    output_tokens: int | None
    seconds: float
    ended_at: str
    message: str = ""
    type: str = "end"


class TrajectoryWriter:
    """Appends the lines of one trajectory; each is on disk when its call returns."""

    def __init__(self, folder: Path) -> None:
        """Start anew. An earlier attempt that did not end in a result cost money too: it is kept beside, as
        ``attempt-<k>.jsonl``."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "trajectory.jsonl"
        if path.exists():
            path.rename(folder / f"attempt-{len(list(folder.glob('attempt-*.jsonl'))) + 1}.jsonl")
        for stale in ("grade.json", "error.json", "submission.patch"):
            (folder / stale).unlink(missing_ok=True)
        self._secrets = secret_names()
        self._file: IO[str] = path.open("x", encoding="utf-8")

    def write(self, record: Header | Step | End) -> None:
        """Append one line and flush it to the operating system."""
        # not asdict: it copies deeply, which costs more than writing
        plain = {name: getattr(record, name) for name in record.__dataclass_fields__}
        # Whatever echoes a key (an answer, a model's name, a command's output): it does not reach the disk.
        self._file.write(redact(json.dumps(plain, ensure_ascii=False), self._secrets) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Flush to the disk itself and close."""
        if not self._file.closed:
            os.fsync(self._file.fileno())
            self._file.close()


def write_atomic(path: Path, text: str) -> None:
    """Old or new content, never half, also after a crash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with part.open("w", encoding="utf-8", newline="") as file:  # a patch keeps its carriage returns
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A trajectory as read back. ``end`` is None while it runs or after it was killed."""

    header: dict[str, Any]
    steps: list[dict[str, Any]]
    end: dict[str, Any] | None


def read_trajectory(folder: Path) -> Trajectory:
    """Read ``folder/trajectory.jsonl``. A last line cut off by a kill is dropped.

    Raises:
        FileNotFoundError: there is none.
        ValueError: a line that is not the last is broken, or the schema is newer than this program.
    """
    header: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    end: dict[str, Any] | None = None
    path = folder / "trajectory.jsonl"
    lines = path.read_text("utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            if number == len(lines):
                break
            raise ValueError(f"{path}: line {number} is not JSON: {error}") from error
        if record["type"] == "header":
            if record["schema"] > SCHEMA:
                raise ValueError(f"{path}: schema {record['schema']} is newer than this program's ({SCHEMA})")
            header = record
        elif record["type"] == "step":
            steps.append(record)
        else:
            end = record
    return Trajectory(header, steps, end)


@dataclass(frozen=True, slots=True)
class Episode:
    """Where one episode's files are and what they say. ``grade``/``error`` are None when absent."""

    folder: Path
    instance_id: str
    repeat: int

    @property
    def grade(self) -> dict[str, Any] | None:
        return _read_json(self.folder / "grade.json")

    @property
    def error(self) -> dict[str, Any] | None:
        return _read_json(self.folder / "error.json")

    @property
    def submission(self) -> str | None:
        """The patch that was submitted ("" for none); None when the episode did not come that far."""
        try:
            return (self.folder / "submission.patch").read_text("utf-8")
        except FileNotFoundError:
            return None

    def trajectory(self) -> Trajectory:
        return read_trajectory(self.folder)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell's folder."""

    folder: Path

    @property
    def meta(self) -> dict[str, Any]:
        """``cell.yaml``: fingerprint, tuple, parts, choices, digests, versions, config."""
        loaded: dict[str, Any] = yaml.load((self.folder / "cell.yaml").read_text("utf-8"), Loader=_YAML)
        return loaded

    def episode(self, instance_id: str, repeat: int) -> Episode:
        return Episode(self.folder / "episodes" / instance_id / str(repeat), instance_id, repeat)

    def episodes(self) -> Iterator[Episode]:
        """All episodes that were begun, by instance id and repeat."""
        base = self.folder / "episodes"
        if not base.is_dir():
            return
        for instance in sorted(base.iterdir()):
            for repeat in sorted(instance.iterdir(), key=lambda p: int(p.name)):
                yield Episode(repeat, instance.name, int(repeat.name))


_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def cells(experiment_folder: Path) -> Iterator[Cell]:
    """All cells of an experiment, by name of folder."""
    for folder in sorted(experiment_folder.iterdir()):
        if (folder / "cell.yaml").is_file():
            yield Cell(folder)


def sweeps(experiment_folder: Path) -> list[dict[str, Any]]:
    """All sweep records of an experiment, oldest first."""
    folder = experiment_folder / "sweeps"
    if not folder.is_dir():
        return []
    return [yaml.load(p.read_text("utf-8"), Loader=_YAML) for p in sorted(folder.glob("*.yaml"))]


def dump_yaml(data: Mapping[str, Any]) -> str:
    """YAML as we write it: keys in order, block style, unicode as it is."""
    text: str = yaml.safe_dump(dict(data), sort_keys=False, allow_unicode=True, width=110)
    return text


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    return loaded
