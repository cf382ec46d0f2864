"""State that the tools of one episode share. It is written into every step and can be restored."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(slots=True)
class Session:
    """What the tools remember between actions.

    Attributes:
        open_file: absolute path of the file in the viewer, "" if none.
        line: centre of the window, 1-based, as SWE-agent 0.x keeps it (may be fractional for odd windows).
        window: number of lines the viewer shows; 0 for whole files.
        search: the last iterative search (term, path) and which of its results is shown.
        scrolls: how many scroll commands came in a row.
        extra: room for tools of plugins; must stay JSON.
    """

    open_file: str = ""
    line: float = 0
    window: int = 100
    search: dict[str, Any] = field(default_factory=dict)
    scrolls: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """JSON form, to be written at once: nested values are not copied."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Session:
        """The session that :meth:`to_dict` wrote. Unknown keys raise ``TypeError``."""
        known = {f.name for f in fields(cls)}
        if unknown := sorted(set(data) - known):
            raise TypeError(f"unknown session keys: {', '.join(unknown)}")
        return cls(**data)
