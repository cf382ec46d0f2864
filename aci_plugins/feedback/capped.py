"""A cap on the length of an observation."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from aci_plugins.message import Observation
from aci_plugins.plugin import plugin


@plugin
class Capped:
    """Cuts observations that are longer than ``max_chars``.

    Attributes:
        max_chars: characters shown at most (100,000 in SWE-agent 1.x; 0.7 had no cap of its own).
        keep: ``head`` keeps the beginning, ``head_tail`` the beginning and the end.
    """

    max_chars: int = 100_000
    keep: Literal["head", "head_tail"] = "head"

    def apply(self, observation: Observation) -> Observation:
        """The observation with its text cut and ``elided_chars`` set."""
        text = observation.text
        lost = len(text) - self.max_chars
        if lost <= 0:
            return observation
        if self.keep == "head":
            shown = text[: self.max_chars]
        else:
            half = self.max_chars // 2
            shown = f"{text[:half]}\n[... {lost} characters left out ...]\n{text[-(self.max_chars - half) :]}"
        return replace(observation, text=shown, elided_chars=lost)
