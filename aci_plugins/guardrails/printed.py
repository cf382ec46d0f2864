"""What commands print, as far as their text alone tells; and which commands make text that cannot be told."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from aci_plugins.guardrails.expand import unescaped
from aci_plugins.guardrails.paths import located

DECODERS = frozenset(
    {"base64", "base32", "basenc", "xxd", "rev", "tr", "openssl", "uudecode", "gunzip", "zcat", "bzcat", "xzcat",
     "gpg", "od", "hexdump", "rot13"}
)  # fmt: skip
DOWNLOADERS = frozenset(
    {"curl", "wget", "nc", "ncat", "netcat", "ftp", "lynx", "aria2c", "fetch", "http", "socat"}
)


def prints(words: Sequence[str], stdin: str | None, cwd: str, root: str) -> str | None:
    """What the command ``words`` prints in ``cwd`` when ``stdin`` is what it reads; None if that is not known.
    ``root``: of the repository."""
    name, arguments = PurePosixPath(words[0]).name, list(words[1:])
    if name == "pwd":
        return cwd or None
    if name == "git" and arguments == ["rev-parse", "--show-toplevel"]:
        return root
    if name in ("realpath", "readlink", "dirname") and arguments:
        path = located(arguments[-1], cwd)
        return str(PurePosixPath(path).parent) if name == "dirname" and path else path or None
    if name == "echo":
        options = [a for a in arguments if re.fullmatch(r"-[neE]+", a)]
        text = " ".join(arguments[len(options) :])
        return (unescaped(text) if "e" in "".join(options) else text) + "\n"
    if name == "printf":
        return _formatted(arguments)
    if name == "tee" or (name == "cat" and not [a for a in arguments if a != "-"]):
        return stdin
    if stdin is None:
        return None
    if name in ("base64", "base32") and {"-d", "-D", "--decode", "-di"} & set(arguments):
        return _decoded(stdin, base64.b64decode if name == "base64" else base64.b32decode)
    if name == "xxd" and any("r" in a for a in arguments if a.startswith("-")):
        return _decoded("".join(stdin.split()), bytes.fromhex)
    if name == "rev":
        return "\n".join(line[::-1] for line in stdin.split("\n"))
    return None


def obscures(words: Sequence[str]) -> bool:
    """Whether the command prints what was encoded or comes from elsewhere."""
    name = PurePosixPath(words[0]).name
    return name in DOWNLOADERS or name in DECODERS


def _formatted(arguments: list[str]) -> str:
    if not arguments:
        return ""
    if arguments[0] == "--":
        arguments = arguments[1:]
    form, values = unescaped(arguments[0]), arguments[1:]
    parts = re.split(r"%[-0-9.]*[sbqdi]", form)
    if len(parts) == 1:
        return form
    printed, left = "", list(values)
    while True:
        for part in parts[:-1]:
            printed += part + (left.pop(0) if left else "")
        printed += parts[-1]
        if not left:
            return unescaped(printed) if "%b" in form else printed


def _decoded(text: str, decode: object) -> str | None:
    try:
        data = decode(text.strip())  # type: ignore[operator]
    except (ValueError, binascii.Error):
        return None
    return bytes(data).decode("utf-8", "replace")
