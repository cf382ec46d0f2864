"""gold, noop and replay through real ACIs and a real environment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from aci_plugins.aci import ACI
from aci_plugins.environment import Environment
from aci_plugins.message import Observation, ToolCall
from aci_plugins.plugin import build
from aci_plugins.tool import Context
from runner.benchmarks.base import Instance
from runner.environments.base import Workspace
from runner.errors import UserError
from runner.models.base import Conversation, ModelError, Usage
from runner.models.gold import Gold, write_command
from runner.models.noop import Noop
from runner.models.replay import Replay
from runner.records import End, Header, Step, TrajectoryWriter

CONF = Path(__file__).resolve().parents[3] / "conf"
FILES = {"calc.py": b"def add(a, b):\n    return a - b\n", "old.py": b"x = 1\n", "my docs/a'b.txt": b"one\n"}
PATCH = """diff --git a/calc.py b/calc.py
--- a/calc.py
+++ b/calc.py
@@ -1,2 +1,2 @@
 def add(a, b):
-    return a - b
+    return a + b
diff --git a/old.py b/old.py
deleted file mode 100644
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-x = 1
diff --git a/new/deep/file.py b/new/deep/file.py
new file mode 100644
--- /dev/null
+++ b/new/deep/file.py
@@ -0,0 +1 @@
+print('```')
"""
INSTANCE = Instance("calc-1", "add() subtracts", FILES, PATCH)


@cache
def composed(option: str, *overrides: str) -> ACI:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config = compose(f"aci/{option}", overrides=list(overrides))
    node = OmegaConf.to_container(config["aci"], resolve=True)
    assert isinstance(node, dict)
    made: ACI = build({str(key): value for key, value in node.items()})
    return made


ACIS = {
    "swe_agent": ("swe_agent",),
    "function_calling": ("swe_agent", "aci/format=function_calling"),
    "bash_only": ("bash_only",),
}


@pytest.fixture
def start() -> Iterator[Callable[[Mapping[str, bytes]], Environment]]:
    spec = build({"_target_": "runner.environments.sandbox.Sandbox"})
    opened: list[Environment] = []

    def fresh(files: Mapping[str, bytes]) -> Environment:
        opened.append(spec.start(Workspace(files)))
        return opened[-1]

    yield fresh
    for environment in opened:
        environment.close()


def drive(aci: ACI, conversation: Conversation, environment: Environment) -> list[Observation]:
    """The loop without prompts, limits and records: until something ends the episode."""
    session, seen = aci.session(), []
    while not seen or not seen[-1].submitted:
        completion = conversation.complete([], aci.tools, ())
        action = aci.parse(completion.text, completion.tool_calls).action
        assert aci.check(action, Context(environment, session, 30)) is None
        seen.append(aci.act(action, environment, session, 30))
    return seen


@pytest.mark.parametrize("option", ACIS.values(), ids=ACIS.keys())
def test_gold_submits_the_reference(
    option: tuple[str, ...], start: Callable[[Mapping[str, bytes]], Environment]
) -> None:
    aci, environment = composed(*option), start(FILES)
    model = Gold()
    model.check()
    seen = drive(aci, model.start(aci, INSTANCE, 0), environment)
    assert [o.exit_code for o in seen] == [0, 0]
    root = environment.root
    assert environment.read(str(root / "calc.py")) == b"def add(a, b):\n    return a + b\n"
    assert environment.read(str(root / "new/deep/file.py")) == b"print('```')\n"
    assert environment.exists(str(root / "old.py")) is None
    for name in ("calc.py", "old.py", "new/deep/file.py"):
        assert name in environment.patch()
    assert "a'b" not in environment.patch()


@pytest.mark.parametrize("option", ACIS.values(), ids=ACIS.keys())
def test_noop_submits_nothing(
    option: tuple[str, ...], start: Callable[[Mapping[str, bytes]], Environment]
) -> None:
    aci, environment = composed(*option), start(FILES)
    conversation = Noop().start(aci, INSTANCE, 0)
    assert len(drive(aci, conversation, environment)) == 1
    assert environment.patch() == ""
    for _ in range(9):  # a submission may have to be confirmed
        conversation.complete([], aci.tools, ())
    with pytest.raises(ModelError, match="did not end"):
        conversation.complete([], aci.tools, ())


def test_scripts_cost_nothing() -> None:
    got = Noop().start(composed("swe_agent"), INSTANCE, 0).complete([], (), ())
    assert (got.cost, got.usage, got.served_model) == (0.0, Usage(0, 0, 0), None)


def test_gold_patch_that_does_not_apply() -> None:
    broken = Instance("calc-1", "", {"calc.py": b"other\n"}, PATCH)
    with pytest.raises(ModelError, match="calc-1: the gold patch does not apply"):
        Gold().start(composed("swe_agent"), broken, 0)


def test_write_command_quotes_names() -> None:
    command = write_command({"my docs/a'b.txt": b"1"}, {"my docs/a'b.txt": b"2", "$(x)/y": b""})
    assert "$(x)" not in command.replace("'$(x)'", "").replace("'$(x)/y'", "")
    assert write_command({"a": b"1"}, {"a": b"1"}) == "true"


def step(number: int, response: str, **more: Any) -> Step:
    texts = dict.fromkeys(("thought", "action", "tool", "observation"), "")
    fields: dict[str, Any] = {"kind": "action", "exit_code": 0, "state": {}, **texts, **more}
    return Step(step=number, response=response, **fields)


def record(folder: Path, instance_id: str, steps: list[Step], status: str | None) -> None:
    writer = TrajectoryWriter(folder)
    header: dict[str, Any] = {
        name: "" for name in ("fingerprint", "experiment", "model", "started_at", "problem_statement")
    }
    if "instance_digest" in Header.__dataclass_fields__:
        header["instance_digest"] = ""
    writer.write(Header(instance_id=instance_id, repeat=0, tuple={}, messages=[], **header))
    for one in steps:
        writer.write(one)
    if status is not None:
        writer.write(End(status, True, len(steps), len(steps), 0.5, 1, 1, 1.0, ""))
    writer.close()


@pytest.fixture
def cell(tmp_path: Path) -> Path:
    folder = tmp_path / "experiment" / "0123456789ab"
    (folder / "episodes").mkdir(parents=True)
    (folder / "cell.yaml").write_text("fingerprint: x\n")
    calls = [{"id": "c1", "name": "bash", "arguments": '{"command": "ls"}'}]
    steps = [
        step(
            1,
            "first",
            input_tokens=10,
            output_tokens=2,
            cost=0.25,
            served_model="gpt-x",
            finish_reason="stop",
        ),
        step(2, "", tool_calls=calls, system_fingerprint="fp"),
    ]
    for name, status in (
        ("calc-1", "submitted"),
        ("calc-2", "submitted (exit_cost)"),
        ("calc-3", "exit_context"),
        ("calc-4", None),
    ):
        record(folder / "episodes" / name / "0", name, steps, status)
    return folder


def replayed(path: Path, name: str = "calc-1", repeat: int = 0) -> Conversation:
    model = Replay(path=str(path))
    model.check()
    return model.start(composed("swe_agent"), Instance(name, "", {}, ""), repeat)


def test_replay_repeats_the_responses(cell: Path) -> None:
    for path in (cell, cell.parent, cell / "episodes/calc-1/0"):
        conversation = replayed(path)
        first, second = (conversation.complete([], (), ()) for _ in range(2))
        assert (first.text, first.usage, first.cost) == ("first", Usage(10, 2, None), 0.0)
        assert (first.served_model, first.finish_reason) == ("gpt-x", "stop")
        assert second.tool_calls == (ToolCall("c1", "bash", '{"command": "ls"}'),)
        assert second.fingerprint == "fp"


@pytest.mark.parametrize(
    ("name", "status", "says"),
    [
        ("calc-1", "exit_error", "no response is recorded after step 2"),
        ("calc-2", "exit_cost", "ended here: exit_cost"),
        ("calc-3", "exit_context", "ended here: exit_context"),
        ("calc-4", "exit_error", "was cut off"),
    ],
)
def test_replay_ends_as_the_recording_did(cell: Path, name: str, status: str, says: str) -> None:
    conversation = replayed(cell, name)
    for _ in range(2):
        conversation.complete([], (), ())
    with pytest.raises(ModelError, match=says) as raised:
        conversation.complete([], (), ())
    assert (raised.value.exit_status, raised.value.retry_later) == (status, False)


def test_replay_of_what_is_not_there(cell: Path) -> None:
    with pytest.raises(ModelError, match="no recorded episode of other-9, repeat 0"):
        replayed(cell, "other-9")
    with pytest.raises(ModelError, match="no recorded episode of calc-1, repeat 3"):
        replayed(cell, repeat=3)
    with pytest.raises(ModelError, match="is a recording of calc-1, not of calc-2"):
        replayed(cell / "episodes/calc-1/0", "calc-2")
    broken = cell / "episodes/calc-1/0/trajectory.jsonl"
    broken.write_text("{\n" + json.dumps({"type": "end"}) + "\n")
    with pytest.raises(ModelError, match=r"cannot be read: .*line 1"):
        replayed(cell)


def test_replay_of_a_bad_path(cell: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere: there is no such folder"):
        Replay(path=str(tmp_path / "nowhere")).check()
    with pytest.raises(UserError, match="is no folder of a cell"):
        Replay(path=str(tmp_path)).check()
    (cell.parent / "fedcba987654").mkdir()
    (cell.parent / "fedcba987654" / "cell.yaml").write_text("x: 1\n")
    with pytest.raises(UserError, match="several cells; name one of them: 0123456789ab, fedcba987654"):
        Replay(path=str(cell.parent)).check()
