"""Several guardrails, asked one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from pydantic import Field

from aci_plugins.message import Observation
from aci_plugins.plugin import plugin
from aci_plugins.policies import GuardrailPolicy, Proposal, SubmitGuard, ToolGuard, Verdict, Watcher
from aci_plugins.tool import Context, Tool


@plugin
class Chain:
    """The first guardrail that has a reason decides.

    Attributes:
        policies: by name, in this order; ``'aci/guardrails/policies=[paper,safety]'`` chooses them.
        max_requeries: consecutive answers that may be malformed or refused; those of the policies do not count.
    """

    policies: Mapping[str, GuardrailPolicy] = Field(min_length=1)
    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """The first reason against the action."""
        return next(filter(None, (policy.check(proposal) for policy in self.policies.values())), None)

    def guarded(self, tool: Tool) -> Tool:
        """``tool`` behind all guardrails that stand before commands."""
        guards = [policy for policy in self.policies.values() if isinstance(policy, ToolGuard)]
        return reduce(lambda guarded, guard: guard.guarded(guarded), reversed(guards), tool)

    def accept(self, context: Context) -> Verdict | None:
        """The first reason against the submission."""
        guards = (policy for policy in self.policies.values() if isinstance(policy, SubmitGuard))
        return next(filter(None, (guard.accept(context) for guard in guards)), None)

    def watch(self, observation: Observation, context: Context) -> Verdict | None:
        """What the first watcher has to say; all of them look."""
        watchers = [policy for policy in self.policies.values() if isinstance(policy, Watcher)]
        said = [watcher.watch(observation, context) for watcher in watchers]
        return next(filter(None, said), None)
