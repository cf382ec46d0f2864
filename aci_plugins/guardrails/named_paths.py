"""Which words of a command are paths: patterns, messages, programs in other languages and options are not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from aci_plugins.guardrails.unfold import Call

_TEXT_ONLY = frozenset(
    {"echo", "printf", "test", "[", "[[", "true", "false", ":", "export", "declare", "local", "alias", "expr", "which",
     "type", "command", "unset", "set", "read", "trap", "eval", "basename", "dirname", "seq", "let", "return", "exit",
     "man", "help", "hash", "say"}
)  # fmt: skip
_ELSEWHERE = frozenset({"docker", "podman", "nerdctl", "kubectl", "docker-compose"})
"""Their paths are those of a container, but for what is mounted (``HERE:THERE``)."""
_PATTERN_FIRST = frozenset(
    {"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "sed", "awk", "gawk", "mawk", "jq", "yq"}
)
_CODE = frozenset(
    {"python", "pypy", "perl", "ruby", "node", "php", "lua", "bash", "sh", "dash", "zsh", "ksh", "su"}
)
_TEXT_OPTIONS = frozenset(
    [
        "-m",
        "-e",
        "-k",
        "-c",
        "-S",
        "-G",
        "--message",
        "--grep",
        "--author",
        "--regexp",
        "--expression",
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-regex",
        "--exclude",
        "--include",
        "--exclude-dir",
        "--ignore",
        "-r",
        "--date",
        "--format",
        "--pretty",
        "-F",
        "-d",
        "--data",
        "-H",
        "--header",
        "-printf",
        "--deselect",
        "-t",
    ]
)
_INSTALLED = re.compile(r"--(\w+-)?prefix=|--\w+dir=|-D\w+=")
"""Options that say where something will be installed later."""
_ALWAYS_PATH = frozenset({"-C", "-f", "-o", "-I", "-L"})


def named(call: Call) -> Iterator[str]:
    """The words that name files or folders."""
    name = re.sub(r"[\d.]+$", "", PurePosixPath(call.words[0]).name)
    for operator, target in call.redirections:
        if operator.startswith("<"):
            yield target
    yield call.words[0]
    if name in _TEXT_ONLY:
        return
    if name in _ELSEWHERE:
        for word in call.words[1:]:
            yield from re.findall(r"(?:^|=)((?:/|~)[^:,]*):", word)
        return
    pattern = name in _PATTERN_FIRST and not {"-e", "-f", "--regexp", "--files"} & set(call.words)
    skip = False
    for word in call.words[1:]:
        if skip:
            skip = False
        elif word.startswith("-"):
            takes_text = word in _TEXT_OPTIONS and not (
                word in ("-r", "-d", "-t", "-F", "-c") and not _takes(name, word)
            )
            skip = takes_text and word not in _ALWAYS_PATH
            if "=" in word and word.split("=")[0] not in _TEXT_OPTIONS and not _INSTALLED.match(word):
                yield word.partition("=")[2]
            elif found := re.match(r"-[ILCo](/.+|~.*)", word):
                yield found[1]
        elif pattern:
            pattern = False
        elif re.match(r"(?!file)\w+://", word):
            continue
        elif " " not in word and "\n" not in word:
            yield word.lstrip("@")
            if re.match(r"\w+[=:]@?(/|~|\.\./)", word):
                yield re.split("[=:]@?", word, maxsplit=1)[1]


def _takes(name: str, option: str) -> bool:
    """Whether an option takes a text with this command; with others it is a flag or takes a path."""
    if option == "-c":
        return name in _CODE
    if option == "-d":
        return name in ("curl", "cut", "tr", "date", "touch", "paste", "xargs", "read", "docker")
    if option == "-F":
        return name in ("awk", "gawk", "mawk", "git")
    if option == "-t":
        return name in ("sort", "column", "pytest", "tox", "rg")
    return name in ("xxd",)
