"""Refuses programs that would wait for a person."""

from __future__ import annotations

from pydantic import Field

from aci_plugins.guardrails.rules import Rule
from aci_plugins.guardrails.wrappers import effective
from aci_plugins.plugin import plugin
from aci_plugins.policies import Proposal, Verdict


@plugin
class Interactive:
    """Refuses commands that wait for input or draw on a terminal, and says what to use in their place.

    Attributes:
        rules: which commands, with which options; see :class:`aci_plugins.guardrails.rules.Rule`.
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    rules: tuple[Rule, ...]
    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """The first rule that is about one of the commands."""
        for command in proposal.commands:
            if command.words and command.words[0].value in proposal.tools:
                continue
            for words in effective([word.value for word in command.words]):
                for rule in self.rules:
                    if rule.applies(words, command.fed):
                        return Verdict(f"interactive.{rule.name}", rule.reason)
        return None
