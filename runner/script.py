"""Commands played one after the other in one session of an ACI, without a model."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from aci_plugins.aci import ACI
from aci_plugins.environment import Environment
from aci_plugins.message import Action
from aci_plugins.plugin import suggest
from aci_plugins.session import Session
from aci_plugins.tool import Context
from runner.errors import UserError


@dataclass(frozen=True, slots=True)
class Reply:
    """What one command did.

    Attributes:
        command: as it was given.
        output: the observation, as a model would see it.
        open_file: absolute path of the file in the viewer, "" if none.
        first_line: number (from 1) of the first line in sight; None if nothing is.
        exit_code: None if a guardrail refused the command; its reason is the output.
    """

    command: str
    output: str
    open_file: str
    first_line: int | None
    exit_code: int | None


def read_script(lines: Iterable[bytes], name: str) -> list[str]:
    """The commands of a script: one JSON object a line, with the key ``command``. The keys of :class:`Reply` may be
    there too, so that what one run printed is the script of another. Empty lines are skipped.

    Raises:
        UserError: with ``name`` and the number of the line.
    """
    found = []
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(BOM_UTF8) if number == 1 else line
        if text.strip():
            found.append(_command(text, f"{name}:{number}"))
    return found


def _command(line: bytes, where: str) -> str:
    try:
        row = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise UserError(f"{where}: not UTF-8 (byte {error.start + 1} of the line)") from error
    except json.JSONDecodeError as error:
        raise UserError(f"{where}: not JSON (column {error.colno}: {error.msg})") from error
    except (RecursionError, ValueError) as error:
        raise UserError(f"{where}: no JSON that can be read ({error})") from error
    if not isinstance(row, dict):
        raise UserError(f'{where}: a line is an object, e.g. {{"command": "ls"}}')
    for key in row:
        if key not in Reply.__slots__:
            raise UserError(f"{where}: unknown key {key!r}{suggest(key, Reply.__slots__)}")
    command = row.get("command")
    if not isinstance(command, str):
        given = "there is none" if "command" not in row else f"given: {command!r:.60}"
        raise UserError(f"{where}: 'command' must be a text ({given})")
    return command


def play(
    aci: ACI, env: Environment, session: Session, commands: Sequence[str], seconds: float, root: str
) -> Iterator[Reply]:
    """Give ``commands`` to ``aci``, each with ``seconds`` of time.

    ``root``: the name under which the repository appears. Where the environment has it elsewhere, paths are
    translated, both ways.

    Raises:
        aci_plugins.environment.EnvironmentFailure
    """
    real = str(env.root)
    named = re.compile(rf"(?<![\w.~$/-]){re.escape(root)}(?![\w.-])")
    for command in commands:
        action = Action(command if real == root else named.sub(lambda _: real, command))
        verdict = aci.check(action, Context(env, session, seconds))
        if verdict is None:
            observation = aci.act(action, env, session, seconds)
            output, exit_code = observation.text, observation.exit_code
        else:
            output, exit_code = verdict.reason, None
        yield Reply(
            command,
            output.replace(real, root),
            session.open_file.replace(real, root, 1),
            aci.first_line(env, session),
            exit_code,
        )
