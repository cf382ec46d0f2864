"""Commands that run other commands named in their arguments, in ways of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_RUNNERS = {"uv": "run", "poetry": "run", "pipenv": "run", "pdm": "run", "hatch": "run", "conda": "run",
            "bundle": "exec", "npm": "exec", "direnv": "exec", "opam": "exec"}  # fmt: skip
_NO_FILTERS = frozenset(
    {"-delete", "-print", "-print0", "-depth", "-mindepth", "-xdev", "-mount", "-follow", *_EXEC}
)


def carried(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What the command runs or sets: ``text`` (a shell script), ``words`` (a command, words joined by NUL),
    ``alias`` and ``assignment`` (``name=value``)."""
    name, arguments = PurePosixPath(words[0]).name, list(words[1:])
    if name == "eval":
        yield "text", " ".join(arguments)
    elif name == "trap":
        yield "text", next((a for a in arguments if a not in ("-", "--")), "")
    elif name == "alias":
        yield from (("alias", a) for a in arguments if "=" in a)
    elif name in ("export", "declare", "typeset", "local", "readonly"):
        yield from (("assignment", a) for a in arguments if re.match(r"\w+=", a))
    elif name == "find":
        yield from _found(arguments)
    elif name in ("su", "script", "flock", "runuser", "sg"):
        yield from (("text", value) for option, value in _pairs(arguments) if _is_command(option))
    elif name == "env":
        yield from (
            ("text", value) for option, value in _pairs(arguments) if option in ("-S", "--split-string")
        )
        yield from (("text", a.partition("=")[2]) for a in arguments if a.startswith("--split-string="))
    elif name in ("ssh", "watch", "hyperfine"):
        at = 1 if name == "ssh" else 0
        yield "text", " ".join([a for a in arguments if not a.startswith("-")][at:])
    elif name == "git":
        for option, value in _pairs(arguments):
            if option == "-c" and "=" in value:
                yield "text", value.partition("=")[2].lstrip("!")
            elif option.startswith("alias.") and value.startswith("!"):
                yield "text", value[1:]
        if arguments[:2] in (["bisect", "run"], ["submodule", "foreach"]):
            yield "text", " ".join(arguments[2:])
        if arguments[:1] == ["filter-branch"]:
            yield from (("text", value) for option, value in _pairs(arguments) if option.endswith("-filter"))
    elif name == "tar":
        pattern = r"--(?:checkpoint-action=exec|to-command|use-compress-program|rsh-command)=(.*)"
        yield from (("text", found[1]) for a in arguments if (found := re.match(pattern, a, re.DOTALL)))
    elif name in ("vim", "vi", "nvim", "ex", "ed"):
        yield from (("text", a.partition("!")[2]) for a in arguments if re.match(r"[:+]*!|\+:!", a))
    elif name == "sed":
        yield from (("text", found[1]) for a in arguments if (found := re.match(r"\d*e (.*)", a, re.DOTALL)))
    elif name in _RUNNERS and arguments[:1] == [_RUNNERS[name]]:
        words = arguments[1:]
        while words and words[0].startswith("-"):
            words = words[2 if words[0] in ("-n", "-p", "--project") else 1 :]
        if words:
            yield "words", "\0".join(words)


def _is_command(option: str) -> bool:
    return option == "--command" or (option[:1] == "-" and option[1:2] != "-" and option.endswith("c"))


def _found(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What ``find`` does with what it finds: ``rm -r`` for ``-delete``, and the commands of ``-exec``."""
    starts: list[str] = []
    for word in arguments:
        if word.startswith(("-", "(", "!")) and word not in ("-L", "-P", "-H"):
            break
        starts += [] if word in ("-L", "-P", "-H") else [word]
    starts = starts or ["."]
    tests = {a for a in arguments if a.startswith("-") and not a[1:].isdigit()}
    filtered = bool(tests - _NO_FILTERS - {"-L", "-P", "-H", "-r", "-rf", "-f", "-c", "-R"})
    places = [f"{start.rstrip('/')}/{'(found)' if filtered else '*'}" for start in starts]
    if "-delete" in arguments:
        yield "words", "\0".join(["rm", "-r", *places])
    at = 0
    while at < len(arguments):
        if arguments[at] in _EXEC:
            end = next((i for i in range(at, len(arguments)) if arguments[i] in (";", "+")), len(arguments))
            inner = arguments[at + 1 : end]
            if inner:
                filled = [p for w in inner for p in (places if w == "{}" else [w.replace("{}", places[0])])]
                yield "words", "\0".join(filled)
            at = end
        at += 1


def _pairs(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip(arguments, [*arguments[1:], ""], strict=False)
