"""Submitting in stages, as SWE-agent 1.x's bundle ``review_on_submit_m`` does: each of the first calls is answered by a
message that asks to look at the changes again; the call after the last message submits.
"""

from __future__ import annotations

from pydantic import Field

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool

_STAGE = "review"


@plugin
class Review:
    """``submit``.

    Attributes:
        messages: what is answered, one after the other; ``{{ diff }}`` in them is replaced by all changes.
    """

    messages: tuple[str, ...] = Field(min_length=1)

    def tools(self) -> tuple[Tool, ...]:
        """submit."""
        return (tool(self.submit, reader=lambda context, words, body: {}),)

    def submit(self, context: Context) -> ToolResult:
        """Submits the changes you have made in the repository. First you are shown them for a review; call it again to
        submit them and end the session."""
        stage = context.session.extra.get(_STAGE, 0)
        if stage >= len(self.messages):
            return ToolResult("", submitted=True)
        context.session.extra[_STAGE] = stage + 1
        message = self.messages[stage].replace("{{diff}}", "{{ diff }}")
        if "{{ diff }}" in message:
            message = message.replace("{{ diff }}", context.env.patch().rstrip("\n") or "(no changes)")
        return ToolResult(message.rstrip("\n") + "\n")
