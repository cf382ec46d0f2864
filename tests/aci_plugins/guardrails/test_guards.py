"""Guardrails beside the paper's, at work in a real shell."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from aci_plugins.aci import ACI
from aci_plugins.message import Observation
from aci_plugins.plugin import PluginError
from aci_plugins.tool import Context
from tests.aci_plugins.panel import Panel, compose, edit, node, panel, refusal

FILES = {"a.py": b"x = 1\ny = 2\n", "b.py": b"z = 3\n"}


def guarded(option: str, **fields: Any) -> ACI:
    """The paper's ACI with another guardrail; its fields changed."""
    return compose(guardrails={**node(f"guardrails/{option}"), **fields})


# ---- syntax ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "echo 'x", 'echo "x', "if true; then ls", "for i in 1 2; echo $i; done", "ls &&", "ls | ",
        "echo $(ls", "(ls",
        "ls )", "case x in", "echo `ls", "echo ${x", "while true; do ls", "fi", "ls ;; ls", "f() {",
        "{ ls", "[[ a == b",
    ],
)  # fmt: skip
def test_what_bash_cannot_read_is_refused(command: str) -> None:
    verdict = refusal(guarded("syntax"), command)
    assert verdict and verdict.rule == "syntax" and "bash cannot read it" in verdict.reason
    with panel(FILES) as p:
        assert p.env.run(f"bash -n <<'E_O_F'\n{command}\nE_O_F", timeout=20).exit_code != 0


@pytest.mark.parametrize(
    "command",
    [
        "ls -l", "echo \"it's\"", "for i in 1 2; do echo $i; done", "cat <<E\n'\nE", "[[ a == b ]] && ls",
        "f() { ls; }; f",
        "echo $((1 + 2))", "case x in a|b) ls;; *) pwd;; esac", "x=(1 2); echo ${x[0]}", "ls # it's",
        "! grep x y",
        "time ls", "diff <(ls) <(ls -a)", "a=1 b=2 env", "cat <<-E\n\tx\n\tE",
        "for ((i=0;i<3;i++)); do ls; done",
        "echo a\\\nb", "ls 2>&1 | tee x", "(cd a && ls); pwd", "select x in a; do break; done",
        "until ls; do pwd; done",
        "if ls; then pwd; elif pwd; then ls; else ls; fi", "echo {a,b}", "ls &", "coproc cat",
        "[ -f x ] || touch x",
        "python - <<'E'\nprint('(')\nE\nls", "printf '%s\\n' \"${a[@]}\"", "echo \"$(echo \"a b\")\"",
        "echo $'it\\'s'",
        "sed -n '1,5p' a.py", "awk '{print $1}' f", "git commit -m \"fix (x)\"", "grep -E 'a|b' f",
        "x=$(cat <<E\na\nE\n)",
    ],
)  # fmt: skip
def test_what_bash_can_read_is_not(command: str) -> None:
    assert refusal(guarded("syntax"), command) is None
    with panel(FILES) as p:
        assert p.env.run(f"bash -n <<'E_O_F'\n{command}\nE_O_F", timeout=20).exit_code == 0


def test_bodies_of_edits_are_no_syntax() -> None:
    assert refusal(guarded("syntax"), edit("1:1", "it's (")) is None
    native = compose(format="function_calling", guardrails="syntax")
    assert refusal(native, native.action("edit", start_line=1, end_line=1, text="'(")) is None
    assert refusal(native, native.shell_action("echo '"))


# ---- programs that wait -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "vim a.py", "cd x && nano y", "less f", "git log | less", "man ls", "top", "watch ls", "python",
        "python3.11",
        "python -i a.py", "python -m pdb a.py", "ipython", "node", "psql", "git rebase -i HEAD~3",
        "git add -p",
        "git add --patch a.py", "git commit", "git commit -a", "git -C x rebase -i main", "gdb ./a.out",
        "tail -f log",
        "tail -n 5 -f log", "tail -F log", "ssh host", "su", "passwd", "timeout 5 top", "bash -c 'vim x'",
        "tmux",
        "git checkout -p", "git stash -p", "env python", "sqlite3",
    ],
)  # fmt: skip
def test_programs_that_wait_are_refused(command: str) -> None:
    verdict = refusal(guarded("interactive"), command)
    assert verdict and verdict.rule.startswith("interactive.")


@pytest.mark.parametrize(
    "command",
    [
        "python a.py", "python -m pytest -p no:x", "echo 1 | python", "python -c 'print(1)'",
        "git commit -m x",
        "git commit -am 'x y'", "git commit --message=x", "git commit --amend --no-edit",
        "git rebase main", "git add a.py",
        "git log", "tail -n 5 f", "tail f", "grep less f", "top -b -n1", "gdb -batch -ex run a",
        "psql -c 'select 1'",
        "node x.js", "git add -A", "view.py", "vim -es -c wq f", "sqlite3 x.db 'select 1'", "bash run.sh",
        "open more.py",
        "git reset --hard", "git stash pop", "man_page.py", "bash < x.sh", "git commit -F msg.txt",
        "git cherry-pick -n x",
    ],
)  # fmt: skip
def test_programs_that_end_are_not(command: str) -> None:
    assert refusal(guarded("interactive"), command) is None


def test_rules_are_checked() -> None:
    with pytest.raises(PluginError):
        guarded("interactive", rules=[{"name": "x", "commands": ["y"], "reason": "z", "anyy": []}])


# ---- repeated errors ------------------------------------------------------------------------------------


