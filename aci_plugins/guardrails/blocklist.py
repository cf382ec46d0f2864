"""Commands that are refused: those that wait for input that will never come, and others that a setting forbids.

The lists are SWE-agent's (0.7). Every command of a command line is looked at by its whole name, also behind
wrappers such as ``timeout`` and ``env``: a prefix is not enough (``view``), and ``cd x && vim f`` does not pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from pydantic import Field

from aci_plugins.guardrails.wrappers import effective
from aci_plugins.plugin import plugin
from aci_plugins.policies import Proposal, Verdict


@plugin
class Blocklist:
    """Refuses commands by name.

    Attributes:
        blocklist: names that are always refused.
        standalone: names that are refused when they are the whole command: without arguments and without input
            from a pipe or file they would wait at a prompt.
        max_requeries: consecutive answers that may be malformed or refused; with one more the episode ends.
    """

    blocklist: tuple[str, ...] = ("vim", "vi", "emacs", "nano", "nohup", "git", "gdb", "less")
    standalone: tuple[str, ...] = (
        "python", "python3", "ipython", "bash", "sh", "exit", "/bin/bash", "/bin/sh", "nohup", "vi", "vim", "emacs",
        "nano", "su",
    )  # fmt: skip
    max_requeries: int = Field(default=2, ge=0)

    def check(self, proposal: Proposal) -> Verdict | None:
        """Why the action must not run, or None."""
        for command in proposal.commands:
            for words in effective([word.value for word in command.words]):
                if verdict := self._refused(words, command.fed):
                    return verdict
        return None

    def _refused(self, words: Sequence[str], fed: bool) -> Verdict | None:
        name = PurePosixPath(words[0]).name
        if name in self.blocklist:
            return Verdict("blocklist", f"{name} cannot be used in this environment.")
        if len(words) == 1 and not fed and words[0] in self.standalone:
            reason = f"{name} without arguments waits for input, which cannot be given in this environment."
            return Verdict("standalone", reason)
        return None
