"""The contract of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from aci_plugins.message import Message, ToolCall
from aci_plugins.tool import Tool

if TYPE_CHECKING:
    from aci_plugins.aci import ACI
    from runner.benchmarks.base import Instance


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as billed by the response; None where the response does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer.

    Attributes:
        cost: in US dollars; None when the price is unknown (never 0 for unknown).
        latency: seconds, retries included.
        served_model: the model that the response names; None when it names none.
        fingerprint: the provider's system fingerprint, if any.
        finish_reason: as the provider says (``stop``, ``length``, ``tool_calls``, ``content_filter`` …).
        retries: failed attempts before this answer.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    cost: float | None = None
    latency: float = 0.0
    served_model: str | None = None
    fingerprint: str | None = None
    finish_reason: str | None = None
    retries: int = 0


class ModelError(RuntimeError):
    """The model could not answer; ``exit_status`` is how the episode ends.

    ``retry_later`` marks a failure of the infrastructure (network, provider down, quota, bad key): the episode
    is an ``error``, not a result, and the next start tries it again.
    """

    def __init__(self, message: str, exit_status: str = "exit_api", *, retry_later: bool = True) -> None:
        super().__init__(message)
        self.exit_status = exit_status
        self.retry_later = retry_later


class ContextWindowExceeded(ModelError):
    """The prompt does not fit the model: ends the episode with ``exit_context`` (a result, not an error)."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "exit_context", retry_later=False)


class Conversation(Protocol):
    """A model in one episode. Used by one thread."""

    def complete(self, messages: Sequence[Message], tools: Sequence[Tool], stop: Sequence[str]) -> Completion:
        """Answer. ``tools`` are the ACI's; a provider gets them as schemas only if the format is native.

        Raises:
            ModelError, ContextWindowExceeded
        """
        ...


class Model(Protocol):
    """A model as configured. Shared by all threads of a sweep."""

    @property
    def name(self) -> str:
        """Shown in tables and tags, e.g. ``openai/gpt-4o`` or ``embedded``."""
        ...

    def check(self) -> None:
        """Fail early: missing keys, files or servers raise ``runner.errors.UserError``."""
        ...

    def start(self, aci: ACI, instance: Instance, repeat: int) -> Conversation:
        """Begin an episode. Models other than ``gold`` and ``replay`` must not look into ``instance``."""
        ...