def test_the_same_error_three_times_in_a_row() -> None:
    aci = compose(guardrails="repeated_error")
    with panel(FILES, aci) as p:
        context = Context(p.env, p.session, 20.0)

        def fires(*texts: str, code: int = 1) -> list[bool]:
            seen = (Observation(text, exit_code=code) for text in texts)
            return [aci.watch(each, context) is not None for each in seen]

        assert fires("a", "a", "a", "a", "a", "a") == [False, False, True, False, False, True]
        assert fires("b", "a", "b", "a") == [False] * 4
        assert fires("c", "c", "d", "c") == [False] * 4
        assert fires("1 failed in 0.12s", "1 failed in 0.3s", "1 failed in 2.50s") == [False, False, True]
        assert fires("e", "e") == [False] * 2
        assert fires("fine", code=0) == [False]
        assert fires("e", "", "") == [False] * 3
        verdict = [aci.watch(p.do("cat nowhere"), context) for _ in range(3)][-1]
        assert verdict and verdict.rule == "repeated_error" and "3 times" in verdict.reason
        assert p.session.from_dict(p.session.to_dict()).extra["repeated_error"]["count"] == 3


# ---- submissions ----------------------------------------------------------------------------------------


def test_a_submission_must_pass() -> None:
    with panel(FILES, guarded("submit_validator", command="cat ok", max_attempts=2)) as p:
        p.do("mkdir d; cd d")
        first = p.do("submit")
        assert (first.submitted, first.exit_code, first.rule) == (False, 1, "submit_validator")
        assert "`cat ok` failed with exit code 1" in first.text
        assert "cat: ok: No such file" in first.text and "sent back once more" in first.text
        p.do("touch ../ok")
        assert p.do("submit").submitted
        assert p.do("pwd").text.endswith("/d\n")


def test_after_some_attempts_a_submission_is_taken() -> None:
    with panel(FILES, guarded("submit_validator", command="printf '%05000d' 0; false", max_attempts=1)) as p:
        first = p.do("submit")
        assert not first.submitted and "taken as it is" in first.text
        assert "[... 1000 characters left out ...]" in first.text
        assert p.session.extra == {"submissions_sent_back": 1}
        assert p.do("submit").submitted


def test_a_validator_that_hangs_is_a_failure() -> None:
    with panel(FILES, guarded("submit_validator", command="sleep 30", seconds=0.5)) as p:
        observation = p.do("submit")
        assert not observation.submitted and "ran out of time" in observation.text


# ---- stale edits ----------------------------------------------------------------------------------------


@pytest.fixture
def stale() -> Any:
    with panel(FILES, compose(guardrails="stale_edit")) as p:
        yield p


def test_an_edit_of_what_was_changed_elsewhere_is_refused(stale: Panel) -> None:
    p = stale
    p.do("open a.py")
    assert not p.do(edit("1:1", "x = 2")).failed_edit
    p.do("sed -i 's/y = 2/y = 5/' a.py")
    refused = p.do(edit("1:1", "x = 3"))
    assert (refused.failed_edit, refused.exit_code, refused.rule) == (True, 1, "stale_edit")
    assert "Nothing was edited" in refused.text and "2:y = 5" in refused.text
    assert p.bytes("a.py") == b"x = 2\ny = 5\n"
    assert not p.do(edit("1:1", "x = 3")).failed_edit
    assert p.bytes("a.py") == b"x = 3\ny = 5\n"


def test_in_one_action_too(stale: Panel) -> None:
    p = stale
    seen = p.do("open a.py && sed -i 's/1/7/' a.py\n" + edit("1:1", "x = 3"))
    assert seen.rule == "stale_edit" and p.bytes("a.py") == b"x = 7\ny = 2\n"


def test_other_files_and_looking_again_do_not_matter(stale: Panel) -> None:
    p = stale
    p.do("open a.py")
    p.do("echo 'z = 4' > b.py; touch a.py")
    assert not p.do(edit("1:1", "x = 2")).failed_edit
    p.do("echo 'x = 8' > a.py")
    p.do("open a.py")
    assert not p.do(edit("1:1", "x = 9")).failed_edit
    p.do("rm a.py")
    gone = p.do(edit("1:1", "x = 3"))
    assert gone.failed_edit and "no longer there" in gone.text


def test_editors_that_name_their_file() -> None:
    aci = compose(guardrails="stale_edit", editor="str_replace", viewer="none")
    with panel(FILES, aci) as p:

        def replace(old: str, new: str) -> Observation:
            return p.do(shlex.join(["str_replace", "a.py", old, new]))

        assert not replace("x = 1", "x = 2").failed_edit
        p.do("echo '# new' >> a.py")
        seen = replace("x = 2", "x = 3")
        assert seen.rule == "stale_edit" and "3:# new" in seen.text
        assert not replace("x = 2", "x = 3").failed_edit


# ---- chains ---------------------------------------------------------------------------------------------


def test_a_chain_is_all_of_its_links() -> None:
    names = ["paper", "syntax", "repeated_error", "submit_validator", "stale_edit"]
    links = {name: node(f"guardrails/{name}") for name in names}
    links["submit_validator"]["command"] = "false"
    aci = compose(
        guardrails={"_target_": "aci_plugins.guardrails.chain.Chain", "policies": links, "max_requeries": 5}
    )
    assert aci.guardrails.max_requeries == 5
    rules = [refusal(aci, command) for command in ("vim x", "echo '", "ls")]
    assert [verdict and verdict.rule for verdict in rules] == ["blocklist", "syntax", None]
    with panel(FILES, aci) as p:
        p.do("open a.py")
        p.do("echo 1 > a.py")
        assert p.do(edit("1:1", "x")).rule == "stale_edit"
        assert p.do("submit").rule == "submit_validator"
        seen = [aci.watch(p.do("cat nowhere"), Context(p.env, p.session, 20.0)) for _ in range(3)]
        assert [bool(verdict) for verdict in seen] == [False, False, True]
