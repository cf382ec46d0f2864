"""Search by regular expressions, against a real tree and beside git's own reading of .gitignore."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tests.aci_plugins.panel import compose, node, panel

FILES = {
    "src/a.py": b"import os\n\ndef find_me(x):\n    return x\n",
    "src/b.c": b"int find_me(void);\r\nint Find_Me;\n",
    "docs/c.md": b"find_me\n" * 3,
    ".hidden/d.py": b"find_me\n",
    "bin.dat": b"find_me\0\n",
    ".gitignore": b"*.log\n/build/\nnode_modules\n!keep.log\n",
    "x.log": b"find_me\n",
    "keep.log": b"find_me\n",
    "build/out.py": b"find_me\n",
    "src/build/in.py": b"find_me\n",
    "src/.gitignore": b"b.c\n",
    "src/node_modules/m/keep.log": b"find_me\n",
}


def paths(said: str) -> set[str]:
    return {row.split(":")[0].removeprefix("/repo/") for row in said.splitlines() if row.startswith("/repo/")}


def test_what_git_ignores_is_left_out(tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    command = [*git, "ls-files", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    expected = {n for n in listed if b"find_me" in FILES[n] and b"\0" not in FILES[n] and n[0] != "."}
    with panel(FILES, compose(search="regex")) as p:
        assert paths(p.says("search_regex find_me")) == expected
        assert paths(p.says("search_regex find_me --path src")) == {n for n in expected if n[:4] == "src/"}


def test_globs_case_and_context() -> None:
    with panel(FILES, compose(search="regex")) as p:
        assert paths(p.says("search_regex find_me --glob '*.md,*.py'")) == {
            "docs/c.md",
            "src/a.py",
            "src/build/in.py",
        }
        assert paths(p.says("search_regex find_me --glob '!*.md'")) == {
            "src/a.py",
            "src/build/in.py",
            "keep.log",
        }
        assert paths(p.says("search_regex find_me --glob 'src/*.py'")) == {"src/a.py"}
        assert p.says("search_regex FIND_ME src/b.c").startswith("Usage:")
        assert "Found 2 matches in 1 files" in p.says("search_regex FIND_ME --path src/b.c --ignore_case")
        said = p.says("search_regex '^def' --path src/a.py --context_lines 1").splitlines()[1:]
        assert said == [
            "--",
            "/repo/src/a.py-2-",
            "/repo/src/a.py:3:def find_me(x):",
            "/repo/src/a.py-4-    return x",
        ]
        assert p.says("search_regex 'void\\);$' --path src/b.c").count("\n") == 2
        assert p.says("search_regex nothing") == 'No matches found for "nothing" in /repo\n'
        assert "is no regular expression" in p.says("search_regex '('")
        assert p.says("search_regex x --path no") == "There is no file or directory no.\n"


def test_the_cap_and_patterns_that_never_end() -> None:
    few = {**node("search/regex"), "max_matches": 2}
    with panel({**FILES, "evil.txt": b"a" * 60 + b"\n"}, compose(search=few)) as p:
        said = p.says("search_regex find_me --path docs")
        assert "Found 3 matches in 1 files" in said and "the first 2 are shown" in said
        assert len(paths(said)) == 1 and said.count("\n") == 3
        begun = time.monotonic()
        done = p.do("search_regex '(a|aa|a?)+(b|c)+[^x]\\1$' --path evil.txt", timeout=1.0)
        assert time.monotonic() - begun < 5 and done.exit_code in (0, 1)


@pytest.mark.parametrize("pattern", ["def f4999", "f\\d+999\\b"])
def test_five_thousand_files(pattern: str) -> None:
    files = {f"p{i % 50}/m{i}.py": b"import os\n" * 40 + b"def f%d(): pass\n" % i for i in range(5000)}
    with panel(files | {".gitignore": b"*.log\nbuild/\n"}, compose(search="regex")) as p:
        begun = time.monotonic()
        assert "m4999.py" in p.says(f"search_regex '{pattern}'")
        assert time.monotonic() - begun < 5
