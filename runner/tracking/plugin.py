"""The tracking option of a config."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from aci_plugins.plugin import plugin
from runner.errors import UserError
from runner.records import sweeps
from runner.say import note
from runner.tracking.project import project_sweep
from runner.tracking.store import TrackingError

SCHEMES = ("sqlite", "postgresql", "mysql", "mssql", "http", "https", "databricks")


@plugin
class MLflow:
    """Copies sweeps to MLflow when they end.

    Args:
        uri: of the store or server; None or "" for a SQLite file in the outputs folder.
        traces: which episodes become traces: all, failures (not resolved, or an error) or none.
        enabled: False leaves MLflow alone; ``acilab sync`` can still copy the records later.
    """

    uri: str | None = None
    traces: Literal["all", "failures", "none"] = "all"
    enabled: bool = True

    def check(self) -> None:
        """Refuse a URI that cannot be one. Whether a server answers is not asked: a run does not need it.

        Raises:
            UserError: unknown scheme.
        """
        if self.uri and urlsplit(self.uri).scheme.split("+")[0] not in SCHEMES:
            raise UserError(
                f"tracking.uri={self.uri!r}: no such kind of store; give null for the local one, sqlite:///FILE or "
                "http(s)://HOST:PORT"
            )

    def project(self, outputs: Path, experiment: str, sweep: str) -> None:
        """Copy one sweep. If MLflow is away, that is said once and the run goes on: the records are complete."""
        if not self.enabled:
            return
        record = next(r for r in sweeps(outputs / experiment) if str(r["id"]) == sweep)
        try:
            project_sweep(outputs, experiment, record, self.uri, self.traces)
        except TrackingError as error:
            note(f"warning: MLflow was not updated ({error}); `acilab sync {experiment}` does it later")
