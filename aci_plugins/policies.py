"""The contracts of the parts of an ACI that decide what a model sees and what it may do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from aci_plugins.bash import Simple
from aci_plugins.message import Action, Message, Observation


@runtime_checkable
class HistoryPolicy(Protocol):
    """Which messages, in which form, the model sees."""

    def apply(self, messages: Sequence[Message]) -> list[Message]: ...


@runtime_checkable
class FeedbackPolicy(Protocol):
    """What of an observation is shown."""

    def apply(self, observation: Observation) -> Observation: ...


@runtime_checkable
class GuardrailPolicy(Protocol):
    """What is refused before it runs."""

    @property
    def max_requeries(self) -> int:
        """Consecutive answers that may be malformed or blocked; with one more the episode ends
        (``exit_format``)."""
        ...

    def check(self, action: Action, commands: Sequence[Simple]) -> str | None:
        """Why ``action`` must not run (shown to the model), or None. ``commands``: the simple commands in it."""
        ...
