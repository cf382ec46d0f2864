"""``acilab aci try``, from a pipe: a person in the model's seat."""

from __future__ import annotations

import json
from pathlib import Path

from tests.acilab import acilab


def test_a_session_on_the_sample() -> None:
    typed = [
        "open textkit/slug.py",
        "edit 1:1",
        "",
        '"""Changed."""',
        "end_of_edit",
        ":answer",
        "I look where I am.",
        "```",
        "cd textkit && pwd",
        "```",
        ":end",
        ":answer",
        "no command",
        ":end",
        "vim",
        "echo 'two",
        "lines'",
    ]
    done = acilab("aci", "try", input="\n".join(typed) + "\n")
    assert done.returncode == 0, done.stderr
    assert "==== instance (role user)\nWe are solving the following issue" in done.stdout
    shown = done.stdout.split("bash-$\n")
    assert shown[-6].startswith('[File: /repo/textkit/slug.py (28 lines total)]\n1:\n2:"""Changed."""\n')
    assert shown[-5].startswith("/repo/textkit\n")
    assert "(Current directory: /repo/textkit)" in shown[-5]
    assert shown[-4].startswith("Your answer was not in the required format")
    assert shown[-3].startswith("The command was not run: vim")
    assert shown[-2].startswith("two\nlines\n")
    ending = done.stdout.split("\n==== left\n")[1]
    assert ending.startswith("diff --git a/textkit/slug.py b/textkit/slug.py\n")
    assert '\n+"""Changed."""\n' in ending


def test_native_calls_on_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    function = {"name": "bash", "arguments": {"command": "cat a.txt"}}
    call = json.dumps({"content": "hm", "tool_calls": [{"id": "1", "function": function}]})
    typed = [":answer", call, ":end", "echo two >> a.txt", "submit", "never read"]
    arguments = [
        "aci/format=function_calling",
        "environment=local",
        f"--repo={tmp_path}",
        "--issue",
        "Add a line",
    ]
    done = acilab("aci", "try", *arguments, input="\n".join(typed) + "\n")
    assert done.returncode == 0, done.stderr
    assert "<issue>\nAdd a line\n</issue>" in done.stdout
    assert "\none\n" in done.stdout
    assert done.stdout.split("\n==== submitted\n")[1].endswith(" one\n+two\n")
    assert (tmp_path / "a.txt").read_text() == "one\n"
