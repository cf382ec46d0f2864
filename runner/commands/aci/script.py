"""``acilab aci script``: play commands in one session of a composed ACI, on a copy of a folder."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from posixpath import basename, normpath
from typing import Any

from aci_plugins.environment import EnvironmentFailure
from runner.compose.parts import compose_command
from runner.environments.base import Workspace
from runner.environments.bound import can_be_named
from runner.errors import Incomplete, UserError
from runner.folder import Folder
from runner.script import play, read_script

USAGE = """usage:
  acilab aci script REPO SCRIPT.jsonl [overrides] [--root PATH]

Runs the commands of SCRIPT.jsonl, one after the other, in one session of the composed ACI, on a copy of the folder
REPO (which stays as it is, and need not be a git repository). SCRIPT.jsonl has one JSON object a line, {"command": …};
- reads it from standard input. For each command one line of JSON is printed:

  command     as given
  output      the observation, as a model would see it
  open_file   the file in the viewer, "" if none
  first_line  number of the first line in sight (from 1), null if nothing is
  exit_code   null if a guardrail refused the command (aci/guardrails=none refuses nothing)

  --root PATH       the path of the copy, in commands, outputs and state (default /repo): its real one in a sandbox of
                    namespaces, elsewhere paths are translated
  --config-dir DIR  adds your own options, as in acilab run

The overrides are those of acilab run, with its defaults (aci=swe_agent, environment=sandbox):

  acilab aci script REPO SCRIPT.jsonl aci.dialect=v1 aci/editor=no_lint environment=local
"""


def script(argv: Sequence[str]) -> int:
    """Run ``acilab aci script ARGV``.

    Raises:
        UserError: before any command ran.
        Incomplete: the environment failed.
    """
    if any(word in ("-h", "--help") for word in argv):
        sys.stdout.write(USAGE)
        return 0
    positional, root, rest = _arguments(argv)
    if len(positional) != 2:
        raise UserError("give a folder and a script: acilab aci script REPO SCRIPT.jsonl [overrides]")
    commands = _commands(positional[1])
    folder = Folder.read(Path(positional[0]))
    composed = compose_command(rest, ("aci", "environment"))
    aci, environment = composed.parts["aci"], composed.parts["environment"]
    environment.check()
    try:
        env = environment.start(Workspace(folder.files, name=_name(root, environment)))
        try:
            folder.complete(env)
            seconds = composed.typed.budget.command_seconds
            for reply in play(aci, env, aci.session(), commands, seconds, root):
                # ASCII: a file name that is not UTF-8 has no other form in JSON
                sys.stdout.write(json.dumps(asdict(reply)) + "\n")
                sys.stdout.flush()
        finally:
            env.close()
    except EnvironmentFailure as error:
        raise Incomplete(f"the environment failed: {error}") from error
    return 0


def _arguments(argv: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """The two positional arguments, the root, and what is for Hydra."""
    positional: list[str] = []
    rest: list[str] = []
    root = "/repo"
    words = iter(argv)
    for word in words:
        if word == "--root" or word.startswith("--root="):
            root = word.partition("=")[2] if "=" in word else next(words, "")
        elif word in ("--config-dir", "-cd"):
            rest += [word, next(words, "")]
        elif word.startswith("-") and word != "-" and not word.startswith("--config-dir="):
            raise UserError(f"unknown flag {word!r}; known: --root PATH, --config-dir DIR, --help")
        elif len(positional) < 2 and not _is_override(word):
            positional.append(word)
        else:
            rest.append(word)
    if not root.startswith("/") or normpath(root) != root or root == "/":
        raise UserError(f"--root must be an absolute path without '..', such as /repo (given: {root!r})")
    return positional, root, rest


def _is_override(word: str) -> bool:
    return bool(re.match(r"[~+]*[A-Za-z_][\w./@-]*=", word)) and not Path(word).exists()


def _commands(name: str) -> list[str]:
    if name == "-":
        return read_script(sys.stdin.buffer, "<stdin>")
    try:
        return read_script(Path(name).read_bytes().split(b"\n"), name)
    except OSError as error:
        raise UserError(f"{name}: {error.strerror}") from error


def _name(root: str, environment: Any) -> str:
    """The workspace's name: the root itself where that can be its path."""
    name = root[1:]
    if environment.facts()["root"] == "/<name>" and can_be_named(name):
        return name
    return basename(root) if can_be_named(basename(root)) else "repo"
