"""Jinja2 templates for everything the model is told.

Command documentation, limits and the window size come from the composed ACI, so no text can drift from it.
Templates render in Jinja2's sandbox; an undefined name is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jinja2 import TemplateSyntaxError

from aci_plugins.aci import ACI
from aci_plugins.message import FormatError, Message, Observation
from aci_plugins.plugin import PluginError, plugin
from runner.benchmarks.base import Instance
from runner.errors import UserError
from runner.prompt.bounded import BAD_TEMPLATE, render, template
from runner.prompt.demonstration import Demonstration

TEMPLATES = (
    "system",
    "instance",
    "demonstration_frame",
    "next_step",
    "next_step_no_output",
    "next_step_truncated",
    "format_error",
    "blocked",
    "intervention",
)

_SAMPLE = {
    "problem_statement": "",
    "repo": "repo",
    "root": "/repo",
    "open_file": "n/a",
    "working_dir": "/repo",
    "observation": "text",
    "exit_code": 0,
    "elided_chars": 1,
    "error": "text",
    "error_code": "missing",
    "reason": "text",
    "demonstration": "text",
}
"""A value for every name that templates may use beside :meth:`aci_plugins.aci.ACI.variables`."""


@plugin
class Prompt:
    """Templates by occasion.

    Attributes:
        system: role, setting, command documentation, answer format.
        instance: the task; ends with the state line.
        demonstration_frame: put around the demonstration, as one user message.
        next_step / next_step_no_output / next_step_truncated: around an observation.
        format_error: reply to a malformed answer. blocked: reply to a refused action.
        intervention: what a guardrail that watches puts below an observation.
        demonstration: where the demonstration comes from.
    """

    name: str
    system: str
    instance: str
    demonstration_frame: str
    next_step: str
    next_step_no_output: str
    next_step_truncated: str
    format_error: str
    blocked: str
    demonstration: Demonstration
    intervention: str = (
        "NOTE: {{ reason }}. Doing the same again will not help. Say what the error means, then try "
        "something else."
    )

    def __post_init__(self) -> None:
        for key in TEMPLATES:
            try:
                template(getattr(self, key))
            except BAD_TEMPLATE as error:
                line = error.lineno if isinstance(error, TemplateSyntaxError) else 0
                raise PluginError(f"not a valid Jinja2 template: {error}", key, line) from error

    def sample(self, key: str, aci: ACI) -> str:
        """The template ``key`` rendered with sample values.

        Raises:
            jinja2.TemplateError: an undefined name, for one.
        """
        return render(getattr(self, key), {**_SAMPLE, **aci.variables()})

    def demonstrated(self, aci: ACI) -> Iterable[str]:
        """The commands that the demonstration uses."""
        return self.demonstration.commands(aci)

    def demonstration_digest(self) -> str:
        """SHA-256 of the demonstration's file ("" without one)."""
        return self.demonstration.digest()

    def opening(self, aci: ACI, instance: Instance, state: Mapping[str, str], root: str) -> list[Message]:
        """The messages before the first step: system, demonstration, instance."""
        values = {
            **_SAMPLE,
            "problem_statement": instance.problem_statement,
            "repo": instance.repo,
            "root": root,
            **state,
        }
        messages = [Message("system", self._render("system", aci, values), "system")]
        if shown := self.demonstration.text(aci, self):
            framed = self._render("demonstration_frame", aci, {**values, "demonstration": shown})
            messages.append(Message("user", framed, "demonstration"))
        messages.append(Message("user", self._render("instance", aci, values), "instance"))
        return messages

    def observation(self, aci: ACI, observation: Observation, state: Mapping[str, str]) -> str:
        """What the model is told after an action."""
        key = "next_step" if observation.text.strip() else "next_step_no_output"
        if observation.elided_chars:
            key = "next_step_truncated"
        return self._render(
            key,
            aci,
            {
                **_SAMPLE,
                **state,
                "observation": observation.text,
                "exit_code": observation.exit_code,
                "elided_chars": observation.elided_chars,
            },
        )

    def malformed(self, aci: ACI, error: FormatError, state: Mapping[str, str]) -> str:
        """The reply to an answer that is not in the action format."""
        values = {**_SAMPLE, **state, "error": str(error), "error_code": error.code}
        return self._render("format_error", aci, values)

    def refused(self, aci: ACI, reason: str, state: Mapping[str, str]) -> str:
        """The reply to an action that a guardrail refused."""
        return self._render("blocked", aci, {**_SAMPLE, **state, "reason": reason})

    def intervened(self, aci: ACI, text: str, reason: str, state: Mapping[str, str]) -> str:
        """``text``, an observation or a reply, with the intervention of a guardrail below it."""
        note = self._render("intervention", aci, {**_SAMPLE, **state, "reason": reason})
        return f"{text.rstrip()}\n\n{note}\n"

    def _render(self, key: str, aci: ACI, values: Mapping[str, Any]) -> str:
        try:
            return render(getattr(self, key), {**values, **aci.variables()})
        except BAD_TEMPLATE as error:
            raise UserError(f"prompt {self.name!r}: prompt.{key}: {error}") from error
