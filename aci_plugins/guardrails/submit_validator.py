"""A submission is taken only when a command, as a rule the visible tests, succeeds."""

from __future__ import annotations

import shlex

from pydantic import Field

from aci_plugins.plugin import plugin
from aci_plugins.policies import Proposal, Verdict
from aci_plugins.tool import Context

_KEY = "submissions_sent_back"


@plugin
class SubmitValidator:
    """Runs ``command`` at the root of the repository when the model submits. If it fails, the submission is sent back
    with its output and the episode goes on.

    Attributes:
        command: a shell command; exit code 0 accepts.
        max_attempts: how many submissions are sent back; the next one is taken as it is.
        seconds: time limit of the command; None for that of any command.
        max_chars: of the end of the output, how many the model is shown.
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    command: str = Field(min_length=1)
    max_attempts: int = Field(default=3, ge=1)
    seconds: float | None = Field(default=None, gt=0)
    max_chars: int = Field(default=4000, ge=1)
    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """Never a reason: it looks at submissions only."""
        return None

    def accept(self, context: Context) -> Verdict | None:
        """The output of the command, if it failed."""
        sent_back = context.session.extra.get(_KEY, 0)
        if sent_back >= self.max_attempts:
            return None
        command = f"(cd {shlex.quote(str(context.env.root))} && {self.command}\n)"
        result = context.env.run(command, timeout=self.seconds or context.timeout)
        if result.exit_code == 0 and not result.timed_out:
            return None
        context.session.extra[_KEY] = sent_back + 1
        why = "ran out of time" if result.timed_out else f"failed with exit code {result.exit_code}"
        output = result.output[-self.max_chars :].rstrip("\n")
        cut = len(result.output) - self.max_chars
        shown = f"[... {cut} characters left out ...]\n{output}" if cut > 0 else output
        left = self.max_attempts - sent_back - 1
        after = (
            f"sent back {left} more times"
            if left > 1
            else "sent back once more"
            if left
            else "taken as it is"
        )
        return Verdict(
            "submit_validator",
            f"Nothing was submitted: `{self.command}` {why}.\n{shown}\n"
            f"Mend this and submit again. A submission that fails will be {after}.\n",
        )
