from __future__ import annotations

from collections.abc import Iterator

import pytest

from aci_plugins.environment import Environment
from aci_plugins.plugin import build
from runner.environments.base import Workspace
from runner.environments.simulated import Simulated
from tests.runner.environments.conformance import FILES, FilesContract, ok


class TestSimulated(FilesContract):
    @pytest.fixture(scope="class")
    @classmethod
    def spec(cls) -> Simulated:
        return Simulated()

    @pytest.mark.parametrize(
        ("command", "output", "code"),
        [
            ("pwd", "/repo\n", 0),
            ("ls pkg", "mod.py\nnew\nline:2.py\nwith space.py\n", 0),
            ("ls nope", "ls: cannot access 'nope': No such file or directory\n", 2),
            ("ls -a .hidden; ls a.py", "secret.py\na.py\n", 0),
            ("cat a.py nope", "import os\n\nx = 1\ncat: nope: No such file or directory\n", 1),
            ("cd pkg && pwd; cd .. && pwd", "/repo/pkg\n/repo\n", 0),
            ("cd nope && echo no", "bash: cd: nope: No such file or directory\n", 1),
            ("cd a.py", "bash: cd: a.py: Not a directory\n", 1),
            ("echo 'a  b' c", "a  b c\n", 0),
            ("echo one > f; echo two >> f; cat f", "one\ntwo\n", 0),
            ("echo x > no/such", "bash: no/such: No such file or directory\n", 1),
            ("cat > f.py <<'EOF'\nx = 1\ny = '$z'\nEOF", "", 0),
            ("false && echo a; true && echo b", "b\n", 0),
            ("echo 'open", "bash: syntax error: No closing quotation\n", 2),
            ("pytest -q", "bash: pytest: command not found\n", 127),
            ("", "", 0),
        ],
    )
    def test_shell(self, env: Environment, command: str, output: str, code: int) -> None:
        ok(env, command, output, code)

    def test_here_document(self, env: Environment) -> None:
        ok(env, "cat > f.py <<'EOF'\nx = 1\n\ny = '$z'\nEOF", "")
        assert env.read("f.py") == b"x = 1\n\ny = '$z'\n"
        ok(env, "cat >> f.py << END\nmore\nEND", "")
        assert env.read("f.py").endswith(b"more\n")


@pytest.fixture
def canned() -> Iterator[Environment]:
    spec: Simulated = build(
        {
            "_target_": "runner.environments.simulated.Simulated",
            "commands": {
                "pytest -q": [
                    {"output": "1 failed\n", "exit_code": 1},
                    {"output": "1 passed\n", "writes": {"out/log.txt": "fine\n"}},
                ],
                "make": {"output": "made\n"},
            },
        }
    )
    yield spec.start(Workspace(FILES))


def test_canned_commands(canned: Environment) -> None:
    ok(canned, "pytest -q", "1 failed\n", 1)
    assert canned.exists("out/log.txt") is None
    ok(canned, "pytest -q", "1 passed\n", 0)
    assert canned.read("out/log.txt") == b"fine\n"
    ok(canned, "pytest -q", "1 passed\n", 0)
    ok(canned, " make\n", "made\n", 0)


def test_bounded_output() -> None:
    environment = Simulated(output_head_kb=1, output_tail_kb=1).start(Workspace({"big": b"x" * 5000}))
    result = environment.run("cat big", timeout=1)
    assert result.truncated_bytes == 5000 - 2048 and "left out" in result.output
