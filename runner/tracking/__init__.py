"""MLflow as a projection of the records."""

from runner.tracking.plugin import MLflow
from runner.tracking.project import project_sweep
from runner.tracking.store import TrackingError

__all__ = ["MLflow", "TrackingError", "project_sweep"]
