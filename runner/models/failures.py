"""LiteLLM's exceptions, as verdicts of the retry policy."""

from __future__ import annotations

from typing import Any

from runner.models.base import ContextWindowExceeded, ModelError
from runner.models.retry import Failure, retry_after
from runner.secrets import redact

MAX_CHARS = 500

_TOO_LONG = ("context_length_exceeded", "maximum context length", "exceed_context_size", "context window")
_FILTERED = ("content_policy_violation", "content_filter", "responsibleaipolicyviolation")
_NO_QUOTA = ("insufficient_quota", "exceeded your current quota", "credit balance is too low")


def classified(litellm: Any, error: Exception) -> Failure:
    """What to do about ``error``. Its message, with keys masked, is all that is kept of it."""
    text = redact(" ".join(str(error).split()))[:MAX_CHARS]
    code = getattr(error, "status_code", None)
    kind = type(error).__name__
    message = text if kind in text else f"{kind}: {text}"
    # The provider's own code and type say it best, where there are any.
    said = " ".join(
        str(part) for part in (text, getattr(error, "code", ""), getattr(error, "type", ""))
    ).lower()
    exceptions = litellm.exceptions
    if isinstance(error, exceptions.ContextWindowExceededError) or (
        code in (400, 413) and any(sign in said for sign in _TOO_LONG)
    ):
        return Failure("give_up", ContextWindowExceeded(message))
    if isinstance(error, exceptions.ContentPolicyViolationError) or (
        code == 400 and any(sign in said for sign in _FILTERED)
    ):
        return Failure("give_up", ModelError(message, "exit_content_filter", retry_later=False))
    if code in (401, 403) or any(sign in said for sign in _NO_QUOTA):
        return Failure("bad_key", ModelError(message))
    wait = retry_after(_headers(error))
    if code == 429:
        return Failure("limited", ModelError(message), wait)
    if isinstance(error, (exceptions.Timeout, exceptions.APIConnectionError)) or code in (408, 409, 425):
        return Failure("again", ModelError(message), wait)
    if isinstance(code, int) and code >= 500:
        return Failure("again", ModelError(message), wait)
    return Failure("give_up", ModelError(message))


def _headers(error: Exception) -> dict[str, str]:
    found: dict[str, str] = {}
    for headers in (
        getattr(getattr(error, "response", None), "headers", None),
        getattr(error, "litellm_response_headers", None),
        getattr(error, "headers", None),
    ):
        found.update({str(k): str(v) for k, v in (headers or {}).items()})
    return found
