"""What becomes of malformed answers after they were corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from aci_plugins.message import Message

CorrectedErrors = Literal["all", "first", "none"]
"""What becomes of malformed answers, and of the replies to them, once a well-formed answer was given: ``all`` stay;
``first``: only the first reply of the episode stays (the paper's rule); ``none`` stays."""


def settled(messages: Sequence[Message], keep: CorrectedErrors) -> list[Message]:
    """Remove malformed answers that were corrected (a well-formed one came later), and the replies to them but,
    for ``first``, the first reply of the episode. Errors that are not corrected yet stay as they are.

    A reply that stays without the native call that it answers becomes an ordinary message of the user.
    """
    if keep == "all":
        return list(messages)
    last_action = max((i for i, m in enumerate(messages) if m.kind == "action"), default=-1)
    kept: list[Message] = []
    seen = keep == "none"
    for index, message in enumerate(messages):
        if message.kind != "error" or index > last_action:
            kept.append(message)
        elif message.role != "assistant" and not seen:
            seen = True
            kept.append(replace(message, role="user", tool_call_id=None))
    return kept
