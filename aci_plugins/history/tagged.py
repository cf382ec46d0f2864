"""Marks observations by the command that they answer (SWE-agent 1.x: ``tag_tool_call_observations``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from aci_plugins.message import Message
from aci_plugins.plugin import plugin


@plugin
class Tagged:
    """Gives tags to observations, for a policy that comes after it in a chain: ``last_n`` always keeps those with
    ``keep_output`` and always collapses those with ``remove_output``.

    Attributes:
        tags: by tag, the commands whose observations get it (first word of the action, or name of the native call).
    """

    tags: Mapping[str, tuple[str, ...]]

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """The messages, with their tags."""
        return [
            replace(m, tags=(*m.tags, *(tag for tag, tools in self.tags.items() if m.tool in tools)))
            if m.kind == "observation"
            else m
            for m in messages
        ]
