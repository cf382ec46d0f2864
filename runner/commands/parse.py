"""``acilab parse``: what an action format reads in an answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from aci_plugins.aci import ACI
from aci_plugins.message import Action, FormatError, Parsed, ToolCall
from aci_plugins.plugin import PluginError, build, suggest
from runner.compose.app import CONFIG_NAME, composing, config_dirs
from runner.compose.mistakes import explained, refuse_secrets
from runner.errors import UserError

USAGE = """usage: acilab parse --format NAME [overrides] < answer.txt

Prints {"thought", "action", "tool", "arguments"} as JSON, with "more" for further actions, or {"error", "message"}
with what the model would be told. The tools are those of aci=swe_agent; aci=… and aci.format.KEY=… override.
For function_calling, standard input is the message as JSON: {"content": "…", "tool_calls": [{"id": "…", "function":
{"name": "…", "arguments": "…"}}]}.
(--config-dir DIR adds your own options, as in acilab run)
"""


def parse(argv: Sequence[str]) -> int:
    """Read an answer from standard input."""
    if argv and argv[0] in ("-h", "--help"):
        sys.stdout.write(USAGE)
        return 0
    name, rest = _format(argv)
    overrides, extra = config_dirs(rest)
    refuse_secrets(overrides)
    aci = _aci(name, overrides, extra)
    answer = sys.stdin.buffer.read().decode("utf-8", "backslashreplace")
    text, calls = read_message(answer) if aci.format.native else (answer, [])
    try:
        found = _shown(aci.parse(text, calls))
    except FormatError as error:
        found = {"error": error.code, "message": str(error)}
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    return 0


def _format(argv: Sequence[str]) -> tuple[str, list[str]]:
    """The format's name, and the other arguments."""
    rest = list(argv)
    for at, argument in enumerate(rest):
        if argument.startswith("--format="):
            del rest[at]
            return argument.partition("=")[2], rest
        if argument == "--format" and at + 1 < len(rest):
            name = rest[at + 1]
            del rest[at : at + 2]
            return name, rest
    raise UserError("no format is named; usage: acilab parse --format NAME [overrides] < answer.txt")


def _aci(name: str, overrides: Sequence[str], extra: Sequence[Any]) -> ACI:
    from hydra import compose
    from omegaconf import OmegaConf

    with explained(overrides), composing(extra) as hydra:
        known = hydra.config_loader.get_group_options("aci/format")
        if name not in known:
            raise UserError(f"there is no format {name!r}{suggest(name, known)}")
        config = compose(CONFIG_NAME, overrides=[*overrides, f"aci/format={name}"])
        node: Any = OmegaConf.to_container(config.aci, resolve=True)
    try:
        aci = build(node)
    except PluginError as error:
        raise UserError(f"aci.{error.key}: {error}") from error
    assert isinstance(aci, ACI)
    return aci


def read_message(text: str) -> tuple[str, list[ToolCall]]:
    """Content and native calls of a message in JSON; any other text is content without calls."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return text, []
    if not isinstance(message, dict) or not {"content", "tool_calls"} <= set(message):
        return text, []
    content, made = message["content"] or "", message["tool_calls"] or []
    if not isinstance(content, str) or not isinstance(made, list):
        raise UserError("standard input: content must be a string, and tool_calls a list")
    return content, [_call(each, number) for number, each in enumerate(made)]


def _call(made: Any, number: int) -> ToolCall:
    function = made.get("function") if isinstance(made, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise UserError(
            f"standard input: tool_calls[{number}] must be an object with function.name and function.arguments"
        )
    arguments = function.get("arguments") or ""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(str(made.get("id") or f"call_{number}"), function["name"], written)


def _shown(parsed: Parsed) -> dict[str, Any]:
    shown = {"thought": parsed.thought, **_action(parsed.action)}
    return {**shown, "more": [_action(a) for a in parsed.more]} if parsed.more else shown


def _action(action: Action) -> dict[str, Any]:
    return {"action": action.text, "tool": action.tool, "arguments": dict(action.arguments)}
