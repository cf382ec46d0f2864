"""What a model is shown of a prompt and an ACI, section by section."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aci_plugins.aci import ACI
from aci_plugins.message import FormatError, Observation
from runner.benchmarks.base import Instance
from runner.compose.mentions import check_mentions
from runner.compose.parts import compose_command
from runner.prompt import Prompt

STATE = {"open_file": "n/a", "working_dir": "/repo"}
STATEMENT = "<the text of the issue>"


@dataclass(frozen=True)
class Seen:
    """Everything that reaches a model in an episode but its own answers.

    Attributes:
        messages: those before the first step, with ``role``, ``kind`` and ``content``.
        replies: the templates around observations and refusals, rendered with sample values.
        commands: each tool's ``name``, ``documentation`` and ``schema``.
        native: whether the schemas go to the provider.
        parts: the config of the ACI's parts; what they do is not always written in a prompt.
    """

    name: str
    messages: Sequence[Mapping[str, str]]
    replies: Mapping[str, str]
    commands: Sequence[Mapping[str, Any]]
    native: bool
    parts: Mapping[str, Any]

    def sections(self) -> dict[str, str]:
        """The same as titled texts."""
        found = {f"message: {m['kind']} (role {m['role']})": m["content"] for m in self.messages}
        found |= {f"reply: {name}": text for name, text in self.replies.items()}
        found |= {f"command: {c['name']}": c["documentation"] for c in self.commands}
        sent = "sent to the provider" if self.native else "not sent: calls are written as text"
        found["schemas"] = f"The JSON schemas below are {sent}."
        for c in self.commands:
            found[f"schema: {c['name']}"] = json.dumps(c["schema"], ensure_ascii=False, indent=1)
        for part, content in self.parts.items():
            found[f"part: {part}"] = json.dumps(content, ensure_ascii=False, indent=1)
        return found

    def text(self) -> str:
        """All sections, one below the other."""
        return "\n".join(f"==== {title}\n{text.rstrip()}\n" for title, text in self.sections().items())


def composed(overrides: Sequence[str]) -> Seen:
    """What a model sees with these overrides of ``acilab run``.

    Raises:
        runner.errors.UserError
    """
    found = compose_command(overrides, ("prompt", "aci"))
    prompt, aci = found.parts["prompt"], found.parts["aci"]
    check_mentions(prompt, aci, found.where)
    parts = {name: node for name, node in found.plain["aci"].items() if isinstance(node, Mapping)}
    return seen(prompt, aci, parts)


def seen(prompt: Prompt, aci: ACI, parts: Mapping[str, Any]) -> Seen:
    """What a model sees of ``prompt`` and ``aci``, with an issue and observations that stand for any."""
    instance = Instance("sample", STATEMENT, {}, "", repo="repo")
    error = FormatError("sample", "<what was wrong>")
    return Seen(
        name=aci.name,
        messages=[
            {"role": m.role, "kind": m.kind, "content": m.content}
            for m in prompt.opening(aci, instance, STATE, "/repo")
        ],
        replies={
            "observation": prompt.observation(aci, Observation("<output>"), STATE),
            "observation without output": prompt.observation(aci, Observation(""), STATE),
            "observation cut short": prompt.observation(aci, Observation("<output>", elided_chars=1), STATE),
            "answer not in the format": prompt.malformed(aci, error, STATE),
            "action refused by a guardrail": prompt.refused(aci, "<reason>", STATE),
            "note of a guardrail that watches": prompt.intervened(aci, "<output>", "<reason>", STATE),
        },
        commands=[
            {
                "name": tool.name,
                "documentation": tool.documentation(native=aci.format.named),
                "schema": tool.schema(),
            }
            for tool in aci.tools
        ],
        native=aci.format.native,
        parts=parts,
    )
