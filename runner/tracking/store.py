"""Opening the MLflow store: imported late, created once, never by two processes at a time."""

from __future__ import annotations

import fcntl
import logging
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    from mlflow import MlflowClient


class TrackingError(RuntimeError):
    """MLflow could not be read or written; one line. Nothing is lost: the records are the truth."""


def resolve_uri(outputs: Path, uri: str | None) -> str:
    """``uri``, or the local SQLite store of ``outputs`` when there is none."""
    return uri or f"sqlite:///{outputs.resolve() / 'mlflow.db'}"


def is_server(uri: str) -> bool:
    """Whether ``uri`` is a tracking server rather than a database that this process opens itself."""
    return urlsplit(uri).scheme in ("http", "https", "databricks")


def shown(uri: str) -> str:
    """``uri`` without a password, for messages."""
    parts = urlsplit(uri)
    if not parts.username and not parts.password:
        return uri
    host = parts.hostname or ""
    return urlunsplit(parts._replace(netloc=f"{host}:{parts.port}" if parts.port else host))


SETTINGS = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "30",
}
"""Environment of everything that imports MLflow: no telemetry (it looks up an outside host at import), and a dead
server is given up after seconds instead of minutes. Values that are set already stay."""


def mlflow_client(uri: str) -> MlflowClient:
    """A client for ``uri``. The first import of MLflow goes through here, since it reads :data:`SETTINGS` then."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    from mlflow import MlflowClient

    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return MlflowClient(tracking_uri=uri, registry_uri=uri)


@contextmanager
def opened(outputs: Path, uri: str) -> Iterator[MlflowClient]:
    """A client for ``uri`` that no other process of this outputs folder uses at the same time.

    SQLite needs it: two processes that create the schema at once leave the file broken for good, and writers that
    wait too long fail.

    Raises:
        TrackingError: whatever MLflow, the database or the network raise inside, in one line.
    """
    outputs.mkdir(parents=True, exist_ok=True)
    with (outputs / ".mlflow.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _reach(uri)
        client = mlflow_client(uri)
        from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield client
        except (MlflowException, SQLAlchemyError, OSError) as error:
            first = str(error).strip().split("\n")[0][:300]
            raise TrackingError(f"{shown(uri)}: {type(error).__name__}: {first}") from error


def _reach(uri: str) -> None:
    """Ask a server for its health, so that one that is away is noticed in seconds."""
    if urlsplit(uri).scheme not in ("http", "https"):
        return
    try:
        with urllib.request.urlopen(f"{shown(uri).rstrip('/')}/health", timeout=10):
            pass
    except urllib.error.HTTPError:
        pass  # something answers; what it answers (a login, say) is MLflow's business
    except (OSError, ValueError) as error:
        raise TrackingError(f"{shown(uri)} does not answer: {getattr(error, 'reason', error)}") from error
