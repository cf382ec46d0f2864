"""The real LiteLLM against a local server that speaks the OpenAI chat protocol."""

from __future__ import annotations

import json
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from aci_plugins.message import Message, ToolCall
from aci_plugins.plugin import PluginError, build
from aci_plugins.tool import Parameter, Tool
from runner.errors import UserError
from runner.models import retry
from runner.models.base import Completion, ContextWindowExceeded, ModelError, Usage
from runner.models.litellm_model import Chat, LiteLLM
from tests.openai_server import ChatServer, Reply, answer, context_length_error, status, tool_call

HELLO = [Message("system", "Be brief.", "system"), Message("user", "Say hello.", "instance")]
SHELL = Tool(
    name="bash",
    description="Run a command.",
    parameters=(
        Parameter("command", "string", "what to run", True),
        Parameter("timeout", "integer", "seconds", False, 10),
    ),
    signature="bash <command>",
    function=lambda context, **arguments: "",
)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as running:
        yield running


def model(server: ChatServer, **fields: Any) -> LiteLLM:
    given = {
        "name": "openai/test",
        "api_base": server.url,
        "api_key_env": [],
        "max_retry_wait": 0.2,
        "timeout": 30,
    }
    return LiteLLM(**{**given, **fields})


def ask(
    server: ChatServer,
    messages: list[Message] = HELLO,
    *,
    native: bool = False,
    stop: tuple[str, ...] = (),
    **fields: Any,
) -> Completion:
    return Chat(model(server, **fields), native).complete(messages, (SHELL,), stop)


def test_plain_answer(server: ChatServer) -> None:
    usage = {
        **{"prompt_tokens": 1000, "completion_tokens": 10},
        "prompt_tokens_details": {"cached_tokens": 600},
    }
    server.queue(answer("hello", usage=usage))
    got = ask(
        server,
        temperature=0.5,
        top_p=0.9,
        max_output_tokens=77,
        seed=3,
        stop=("\nObservation",),
        extra={"cache_prompt": False},
    )
    assert (got.text, got.tool_calls, got.finish_reason, got.retries) == ("hello", (), "stop", 0)
    assert got.usage == Usage(1000, 10, 600)
    assert got.served_model == "test-2024-01-01"
    assert got.fingerprint == "fp_test"
    assert got.latency > 0
    body = server.requests[0].body
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Say hello."},
    ]
    assert (body["model"], body["temperature"], body["top_p"], body["seed"]) == ("test", 0.5, 0.9, 3)
    assert (body["stop"], body["cache_prompt"]) == (["\nObservation"], False)
    assert 77 in (body.get("max_tokens"), body.get("max_completion_tokens"))
    assert "tools" not in body


def test_native_calls_there_and_back(server: ChatServer) -> None:
    server.queue(answer(None, tool_calls=[tool_call("bash", '{"command": "ls"}', "call_9")]))
    talk = [
        *HELLO,
        Message("assistant", "", "action", 1, (ToolCall("call_1", "bash", '{"command": "pwd"}'),)),
        Message("tool", "/repo", "observation", 1, tool_call_id="call_1"),
    ]
    got = ask(server, talk, native=True)
    assert got.tool_calls == (ToolCall("call_9", "bash", '{"command": "ls"}'),)
    assert (got.text, got.finish_reason) == ("", "tool_calls")
    body = server.requests[0].body
    function = body["tools"][0]["function"]
    assert (function["name"], function["parameters"]["required"]) == ("bash", ["command"])
    assert function["parameters"]["properties"]["timeout"]["type"] == "integer"
    call, result = body["messages"][2:]
    assert call["tool_calls"][0]["function"] == {"name": "bash", "arguments": '{"command": "pwd"}'}
    assert result == {"role": "tool", "tool_call_id": "call_1", "content": "/repo"}


def test_cost_is_unknown_without_a_price(server: ChatServer) -> None:
    server.queue(answer("hello"))
    assert ask(server).cost is None


def test_cost_by_configured_prices(server: ChatServer) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 600}}
    server.queue(answer("hello", usage=usage), answer("hello", usage=usage), answer("free"))
    full = ask(server, input_price=2.0, output_price=8.0)
    assert full.cost == pytest.approx((1000 * 2 + 10 * 8) / 1e6)
    cached = ask(server, input_price=2.0, output_price=8.0, cached_price=1.0)
    assert cached.cost == pytest.approx((400 * 2 + 600 * 1 + 10 * 8) / 1e6)
    assert ask(server, input_price=0, output_price=0).cost == 0.0


