"""Refuses what bash could not read, before a part of it runs (SWE-agent 1.x asks ``bash -n``)."""

from __future__ import annotations

from pydantic import Field

from aci_plugins.plugin import plugin
from aci_plugins.policies import Proposal, Verdict
from aci_plugins.shell.bash import BASH


@plugin
class Syntax:
    """Refuses command lines with a syntax error: bash would run the lines before the error first.

    Attributes:
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """The syntax error, if there is one. Calls of a named tool are no command lines."""
        if not proposal.line.error or proposal.action.tool not in (None, BASH):
            return None
        return Verdict("syntax", f"bash cannot read it: {proposal.line.error}.")
