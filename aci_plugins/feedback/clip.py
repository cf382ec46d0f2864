"""Observations of limited length. What is cut is counted; the prompt's template says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import Field

from aci_plugins.message import Observation
from aci_plugins.plugin import plugin


@plugin
class Clip:
    """Shows at most ``max_observation_chars`` characters.

    Attributes:
        max_observation_chars: the limit; None for no limit.
        keep: ``head`` (the beginning, as SWE-agent does) or ``head_tail`` (beginning and end, with a line between
            them that says how much is missing).
    """

    max_observation_chars: int | None = Field(default=100_000, ge=1)
    keep: Literal["head", "head_tail"] = "head"

    def apply(self, observation: Observation) -> Observation:
        """The observation as it is shown."""
        text, limit = observation.text, self.max_observation_chars
        if limit is None or len(text) <= limit:
            return observation
        elided = len(text) - limit
        if self.keep == "head":
            return replace(observation, text=text[:limit], elided_chars=elided)
        head = (limit + 1) // 2
        shown = f"{text[:head]}\n[... {elided} characters left out ...]\n{text[len(text) - (limit - head) :]}"
        return replace(observation, text=shown, elided_chars=elided)
