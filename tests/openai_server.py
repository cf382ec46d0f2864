"""A local HTTP server that speaks the OpenAI chat protocol, as far as the tests need it.

    with ChatServer() as server:
        server.queue(answer("hello"), status(429, {"retry-after": "1"}), answer("again"))
        ... LiteLLM(name="openai/test", api_base=server.url) ...
        assert server.requests[0].body["temperature"] == 0

Replies are given in the order in which requests arrive; a function given as ``reply`` answers all others.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass(frozen=True)
class Request:
    """What the client sent; header names in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def key(self) -> str:
        """The bearer token."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass(frozen=True)
class Reply:
    """What the server answers. ``hang`` holds the answer back until the server closes, or so many seconds."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: float = 0.0


def answer(
    text: str | None,
    *,
    usage: Mapping[str, Any] | None = USAGE,
    tool_calls: Sequence[Mapping[str, Any]] = (),
    finish_reason: str | None = None,
    model: str = "test-2024-01-01",
    **more: Any,
) -> Reply:
    """A chat completion. ``usage=None`` leaves usage out."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if tool_calls:
        message["tool_calls"] = list(tool_calls)
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": finish_reason or ("tool_calls" if tool_calls else "stop"),
    }
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1700000000,
        "model": model,
        "system_fingerprint": "fp_test",
        "choices": [choice],
        **more,
    }
    if usage is not None:
        body["usage"] = dict(usage)
    return Reply(body=json.dumps(body).encode())


def tool_call(name: str, arguments: str, call_id: str = "call_1") -> dict[str, Any]:
    """One native function call of an answer."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def status(http: int, message: str = "no", headers: Mapping[str, str] | None = None, **error: Any) -> Reply:
    """An error in the protocol's form."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": None, **error}}
    return Reply(http, json.dumps(body).encode(), headers or {})


def context_length_error() -> Reply:
    """What OpenAI answers to a prompt that is too long."""
    return status(
        400,
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        type="invalid_request_error",
        code="context_length_exceeded",
    )


class ChatServer:
    """The server, on a free port of the loopback interface; runs in threads of its own."""

    def __init__(self, reply: Callable[[Request], Reply] | None = None) -> None:
        self.requests: list[Request] = []
        self._queue: deque[Reply] = deque()
        self._reply = reply
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """For ``api_base``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def queue(self, *replies: Reply) -> None:
        """Answer the next requests with these."""
        self._queue.extend(replies)

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _respond(self, request: Request) -> Reply:
        self.requests.append(request)
        try:
            return self._queue.popleft()
        except IndexError:
            if self._reply is None:
                return status(400, "the test has no reply for this request")
            return self._reply(request)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = server._respond(Request(self.path, headers, json.loads(data)))
                if reply.hang:
                    server._closing.wait(reply.hang)
                self.send_response(reply.status)
                for name, value in {"content-type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, format: str, *args: Any) -> None:
                """Tests read ``requests`` instead."""

        return Handler
