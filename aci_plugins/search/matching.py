"""The lines that match, for all search commands."""

from __future__ import annotations

from aci_plugins.environment import Match
from aci_plugins.tool import Context, UsageError


def matching(context: Context, term: str, where: str) -> list[Match]:
    """What grep finds.

    Raises:
        UsageError: ``term`` is no regular expression that grep understands.
    """
    try:
        return context.env.grep(term, where)
    except ValueError as error:
        raise UsageError(f'grep: {error}\nNo matches found for "{term}" in {where}') from error
