"""``acilab aci``: look at an interface, and try it, without a model."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from aci_plugins.plugin import suggest
from runner.errors import UserError

SUBCOMMANDS: dict[str, tuple[str, str]] = {
    "show": ("runner.commands.aci.show:show", "everything that a model is shown of an interface"),
    "diff": ("runner.commands.aci.diff:diff", "what differs between two interfaces, as a model sees them"),
    "try": ("runner.commands.aci.try_:try_", "play the model yourself"),
    "script": ("runner.commands.aci.script:script", "play commands in one session, on a copy of a folder"),
}


def aci(argv: Sequence[str]) -> int:
    """Dispatch."""
    if not argv or argv[0] in ("-h", "--help"):
        width = max(map(len, SUBCOMMANDS), default=0)
        lines = "".join(f"  acilab aci {name:<{width}}  {text}\n" for name, (_, text) in SUBCOMMANDS.items())
        sys.stdout.write("usage:\n" + lines)
        return 0
    if argv[0] not in SUBCOMMANDS:
        raise UserError(f"acilab aci has no command {argv[0]!r}{suggest(argv[0], SUBCOMMANDS)}")
    module, _, function = SUBCOMMANDS[argv[0]][0].partition(":")
    return int(getattr(importlib.import_module(module), function)(argv[1:]) or 0)
