"""The contract of a place where commands run. Implementations live in ``runner.environments``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What one command did.

    Attributes:
        output: stdout and stderr in the order written, decoded as UTF-8 with ``backslashreplace``; bounded:
            head and tail with a notice between when the command wrote more than the environment keeps.
        exit_code: of the command; 124 when it timed out.
        timed_out: whether it was interrupted because its time ran out.
        truncated_bytes: how many bytes of output were dropped.
        seconds: wall-clock time.
        note: what happened to the session, in one line ("" if nothing): interrupted, killed, shell restarted.
    """

    output: str
    exit_code: int
    timed_out: bool = False
    truncated_bytes: int = 0
    seconds: float = 0.0
    note: str = ""


class Match(NamedTuple):
    """One line that a search found: absolute path inside the environment, line number from 1, its text."""

    path: str
    line: int
    text: str


class Environment(Protocol):
    """A repository and a shell. Paths given to it are absolute or relative to :attr:`cwd`.

    File operations raise the ordinary ``OSError`` family (FileNotFoundError, IsADirectoryError,
    PermissionError …) and never leave the environment: a path or symlink that points outside is read with
    the rights of the environment, not of the host.
    """

    @property
    def kind(self) -> str:
        """``sandbox``, ``docker``, ``simulated`` or ``local``."""
        ...

    @property
    def root(self) -> PurePosixPath:
        """The repository inside the environment."""
        ...

    @property
    def cwd(self) -> PurePosixPath:
        """The working directory of the persistent shell, as of the last command."""
        ...

    def run(self, command: str, *, timeout: float) -> CommandResult:
        """Run ``command`` in the persistent shell (cwd, variables, functions survive); stdin is at EOF.

        ``timeout`` is in seconds; see :class:`CommandResult` for what happens when it runs out.
        """
        ...

    def read(self, path: str) -> bytes:
        """The whole content of the file."""
        ...

    def write(self, path: str, data: bytes) -> None:
        """Replace the content atomically (old or new, never half); mode and symlink target are kept.

        The parent folder must exist.
        """
        ...

    def remove(self, path: str) -> None:
        """Delete the file."""
        ...

    def resolve(self, path: str) -> str:
        """Absolute path with symlinks resolved (the file need not exist)."""
        ...

    def exists(self, path: str) -> Literal["file", "directory"] | None:
        """What is there, symlinks followed; None if nothing."""
        ...

    def files(self, directory: str, name: str = "*") -> list[str]:
        """Absolute paths of the regular files below ``directory`` (recursively, hidden ones too, symlinks not
        followed) whose base name matches the glob ``name``, sorted."""
        ...

    def grep(self, pattern: str, path: str) -> list[Match]:
        """Lines that match the POSIX basic regular expression ``pattern``, as ``grep -nIH -- pattern`` does,
        in the file ``path``, or in all files below the directory ``path`` that are not hidden and not in
        hidden folders below it. Binary files are skipped. Sorted by path, then line."""
        ...

    def patch(self) -> str:
        """All changes against the base commit as a git diff, new files included, ignored files not."""
        ...

    def close(self) -> None:
        """Kill every process started here and remove what was made for it. Safe to call twice."""
        ...


class EnvironmentFailure(RuntimeError):
    """The environment itself failed (not the command): an infrastructure failure, never a result."""
