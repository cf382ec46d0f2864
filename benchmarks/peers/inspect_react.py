"""Inspect AI: its react agent with the bash tool, its mock model and its local sandbox."""

from __future__ import annotations

import tempfile

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.tool import bash
from workload import SAMPLES, WORKERS, commands, statement

COMMANDS = commands()


def stub(messages, tools, tool_choice, config) -> ModelOutput:
    number = sum(isinstance(m, ChatMessageAssistant) for m in messages)
    if number < len(COMMANDS):
        name, arguments = "bash", {"cmd": COMMANDS[number]}
    else:
        name, arguments = "submit", {"answer": "done"}
    output = ModelOutput.for_tool_call("mockllm/model", name, arguments, content=f"Step {number}.")
    # Set by hand: else tokens are counted with an encoding that is fetched at run time.
    output.usage = ModelUsage(input_tokens=100, output_tokens=20, total_tokens=120)
    return output


with tempfile.TemporaryDirectory() as logs:
    samples = [Sample(id=f"s{n}", input=statement(n), target="done") for n in range(SAMPLES)]
    task = Task(
        name="bench",
        dataset=MemoryDataset(samples),
        solver=react(tools=[bash(timeout=30)]),
        scorer=includes(),
        sandbox="local",
    )
    log = inspect_eval(
        task,
        model=get_model("mockllm/model", custom_outputs=stub),
        max_samples=WORKERS,
        max_subprocesses=WORKERS,
        log_dir=logs,
        display="none",
        log_level="warning",
    )[0]
    assert log.status == "success", log.error