def test_cost_by_the_table(server: ChatServer) -> None:
    server.queue(answer("hello", model="gpt-4o"))
    assert ask(server, name="openai/gpt-4o").cost == pytest.approx(100 * 2.5e-6 + 20 * 10e-6)


def test_cost_that_the_response_bills_comes_first(server: ChatServer) -> None:
    server.queue(answer("hello", usage={"prompt_tokens": 5, "completion_tokens": 5, "cost": 0.125}))
    assert ask(server, input_price=2.0, output_price=8.0).cost == 0.125


def test_missing_usage_is_unknown_not_zero(server: ChatServer) -> None:
    server.queue(answer("hello", usage=None))
    got = ask(server, input_price=2.0, output_price=8.0)
    assert (got.usage, got.cost) == (Usage(), None)


def test_a_table_with_zero_prices_is_no_price(server: ChatServer) -> None:
    assert model(server, name="ollama/llama3").price_table_digest() == model(server).price_table_digest()


def test_price_table_digest_follows_the_prices(server: ChatServer) -> None:
    digests = {
        model(server).price_table_digest(),
        model(server, name="openai/gpt-4o").price_table_digest(),
        model(server, name="openai/gpt-4o-mini").price_table_digest(),
        model(server, input_price=1, output_price=2).price_table_digest(),
        model(server, input_price=1, output_price=3).price_table_digest(),
    }
    assert len(digests) == 5


def test_retry_after_is_honoured(server: ChatServer) -> None:
    server.queue(status(429, headers={"retry-after": "0.4"}), answer("at last"))
    began = time.monotonic()
    got = ask(server, max_retry_wait=5)
    assert (got.text, got.retries) == ("at last", 1)
    assert 0.4 <= got.latency <= time.monotonic() - began


def test_retry_after_is_capped(server: ChatServer) -> None:
    server.queue(status(429, headers={"retry-after": "3600"}), answer("at last"))
    began = time.monotonic()
    assert ask(server, max_retry_wait=0.1).text == "at last"
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    "failure",
    [
        status(500),
        status(503),
        Reply(body=b'{"choices": [{"mess'),
        Reply(body=b"<html>bad gateway</html>", headers={"content-type": "text/html"}),
        answer("", choices=[]),
    ],
    ids=["500", "503", "cut JSON", "HTML", "no choices"],
)
def test_what_may_pass_is_tried_again(server: ChatServer, failure: Reply) -> None:
    server.queue(failure, answer("at last"))
    got = ask(server)
    assert (got.text, got.retries, len(server.requests)) == ("at last", 1, 2)


def test_retries_end(server: ChatServer) -> None:
    server.queue(*[status(500, "out of order")] * 3)
    with pytest.raises(ModelError, match="out of order") as raised:
        ask(server, retries=2)
    assert raised.value.retry_later
    assert len(server.requests) == 3


def test_time_out(server: ChatServer) -> None:
    server.queue(Reply(hang=30), answer("at last"))
    got = ask(server, timeout=0.7)
    assert (got.text, got.retries) == ("at last", 1)
    server.queue(Reply(hang=30))
    with pytest.raises(ModelError, match="Timeout"):
        ask(server, timeout=0.7, retries=0)


def test_no_server() -> None:
    with pytest.raises(ModelError, match="onnect") as raised:
        Chat(
            LiteLLM(name="openai/test", api_base="http://127.0.0.1:9/v1", api_key_env=[], retries=0), False
        ).complete(HELLO, (), ())
    assert raised.value.retry_later


@pytest.mark.parametrize("code", [400, 404, 422])
def test_what_cannot_pass_is_not_tried_again(server: ChatServer, code: int) -> None:
    server.queue(status(code, "unheard of"))
    with pytest.raises(ModelError, match="unheard of"):
        ask(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        context_length_error(),
        status(
            400,
            "request (18031 tokens) exceeds the available context size (8192 tokens)",
            type="exceed_context_size_error",
        ),
    ],
    ids=["openai", "llama.cpp"],
)
def test_context_length(server: ChatServer, reply: Reply) -> None:
    server.queue(reply)
    with pytest.raises(ContextWindowExceeded) as raised:
        ask(server)
    assert (raised.value.exit_status, raised.value.retry_later) == ("exit_context", False)
    assert len(server.requests) == 1


def test_stated_context_window(server: ChatServer) -> None:
    server.queue(answer("hello"))
    assert ask(server, context_window=300, max_output_tokens=50).text == "hello"
    with pytest.raises(ContextWindowExceeded, match="context_window=300"):
        ask(server, [Message("user", "word " * 400)], context_window=300, max_output_tokens=50)
    assert len(server.requests) == 1


