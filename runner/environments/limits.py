"""Resource limits of a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

Memory = Annotated[int, Field(ge=64, le=1 << 30)]
"""MB of address space. Bash and Python start with the lower bound."""
Processes = Annotated[int, Field(ge=16, le=1 << 22)]
"""A shell, a pipeline and what supervises them. Linux numbers no more than 2^22 processes."""
Size = Annotated[int, Field(ge=1, le=1 << 30)]
"""MB."""
Kept = Annotated[int, Field(ge=1, le=1 << 20)]
"""KB of an output."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Each holds for the processes of one session; None for no limit.

    Attributes:
        memory_mb: address space of one process.
        processes: processes and threads of the session's user (the kernel does not count root's).
        file_mb: size of one file.
    """

    memory_mb: int | None = None
    processes: int | None = None
    file_mb: int | None = None

    def commands(self) -> str:
        """Bash commands that set them, hard and soft. Run inside the user namespace, where the count of
        processes is the session's own. A limit of the machine that is lower already stays."""
        lines = ["umask 022", "ulimit -c 0 2>/dev/null"]
        for flag, value, unit in (
            ("v", self.memory_mb, 1024),
            ("u", self.processes, 1),
            ("f", self.file_mb, 1024),
        ):
            if value is not None:
                lines.append(f"ulimit -{flag} {value * unit} 2>/dev/null")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, int | None]:
        return {"memory_mb": self.memory_mb, "processes": self.processes, "file_mb": self.file_mb}
