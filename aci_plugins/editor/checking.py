"""The check that all editors make before an edit: what it breaks is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator

from aci_plugins.editor.hunks import Hunk, in_new_lines, moved

SYNTAX = "SYNTAX"
_CODE = re.compile(r"E999|E902|E11[123]|F[0-9]{0,3}|SYNTAX")


def _known(codes: tuple[str, ...]) -> tuple[str, ...]:
    for code in codes:
        if not _CODE.fullmatch(code):
            raise ValueError(
                f"there is no check {code!r}; there are E111, E112, E113, E902, E999, the F codes of pyflakes, and "
                f"{SYNTAX} (languages other than Python)"
            )
    if SYNTAX in codes:
        from aci_plugins.editor.syntax import missing

        if package := missing():
            raise ValueError(
                f"the check {SYNTAX} needs {package}, which is not installed: pip install 'acilab[languages]'"
            )
    return codes


Codes = Annotated[tuple[str, ...], AfterValidator(_known)]
"""Errors that an edit must not bring in; empty for no check. In ``.py`` files E111, E112, E113, E902, E999 and the F
codes of pyflakes; ``SYNTAX`` checks C, C++, Go, Java, JavaScript, TypeScript, PHP, Ruby and Rust.
"""


def brought_in(
    path: str, before: bytes, after: bytes, edited: Sequence[Hunk], codes: Sequence[str]
) -> list[str]:
    """The errors, as the model is told them, that are in ``after`` because of the edit; none for other files."""
    if codes and path.endswith(".py"):
        from aci_plugins.editor.lint import introduced

        return [error.text for error in introduced(before, after, edited, codes)]
    if SYNTAX in codes:
        from aci_plugins.editor.syntax import speaks

        return _mistakes(path, before, after, edited) if speaks(path) else []
    return []


def promise(codes: Sequence[str]) -> str:
    """What a tool's description says about the check ("" if there is none)."""
    if not codes:
        return ""
    what = "source" if SYNTAX in codes else "Python"
    return (
        f" The result is checked first: an edit of a {what} file that brings in a syntax error is refused, with the "
        "error, and the file stays as it was."
    )


def _mistakes(path: str, before: bytes, after: bytes, edited: Sequence[Hunk]) -> list[str]:
    """A parser that recovers may see an old error in another place after an edit elsewhere, so an edit is refused only
    if there are more errors than before, in the file or in the lines that it wrote."""
    from aci_plugins.editor.syntax import mistakes

    new = mistakes(path, after)
    if not new:
        return []
    old = mistakes(path, before)
    places = [(moved(mistake.line, edited), mistake.text) for mistake in old]
    inside = [mistake for mistake in new if in_new_lines(mistake.line, edited)]
    if len(new) <= len(old) and len(inside) <= sum(line is None for line, _ in places):
        return []
    unseen = [mistake for mistake in new if (mistake.line, mistake.text) not in places]
    return [f"{SYNTAX} line {mistake.line}: {mistake.text}" for mistake in unseen or new]
