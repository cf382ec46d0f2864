"""Cuts out of old observations what matches a pattern (SWE-agent 1.x: ``remove_regex``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from aci_plugins.history.errors import CorrectedErrors, settled
from aci_plugins.message import Message
from aci_plugins.plugin import PluginError, plugin


@plugin
class RemoveRegex:
    """Removes every match of some patterns from observations, but for the last ones.

    Attributes:
        remove: regular expressions; "." also matches line ends.
        keep_last: in how many observations, counted from the last, nothing is removed.
        corrected_errors: see :data:`aci_plugins.history.errors.CorrectedErrors`.
    """

    remove: tuple[str, ...] = Field(min_length=1)
    keep_last: int = Field(default=1, ge=0)
    corrected_errors: CorrectedErrors = "first"

    def __post_init__(self) -> None:
        for pattern in self.remove:
            try:
                re.compile(pattern, re.DOTALL)
            except re.error as error:
                raise PluginError(f"{pattern!r} is no regular expression: {error}", "remove") from error

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that the model sees."""
        steps = sorted({m.step for m in messages if m.kind == "observation"})
        old = set(steps[: len(steps) - self.keep_last]) if self.keep_last < len(steps) else set()
        return [
            replace(m, content=self._without(m.content)) if m.kind == "observation" and m.step in old else m
            for m in settled(messages, self.corrected_errors)
        ]

    def _without(self, text: str) -> str:
        for pattern in self.remove:
            text = re.sub(pattern, "", text, flags=re.DOTALL)
        return text
