"""The loop: render -> history -> complete -> parse -> guardrails -> act -> feedback -> record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from aci_plugins.aci import ACI
from aci_plugins.environment import Environment
from aci_plugins.message import Action, FormatError, Message, Observation, Parsed, together
from aci_plugins.plugin import plugin
from aci_plugins.session import Session
from aci_plugins.tool import Context
from runner.budget import Meter
from runner.models.base import Completion, Conversation, ModelError
from runner.records import ERROR_STATUSES, Step

if TYPE_CHECKING:
    from runner.prompt import Prompt

NOT_RUN = "(not run: see the replies before)"
"""The reply to a native call that nothing was done for."""


@dataclass
class Episode:
    """Everything one attempt works with.

    Attributes:
        messages: the whole conversation; what the model sees of it is the history policy's choice.
        record: writes a step to disk; it is there when the call returns.
    """

    aci: ACI
    prompt: Prompt
    conversation: Conversation
    environment: Environment
    session: Session
    meter: Meter
    messages: list[Message]
    record: Callable[[Step], None]

    @property
    def state(self) -> dict[str, str]:
        """Open file and working directory, for templates."""
        return self.aci.state(self.environment, self.session)

    @property
    def context(self) -> Context:
        """What guardrails may look at."""
        return Context(self.environment, self.session, self.meter.budget.command_seconds)


@plugin
class Loop:
    """One model that answers until it submits, gives up or reaches a limit."""

    def run(self, episode: Episode) -> tuple[str, str]:
        """Run to the end. Returns the exit status and, for a model's failure, its message.

        Raises:
            aci_plugins.environment.EnvironmentFailure, runner.models.base.ModelError: the infrastructure failed.
        """
        e, step, misses, timeouts = episode, 0, 0, 0
        while True:
            if status := e.meter.exhausted():
                return status, ""
            if e.meter.sweep.exhausted:
                return "exit_total_cost", ""
            sent = e.aci.history.apply(e.messages)
            try:
                completion = e.conversation.complete(sent, e.aci.tools, ())
            except ModelError as error:
                if error.retry_later or error.exit_status in ERROR_STATUSES:
                    raise
                return error.exit_status, str(error)
            e.meter.charge(completion)
            step += 1
            parsed, refusal, kind, code = _understand(e, completion)
            if parsed is None or kind != "action":
                misses += 1
                refusal = _watched(e, refusal)
                _answer(e, completion, [refusal.text], "error", step, ())
                e.record(
                    _step(e, step, kind, completion, parsed, refusal, refusal.text, len(sent), 0.0, code)
                )
                if misses > e.aci.guardrails.max_requeries:
                    return "exit_format", refusal.text
                continue
            misses = 0
            began = time.monotonic()
            done = list(_done(e, parsed.actions))
            seconds = time.monotonic() - began
            observation, texts = together([o for o, _ in done]), [text for _, text in done]
            text = "\n\n".join(texts)
            _answer(e, completion, texts, "action", step, parsed.actions)
            e.record(_step(e, step, kind, completion, parsed, observation, text, len(sent), seconds, None))
            if observation.submitted:
                return "submitted", ""
            if observation.exit_status:
                return observation.exit_status, ""
            timeouts = timeouts + 1 if observation.timed_out else 0
            if e.meter.budget.command_timeouts and timeouts >= e.meter.budget.command_timeouts:
                return "exit_command_timeout", ""


def _understand(e: Episode, completion: Completion) -> tuple[Parsed | None, Observation, str, str | None]:
    """What the answer asks for; or, with a reply for the model, why nothing is done."""
    try:
        parsed = e.aci.parse(completion.text, completion.tool_calls)
    except FormatError as error:
        reply = e.prompt.malformed(e.aci, error, e.state)
        return None, Observation(reply, exit_code=2), "format_error", error.code
    for action in parsed.actions:
        if verdict := e.aci.check(action, e.context):
            reply = e.prompt.refused(e.aci, verdict.reason, e.state)
            return parsed, Observation(reply, exit_code=2, rule=verdict.rule), "blocked", "blocked"
    return parsed, Observation(""), "action", None


def _watched(e: Episode, observation: Observation) -> Observation:
    """The observation, with what a guardrail has to say to it."""
    verdict = e.aci.watch(observation, e.context)
    if verdict is None:
        return observation
    text = e.prompt.intervened(e.aci, observation.text, verdict.reason, e.state)
    return replace(observation, text=text, rule=observation.rule or verdict.rule)


def _done(e: Episode, actions: Sequence[Action]) -> Iterator[tuple[Observation, str]]:
    """Do one after the other, until one ends the episode or runs out of time: what came of each, and what the model
    is told."""
    for action in actions:
        done = e.aci.act(action, e.environment, e.session, e.meter.budget.command_seconds)
        observation = _watched(e, done)
        yield observation, e.prompt.observation(e.aci, observation, e.state)
        if observation.submitted or observation.exit_status or observation.timed_out:
            return


def _answer(
    e: Episode,
    completion: Completion,
    replies: Sequence[str],
    kind: str,
    step: int,
    actions: Sequence[Action],
) -> None:
    """Append the model's answer and our replies, in the order of its native calls; each call gets a reply of its
    own."""
    mistake = kind == "error"
    e.messages.append(
        Message(
            "assistant", completion.text, "error" if mistake else "action", step, tuple(completion.tool_calls)
        )
    )
    named = _tool(actions[0]) if actions else ""
    shown = Message("user", "\n\n".join(replies), "error" if mistake else "observation", step, tool=named)
    if not completion.tool_calls:
        e.messages.append(shown)
    for number, call in enumerate(completion.tool_calls):
        text = replies[number] if number < len(replies) else NOT_RUN
        named = _tool(actions[number]) if number < len(actions) else call.name
        e.messages.append(replace(shown, role="tool", content=text, tool_call_id=call.id, tool=named))


def _tool(action: Action) -> str:
    """The command by name: that of the call, else the first word."""
    return action.tool or (action.text.split(maxsplit=1) or [""])[0]


def _step(
    e: Episode,
    number: int,
    kind: str,
    completion: Completion,
    parsed: Parsed | None,
    observation: Observation,
    text: str,
    sent: int,
    seconds: float,
    code: str | None,
) -> Step:
    return Step(
        step=number,
        kind=kind,
        response=completion.text,
        thought=parsed.thought if parsed else "",
        action="\n".join(a.text for a in parsed.actions) if parsed else "",
        tool=_tool(parsed.action) if parsed else "",
        observation=text,
        exit_code=observation.exit_code if kind == "action" else None,
        state={**_state(e), **e.session.to_dict()},
        tool_calls=[{"id": c.id, "name": c.name, "arguments": c.arguments} for c in completion.tool_calls],
        error_code=code,
        guard=observation.rule or None,
        timed_out=observation.timed_out,
        failed_edit=observation.failed_edit,
        elided_chars=observation.elided_chars,
        input_tokens=completion.usage.input_tokens,
        output_tokens=completion.usage.output_tokens,
        cached_tokens=completion.usage.cached_tokens,
        cost=completion.cost,
        latency=round(completion.latency, 6),
        seconds=round(seconds, 6),
        served_model=completion.served_model,
        system_fingerprint=completion.fingerprint,
        finish_reason=completion.finish_reason,
        retries=completion.retries,
        messages_sent=sent,
    )


def _state(e: Episode) -> dict[str, Any]:
    return {"working_dir": e.state["working_dir"]}
