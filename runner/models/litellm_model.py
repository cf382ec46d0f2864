"""Every provider that LiteLLM serves, with our own retries, keys, and bookkeeping of cost."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import Field

from aci_plugins.message import Message, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool
from runner.errors import UserError
from runner.models.base import Completion, ContextWindowExceeded, ModelError, Usage
from runner.models.failures import classified
from runner.models.prices import Prices, table_digest, table_entry
from runner.models.retry import Failure, Retry
from runner.models.wire import to_wire
from runner.secrets import holds_key, mask, protect, secret_names

if TYPE_CHECKING:
    from aci_plugins.aci import ACI
    from runner.benchmarks.base import Instance

# fmt: off
RESERVED = frozenset({
    "model", "messages", "tools", "functions", "stream", "n", "temperature", "top_p", "max_tokens",
    "max_completion_tokens", "stop", "seed", "timeout", "request_timeout", "api_base", "base_url", "api_key",
    "num_retries", "max_retries", "retry_strategy", "fallbacks", "mock_response", "input_cost_per_token",
    "output_cost_per_token", "client", "callbacks", "metadata",
})
# fmt: on
"""Keys that ``extra`` may not hold: they are fields of their own, or would bypass what this module promises."""

_import_lock = threading.Lock()


@plugin
class LiteLLM:
    """A model behind LiteLLM.

    Attributes:
        name: as LiteLLM names it, ``provider/model``, e.g. ``openai/gpt-4o``.
        temperature, top_p, seed: sampling; None leaves it to the provider.
        max_output_tokens: of one answer; None leaves it to the provider.
        stop: sequences that end an answer, beside those of the action format.
        context_window: tokens; a prompt that is longer by our count ends the episode (``exit_context``) before
            it is sent. None leaves the check to the provider, which not every local server makes.
        api_base: address of the server, e.g. ``http://localhost:8000/v1``.
        api_key_env: NAMES of the environment variables that hold the keys; several are used in turn when one is
            limited. None: the provider's usual variable. An empty list: no key.
        input_price, output_price, cached_price: dollars per million tokens, instead of LiteLLM's table.
        timeout: seconds for one attempt. retries: attempts after the first (429, 5xx, time-outs, lost
            connections). max_retry_wait: longest pause before an attempt, in seconds.
        extra: further parameters of the request, passed through as they are.
    """

    name: str = Field(min_length=1)
    temperature: float | None = Field(default=0.0, ge=0)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_output_tokens: int | None = Field(default=None, ge=1)
    stop: list[str] = Field(default_factory=list)
    seed: int | None = None
    context_window: int | None = Field(default=None, ge=1)
    api_base: str | None = None
    api_key_env: list[str] | None = None
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)
    cached_price: float | None = Field(default=None, ge=0)
    timeout: float = Field(default=300.0, gt=0, le=31_536_000)
    retries: int = Field(default=6, ge=0)
    max_retry_wait: float = Field(default=60.0, gt=0, le=31_536_000)
    extra: dict[str, Any] = Field(default_factory=dict)

    def __post_init__(self) -> None:
        # UserError, not ValueError: pydantic would print the refused value, which here may be a key.
        for field, text in self._texts():
            if holds_key(text) or re.search(r"://[^/\s@]*:[^/\s@]*@", text):
                raise UserError(
                    f"model.{field} holds a key: put it into an environment variable and give that variable's "
                    "name, model.api_key_env=[NAME]"
                )
        for name in self.api_key_env or ():
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
                raise UserError(
                    "model.api_key_env takes names of environment variables, e.g. [OPENAI_API_KEY]"
                )
        if (self.input_price is None) != (self.output_price is None) or (
            self.cached_price is not None and self.input_price is None
        ):
            raise UserError("model.input_price and model.output_price must be given together")
        if taken := sorted(RESERVED & self.extra.keys()):
            raise UserError(f"model.extra.{taken[0]} is not passed through: see the model's own fields")
        protect(self.api_key_env or ())

    def _texts(self) -> Iterator[tuple[str, str]]:
        for field in ("name", "api_base", "api_key_env", "stop", "extra"):
            yield field, json.dumps(getattr(self, field), default=str)

    def check(self) -> None:
        """Raises :class:`UserError` when a key is missing or LiteLLM does not know the provider."""
        for name in self.api_key_env or ():
            if not os.environ.get(name):
                raise UserError(f"model.api_key_env: the environment variable {name} is not set")
        litellm = import_litellm()
        try:
            litellm.get_llm_provider(self.name, api_base=self.api_base)
        except litellm.exceptions.BadRequestError as error:
            raise UserError(
                f"model.name={self.name}: LiteLLM does not know the provider; write provider/model, e.g. "
                "openai/gpt-4o (any OpenAI-compatible server: openai/NAME with model.api_base=URL)"
            ) from error
        if self.api_key_env is None and self.api_base is None:
            missing = self._missing_variables()
            if missing:
                raise UserError(
                    f"model.name={self.name}: the environment variable {' and '.join(missing)} is not set (another "
                    "one can be named with model.api_key_env=[NAME])"
                )

    def start(self, aci: ACI, instance: Instance, repeat: int) -> Chat:
        """Begin an episode; nothing of ``instance`` is looked at."""
        return Chat(self, native=aci.format.native)

    def price_table_digest(self) -> str:
        """SHA-256 over the prices that costs are computed from: LiteLLM's entry and the configured ones."""
        return table_digest(table_entry(import_litellm(), self.name), self.prices)

    @cached_property
    def prices(self) -> Prices | None:
        """The configured prices."""
        if self.input_price is None or self.output_price is None:
            return None
        return Prices(self.input_price, self.output_price, self.cached_price)

    @cached_property
    def retry(self) -> Retry:
        """When a call is made again."""
        return Retry(self.retries, self.max_retry_wait)

    def request(self, key_name: str | None) -> dict[str, Any]:
        """Parameters of a call, without messages. The key is read from its variable here, at the moment of use."""
        optional = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "max_tokens": self.max_output_tokens,
            "seed": self.seed,
            "api_base": self.api_base,
            "api_key": os.environ.get(key_name) if key_name else self._no_key(),
        }
        given = {name: value for name, value in optional.items() if value is not None}
        # LiteLLM's and the client's own retries are off: they add up, and they also repeat what cannot succeed.
        fixed = {"model": self.name, "timeout": self.timeout, "num_retries": 0, "max_retries": 0}
        return {**self.extra, **given, **fixed}

    def without_keys(self, text: str) -> str:
        """An answer with the keys masked that may have been sent: a server that echoes one must not get it into
        records. Only they are masked here, so that nothing else in an answer is touched."""
        usual = [name for name in secret_names() if name.endswith("API_KEY")]
        return mask(text, usual if self.api_key_env is None else self.api_key_env)

    def _no_key(self) -> str | None:
        """A local server needs no key, but the client libraries insist on one."""
        keyless = self.api_key_env == []
        if self.api_key_env is None and self.api_base is not None:
            keyless = any(name.endswith("_API_KEY") for name in self._missing_variables())
        return "none" if keyless else None

    def _missing_variables(self) -> list[str]:
        return list(import_litellm().validate_environment(self.name)["missing_keys"])