def test_content_filter_that_refuses_the_prompt(server: ChatServer) -> None:
    server.queue(status(400, "The response was filtered", code="content_policy_violation"))
    with pytest.raises(ModelError) as raised:
        ask(server)
    assert (raised.value.exit_status, raised.value.retry_later) == ("exit_content_filter", False)


def test_content_filter_that_empties_the_answer(server: ChatServer) -> None:
    server.queue(answer("", finish_reason="content_filter"))
    got = ask(server)
    assert (got.text, got.finish_reason, got.usage.input_tokens) == ("", "content_filter", 100)


def test_empty_answer_is_an_answer(server: ChatServer) -> None:
    server.queue(answer(""))
    assert ask(server).text == ""


def test_another_key_takes_over(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACILAB_TEST_A", "key-of-a-is-limited")
    monkeypatch.setenv("ACILAB_TEST_B", "key-of-b-is-fine")
    server.queue(status(429, headers={"retry-after": "60"}), answer("from b"), answer("from b"))
    fields = {"api_key_env": ["ACILAB_TEST_A", "ACILAB_TEST_B"], "max_retry_wait": 60}
    began = time.monotonic()
    assert ask(server, **fields).text == "from b"
    assert ask(server, **fields).text == "from b"
    assert time.monotonic() - began < 30
    assert [r.key for r in server.requests] == ["key-of-a-is-limited", "key-of-b-is-fine", "key-of-b-is-fine"]


def test_a_refused_key_is_dead(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACILAB_TEST_C", "key-of-c-is-revoked")
    monkeypatch.setenv("ACILAB_TEST_D", "key-of-d-is-fine")
    fields = {"api_key_env": ["ACILAB_TEST_C", "ACILAB_TEST_D"], "retries": 0}
    server.queue(status(401, "who are you"), answer("from d"), answer("from d"))
    assert ask(server, **fields).text == "from d"
    assert ask(server, **fields).text == "from d"
    assert [r.key for r in server.requests] == ["key-of-c-is-revoked", *["key-of-d-is-fine"] * 2]
    server.queue(status(403, "not you either"))
    with pytest.raises(ModelError, match="ACILAB_TEST_C, ACILAB_TEST_D") as raised:
        ask(server, **fields)
    assert raised.value.retry_later
    assert len(server.requests) == 4


def test_exhausted_quota_is_not_waited_for(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACILAB_TEST_E", "key-of-e-is-spent")
    server.queue(status(429, "You exceeded your current quota", code="insufficient_quota"))
    with pytest.raises(ModelError):
        ask(server, api_key_env=["ACILAB_TEST_E"])
    assert len(server.requests) == 1


def test_a_waiting_call_can_be_interrupted(server: ChatServer) -> None:
    server.queue(status(429, headers={"retry-after": "600"}))
    timer = threading.Timer(1.0, retry.INTERRUPT.set)
    timer.start()
    try:
        with pytest.raises(ModelError, match="interrupted"):
            ask(server, max_retry_wait=600)
    finally:
        timer.join()
        retry.INTERRUPT.clear()


def test_the_key_is_in_no_error(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "dummy-0123456789-abcdef"
    monkeypatch.setenv("ACILAB_TEST_ODD_NAME", secret)
    server.queue(
        status(401, f"Incorrect API key provided: {secret}."),
        status(400, f"the request with {secret} is bad"),
        Reply(500, f"{secret} broke it".encode()),
    )
    for _ in range(3):
        monkeypatch.setattr(retry, "KEYS", retry.Keys())
        with pytest.raises(ModelError) as raised:
            ask(server, api_key_env=["ACILAB_TEST_ODD_NAME"], retries=0)
        error: BaseException | None = raised.value
        while error is not None:
            assert secret not in f"{error!r} {error} {''.join(traceback.format_exception(error))}"
            error = error.__context__ or error.__cause__
    assert {r.key for r in server.requests} == {secret}


def test_a_key_that_the_server_echoes_is_masked_in_the_answer(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACILAB_TEST_ECHO", "dummy-echoed-0123456789")
    monkeypatch.setenv("OPENAI_API_KEY", "dummy-usual-0123456789")
    text = "you sent dummy-echoed-0123456789"
    server.queue(
        answer(text, tool_calls=[tool_call("bash", json.dumps({"command": text}))]),
        answer("you sent dummy-usual-0123456789"),
        answer("sk-abcdefghijklmnop is an example"),
    )
    got = ask(server, api_key_env=["ACILAB_TEST_ECHO"], native=True)
    assert (got.text, got.tool_calls[0].arguments) == ("you sent ***", '{"command": "you sent ***"}')
    assert ask(server, api_key_env=None).text == "you sent ***"
    assert ask(server, api_key_env=None).text == "sk-abcdefghijklmnop is an example"


def test_many_threads_get_their_own_answers() -> None:
    def echo(request: Any) -> Reply:
        return answer(request.body["messages"][-1]["content"])

    with ChatServer(echo) as server:
        chat = Chat(model(server), native=False)
        wrong: list[str] = []

        def run(name: str) -> None:
            for number in range(5):
                text = f"{name}-{number}"
                if chat.complete([Message("user", text)], (), ()).text != text:
                    wrong.append(text)

        threads = [threading.Thread(target=run, args=(f"t{i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
        assert len(server.requests) == 20


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"api_key_env": ["sk-abcdefghijklmnop"]}, "api_key_env"),
        ({"name": "openai/sk-abcdefghijklmnop"}, "model.name"),
        ({"extra": {"extra_headers": {"x": "Bearer sk-abcdefghijklmnop"}}}, "model.extra"),
        ({"api_base": "http://me:sk-abcdefghijklmnop@host/v1"}, "model.api_base"),
        ({"extra": {"api_key": "anything"}}, "model.extra.api_key"),
        ({"extra": {"max_retries": 5}}, "model.extra.max_retries"),
        ({"input_price": 1.0}, "together"),
        ({"api_key_env": ["not a name"]}, "names of environment variables"),
    ],
)
def test_bad_fields(fields: dict[str, Any], says: str) -> None:
    node = {"_target_": "runner.models.litellm_model.LiteLLM", "name": "openai/test", **fields}
    with pytest.raises((UserError, PluginError), match=says) as raised:
        build(node)
    assert "sk-abcdefghijklmnop" not in str(raised.value)


def test_check_names_what_is_missing(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UserError, match="ACILAB_TEST_UNSET"):
        LiteLLM(name="openai/test", api_key_env=["ACILAB_TEST_UNSET"]).check()
    with pytest.raises(UserError, match="OPENAI_API_KEY"):
        LiteLLM(name="openai/gpt-4o").check()
    with pytest.raises(UserError, match="does not know the provider"):
        LiteLLM(name="gtp4").check()
    model(server).check()
    model(server, api_key_env=None).check()


def test_usual_variable_is_used_when_it_is_set(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "dummy-usual-variable")
    server.queue(answer("hello"), answer("hello"))
    ask(server, api_key_env=None)
    monkeypatch.delenv("OPENAI_API_KEY")
    ask(server, api_key_env=None)
    assert [r.key for r in server.requests] == ["dummy-usual-variable", "none"]


@dataclass
class _Wire:
    messages: list[Message]

    def sent(self, server: ChatServer) -> list[dict[str, Any]]:
        server.queue(answer("ok"))
        ask(server, self.messages, native=True)
        messages: list[dict[str, Any]] = server.requests[-1].body["messages"]
        return messages


def test_broken_conversations_are_made_good(server: ChatServer) -> None:
    call = ToolCall("c1", "bash", '{"command": "l')
    sent = _Wire(
        [
            Message("user", "go"),
            Message("assistant", "", "action", 1, (call,)),
            Message("user", "no JSON", "error", 1),
            Message("tool", "left over", "observation", 2, tool_call_id="gone"),
            Message("assistant", "", "action", 3),
        ]
    ).sent(server)
    assert [m["role"] for m in sent] == ["user", "assistant", "tool", "user", "user", "assistant"]
    assert json.loads(sent[1]["tool_calls"][0]["function"]["arguments"]) == {"invalid_json": '{"command": "l'}
    assert sent[2] == {"role": "tool", "tool_call_id": "c1", "content": "(not run)"}
    assert sent[4]["content"] == "left over"
    assert sent[5]["content"] == "(no answer)"


@pytest.mark.parametrize("native", [False, True])
def test_marks_for_the_prompt_cache_reach_the_provider(server: ChatServer, native: bool) -> None:
    server.queue(status(400))
    call = ToolCall("call_1", "bash", '{"command": "pwd"}')
    reply = Message("tool", "/repo", "observation", 1, (), "call_1", cached=True)
    talk = [*HELLO, Message("assistant", "x", "action", 1, (call,) if native else ()), reply]
    with pytest.raises(ModelError):
        ask(server, talk, native=native, name="anthropic/claude-3-5-sonnet-20241022")
    (content,) = server.requests[0].body["messages"][-1]["content"]
    assert content["type"] == ("tool_result" if native else "text")
    assert content["cache_control"] == {"type": "ephemeral"}
