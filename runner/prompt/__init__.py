"""The prompt axis: templates around what the ACI says, and the demonstration."""

from runner.prompt.prompt import Prompt

__all__ = ["Prompt"]
