"""One trajectory, readable in a terminal."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from analysis.rows import read
from runner.records import EXIT_STATUSES, Episode, Trajectory

if TYPE_CHECKING:
    from rich.console import Console
    from rich.pager import Pager

HEAD, TAIL = 12, 6
"""Lines of an observation that are shown without ``--full``."""
KINDS = {"format_error": "malformed answer, nothing ran", "blocked": "blocked, nothing ran"}


def as_json(episode: Episode) -> str:
    """The whole record of an episode as one JSON object: header, steps, end, grade, error, submission."""
    trajectory = read(episode)
    record = {
        "header": trajectory.header,
        "steps": trajectory.steps,
        "end": trajectory.end,
        "grade": episode.grade,
        "error": episode.error,
        "submission": episode.submission,
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def print_episode(episode: Episode, *, full: bool) -> None:
    """Print an episode to stdout, through a pager if that is a terminal.

    Raises:
        UserError: the record cannot be read.
    """
    from rich.console import Console

    trajectory = read(episode)
    terminal = sys.stdout.isatty()
    # Away from a terminal nothing is wrapped, so that the output can be searched.
    console = Console(highlight=False, width=None if terminal else 10_000, soft_wrap=not terminal)
    paged: AbstractContextManager[Any] = console.pager(_pager(), styles=True) if terminal else nullcontext()
    with paged:
        _header(console, episode, trajectory, full=full)
        for step in trajectory.steps:
            _step(console, step, full=full)
        _ending(console, episode, trajectory)
        _patch(console, episode.submission)


def _pager() -> Pager:
    """``$PAGER``, or less with colours; straight to the terminal where there is neither."""
    from rich.pager import Pager

    class Less(Pager):
        def show(self, content: str) -> None:
            command = shlex.split(os.environ.get("PAGER") or "less -RFX")
            if shutil.which(command[0]) is None:
                sys.stdout.write(content)
                return
            # less reads LESS itself; git's default keeps colours and leaves a short text on the screen.
            subprocess.run(command, input=content.encode(), env={"LESS": "-RFX", **os.environ}, check=False)

    return Less()


def _header(console: Console, episode: Episode, trajectory: Trajectory, *, full: bool) -> None:
    header = trajectory.header
    _line(console, f"{episode.instance_id}  repeat {episode.repeat}", "bold")
    named = header.get("tuple") or {}
    _line(console, "  ".join(f"{axis} {name}" for axis, name in named.items()), "dim")
    _line(console, f"{episode.folder}", "dim")
    if header.get("model") == "embedded":
        _line(console, "the model is a rule-based baseline, not a language model", "dim")
    _rule(console, "problem")
    _block(console, str(header.get("problem_statement", "")), full=full)
    if full:
        for message in header.get("messages", []):
            _rule(console, f"{message.get('role', 'message')} ({message.get('kind', '')})")
            _block(console, str(message.get("content", "")), full=True, style="dim")


def _step(console: Console, step: Mapping[str, Any], *, full: bool) -> None:
    _rule(console, f"step {step['step']}   {_price(step)}")
    if step["kind"] in KINDS:
        code = f" ({step['error_code']})" if step["error_code"] else ""
        _line(console, f"{KINDS[step['kind']]}{code}", "yellow")
    if step["kind"] == "format_error":
        _block(console, step["response"], full=full, style="italic")
    else:
        _block(console, step["thought"], full=True, style="italic")
        _block(console, step["action"], full=True, style="bold cyan", mark="$ ")
    marks = [
        "timed out" if step["timed_out"] else "",
        "edit refused or failed" if step["failed_edit"] else "",
        f"exit code {step['exit_code']}" if step["exit_code"] else "",
        f"{step['elided_chars']} characters elided" if step["elided_chars"] else "",
    ]
    if told := ", ".join(filter(None, marks)):
        _line(console, told, "yellow")
    _block(console, step["observation"], full=full, mark="│ ")


def _price(step: Mapping[str, Any]) -> str:
    tokens = [step["input_tokens"], step["output_tokens"]]
    told = " → ".join("?" if n is None else str(n) for n in tokens) + " tokens"
    cost = "cost unknown" if step["cost"] is None else f"${step['cost']:.4f}"
    served = f", {step['served_model']}" if step["served_model"] else ""
    return f"{told}, {cost}, model {step['latency']:.1f} s, action {step['seconds']:.1f} s{served}"


def _ending(console: Console, episode: Episode, trajectory: Trajectory) -> None:
    end, grade, error = trajectory.end, episode.grade, episode.error
    _rule(console, "end")
    if end:
        cost = "cost unknown" if end["cost"] is None else f"${end['cost']:.4f}"
        _line(console, f"{end['exit_status']}: {_meaning(end['exit_status'])}", "bold")
        _line(console, f"{end['steps']} steps, {end['api_calls']} calls, {cost}, {end['seconds']:.1f} s")
        if end.get("message"):
            _line(console, str(end["message"]))
    else:
        _line(console, "unfinished: it is running, or was killed", "yellow")
    if grade is not None:
        verdict = "resolved" if grade["resolved"] else "not resolved"
        _line(console, verdict, "bold green" if grade["resolved"] else "bold red")
        if not grade.get("patch_applied", True):
            _line(console, "the patch did not apply", "red")
        tests = grade.get("tests") or {}
        for name, status in tests.items():
            if status != "passed":
                _line(console, f"  {status}  {name}", "red")
        _line(console, f"{sum(s == 'passed' for s in tests.values())} of {len(tests)} tests passed")
    elif error is not None:
        _line(
            console,
            f"infrastructure failure, no grade: {error['exit_status']}: {error['message']}",
            "bold yellow",
        )
    elif end:
        _line(console, "not graded yet", "yellow")


def _meaning(status: str) -> str:
    """``submitted (exit_cost)`` has both meanings."""
    names = status.replace(")", "").split(" (")
    return "; ".join(EXIT_STATUSES.get(name, "an unknown status") for name in names)


def _patch(console: Console, patch: str | None) -> None:
    if patch is None:
        return
    _rule(console, "submission")
    if not patch.strip():
        _line(console, "nothing was changed", "yellow")
    for line in patch.splitlines():
        style = "bold" if line.startswith(("+++", "---", "diff ")) else ""
        style = style or {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
        _line(console, line, style)


def _block(console: Console, text: str, *, full: bool, style: str = "", mark: str = "") -> None:
    """Text line by line; without ``full`` only the beginning and the end of a long one."""
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    if not full and len(lines) > HEAD + TAIL + 1:
        elided = len(lines) - HEAD - TAIL
        lines = [*lines[:HEAD], f"… {elided} more lines (--full shows them) …", *lines[-TAIL:]]
    for line in lines:
        _line(console, f"{mark}{line}", style)


def _line(console: Console, text: str, style: str = "") -> None:
    from rich.text import Text

    # Text, never markup: observations hold brackets. Other control characters would move the cursor.
    shown = "".join(c if c.isprintable() or c == "\t" else f"\\x{ord(c):02x}" for c in text)
    console.print(Text(shown, style=style))


def _rule(console: Console, title: str) -> None:
    _line(console, "")
    _line(console, f"── {title} " + "─" * max(4, 70 - len(title)), "blue")