@dataclass(frozen=True, slots=True)
class Chat:
    """One episode's conversation."""

    model: LiteLLM
    native: bool

    def complete(self, messages: Sequence[Message], tools: Sequence[Tool], stop: Sequence[str]) -> Completion:
        """See :class:`runner.models.base.Conversation`.

        An answer that a content filter emptied is returned with ``finish_reason="content_filter"``; a prompt
        that a filter refused ends the episode with ``exit_content_filter``.
        """
        began = time.monotonic()
        litellm = import_litellm()
        wire = to_wire(messages, native=self.native)
        sent: dict[str, Any] = {"messages": wire}
        if self.native and tools:
            sent["tools"] = [tool.schema() for tool in tools]
        if stops := list(dict.fromkeys([*self.model.stop, *stop])):
            sent["stop"] = stops
        self._check_window(litellm, sent)

        def attempt(key_name: str | None) -> Any:
            caught: Exception | None = None
            try:
                response = litellm.completion(**sent, **self.model.request(key_name))
            except Exception as error:  # noqa: BLE001 - classified next; LiteLLM's errors share no base class
                caught = error
            # Raised outside of the handler: the original, chained to it, may hold the key that was sent.
            if caught is not None:
                raise classified(litellm, caught)
            if not response.choices or _is_hollow(response.choices[0]):
                raise Failure("again", ModelError("the provider's response holds no answer"))
            return response

        response, retries = self.model.retry.call(attempt, self.model.api_key_env or ())
        choice = response.choices[0]
        usage = _usage(response)
        calls = choice.message.tool_calls or ()
        clean = self.model.without_keys
        return Completion(
            text=clean(choice.message.content or ""),
            tool_calls=tuple(
                ToolCall(c.id or "", c.function.name or "", clean(c.function.arguments or "")) for c in calls
            ),
            usage=usage,
            cost=self._cost(litellm, response, usage),
            latency=time.monotonic() - began,
            served_model=response.model or None,
            fingerprint=getattr(response, "system_fingerprint", None),
            finish_reason=choice.finish_reason,
            retries=retries,
        )

    def _check_window(self, litellm: Any, sent: dict[str, Any]) -> None:
        window = self.model.context_window
        if window is None:
            return
        # One encoding for all models: the right one of many is not on this machine, and would be downloaded.
        used = litellm.token_counter(model="gpt-4o", messages=sent["messages"], tools=sent.get("tools"))
        if used + (self.model.max_output_tokens or 0) > window:
            raise ContextWindowExceeded(
                f"about {used} tokens of prompt do not fit model.context_window={window}"
            )

    def _cost(self, litellm: Any, response: Any, usage: Usage) -> float | None:
        """What the response itself bills, else by the configured prices, else by LiteLLM's table."""
        billed = getattr(getattr(response, "usage", None), "cost", None)
        if isinstance(billed, (int, float)):
            return float(billed)
        if self.model.prices is not None:
            return self.model.prices.cost(usage)
        if usage.input_tokens is None or table_entry(litellm, self.model.name) is None:
            return None
        return float(litellm.completion_cost(completion_response=response, model=self.model.name))


def _is_hollow(choice: Any) -> bool:
    """What LiteLLM makes of a response without choices."""
    message = choice.message
    return message is None or (
        not message.content and not message.tool_calls and choice.finish_reason in (None, "")
    )


def _usage(response: Any) -> Usage:
    usage = getattr(response, "usage", None)
    # LiteLLM writes zeros where the response says nothing; no prompt has 0 tokens.
    if usage is None or not usage.prompt_tokens:
        return Usage()
    details = getattr(usage, "prompt_tokens_details", None)
    return Usage(usage.prompt_tokens, usage.completion_tokens, getattr(details, "cached_tokens", None))


def import_litellm() -> Any:
    """LiteLLM, imported on first use (it takes seconds), without looking anything up on the network unless the
    user's environment says otherwise."""
    with _import_lock:
        os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.suppress_debug_info = True
        return litellm
