"""The commands that a command line really comes to: through wrappers, ``-c``, ``eval``, aliases, functions, ``xargs``,
``find -exec``, pipes into a shell, and scripts that it writes itself. Nothing is run; what the text does not tell
stays unknown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from aci_plugins.bash import Simple, read
from aci_plugins.dispatch import ends
from aci_plugins.guardrails.carriers import carried
from aci_plugins.guardrails.expand import HOME, expanded, substitutions
from aci_plugins.guardrails.languages import inline, language_of, operands
from aci_plugins.guardrails.paths import located
from aci_plugins.guardrails.pipelines import given, listing, upstream
from aci_plugins.guardrails.printed import obscures, prints
from aci_plugins.guardrails.wrappers import SHELLS, WRAPPERS, script, unwrapped
from aci_plugins.tool import Tool

_MAX_DEPTH = 12
_MAX_CALLS = 2000
_RUN_BY_NAME = frozenset(
    {
        "PAGER",
        "GIT_PAGER",
        "EDITOR",
        "VISUAL",
        "GIT_EDITOR",
        "GIT_SSH_COMMAND",
        "PROMPT_COMMAND",
        "GIT_EXTERNAL_DIFF",
    }
)


@dataclass(frozen=True, slots=True)
class Call:
    """A command as it would run.

    Attributes:
        words: expanded as far as the text tells.
        cwd: the working directory; "" if the text does not tell.
        redirections: operator and target.
        fed: whether its stdin is given.
    """

    words: tuple[str, ...]
    cwd: str
    redirections: tuple[tuple[str, str], ...] = ()
    fed: bool = False


@dataclass(slots=True)
class Unfolded:
    """All calls in order; code in other languages (language, text, working directory); and what is run without being
    there to be read, as reasons."""

    calls: list[Call] = field(default_factory=list)
    code: list[tuple[str, str, str]] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


def unfolded(text: str, cwd: str, root: str, tools: Mapping[str, Tool]) -> Unfolded:
    """Unfold the command line ``text``, to be run in ``cwd`` of the repository at ``root``. ``tools``: the ACI's own
    commands."""
    walk = _Walk(cwd, root, ends(tools))
    walk.text(text, 0)
    return walk.found


class _Walk:
    def __init__(self, cwd: str, root: str, multi_line: Mapping[str, str]) -> None:
        self.cwd, self.root, self.multi_line = cwd, root, multi_line
        self.found = Unfolded()
        self.variables: dict[str, str] = {"HOME": HOME, "PWD": cwd}
        self.aliases: dict[str, str] = {}
        self.functions: dict[str, list[Simple]] = {}
        self.files: dict[str, str] = {}
        self.listed: list[str] = []  # what the last find or ls may have listed

    def text(self, text: str, depth: int) -> None:
        """Go through a script."""
        if depth > _MAX_DEPTH or len(self.found.calls) > _MAX_CALLS:
            self.found.hidden.append("it is nested too deeply to be read")
            return
        for _, _, inner in substitutions(text)[:1] if text.lstrip()[:1] in "$`<" else ():
            if any(obscures(words) for words in self.worded(read(inner).commands)):
                self.found.hidden.append("it runs what is decoded or downloaded only then")
        line = read(text, self.multi_line)
        commands = line.commands
        for name, values in line.loops:
            self.variables[name] = "\0".join(self.words(values)) if values else f"${name}"
        self.listed += self.words(line.given)
        for simple in commands:
            if simple.function:
                self.functions.setdefault(simple.function, []).append(simple)
        self.fork_bomb()
        for number, simple in enumerate(commands):
            self.simple(simple, upstream(commands, number), depth)

    def fork_bomb(self) -> None:
        for name, body in self.functions.items():
            if sum(bool(c.words) and c.words[0].value == name for c in body) > 1:
                self.found.hidden.append(f"the function {name} starts itself more than once (a fork bomb)")

    def simple(self, simple: Simple, before: Sequence[Simple], depth: int) -> None:
        for assignment in simple.assignments:
            self.assign(assignment.raw.partition("=")[0], "".join(self.words([assignment])), depth)
        words = self.words(simple.words)
        if simple.words and not words[0]:
            words = words[1:]
        redirections = tuple(self.redirections(simple))
        if not words:
            if redirections:
                self.found.calls.append(Call((":",), self.cwd, redirections, simple.fed))
            return
        stdin = self.stdin(simple, before)
        obscure = any(obscures(w) for w in self.worded(before))
        self.call(words, redirections, simple.fed, stdin, obscure, self.worded(before), depth)
        printed = prints(words, stdin, self.cwd, self.root)
        targets = [t for op, t in redirections if ">" in op]
        targets += [w for w in words[1:] if not w.startswith("-")] if words[0] == "tee" else []
        for target in targets if printed is not None or stdin is not None else ():
            self.files[located(target, self.cwd)] = printed if printed is not None else stdin or ""

    def call(
        self,
        words: Sequence[str],
        redirections: tuple[tuple[str, str], ...],
        fed: bool,
        stdin: str | None,
        obscure: bool,
        before: Sequence[Sequence[str]],
        depth: int,
    ) -> None:
        """Record the command, and go into what it runs."""
        if depth > _MAX_DEPTH:
            self.found.hidden.append("it is nested too deeply to be read")
            return
        name, deeper = PurePosixPath(words[0]).name or words[0], depth + 1
        self.found.calls.append(Call(tuple(words), self.cwd, redirections, fed))
        self.listed = listing(words) or self.listed
        if words[0] in self.aliases:
            text = self.aliases.pop(words[0])
            self.text(" ".join([text, *words[1:]]), deeper)
        elif words[0] in self.functions and depth < _MAX_DEPTH // 2:
            outer = dict(self.variables)
            self.positions(words[1:])
            for inner in self.functions[words[0]]:
                self.simple(inner, (), deeper)
            self.variables = outer
        elif name in ("cd", "pushd") and len(words) > 1:
            target = next((w for w in words[1:] if not w.startswith("-")), "-")
            self.cwd = "" if target == "-" else located(target, self.cwd)
            self.variables["PWD"] = self.cwd
        elif name == "set" and "--" in words:
            self.positions(words[list(words).index("--") + 1 :])
        elif name == "read":
            self.variables |= {
                w: "\0".join(self.listed) for w in words[1:] if w.isidentifier() and self.listed
            }
        elif "/" in words[0] and located(words[0], self.cwd) in self.files:
            text = self.files[located(words[0], self.cwd)]
            if "python" in text.split("\n")[0] and text.startswith("#!"):
                self.found.code.append(("python", text, self.cwd))
            else:
                self.text(text, deeper)
        elif name in SHELLS or name in ("source", ".", "at", "batch"):
            self.shell(words, stdin, obscure, deeper)
        elif language := language_of(name):
            self.interpreter(language, words, stdin, obscure)
        elif name in WRAPPERS:
            for word in words[1:] if name == "env" else ():
                if "=" in word and not word.startswith("-"):
                    self.assign(word.partition("=")[0], word.partition("=")[2], deeper)
            inner_words = list(unwrapped(words, WRAPPERS[name], skip=name in ("timeout", "chroot", "flock")))
            if name in ("xargs", "parallel"):
                inner_words = given(inner_words, before, stdin)
            if inner_words:
                self.call(inner_words, (), fed, stdin, obscure, before, deeper)
        for kind, value in carried(words):
            if kind == "text":
                self.text(value, deeper)
            elif kind == "alias":
                alias, _, text = value.partition("=")
                self.text(text, deeper)
                self.aliases[alias] = text
            elif kind == "assignment":
                left, _, right = value.partition("=")
                self.assign(left, right, deeper)
            else:
                self.call(value.split("\0"), (), fed, None, False, (), deeper)

    def positions(self, arguments: Sequence[str]) -> None:
        """Set ``$1`` and the others."""
        if arguments:
            self.variables |= {str(n): word for n, word in enumerate(arguments, 1)}
            self.variables |= {"@": "\0".join(arguments), "*": " ".join(arguments)}

    def shell(self, words: Sequence[str], stdin: str | None, obscure: bool, depth: int) -> None:
        name = PurePosixPath(words[0]).name or words[0]
        file = next((w for w in words[1:] if not w.startswith("-")), "")
        text = script(words) if name in SHELLS else None
        if text is not None:
            after = list(words[list(words).index(text) + 1 :])
            self.positions(after[1:])
            self.variables |= {"0": after[0]} if after else {}
        if (
            text is None
            and file.startswith("<(")
            and any(obscures(w) for w in self.worded(read(file[2:-1]).commands))
        ):
            self.found.hidden.append("it runs what is decoded or downloaded only then")
        elif text is None and file not in ("", "-", "/dev/stdin") and name not in ("at", "batch"):
            text = self.files.get(located(file, self.cwd))
        elif text is None:
            text = stdin
            if text is None and obscure:
                self.found.hidden.append("it feeds a shell with what is decoded or downloaded only then")
        if text is not None:
            self.text(text, depth)

    def interpreter(self, language: str, words: Sequence[str], stdin: str | None, obscure: bool) -> None:
        texts, plain = inline(language, words), operands(words)
        if not texts and plain and plain[0] != "-":
            text = self.files.get(located(plain[0], self.cwd))
            texts = [] if text is None else [text]
        elif not texts and stdin is not None:
            texts = [stdin]
        elif not texts and obscure and len(words) == 1 + len(plain) and plain in ([], ["-"]):
            self.found.hidden.append("it runs what is decoded or downloaded only then")
        self.found.code += [(language, text, self.cwd) for text in texts]

    def assign(self, name: str, value: str, depth: int) -> None:
        self.variables[name.rstrip("+")] = value.partition("=")[2] if value.startswith(f"{name}=") else value
        if name in _RUN_BY_NAME and " " in self.variables[name]:
            self.text(self.variables[name], depth + 1)

    def words(self, words: Iterable[object]) -> list[str]:
        return [part for word in words for part in expanded(word, self.variables, self.output)]  # type: ignore[arg-type]

    def worded(self, commands: Iterable[Simple]) -> list[list[str]]:
        return [words for c in commands if (words := self.words(c.words)) and words[0]]

    def output(self, text: str) -> str | None:
        """What the commands of a substitution print."""
        commands = read(text).commands
        return self.piped(commands) if commands else None

    def piped(self, commands: Sequence[Simple]) -> str | None:
        """What comes out of a pipeline."""
        text: str | None = None
        for number, simple in enumerate(commands):
            words = self.words(simple.words)
            given = self.stdin(simple, ()) if number == 0 or not simple.fed else text
            text = prints(words, given, self.cwd, self.root) if words and words[0] else None
        return text

    def stdin(self, simple: Simple, before: Sequence[Simple]) -> str | None:
        if simple.document is not None:
            return simple.document.body
        for written in simple.redirections:
            if written.startswith("<<<"):
                word = read(f"x {written[3:].strip()}").commands
                return " ".join(self.words(word[0].words[1:])) + "\n" if word else None
            if written.startswith("<") and not written.startswith(("<(", "<&")):
                return self.files.get(located(written[1:].strip(), self.cwd))
        return self.piped(before) if before else None

    def redirections(self, simple: Simple) -> Iterable[tuple[str, str]]:
        for written in simple.redirections:
            found = re.match(r"[0-9]*([<>&|]+)\s*(.*)", written, re.DOTALL)
            if found and not found[1].startswith("<<"):
                target = read(f"x {found[2]}").commands
                yield from ((found[1], word) for word in self.words(target[0].words[1:] if target else ()))
