"""Steps in when the same error comes again and again."""

from __future__ import annotations

import hashlib
import re

from pydantic import Field

from aci_plugins.message import Observation
from aci_plugins.plugin import PluginError, plugin
from aci_plugins.policies import Proposal, Verdict
from aci_plugins.tool import Context

_KEY = "repeated_error"


@plugin
class RepeatedError:
    """After the same error ``times`` times in a row, the prompt's ``intervention`` is put below the observation; and
    again after as many more. Malformed and refused answers are errors, too.

    Attributes:
        times: how many equal errors in a row it takes.
        ignore: regular expressions of what may differ between equal errors, such as durations and addresses.
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    times: int = Field(default=3, ge=2)
    ignore: tuple[str, ...] = (r"\d+\.\d+ ?s(econds)?\b", r"0x[0-9a-f]+")
    max_requeries: int = Field(default=2, ge=0)

    def __post_init__(self) -> None:
        for pattern in self.ignore:
            try:
                re.compile(pattern)
            except re.error as error:
                raise PluginError(f"{pattern!r} is no regular expression: {error}", "ignore") from error

    def check(self, proposal: Proposal) -> Verdict | None:
        """Never a reason: it only watches."""
        return None

    def watch(self, observation: Observation, context: Context) -> Verdict | None:
        """A reason whenever the count of equal errors reaches a multiple of ``times``."""
        failed = observation.exit_code != 0 or observation.failed_edit or observation.timed_out
        if not failed or not observation.text.strip():
            context.session.extra.pop(_KEY, None)
            return None
        error = self._digest(observation.text)
        before = context.session.extra.get(_KEY, {})
        count = before["count"] + 1 if before.get("error") == error else 1
        context.session.extra[_KEY] = {"error": error, "count": count}
        if count % self.times:
            return None
        return Verdict("repeated_error", f"the same error came {count} times in a row")

    def _digest(self, text: str) -> str:
        for pattern in self.ignore:
            text = re.sub(pattern, "", text)
        return hashlib.sha256(text.strip().encode()).hexdigest()[:16]
