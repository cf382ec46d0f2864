"""One episode from start to grade, all of it on disk."""

from __future__ import annotations

import json
import time
import traceback
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from aci_plugins.environment import EnvironmentFailure
from runner.agents.loop import Episode
from runner.benchmarks.base import Instance
from runner.budget import Meter, Spending
from runner.compose.fingerprint import digest
from runner.environments.base import Workspace
from runner.models.base import ModelError
from runner.records import (
    ERROR_STATUSES,
    SCHEMA,
    End,
    Header,
    TrajectoryWriter,
    read_trajectory,
    write_atomic,
)
from runner.secrets import redact

if TYPE_CHECKING:
    from aci_plugins.environment import Environment
    from runner.compose.cell import Cell

WITHOUT_SUBMISSION = frozenset({"exit_forfeit"})
"""Endings after which nothing is submitted although there may be changes."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the sweep needs to know of a finished episode. ``resolved`` is None for an infrastructure failure."""

    fingerprint: str
    instance_id: str
    repeat: int
    exit_status: str
    resolved: bool | None
    cost: float | None
    message: str = ""


def instance_digest(instance: Instance) -> str:
    """SHA-256 over everything that makes the task: statement, files, tests."""
    contents = {path: data.hex() for path, data in {**instance.files, **instance.hidden}.items()}
    tests = [list(instance.fail_to_pass), list(instance.pass_to_pass)]
    return digest([instance.problem_statement, contents, tests])


def finished(cell: Cell, instance: Instance, repeat: int) -> bool:
    """Whether this episode has its grade, for this very instance."""
    grade = _folder(cell, instance, repeat) / "grade.json"
    try:
        recorded = json.loads(grade.read_text("utf-8"))
    except FileNotFoundError:
        return False
    return bool(recorded["instance_digest"] == instance_digest(instance))


def run_episode(cell: Cell, instance: Instance, repeat: int, spending: Spending) -> Outcome:
    """Attempt, submit, grade. Never raises for what happens inside an episode: a failure of the infrastructure
    is written as ``error.json`` and tried again on the next start."""
    folder = _folder(cell, instance, repeat)
    status, cost, message = "exit_error", None, ""
    try:
        ended = _ended(folder, instance)  # killed between submission and grade: only the grade is missing
        status, cost, message = ended or _attempt(cell, instance, repeat, spending, folder)
        resolved = _grade(cell, instance, folder)
    except Exception as error:  # noqa: BLE001 - one broken episode must not take the others with it
        status, message = _failure(error)
        failure = {
            "exit_status": status,
            "message": message,
            "traceback": redact(traceback.format_exc()),
            "at": _now(),
        }
        write_atomic(folder / "error.json", json.dumps(failure, ensure_ascii=False, indent=1))
        resolved = None
    return Outcome(cell.fingerprint, instance.instance_id, repeat, status, resolved, cost, message)


def _attempt(
    cell: Cell, instance: Instance, repeat: int, spending: Spending, folder: Path
) -> tuple[str, float | None, str]:
    """Run the loop and write trajectory and submission. Returns exit status, cost and message."""
    writer = TrajectoryWriter(folder)
    meter = Meter(cell.budget, spending)
    environment: Environment | None = None
    try:
        environment = cell.environment.start(Workspace(instance.files))
        status, message = _loop(cell, instance, repeat, environment, meter, writer)
        patch = "" if status in WITHOUT_SUBMISSION else environment.patch()
        if status != "submitted" and patch:
            status = f"submitted ({status})"
        write_atomic(folder / "submission.patch", patch)
        writer.write(_end(meter, status, message))
    except Exception as error:
        status, message = _failure(error)
        writer.write(_end(meter, status, message))
        raise
    finally:
        writer.close()
        if environment is not None:
            environment.close()
    return status, meter.cost if meter.cost_known else None, message


def _loop(
    cell: Cell,
    instance: Instance,
    repeat: int,
    environment: Environment,
    meter: Meter,
    writer: TrajectoryWriter,
) -> tuple[str, str]:
    session = cell.aci.session()
    state = cell.aci.state(environment, session)
    messages = cell.prompt.opening(cell.aci, instance, state, str(environment.root))
    writer.write(
        Header(
            instance_id=instance.instance_id,
            repeat=repeat,
            fingerprint=cell.fingerprint,
            experiment=cell.experiment,
            model=cell.model.name,
            tuple=cell.tuple,
            started_at=_now(),
            problem_statement=instance.problem_statement,
            instance_digest=instance_digest(instance),
            messages=[{"role": m.role, "kind": m.kind, "content": m.content} for m in messages],
            environment=cell.environment.facts(),
        )
    )
    return cell.agent.run(
        Episode(
            aci=cell.aci,
            prompt=cell.prompt,
            conversation=cell.model.start(cell.aci, instance, repeat),
            environment=environment,
            session=session,
            meter=meter,
            messages=messages,
            record=writer.write,
        )
    )


def _grade(cell: Cell, instance: Instance, folder: Path) -> bool:
    """Grade the submission in a clean environment; ``grade.json`` is the last file of an episode."""
    submission = (folder / "submission.patch").read_bytes().decode()
    with ExitStack() as started:

        def start() -> Environment:
            environment = cell.environment.start(Workspace(instance.files))
            started.callback(environment.close)
            return environment

        grade = cell.benchmark.grade(instance, submission, start)
    record = {
        "schema": SCHEMA,
        **asdict(grade),
        "instance_digest": instance_digest(instance),
        "graded_at": _now(),
    }
    (folder / "error.json").unlink(missing_ok=True)
    write_atomic(folder / "grade.json", json.dumps(record, ensure_ascii=False, indent=1))
    return grade.resolved


def _ended(folder: Path, instance: Instance) -> tuple[str, float | None, str] | None:
    if not (folder / "submission.patch").is_file():
        return None
    trajectory = read_trajectory(folder)
    end = trajectory.end
    if end is None or end["exit_status"] in ERROR_STATUSES:
        return None
    if trajectory.header["instance_digest"] != instance_digest(instance):
        return None
    return end["exit_status"], end["cost"], end["message"]


def _end(meter: Meter, status: str, message: str) -> End:
    return End(
        exit_status=status,
        submitted=status.startswith("submitted"),
        steps=meter.calls,
        api_calls=meter.calls,
        cost=meter.cost if meter.cost_known else None,
        input_tokens=meter.input_tokens if meter.tokens_known else None,
        output_tokens=meter.output_tokens if meter.tokens_known else None,
        seconds=round(time.monotonic() - meter.started, 3),
        ended_at=_now(),
        message=redact(message),
    )


def _failure(error: Exception) -> tuple[str, str]:
    text = redact(f"{type(error).__name__}: {error}")
    if isinstance(error, EnvironmentFailure):
        return "exit_environment", text
    if isinstance(error, ModelError):
        return error.exit_status, text
    return "exit_error", text


def _folder(cell: Cell, instance: Instance, repeat: int) -> Path:
    return cell.folder / "episodes" / instance.instance_id / str(repeat)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
