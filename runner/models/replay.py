"""Answers with what was recorded: the responses of an earlier episode, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from aci_plugins.message import Message, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool
from runner.errors import UserError
from runner.models.base import Completion, ModelError, Usage
from runner.records import EXIT_STATUSES, Cell, Trajectory, cells, read_trajectory

if TYPE_CHECKING:
    from aci_plugins.aci import ACI
    from runner.benchmarks.base import Instance


@plugin
class Replay:
    """The recorded responses of a cell, by instance and repeat.

    Attributes:
        path: folder of a cell, of an experiment with a single cell, or of one episode.
    """

    path: str = Field(min_length=1)
    temperature: float = Field(default=0.0, ge=0)
    """Accepted so that a sweep over it composes with any model; it has no effect on this one."""

    @property
    def name(self) -> str:
        return "replay"

    def check(self) -> None:
        """Raises :class:`UserError` when ``path`` holds no records."""
        self._source()

    def start(self, aci: ACI, instance: Instance, repeat: int) -> Recording:
        """The recording of this instance and repeat.

        Raises:
            ModelError: there is none, or it cannot be read.
        """
        source = self._source()
        folder = source if isinstance(source, Path) else source.episode(instance.instance_id, repeat).folder
        try:
            trajectory = read_trajectory(folder)
        except FileNotFoundError:
            where = f"{instance.instance_id}, repeat {repeat}"
            raise ModelError(f"model.path={self.path}: there is no recorded episode of {where}") from None
        except ValueError as error:
            raise ModelError(f"model.path={self.path}: the recording cannot be read: {error}") from error
        recorded = trajectory.header.get("instance_id")
        if recorded != instance.instance_id:
            raise ModelError(f"{folder}: is a recording of {recorded}, not of {instance.instance_id}")
        return Recording(folder, trajectory)

    def _source(self) -> Cell | Path:
        """The cell, or the folder of the single episode."""
        path = Path(self.path)
        if (path / "cell.yaml").is_file():
            return Cell(path)
        if (path / "trajectory.jsonl").is_file():
            return path
        if not path.is_dir():
            raise UserError(f"model.path={self.path}: there is no such folder")
        found = list(cells(path))
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(cell.folder.name for cell in found)
            raise UserError(f"model.path={self.path}: holds several cells; name one of them: {names}")
        raise UserError(
            f"model.path={self.path}: is no folder of a cell (with cell.yaml) or of an episode (with "
            "trajectory.jsonl)"
        )


@dataclass(slots=True)
class Recording:
    """One episode's responses. Usage is as recorded; the cost is 0: nothing is billed a second time."""

    folder: Path
    trajectory: Trajectory
    _next: int = field(default=0)

    def complete(self, messages: Sequence[Message], tools: Sequence[Tool], stop: Sequence[str]) -> Completion:
        """The next recorded response.

        Raises:
            ModelError: there is none. Where the recorded episode ended by a limit, this one ends likewise;
                otherwise the run has left the recording, which is an error.
        """
        if self._next >= len(self.trajectory.steps):
            raise self._ended()
        step = self.trajectory.steps[self._next]
        self._next += 1
        return Completion(
            text=step["response"],
            tool_calls=tuple(ToolCall(**call) for call in step.get("tool_calls", ())),
            usage=Usage(step.get("input_tokens"), step.get("output_tokens"), step.get("cached_tokens")),
            cost=0.0,
            served_model=step.get("served_model"),
            fingerprint=step.get("system_fingerprint"),
            finish_reason=step.get("finish_reason"),
        )

    def _ended(self) -> ModelError:
        end: dict[str, Any] = self.trajectory.end or {}
        recorded = str(end.get("exit_status", "")).removeprefix("submitted (").removesuffix(")")
        if recorded in EXIT_STATUSES and recorded.startswith("exit_"):
            return ModelError(f"the recorded episode ended here: {recorded}", recorded, retry_later=False)
        reason = "the recording was cut off" if not end else f"the recorded episode ended as {recorded!r}"
        return ModelError(
            f"{self.folder}: no response is recorded after step {self._next} ({reason})",
            "exit_error",
            retry_later=False,
        )
