"""The model ``embedded``: a rule-based baseline that runs without a key or a network. It is no language model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from aci_plugins.message import Message
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool
from runner.models.base import Completion, ContextWindowExceeded, Usage
from runner.models.embedded.hands import Hands, Turn
from runner.models.embedded.policy import Limits, Play, Policy
from runner.models.embedded.reading import Did, read

if TYPE_CHECKING:
    from aci_plugins.aci import ACI
    from runner.benchmarks.base import Instance

SERVED = "embedded-rules-1"
CHARS_PER_TOKEN = 4


@plugin
class Embedded:
    """A deterministic, rule-based repair policy. It is a baseline, not a language model.

    It knows nothing of any instance: it decides from the messages it is given, and proposes edits only of code
    that it can see in them. Tokens are estimated, at four characters each.

    Attributes:
        context_window: tokens that a prompt may have; a longer one ends the episode as it does with a provider.
        max_steps: steps that it plans with, unless the prompt states a number.
        max_candidates: edits that it may try in one episode.
        round_candidates: edits that it may try with one command.
        max_reads: places that it reads beyond the first.
        input_price, output_price: simulated price in US dollars per million tokens; it is free.
    """

    context_window: int = Field(default=16_000, gt=0)
    max_steps: int = Field(default=30, gt=0)
    max_candidates: int = Field(default=900, ge=0)
    round_candidates: int = Field(default=200, gt=0)
    max_reads: int = Field(default=7, ge=0)
    input_price: float = Field(default=0.0, ge=0)
    output_price: float = Field(default=0.0, ge=0)
    temperature: float = Field(default=0.0, ge=0)
    """Accepted so that a sweep over it composes with any model; it has no effect on this one."""

    @property
    def name(self) -> str:
        return "embedded"

    def check(self) -> None:
        """Nothing can be missing."""

    def start(self, aci: ACI, instance: Instance, repeat: int) -> EmbeddedConversation:
        """Begin an episode; neither ``instance`` nor ``repeat`` is looked at."""
        return EmbeddedConversation(self, aci)


class EmbeddedConversation:
    """The policy in one episode."""

    def __init__(self, config: Embedded, aci: ACI) -> None:
        self._config, self._aci = config, aci
        self._did: dict[int, Did] = {}
        self._root = ""
        self._policy: Policy | None = None
        self._play: Play | None = None

    def complete(self, messages: Sequence[Message], tools: Sequence[Tool], stop: Sequence[str]) -> Completion:
        """The next thought and action.

        Raises:
            ContextWindowExceeded: the messages do not fit the context window.
        """
        begun = time.perf_counter()
        view = read(messages, self._did, self._root)
        tokens = view.chars // CHARS_PER_TOKEN
        if tokens > self._config.context_window:
            raise ContextWindowExceeded(
                f"the prompt has about {tokens} tokens, more than the context window of "
                f"{self._config.context_window}"
            )
        self._root = self._root or view.cwd
        if self._policy is None:
            self._policy = Policy(Hands(self._aci, tools), self._limits())
            self._play = self._policy.play()
        self._policy.view = view
        assert self._play is not None
        turn: Turn = next(self._play)
        step = 1 + max((m.step for m in messages), default=0)
        self._did[step] = turn.did
        answer = self._aci.render(turn.thought, turn.action, step)
        written = len(answer.content) + sum(len(c.name) + len(c.arguments) for c in answer.tool_calls)
        usage = Usage(tokens, max(1, written // CHARS_PER_TOKEN), 0)
        return Completion(
            text=answer.content,
            tool_calls=answer.tool_calls,
            usage=usage,
            cost=self._cost(usage),
            latency=time.perf_counter() - begun,
            served_model=SERVED,
            finish_reason="tool_calls" if answer.tool_calls else "stop",
        )

    def _limits(self) -> Limits:
        c = self._config
        return Limits(c.context_window, c.max_steps, c.max_candidates, c.round_candidates, c.max_reads)

    def _cost(self, usage: Usage) -> float:
        c = self._config
        return ((usage.input_tokens or 0) * c.input_price + (usage.output_tokens or 0) * c.output_price) / 1e6
