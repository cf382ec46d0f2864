"""Refuses what composes but cannot be: two tools of one name; a prompt or demonstration that mentions a command which
the composed ACI does not have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from aci_plugins.aci import ACI, Choosy, all_commands
from runner.errors import UserError
from runner.prompt.bounded import BAD_TEMPLATE
from runner.prompt.prompt import TEMPLATES

if TYPE_CHECKING:
    from runner.prompt import Prompt

_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\bgoto\b")
"""Commands whose names are no English words are found anywhere in a text."""
_TICKED = re.compile(r"`([a-z_]+)[^`\n]*`")


def check_tools(aci: ACI, where: Callable[[str], str]) -> None:
    """Raise :class:`UserError` if two parts of the ACI bring a tool of the same name."""
    for name, count in Counter(tool.name for tool in aci.tools).items():
        if count > 1:
            raise UserError(
                f"{where('aci.extras')}: aci: {count} tools are named {name!r}; leave out one of the parts"
            )


def check_format(aci: ACI, where: Callable[[str], str]) -> None:
    """Raise :class:`UserError` if the ACI cannot be driven by its format."""
    if isinstance(aci.format, Choosy) and (reason := aci.format.unfit(aci.tools)):
        raise UserError(f"{where('aci.format')}: aci.format cannot drive the ACI {aci.name!r}: {reason}")


def check_mentions(prompt: Prompt, aci: ACI, where: Callable[[str], str]) -> None:
    """Raise :class:`UserError` naming the file, the key and the command."""
    foreign = all_commands() - aci.vocabulary
    for key in TEMPLATES:
        try:
            text = prompt.sample(key, aci)
        except BAD_TEMPLATE as error:
            reason = " ".join(str(error).split())[:300]
            raise UserError(f"{where(f'prompt.{key}')}: prompt.{key}: {reason}") from error
        for command in mentioned(text):
            if command in foreign:
                raise UserError(
                    f"{where(f'prompt.{key}')}: prompt.{key} mentions the command {command!r}, which the composed "
                    f"ACI does not have (it has: {', '.join(sorted(aci.commands))})"
                )
    for command in prompt.demonstrated(aci):
        if command in foreign:
            raise UserError(
                f"{where('prompt.demonstration.path')}: the demonstration uses the command {command!r}, which the "
                f"composed ACI does not have; use prompt/demonstration=none or one made with this ACI"
            )


def mentioned(text: str) -> Iterator[str]:
    """Commands that a text may name: the first word between backticks and of each line in a fenced block, and words
    that can be nothing else (``search_dir``)."""
    yield from _NAME.findall(text)
    fenced = False
    for line in text.splitlines():
        if line.strip().startswith("```"):
            fenced = not fenced
        elif fenced:
            if words := line.split():
                yield words[0]
        else:
            yield from _TICKED.findall(line)
