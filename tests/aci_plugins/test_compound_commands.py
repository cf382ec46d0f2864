"""Commands of the interface among shell commands: order, exit codes, pipes, expansions, and what is refused."""

from __future__ import annotations

import pytest

from aci_plugins.message import Action
from tests.aci_plugins.panel import compose, edit, panel

FILES = {
    "a.py": b"".join(b"v%d = %d\n" % (i, i) for i in range(1, 151)),
    "src/m.py": b"def f():\n    return 1\n",
    "notes.md": b"# title\n",
}


def test_a_shell_command_before_decides_where_a_file_is_opened() -> None:
    with panel(FILES) as p:
        assert p.says("cd src && open m.py").startswith("[File: /repo/src/m.py")
        assert p.aci.state(p.env, p.session) == {
            "open_file": str(p.env.root / "src/m.py"),
            "working_dir": str(p.env.root / "src"),
        }


@pytest.mark.parametrize(
    ("command", "printed", "opened"),
    [
        ("false && open a.py || echo no", "no\n", False),
        ("true || open a.py; echo $?", "0\n", False),
        ("false; open a.py | head -1", "[File: /repo/a.py (150 lines total)]\n", True),
        ("open a.py | head -1 && echo yes", "[File: /repo/a.py (150 lines total)]\nyes\n", True),
        ("open a.py > out.txt; head -1 out.txt", "[File: /repo/a.py (150 lines total)]\n", True),
        (
            "cat <<EOF && open a.py | head -1\na && b\nEOF",
            "a && b\n[File: /repo/a.py (150 lines total)]\n",
            True,
        ),
        (
            "for i in 1 2; do echo $i; done; open a.py | head -1",
            "1\n2\n[File: /repo/a.py (150 lines total)]\n",
            True,
        ),
        ("# look\nopen a.py | head -1 # here", "[File: /repo/a.py (150 lines total)]\n", True),
        ("cat <<'E'\nopen a.py\nE", "open a.py\n", False),
        ("echo 'open a.py'", "open a.py\n", False),
        ("X=a; open $X.py | head -1", "[File: /repo/a.py (150 lines total)]\n", True),
        ("open a*.py | head -1", "[File: /repo/a.py (150 lines total)]\n", True),
        ('open "$(echo a.py)" | head -1', "[File: /repo/a.py (150 lines total)]\n", True),
        ("open a.py 2>&1 | head -1", "[File: /repo/a.py (150 lines total)]\n", True),
        ("search_dir 'return 1' | tail -1", 'End of matches for "return 1" in /repo\n', False),
    ],
)
def test_lists_and_pipes(command: str, printed: str, opened: bool) -> None:
    with panel(FILES) as p:
        assert p.says(command) == printed
        assert bool(p.session.open_file) == opened


def test_an_edit_is_followed_by_other_commands() -> None:
    with panel(FILES) as p:
        p.do("open src/m.py")
        printed = p.says(edit("2:2", "    return 2") + "\ngrep -c 'return 2' src/m.py && open notes.md")
        assert "File updated." in printed
        assert printed.endswith("1\n[File: /repo/notes.md (1 lines total)]\n1:# title\n")


@pytest.mark.parametrize("operator", ["", " << 'end_of_edit'", " <<end_of_edit"])
def test_the_text_of_an_edit_is_taken_as_it_is(operator: str) -> None:
    text = "it's `x` \"y && z\nvim $HOME | (\n# \\\\ end_of_edit?\n"
    with panel(FILES) as p:
        p.do("open notes.md")
        p.do(f"edit 1:1{operator}\n{text}end_of_edit")
        assert p.bytes("notes.md").decode() == text


@pytest.mark.parametrize(
    "command",
    [
        "edit 1:1\nrm -rf src\n",
        "edit 1:1",
        "edit 1:1\nrm -rf src\nend_of_edit\necho 'never closed",
        "edit 1:1 <<< x",
        "for f in 1; do edit 1:1; done",
        "echo x | edit 1:1",
        "edit 1:1 <<EOF\nrm -rf src\n",
    ],
)
def test_a_broken_edit_changes_and_runs_nothing(command: str) -> None:
    with panel(FILES) as p:
        p.do("open notes.md")
        observation = p.do(command)
        assert observation.exit_code == 2
        assert observation.text.rstrip().endswith(("Nothing was changed.", "Nothing was run."))
        assert {name: p.bytes(name) for name in FILES} == FILES


@pytest.mark.parametrize(
    "command", ["for i in 1 2; do open a.py; done", "(open a.py)", "X=1 open a.py", "ls | open a.py"]
)
def test_where_a_command_cannot_stand_it_says_so(command: str) -> None:
    with panel(FILES) as p:
        assert p.says(command).startswith("open is a command of this interface")


def test_shell_errors_and_exit_codes_are_observations() -> None:
    with panel(FILES) as p:
        assert p.do("(exit 7)").exit_code == 7
        assert "unexpected EOF" in p.says('echo "a')
        assert p.do("nosuchprogram").exit_code == 127
        assert p.says("echo alive") == "alive\n"


def test_a_time_out_says_what_became_of_the_session() -> None:
    with panel(FILES) as p:
        observation = p.do("export KEPT=1; sleep 60; open a.py", timeout=0.7)
        assert observation.timed_out and observation.exit_code == 124
        assert "EXECUTION TIMED OUT after 0.7 seconds: the time ran out: interrupted" in observation.text
        assert not p.session.open_file
        assert p.says("echo $KEPT") == "1\n"


def test_the_time_is_that_of_the_whole_action() -> None:
    with panel(FILES) as p:
        observation = p.do("open a.py > /dev/null; sleep 0.4; open a.py > /dev/null; sleep 60", timeout=1.2)
        assert observation.timed_out


def test_submit_ends_at_once() -> None:
    with panel(FILES) as p:
        observation = p.do("echo a; submit; echo b > never")
        assert observation.submitted and observation.text == "a\n"
        assert p.env.exists("never") is None


@pytest.mark.parametrize("text", ["open a\0b", "open \ud800", "\0", ""])
def test_text_that_no_shell_could_take(text: str) -> None:
    with panel(FILES) as p:
        p.do(text)
        assert p.says("echo alive") == "alive\n"


def test_native_calls() -> None:
    native = compose(format="function_calling")
    with panel(FILES, native) as p:
        assert p.says(native.action("open", path="src/m.py")).startswith("[File: /repo/src/m.py")
        p.do(native.action("edit", start_line=2, end_line=2, text="    return 3\nend_of_edit = 1"))
        assert p.bytes("src/m.py") == b"def f():\n    return 3\nend_of_edit = 1\n"
        assert (
            p.says(native.shell_action("cd src && open m.py | head -1"))
            == "[File: /repo/src/m.py (3 lines total)]\n"
        )
        assert p.do(Action("x", "nosuch", {})).exit_code == 127


def test_a_text_command_becomes_a_native_call() -> None:
    native, text = compose(format="function_calling"), compose()
    action = native.parse_command(edit("1:2", "x", "y"))
    assert (action.tool, dict(action.arguments)) == (
        "edit",
        {"start_line": 1, "end_line": 2, "text": "x\ny\n"},
    )
    assert native.parse_command("open a.py 3 | head").tool == "bash"
    assert native.parse_command("ls -a").arguments == {"command": "ls -a"}
    assert text.parse_command("open a.py") == Action("open a.py")
