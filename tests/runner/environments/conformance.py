"""The contract of an environment as tests. Every kind runs them: subclass and give the fixture ``spec``.

``FilesContract`` is for all kinds, ``ShellContract`` for those that run processes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from aci_plugins.environment import CommandResult, Environment
from runner.environments.base import EnvironmentSpec, Workspace

FILES = {
    "a.py": b"import os\n\nx = 1\n",
    "pkg/mod.py": b"TARGET = 1\n\n\ndef use():\n    return TARGET + TARGET\n",
    "pkg/with space.py": b"TARGET: here\n",
    "pkg/new\nline:2.py": b"TARGET\n",
    ".hidden/secret.py": b"TARGET = 'hidden'\n",
    "bin.dat": b"TARGET\x00\x01\x02",
    "empty.txt": b"",
    "nonl.txt": b"one\ntwo",
    "regex.txt": b"a.c\nabc\n-dash\n[x]\naXXb\n(group)\n",
    ".gitignore": b"*.log\n/build/\n",
    "pkg/.gitignore": b"/local.cfg\n",
}

#: All that commands may see of variables, unless a configuration adds some.
VARIABLES = {
    *("PATH", "HOME", "TMPDIR", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TERM", "PAGER", "GIT_PAGER"),
    *(
        "GIT_EDITOR",
        "GIT_TERMINAL_PROMPT",
        "GIT_CONFIG_NOSYSTEM",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHASHSEED",
    ),
    *("PWD", "OLDPWD", "SHLVL", "_"),
}


class FilesContract:
    """Files, search and patch."""

    @pytest.fixture(scope="class")
    @classmethod
    def spec(cls) -> EnvironmentSpec:
        raise NotImplementedError

    @pytest.fixture
    def env(self, spec: EnvironmentSpec) -> Iterator[Environment]:
        environment = spec.start(Workspace(FILES))
        yield environment
        environment.close()

    def test_kind_and_facts(self, spec: EnvironmentSpec, env: Environment) -> None:
        spec.check()
        assert env.kind == spec.kind == spec.facts()["kind"]
        assert env.cwd == env.root

    def test_read(self, env: Environment) -> None:
        assert env.read("a.py") == FILES["a.py"]
        assert env.read(f"{env.root}/pkg/../bin.dat") == FILES["bin.dat"]
        assert env.read("pkg/new\nline:2.py") == b"TARGET\n"
        with pytest.raises(FileNotFoundError):
            env.read("nope.py")
        with pytest.raises(FileNotFoundError):
            env.read("")
        with pytest.raises(IsADirectoryError):
            env.read("pkg")
        with pytest.raises(OSError):
            env.read("a\0b")

    def test_write(self, env: Environment) -> None:
        env.write("a.py", b"\0\xff\r\n")
        assert env.read("a.py") == b"\0\xff\r\n"
        env.write("pkg/brand new.py", b"1")
        assert env.read(str(env.root / "pkg/brand new.py")) == b"1"
        with pytest.raises(FileNotFoundError):
            env.write("no/such/folder.py", b"")
        with pytest.raises(IsADirectoryError):
            env.write("pkg", b"")

    def test_write_outside_the_repository(self, env: Environment) -> None:
        folder = env.run("echo $TMPDIR", timeout=5).output.strip() if env.kind != "simulated" else "/tmp"
        data = bytes(range(256)) * 40
        env.write(f"{folder}/it's a $file", data)
        assert env.read(f"{folder}/it's a $file") == data
        assert env.exists(f"{folder}/it's a $file") == "file"
        with pytest.raises(FileNotFoundError):
            env.write(f"{folder}/no/such", b"")
        with pytest.raises(IsADirectoryError):
            env.write(folder, b"")
        env.remove(f"{folder}/it's a $file")
        assert env.exists(f"{folder}/it's a $file") is None
        assert env.patch() == ""

    def test_remove_and_exists(self, env: Environment) -> None:
        assert env.exists("a.py") == "file"
        env.remove("a.py")
        assert env.exists("a.py") is None
        assert env.exists("pkg") == "directory"
        assert env.exists(str(env.root)) == "directory"
        assert env.exists("a.py/below") is None
        with pytest.raises(FileNotFoundError):
            env.remove("a.py")
        with pytest.raises(OSError):
            env.remove("pkg")

    def test_resolve(self, env: Environment) -> None:
        root = str(env.root)
        assert env.resolve("a.py") == f"{root}/a.py"
        assert env.resolve("pkg/../pkg/./mod.py") == f"{root}/pkg/mod.py"
        assert env.resolve("not/there.py") == f"{root}/not/there.py"
        assert env.resolve(".") == root

    def test_paths_follow_the_shell(self, env: Environment) -> None:
        env.run("cd pkg", timeout=5)
        assert env.cwd == env.root / "pkg"
        assert env.read("mod.py") == FILES["pkg/mod.py"]
        assert [m.line for m in env.grep("TARGET", "mod.py")] == [1, 5]

    def test_files(self, env: Environment) -> None:
        root = str(env.root)
        found = [path for path in env.files(root) if "/.git/" not in path]
        assert found == sorted(f"{root}/{path}" for path in FILES)
        assert env.files("pkg", "*.py") == sorted(
            f"{root}/{p}" for p in FILES if p.startswith("pkg/") and p.endswith(".py")
        )
        assert env.files(".", "m[nop]d.p?") == [f"{root}/pkg/mod.py"]
        assert env.files(".", "mod") == []
        with pytest.raises(FileNotFoundError):
            env.files("nope")
        with pytest.raises(NotADirectoryError):
            env.files("a.py")

    def test_grep_folder(self, env: Environment) -> None:
        found = env.grep("TARGET", ".")
        assert [(m.path.removeprefix(f"{env.root}/"), m.line, m.text) for m in found] == [
            ("pkg/mod.py", 1, "TARGET = 1"),
            ("pkg/mod.py", 5, "    return TARGET + TARGET"),
            ("pkg/new\nline:2.py", 1, "TARGET"),
            ("pkg/with space.py", 1, "TARGET: here"),
        ]
        assert [m.path for m in env.grep("TARGET", ".hidden")] == [f"{env.root}/.hidden/secret.py"]
        with pytest.raises(FileNotFoundError):
            env.grep("x", "nope")

    @pytest.mark.parametrize(
        ("pattern", "lines"),
        [
            ("a.c", [1, 2]),
            (r"a\.c", [1]),
            ("-dash", [3]),
            (r"\[x]", [4]),
            ("[[:upper:]]", [5]),
            ("aX*b", [2, 5]),
            (r"aX\{2\}b", [5]),
            (r"aX\+b", [5]),
            ("aX+b", []),
            ("(group)", [6]),
            (r"^\(a\).*\(b\)$", [5]),
            ("^a", [1, 2, 5]),
            ("c$", [1, 2]),
            (r"dash\|group", [3, 6]),
            ("*a", []),
            (r"\<abc\>", [2]),
            ("[]x]", [4]),
            ("$", [1, 2, 3, 4, 5, 6]),
            ("a^b", []),
            (r"\(X\)\1", [5]),
        ],
    )
    def test_grep_is_bre(self, env: Environment, pattern: str, lines: list[int]) -> None:
        assert [m.line for m in env.grep(pattern, "regex.txt")] == lines

    def test_grep_bad_pattern(self, env: Environment) -> None:
        with pytest.raises(ValueError, match=r"Unmatched|Invalid"):
            env.grep("[", ".")
        with pytest.raises(ValueError, match="Unmatched"):
            env.grep(r"\(", ".")

    def test_patch(self, env: Environment) -> None:
        assert env.patch() == ""
        env.write("a.py", b"import os\n\nx = 2\n")
        env.write("new file.py", b"no newline")
        env.remove("empty.txt")
        for ignored in ("x.log", "pkg/y.log", "pkg/local.cfg", "z.pyc"):
            env.write(ignored, b"1")
        env.write("local.cfg", b"1\n")
        env.write("latin1.txt", b"caf\xe9\n")
        patch = env.patch()
        assert patch.split("diff --git ")[1:][0].startswith("a/a.py b/a.py\n")
        assert "-x = 1\n+x = 2\n" in patch
        names = [line.split(" b/")[1] for line in patch.splitlines() if line.startswith("diff --git")]
        assert names == ["a.py", "empty.txt", "latin1.txt", "local.cfg", "new file.py"]
        assert "\\ No newline at end of file" in patch
        patch.encode("utf-8")
        assert env.patch() == patch

    def test_patch_uses_the_ignore_rules_of_the_base(self, env: Environment) -> None:
        env.write(".gitignore", b"*\n")
        env.write("new.py", b"1\n")
        assert "b/new.py" in env.patch()

    def test_close_twice(self, spec: EnvironmentSpec) -> None:
        environment = spec.start(Workspace(FILES))
        environment.close()
        environment.close()


class ShellContract(FilesContract):
    """The persistent shell. One session serves most tests of a class: that it goes on is half of what they test."""

    #: How long an interrupted command may take beyond its time.
    stop_seconds = 4.0

    @pytest.fixture(scope="class")
    @classmethod
    def shell(cls, spec: EnvironmentSpec) -> Iterator[Environment]:
        environment = spec.start(Workspace(FILES, variables={"FROM_WORKSPACE": "yes"}))
        yield environment
        environment.close()

    @pytest.fixture(autouse=True)
    def _at_home(self, request: pytest.FixtureRequest) -> Iterator[None]:
        yield
        if "shell" in request.fixturenames:
            shell: Environment = request.getfixturevalue("shell")
            ok(shell, f"cd {shell.root}")

    def test_order_of_output(self, shell: Environment) -> None:
        ok(shell, "for i in 1 2 3; do echo o$i; echo e$i >&2; done", "o1\ne1\no2\ne2\no3\ne3\n")

    def test_exit_code(self, shell: Environment) -> None:
        ok(shell, "(exit 42)", "", 42)
        ok(shell, "echo $?", "42\n")

    def test_internal_commands_leave_no_trace(self, shell: Environment) -> None:
        ok(shell, "(exit 7)", "", 7)
        shell.files(".")
        ok(shell, "echo $?", "7\n")

    def test_state_survives(self, shell: Environment) -> None:
        ok(
            shell,
            "mkdir -p d && cd d && export A=1 && B=2 && f() { echo f$1; }; alias hi='echo hi'; declare -A m=([k]=v)",
        )
        ok(shell, "f 3; echo $A$B; basename $PWD; hi; echo ${m[k]}", "f3\n12\nd\nhi\nv\n")
        assert shell.cwd == shell.root / "d"

    def test_variables_are_an_allow_list(self, shell: Environment) -> None:
        names = set(ok(shell, "env -0 | cut -z -d= -f1 | tr '\\0' '\\n'").output.split())
        assert "FROM_WORKSPACE" in names
        assert names <= VARIABLES | {"FROM_WORKSPACE", "A"}

    @pytest.mark.parametrize(
        "command",
        [
            "echo 'unbalanced",
            'echo "x',
            "{ echo a; } ; )",
            "if true",
            "echo $(",
            "for",
            "((",
            "echo a &&",
            "case x in",
            "x=(",
        ],
    )
    def test_syntax_errors(self, shell: Environment, command: str) -> None:
        result = shell.run(command, timeout=5)
        assert not result.timed_out and not result.note and result.exit_code != 0
        ok(shell, "echo fine", "fine\n")

    @pytest.mark.parametrize(
        ("command", "output"),
        [
            ("", ""),
            ("  \n\n ", ""),
            ("# a comment", ""),
            ("echo '!!' !x", "!! !x\n"),
            ("echo \\'", "'\n"),
            ("printf '%s' 'a\tb'", "a\tb"),
            ("echo 'é☃'", "é☃\n"),
            ("echo $'\\x41'", "A\n"),
            ("printf '\\036x'", "\x1ex"),
            ("printf 'a\\0b'", "a\0b"),
            ("printf '\\377ok\\200'", "\\xffok\\x80"),
            ("echo a\r", "a\r\n"),
            ("cat <<'EOF'\na $b `c` \"d\" \\e\nEOF\ncat <<EOF\n$((1+1))\nEOF", 'a $b `c` "d" \\e\n2\n'),
        ],
    )
    def test_odd_commands(self, shell: Environment, command: str, output: str) -> None:
        ok(shell, command, output)

    def test_stdin_is_at_its_end(self, shell: Environment) -> None:
        ok(
            shell,
            "read x; echo rc=$?; cat; cat -; python3 -c 'import sys;print(repr(sys.stdin.read()))'",
            "rc=1\n''\n",
        )

    def test_nul_in_command(self, shell: Environment) -> None:
        assert shell.run("echo a\0b", timeout=5).exit_code == 2

    def test_long_commands(self, shell: Environment) -> None:
        ok(shell, "echo " + "x" * 200_000 + " | wc -c", "200001\n", timeout=30)
        ok(shell, "\n".join(f"v{i}={i}" for i in range(2000)) + "\necho $v1999", "1999\n", timeout=30)

    def test_huge_output_is_bounded(self, shell: Environment) -> None:
        result = shell.run("echo HEAD; yes | head -c 20000000; echo TAIL", timeout=60)
        assert result.output.startswith("HEAD\n") and result.output.endswith("TAIL\n")
        assert len(result.output) < 140_000
        assert result.truncated_bytes > 19_000_000
        assert f"[... {result.truncated_bytes} bytes of output left out ...]" in result.output

    def test_cut_characters(self, shell: Environment) -> None:
        result = shell.run("printf x; yes é | head -c 300000 | tr -d '\\n'", timeout=30)
        assert "\\x" not in result.output and result.truncated_bytes

    def test_background_job_does_not_hold_the_command(self, shell: Environment) -> None:
        begin = time.monotonic()
        ok(shell, "sleep 30 & sleep 31 & echo now", "now\n")
        assert time.monotonic() - begin < 5
        ok(shell, "jobs -r | wc -l; kill %1 %2", "2\n")

    def test_background_output_comes_with_the_next_command(self, shell: Environment) -> None:
        ok(shell, "mkfifo go; (read x < go; echo late; echo done > done.txt) & echo now", "now\n")
        ok(shell, "echo > go; while [ ! -s done.txt ]; do :; done")
        assert "now" not in shell.run("rm go done.txt", timeout=5).output

    def test_background_flood_does_not_block(self, shell: Environment) -> None:
        ok(shell, "(seq 300000; echo done > flood.txt) & true")
        wait_for(shell, "flood.txt")
        ok(shell, "rm flood.txt; true")

    @pytest.mark.parametrize(
        "command",
        [
            "sleep 50; echo went on",
            "sleep 50 | cat | cat",
            "(sleep 50)",
            "x=$(sleep 50); echo went on",
            "while :; do :; done",
            "while true; do sleep 0.01; done",
            "bash -c 'sleep 50; echo went on'",
            "python3 -c 'import time;time.sleep(50)'",
            "tail -f /dev/null",
            "yes > /dev/null",
            "for i in 1 2 3; do sleep 20; done; echo went on",
            "f(){ sleep 50; echo went on; }; f",
            "{ sleep 50; echo went on; } | cat",
            "timeout 60 sleep 50",
            "wait & sleep 50",
        ],
    )
    def test_timeout(self, shell: Environment, command: str) -> None:
        begin = time.monotonic()
        result = shell.run(command, timeout=0.3)
        assert result.timed_out and result.exit_code == 124
        assert "SIG" in result.note and "restarted" not in result.note
        assert "went on" not in result.output
        assert time.monotonic() - begin < 0.3 + self.stop_seconds
        ok(shell, "echo alive", "alive\n")

    def test_timeout_keeps_state_and_earlier_jobs(self, shell: Environment) -> None:
        ok(shell, "mkdir -p k; cd k; export KEEP=1; LOCAL=2; sleep 77 & true")
        time.sleep(0.1)  # start times of processes have a resolution of 10 ms
        assert shell.run("sleep 50", timeout=0.2).timed_out
        ok(shell, "echo $KEEP$LOCAL; basename $PWD; jobs -r | grep -c 'sleep 77'", "12\nk\n1\n")
        ok(shell, "kill $(jobs -p)")

    def test_timeout_keeps_partial_output(self, shell: Environment) -> None:
        result = shell.run("echo before; sleep 50", timeout=0.5)
        assert result.timed_out and result.output == "before\n"

    def test_timeout_kills_the_whole_tree(self, shell: Environment) -> None:
        ok(shell, "rm -f alive.txt")
        result = shell.run(
            "(trap '' INT TERM HUP; setsid bash -c 'while :; do echo x >> alive.txt; sleep 0.05; done' &) ; sleep 50",
            timeout=0.5,
        )
        assert result.timed_out
        size = len(shell.read("alive.txt"))
        time.sleep(0.3)
        assert len(shell.read("alive.txt")) == size > 0

    def test_timeout_of_a_program_that_ignores_signals(self, shell: Environment) -> None:
        program = "import signal,time\nfor s in (1,2,15): signal.signal(s,signal.SIG_IGN)\n"
        program += "print('up',flush=True)\ntime.sleep(60)"
        result = shell.run(f'python3 -c "{program}"', timeout=2.0)
        assert result.timed_out and "up" in result.output
        assert "SIGKILL" in result.note and "restarted" not in result.note
        ok(shell, "echo alive", "alive\n")

    def test_timeout_of_a_shell_that_ignores_signals(self, shell: Environment) -> None:
        ok(shell, "export X=1; cd /")
        result = shell.run("trap '' INT; while :; do :; done", timeout=0.3)
        assert result.timed_out and "restarted" in result.note
        ok(shell, "echo $X; pwd", "1\n/\n")

    def test_exit(self, shell: Environment) -> None:
        ok(shell, "cd /usr; export Y=5; echo kept > $TMPDIR/kept")
        result = shell.run("cd /etc; export Z=6; exit 3", timeout=5)
        assert result.exit_code == 3 and result.output == "" and "restarted" in result.note
        ok(shell, "echo $Y$Z; pwd; cat $TMPDIR/kept", "56\n/etc\nkept\n")
        assert str(shell.cwd) == "/etc"

    def test_exit_keeps_background_jobs(self, shell: Environment) -> None:
        ok(shell, "sleep 78 & echo $! > $TMPDIR/pid")
        assert shell.run("exit", timeout=5).note
        ok(shell, "kill $(cat $TMPDIR/pid)")

    def test_set_e(self, shell: Environment) -> None:
        result = shell.run("set -e; echo a; false; echo went on", timeout=5)
        assert result.exit_code == 1 and result.output == "a\n" and "restarted" in result.note
        ok(shell, "set -e; echo fine", "fine\n")
        ok(shell, "false; echo x", "x\n")
        assert shell.run("set -euo pipefail; echo $UNDEFINED_VARIABLE", timeout=5).exit_code != 0
        ok(shell, "echo ok$UNDEFINED_VARIABLE", "ok\n")

    def test_exec(self, shell: Environment) -> None:
        result = shell.run("exec bash -c 'echo replaced; exit 9'", timeout=5)
        assert result.exit_code == 9 and "replaced" in result.output and "restarted" in result.note
        ok(shell, "echo alive", "alive\n")
        assert shell.run("exec sleep 60", timeout=0.3).timed_out
        ok(shell, "echo alive", "alive\n")

    def test_exec_redirections(self, shell: Environment) -> None:
        ok(shell, "exec >/dev/null 2>&1 </etc/passwd; echo x", "")
        ok(shell, "echo visible", "visible\n")
        ok(shell, "exec 3>three; echo hi >&3")
        ok(shell, "echo again >&3; exec 3>&-; cat three", "hi\nagain\n")

    def test_kill_the_shell(self, shell: Environment) -> None:
        result = shell.run("kill -9 $$", timeout=5)
        assert result.exit_code == 137 and "restarted" in result.note
        ok(shell, "echo alive", "alive\n")

    def test_kill_the_group(self, spec: EnvironmentSpec) -> None:
        environment = spec.start(Workspace(FILES))
        environment.run("kill -TERM 0; echo x; kill -9 0", timeout=5)
        ok(environment, "echo alive", "alive\n", timeout=20)
        environment.close()

    def test_our_marks_in_output(self, shell: Environment) -> None:
        ok(shell, "set -x; declare -f __aci_e >/dev/null; set +x")
        forged = shell.run(
            "eval \"$(declare -f __aci_r | sed 's/__aci_r/forge/')\"; forge D 99999 0", timeout=5
        )
        assert not forged.timed_out
        ok(shell, "echo x", "x\n")
        text = shell.run(
            "word=$(declare -f __aci_r | grep -o '036[0-9a-f]*:' | head -1); printf \"\\\\${word}D zz\"; echo end",
            timeout=5,
        )
        assert text.output.endswith("end\n")

    def test_broken_path_and_functions(self, shell: Environment) -> None:
        ok(shell, "OLD=$PATH; PATH=/nope")
        assert shell.run("ls", timeout=5).exit_code == 127
        assert [m.line for m in shell.grep("TARGET", "pkg/mod.py")] == [1, 5]
        ok(
            shell,
            "PATH=$OLD; printf() { echo H; }; eval() { echo H; }; grep() { echo H; }; cd() { echo H; }; echo z",
            "z\n",
        )
        assert [m.line for m in shell.grep("TARGET", "pkg/mod.py")] == [1, 5]
        assert shell.files("pkg", "mod.py") == [f"{shell.root}/pkg/mod.py"]
        ok(shell, "unset -f printf eval grep cd; echo y", "y\n")

    def test_folder_vanishes(self, shell: Environment) -> None:
        ok(shell, "mkdir gone; cd gone; rmdir ../gone")
        shell.run("pwd; ls", timeout=5)
        ok(shell, f"cd {shell.root}")

    def test_traps_and_prompt_command(self, shell: Environment) -> None:
        ok(shell, "PROMPT_COMMAND='echo prompt'; trap 'echo debug' DEBUG; true")
        ok(shell, "trap - DEBUG")
        ok(shell, "echo x", "x\n")

    def test_git(self, spec: EnvironmentSpec) -> None:
        environment, twin = (spec.start(Workspace(FILES)) for _ in range(2))
        ok(
            environment,
            "git status --porcelain; git diff-files; git fsck --strict 2>&1; git branch --show-current",
            "main\n",
        )
        change = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n-import os\n+import sys\n \n x = 1\n"
        ok(environment, f"git apply --index --check <<'EOF'\n{change}EOF", "")
        one, two = (
            e.run("git rev-parse HEAD; git rev-list --all | wc -l", timeout=5).output
            for e in (environment, twin)
        )
        assert one == two and one.endswith("\n1\n")
        environment.close()
        twin.close()

    def test_patch_needs_no_git_of_the_agent(self, env: Environment) -> None:
        ok(
            env,
            "echo 'y = 1' >> a.py; echo new > new.txt; chmod +x pkg/mod.py; ln -s a.py link; mkdir __pycache__ build; "
            "touch __pycache__/a.pyc build/out; printf 'a\\0b' > data.bin; rm empty.txt",
        )
        patch = env.patch()
        names = [line.split(" b/")[1] for line in patch.splitlines() if line.startswith("diff --git")]
        assert names == ["a.py", "data.bin", "empty.txt", "link", "new.txt", "pkg/mod.py"]
        assert "new file mode 120000" in patch and "new mode 100755" in patch and "GIT binary patch" in patch
        ok(env, "git add -A; git commit -qm mine; git tag v1")
        assert env.patch() == patch
        ok(
            env,
            "git config core.fsmonitor 'touch /tmp/owned'; git config diff.external false; "
            "printf '*.py filter=evil diff=evil\\n' > .git/info/attributes; "
            "for h in post-index-change pre-commit; do printf '#!/bin/sh\\ntouch /tmp/owned\\n' > .git/hooks-$h; done",
        )
        assert env.patch() == patch
        ok(env, "rm -rf .git; git init -q nested; echo x > nested/file")
        assert "b/nested/file" in env.patch() and "nested/.git" not in env.patch()

    def test_patch_applies(self, spec: EnvironmentSpec, env: Environment) -> None:
        ok(
            env,
            "echo 'y = 1' >> a.py; printf 'caf\\351' > latin1.txt; chmod +x pkg/mod.py; ln -s a.py link; "
            "printf 'a\\0b' > data.bin; rm empty.txt; mkdir -p 'x y'; printf 'crlf\\r\\n' > 'x y/ü\"z.txt'; "
            "git mv nonl.txt moved.txt",
        )
        patch = env.patch()
        other = spec.start(Workspace(FILES))
        other.write(".git/fix.patch", patch.encode())
        ok(other, "git apply --index .git/fix.patch")
        assert other.patch() == patch
        other.close()

    def test_symlinks(self, env: Environment) -> None:
        ok(
            env,
            f"ln -s pkg/mod.py inner; ln -s {env.root}/pkg/mod.py absolute; ln -s ../../../../../etc/passwd escape; "
            "ln -s loop loop; ln -s nowhere dangling; ln -s pkg folder; ln -s / top",
        )
        for link in ("inner", "absolute", "folder/mod.py", f"top{env.root}/pkg/mod.py"):
            assert env.read(link) == FILES["pkg/mod.py"]
            assert env.resolve(link) == f"{env.root}/pkg/mod.py"
        assert b"root" in env.read("escape")  # the environment's own file
        assert env.resolve("escape").endswith("/etc/passwd")
        assert env.resolve("dangling") == f"{env.root}/nowhere"
        with pytest.raises(OSError):
            env.read("loop")
        with pytest.raises(FileNotFoundError):
            env.read("dangling")
        assert env.exists("dangling") is None and env.exists("folder") == "directory"
        env.write("inner", b"through the link\n")
        assert env.read("pkg/mod.py") == b"through the link\n"
        env.write("absolute", b"again\n")
        assert env.read("pkg/mod.py") == b"again\n"
        env.write("dangling", b"made\n")
        assert env.read("nowhere") == b"made\n"
        assert env.files("folder", "mod.py") and "escape" not in "".join(env.files("."))
        env.remove("inner")
        assert env.exists("pkg/mod.py") == "file" and env.exists("inner") is None

    def test_special_files_and_modes(self, env: Environment) -> None:
        ok(env, "mkfifo pipe; chmod 751 a.py")
        with pytest.raises(OSError):
            env.read("pipe")
        with pytest.raises(OSError):
            env.write("pipe", b"x")
        env.write("a.py", b"x = 3\n")
        ok(env, "stat -c %a a.py", "751\n")
        assert "pipe" not in env.patch()

    def test_close_ends_a_running_command(self, spec: EnvironmentSpec) -> None:
        environment = spec.start(Workspace(FILES))
        ok(environment, "true")
        results: list[Any] = []
        thread = threading.Thread(target=lambda: results.append(environment.run("sleep 60", timeout=90)))
        thread.start()
        time.sleep(0.3)
        begin = time.monotonic()
        environment.close()
        thread.join(10)
        assert not thread.is_alive() and time.monotonic() - begin < 10
        assert isinstance(results[0], CommandResult) and results[0].note

    def test_session_outlives_the_thread_that_made_it(self, spec: EnvironmentSpec) -> None:
        made: list[Environment] = []

        def make() -> None:
            environment = spec.start(Workspace(FILES))
            ok(environment, "cd pkg; Q=1")
            made.append(environment)

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        time.sleep(0.2)
        ok(made[0], "echo $Q", "1\n")
        made[0].close()

    def test_many_at_once(self, spec: EnvironmentSpec) -> None:
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                environment = spec.start(Workspace(FILES))
                ok(environment, f"export N={number}; echo {number} > mine.txt", timeout=60)
                for _ in range(5):
                    ok(environment, "cat mine.txt; echo $N", f"{number}\n{number}\n", timeout=60)
                assert f"+{number}\n" in environment.patch()
                environment.close()
            except BaseException as error:  # noqa: BLE001 - reported below
                failures.append(error)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert not failures


def ok(
    env: Environment, command: str, output: str | None = None, code: int | None = 0, timeout: float = 15
) -> CommandResult:
    """Run a command that must end by itself, with ``output`` and ``code`` if given."""
    result = env.run(command, timeout=timeout)
    assert not result.timed_out, (command, result)
    assert code is None or result.exit_code == code, (command, result)
    assert output is None or result.output == output, (command, result)
    return result


def wait_for(env: Environment, path: str, seconds: float = 20) -> None:
    """Wait until a background job has written ``path``, without running anything in the shell."""
    end = time.monotonic() + seconds
    while not (env.exists(path) and env.read(path)):
        assert time.monotonic() < end, f"{path} does not come"
        time.sleep(0.05)
