"""Asks the provider to cache the prompt up to the newest messages (SWE-agent 1.x: ``cache_control``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from aci_plugins.history.errors import CorrectedErrors, settled
from aci_plugins.message import Message
from aci_plugins.plugin import plugin


@plugin
class CacheControl:
    """Marks the last user and tool messages; LiteLLM's requests carry the marks as ``cache_control``. Providers that
    cache on their own ignore them. A cache holds only while the prompt grows at its end: combine it with ``full`` or
    with a ``last_n`` whose ``polling`` is large.

    Attributes:
        last: how many messages are marked (Anthropic allows four marks in a request).
        offset: how many of the newest messages are passed over first.
        corrected_errors: see :data:`aci_plugins.history.errors.CorrectedErrors`.
    """

    last: int = Field(default=2, ge=1, le=4)
    offset: int = Field(default=0, ge=0)
    corrected_errors: CorrectedErrors = "first"

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages, the marked ones with ``cached``."""
        shown = settled(messages, self.corrected_errors)
        replies = [i for i, m in enumerate(shown) if m.role in ("user", "tool")]
        end = len(replies) - self.offset
        marked = set(replies[max(0, end - self.last) : max(0, end)])
        return [replace(m, cached=True) if i in marked else m for i, m in enumerate(shown)]
