"""``acilab aci show``: everything that a model is shown of an interface."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from runner.errors import UserError

USAGE = """usage: acilab aci show [overrides] [--json] [--config-dir DIR]

Prints what a model gets: the messages before its first step (system, demonstration, instance), the replies to its
answers with sample values, the documentation and JSON schema of each command, and the config of the ACI's parts.
The overrides are those of acilab run, e.g. aci=swe_agent aci/editor=none aci/format=function_calling
"""


def show(argv: Sequence[str]) -> int:
    """Run ``acilab aci show ARGV``.

    Raises:
        UserError
    """
    if any(word in ("-h", "--help") for word in argv):
        sys.stdout.write(USAGE)
        return 0
    rest = [word for word in argv if word != "--json"]
    refuse_flags(rest, "--json")
    from runner.commands.aci.seen import composed

    found = composed(rest)
    if "--json" in argv:
        sys.stdout.write(json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(found.text())
    return 0


def refuse_flags(words: Sequence[str], known: str) -> None:
    """Raise :class:`UserError` for a flag that is neither of ``known`` nor ``--config-dir``."""
    for word in words:
        if word.startswith("-") and word != "-cd" and word.partition("=")[0] != "--config-dir":
            raise UserError(f"unknown flag {word!r}; known: {known}, --config-dir DIR, --help")
