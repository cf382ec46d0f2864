"""Conversations of any shape, for tests of history policies."""

from __future__ import annotations

from typing import Any

from aci_plugins.message import Kind, Message, ToolCall
from aci_plugins.policies import HistoryPolicy
from tests.aci_plugins.panel import compose, node

OPENING = [
    Message("system", "s", "system"),
    Message("user", "d", "demonstration"),
    Message("user", "i", "instance"),
]


def turn(
    step: int, text: str = "", *, kind: Kind = "action", native: bool = False, tool: str = ""
) -> list[Message]:
    """An answer and the reply to it."""
    reply: Kind = "observation" if kind == "action" else "error"
    text = text or f"{'obs' if kind == 'action' else 'reply'}{step}\nsecond\nthird"
    calls = (ToolCall(f"c{step}", "bash", "{}"),) if native else ()
    answer = Message("assistant", f"{kind}{step}", kind, step, calls)
    if native:
        return [answer, Message("tool", text, reply, step, (), f"c{step}", tool)]
    return [answer, Message("user", text, reply, step, tool=tool)]


def talk(steps: int, *, native: bool = False) -> list[Message]:
    """The opening and ``steps`` well-formed turns."""
    return OPENING + [m for step in range(1, steps + 1) for m in turn(step, native=native)]


def policy(option: str, **fields: Any) -> HistoryPolicy:
    """A shipped option with some fields changed."""
    return compose(history={**node(f"history/{option}"), **fields}).history


def firsts(messages: list[Message]) -> list[str]:
    """The first line of each message behind the opening."""
    return [m.content.split("\n")[0] for m in messages if m.step]
