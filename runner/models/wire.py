"""Messages in the form of the OpenAI chat protocol, which LiteLLM translates for each provider."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from aci_plugins.message import Message, ToolCall

EMPTY = "(no answer)"
NOT_RUN = "(not run)"
EPHEMERAL = {"type": "ephemeral"}
"""Asks a provider to cache the prompt up to here (Anthropic's prompt caching, which LiteLLM passes on)."""


def to_wire(messages: Sequence[Message], *, native: bool) -> list[dict[str, Any]]:
    """The conversation for a request.

    Providers refuse a conversation in which a call has no result, a result has no call, a message of the
    assistant is empty or arguments are no JSON. A model's mistake or a history policy can lead to each of them, so
    they are made good here, visibly: with ``(not run)``, as a message of the user, with ``(no answer)``, and
    inside ``{"invalid_json": …}``.
    """
    wire: list[dict[str, Any]] = []
    open_calls: list[str] = []

    def close_calls() -> None:
        wire.extend({"role": "tool", "tool_call_id": call, "content": NOT_RUN} for call in open_calls)
        open_calls.clear()

    for message in messages:
        if message.role == "tool" and native and message.tool_call_id in open_calls:
            open_calls.remove(str(message.tool_call_id))
            # LiteLLM reads the mark of a result beside its content, that of other messages inside of it.
            marked = {"cache_control": EPHEMERAL} if message.cached else {}
            result = {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
            wire.append({**result, **marked})
            continue
        close_calls()
        if message.role == "assistant":
            wire.append(_assistant(message, native))
            open_calls.extend(call.id for call in message.tool_calls if native)
        else:
            role = "user" if message.role == "tool" else message.role
            wire.append({"role": role, "content": _content(message)})
    close_calls()
    return wire


def _content(message: Message) -> str | list[dict[str, Any]]:
    if not message.cached:
        return message.content
    return [{"type": "text", "text": message.content, "cache_control": EPHEMERAL}]


def _assistant(message: Message, native: bool) -> dict[str, Any]:
    if native and message.tool_calls:
        calls = [_call(call) for call in message.tool_calls]
        return {"role": "assistant", "content": message.content or None, "tool_calls": calls}
    return {"role": "assistant", "content": message.content or EMPTY}


def _call(call: ToolCall) -> dict[str, Any]:
    try:
        valid = isinstance(json.loads(call.arguments), dict)
    except ValueError:
        valid = False
    arguments = call.arguments if valid else json.dumps({"invalid_json": call.arguments})
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}
