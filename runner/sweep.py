"""Runs the episodes of all cells of a sweep through one pool, and projects the result to the tracker."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.benchmarks.base import Instance
from runner.budget import Spending
from runner.cellfile import note_relatives, write_cell, write_sweep
from runner.compose.cell import Cell
from runner.episode import Outcome, finished, run_episode
from runner.errors import Incomplete, UserError
from runner.models.retry import INTERRUPT
from runner.progress import Progress
from runner.say import note, say


@dataclass(frozen=True)
class Task:
    """One episode to run."""

    cell: Cell
    instance: Instance
    repeat: int


def run_sweep(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Run what is not finished yet. Returns one summary per cell, in order.

    Raises:
        UserError: before anything ran: a model, environment, dataset or folder is not usable.
        Incomplete: at the end, when episodes ended in an infrastructure failure.
    """
    instances = _checked(cells)
    with _alone(cells):
        return _run_all(cells, instances)


def _run_all(cells: Sequence[Cell], instances: dict[str, Sequence[Instance]]) -> list[dict[str, Any]]:
    first = cells[0]
    for cell in cells:
        note_relatives(cell)
        write_cell(cell, instances[cell.fingerprint])
    write_sweep(cells)
    tasks = [
        Task(cell, instance, repeat)
        for cell in cells
        for repeat in range(cell.repeats)
        for instance in instances[cell.fingerprint]
    ]
    todo = [t for t in tasks if not finished(t.cell, t.instance, t.repeat)]
    spending = Spending(first.budget.total_cost)
    with Progress(cells, total=len(tasks), done=len(tasks) - len(todo), spending=spending) as progress:
        outcomes = _run(todo, _workers(first), spending, progress)
    for cell in cells:
        _compact(cell.folder)
    first.tracking.project(first.outputs, first.experiment, first.sweep)
    _report(cells, outcomes, len(tasks), len(todo), spending)
    return [{"fingerprint": c.fingerprint, "label": c.label, "folder": str(c.folder)} for c in cells]


@contextmanager
def _alone(cells: Sequence[Cell]) -> Iterator[None]:
    """Hold every cell's folder: two processes that run the same cell would bill everything twice."""
    with ExitStack() as held:
        for cell in cells:
            cell.folder.mkdir(parents=True, exist_ok=True)
            lock = held.enter_context((cell.folder / ".lock").open("w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise UserError(
                    f"{cell.folder}: another process is running this cell; wait for it, or give another "
                    "experiment_name"
                ) from error
        yield


def _checked(cells: Sequence[Cell]) -> dict[str, Sequence[Instance]]:
    """Everything that can be known to fail is found here, before the first token."""
    folder = cells[0].outputs / cells[0].experiment
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UserError(
            f"paths.outputs={cells[0].outputs}: cannot write there ({error.strerror}); choose another folder "
            "with paths.outputs=DIR"
        ) from error
    loaded: dict[int, Sequence[Instance]] = {}
    for cell in cells:
        key = id(cell.benchmark)
        if key not in loaded:
            loaded[key] = cell.benchmark.instances()
            if not loaded[key]:
                raise UserError(
                    f"benchmark {cell.benchmark.name!r}: no instance is left (slice, ids, filter)"
                )
    for cell in cells:
        if cell.environment.kind == "simulated":
            raise UserError(
                f"environment={cell.choices.get('environment')}: benchmark {cell.benchmark.name!r} runs tests, and "
                "nothing can be run there; use environment=sandbox"
            )
    for checked in {id(p): p for c in cells for p in (c.model, c.environment, c.tracking)}.values():
        checked.check()
    return {cell.fingerprint: loaded[id(cell.benchmark)] for cell in cells}


def _workers(cell: Cell) -> int:
    return cell.workers or min(8, 2 * (os.cpu_count() or 1))


def _run(todo: Sequence[Task], workers: int, spending: Spending, progress: Progress) -> list[Outcome]:
    """All tasks through one pool. The first ^C lets running episodes finish; the second one stops at once."""
    INTERRUPT.clear()
    outcomes: list[Outcome] = []
    waiting = list(reversed(todo))
    running: set[Future[Outcome]] = set()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="episode")
    try:
        while waiting or running:
            while waiting and len(running) < workers and not spending.exhausted:
                task = waiting.pop()
                running.add(pool.submit(run_episode, task.cell, task.instance, task.repeat, spending))
            if not running:
                break
            try:
                done, running = wait(running, return_when=FIRST_COMPLETED)
            except KeyboardInterrupt:
                if not waiting:
                    raise
                waiting.clear()
                INTERRUPT.set()  # answers that wait to be asked for again give up at once
                progress.note("stopping: running episodes finish (press ^C again to stop at once)")
                continue
            for future in done:
                outcomes.append(future.result())
                progress.advance(outcomes[-1])
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return outcomes


def _compact(folder: Path) -> None:
    from analysis.compact import compact

    compact(folder)


def _report(
    cells: Sequence[Cell], outcomes: Sequence[Outcome], total: int, todo: int, spending: Spending
) -> None:
    first = cells[0]
    failed = [o for o in outcomes if o.resolved is None]
    unknown = sum(o.cost is None and o.resolved is not None for o in outcomes)
    say(
        f"{len(cells)} cells, {total} episodes ({total - todo} were finished before), "
        f"{len(outcomes) - len(failed)} graded now, {len(failed)} errors, cost ${spending.cost:.2f}"
        + (f" (price unknown for {unknown} episodes: cost limits do not hold for them)" if unknown else "")
    )
    say(f"records: {first.outputs / first.experiment}   table: acilab table {first.experiment}{_at(first)}")
    left = todo - len(outcomes)
    if failed:
        worst = failed[0]
        note(f"first error: {worst.instance_id}: {worst.exit_status}: {worst.message}")
    if failed or left:
        reason = "the total cost limit was reached" if spending.exhausted else "stopped"
        raise Incomplete(
            "; ".join(
                ([f"{len(failed)} episodes ended in an error"] if failed else [])
                + ([f"{left} episodes were not started ({reason})"] if left else [])
            )
            + ": give the same command again to continue"
        )


def _at(cell: Cell) -> str:
    return "" if str(cell.outputs) == "outputs" else f" paths.outputs={cell.outputs}"
