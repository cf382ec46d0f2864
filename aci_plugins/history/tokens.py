"""How many tokens messages have, by estimate: the right tokenizer of each model is not on every machine."""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.message import Message


def estimated(messages: Sequence[Message], chars_per_token: float) -> int:
    """Characters of contents and native calls, divided by ``chars_per_token``."""
    return int(sum(_characters(m) for m in messages) / chars_per_token)


def _characters(message: Message) -> int:
    return len(message.content) + sum(len(c.name) + len(c.arguments) for c in message.tool_calls)
