"""``acilab aci script``: commands in one session on a copy, and bad scripts refused before anything runs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.acilab import acilab

EDIT = "edit 2:2 << 'end_of_edit'\ny = 3\nend_of_edit"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "some repo"
    (folder / "sub").mkdir(parents=True)
    (folder / "empty").mkdir()
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("not a repository\n")
    (folder / "a.py").write_text("x = 1\ny = 2\n")
    (folder / "sub/long.txt").write_text("".join(f"line {i}\n" for i in range(1, 251)))
    (folder / "run.sh").write_text("#!/bin/sh\necho ran\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "link.py").symlink_to("a.py")
    return folder


def lines(*commands: str) -> str:
    return "".join(json.dumps({"command": command}) + "\n" for command in commands)


def replies(repo: Path, script: str, *arguments: str) -> list[dict[str, Any]]:
    done = acilab("aci", "script", str(repo), "-", *arguments, input=script)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("environment", "root"), [("sandbox", "/repo"), ("local", "/repo"), ("sandbox", "/srv/x/code")]
)
def test_a_session(repo: Path, environment: str, root: str) -> None:
    script = lines(
        "pwd",
        "open a.py",
        EDIT,
        "cd sub && ls",
        f"open {root}/sub/long.txt 100",
        "scroll_down",
        "cat ../a.py",
    )
    got = replies(repo, script, f"environment={environment}", "--root", root)
    assert list(got[0]) == ["command", "output", "open_file", "first_line", "exit_code"]
    assert got[0]["output"] == f"{root}\n"
    assert (got[0]["open_file"], got[0]["first_line"], got[0]["exit_code"]) == ("", None, 0)
    assert got[1]["output"] == f"[File: {root}/a.py (2 lines total)]\n1:x = 1\n2:y = 2\n"
    assert got[2]["command"] == EDIT
    assert "2:y = 3\nFile updated" in got[2]["output"]
    assert got[3]["output"] == "long.txt\n"
    assert (got[4]["open_file"], got[4]["first_line"]) == (f"{root}/sub/long.txt", 85)
    assert got[5]["first_line"] == 151
    assert got[6]["output"] == "x = 1\ny = 3\n"
    assert (repo / "a.py").read_text() == "x = 1\ny = 2\n"


def test_the_copy_is_complete(repo: Path) -> None:
    script = lines("./run.sh; readlink link.py; ls -d empty; git status --short", "open link.py")
    got = replies(repo, script, "aci/guardrails=none")
    assert got[0]["output"] == "ran\na.py\nempty\n"
    assert got[1]["open_file"] == "/repo/a.py"


def test_what_a_guardrail_refuses_is_not_run(repo: Path) -> None:
    refused, done = replies(repo, lines("git status", "false"))
    assert refused["exit_code"] is None
    assert "git" in refused["output"]
    assert done["exit_code"] == 1


def test_other_options_and_a_script_in_a_file(repo: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text("\ufeff" + lines("open sub/long.txt") + "\n" + lines("goto 3"), "utf-8")
    done = acilab("aci", "script", str(repo), str(script), "aci/viewer=full_file")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert "250:line 250" in first["output"]
    assert second["exit_code"] == 127
    again = acilab("aci", "script", str(repo), "-", "aci/viewer=full_file", input=done.stdout)
    assert again.stdout == done.stdout


BAD = {
    "no JSON": ("{", ["<stdin>:2", "not JSON"]),
    "no object": ("[1]", ["<stdin>:2", "object"]),
    "no command": ("{}", ["<stdin>:2", "'command'"]),
    "no text": ('{"command": 3}', ["<stdin>:2", "text"]),
    "another key": ('{"comand": "ls"}', ["<stdin>:2", "'comand'", "'command'"]),
    "too deep": ("[" * 100_000, ["<stdin>:2"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_lines(repo: Path, case: str) -> None:
    line, said = BAD[case]
    done = acilab("aci", "script", str(repo), "-", input=lines("touch ran") + line + "\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    for words in said:
        assert words in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["/nowhere", "-"], "/nowhere"),
        ([".", "/nowhere.jsonl"], "/nowhere.jsonl"),
        (["."], "SCRIPT.jsonl"),
        ([".", os.devnull, "--root", "repo"], "--root"),
        ([".", os.devnull, "--rot", "repo"], "--rot"),
        ([".", os.devnull, "aci/editor=lnt"], "'lint'"),
        ([".", os.devnull, "words"], "'words'"),
    ],
)
def test_bad_arguments(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = acilab("aci", "script", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_help() -> None:
    done = acilab("aci", "script", "--help")
    assert done.returncode == 0
    assert "SCRIPT.jsonl" in done.stdout
