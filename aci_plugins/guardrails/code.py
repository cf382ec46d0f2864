"""What code in other languages does to files and starts, as far as its constants tell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from aci_plugins.guardrails.expand import HOME

Act = tuple[str, str]
"""``shell`` and a script; ``delete`` or ``write`` and a path; ``hidden`` and why it cannot be read."""

_SHELL = frozenset(
    {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "pty.spawn", "commands.getoutput",
     "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
     "os.execv", "os.execvp", "os.execl", "os.execlp", "os.spawnl", "os.spawnv", "asyncio.create_subprocess_shell"}
)  # fmt: skip
_DELETE = frozenset(
    {"shutil.rmtree", "os.remove", "os.unlink", "os.rmdir", "os.removedirs", "shutil.move", "os.rename", "os.replace",
     "os.renames"}
)  # fmt: skip
_WRITE = frozenset({"os.chmod", "os.chown", "os.truncate", "os.mkdir", "os.makedirs", "os.symlink", "os.link",
                    "shutil.copy", "shutil.copyfile", "shutil.copy2", "shutil.copytree", "os.mknod"})  # fmt: skip
_METHODS = {
    **dict.fromkeys(("unlink", "rmdir", "rename", "replace"), "delete"),
    **dict.fromkeys(("write_text", "write_bytes", "touch", "chmod", "mkdir", "symlink_to"), "write"),
}
_COMMON_METHODS = frozenset({"rename", "replace", "chmod", "mkdir", "touch"})
_MAKES_PATHS = frozenset(
    {"Path", "PurePath", "PosixPath", "walk", "fwalk", "glob", "iglob", "listdir", "scandir", "join", "chdir"}
)
_DECODING = re.compile(
    r"b64decode|b32decode|fromhex|unhexlify|decompress|codecs\.decode|rot13|urlopen|requests\.get|marshal"
)
_LITERAL = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`([^`]*)`")


def acts(language: str, text: str) -> Iterator[Act]:
    """What the code ``text`` does."""
    if language == "python":
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            yield from _guessed(text)
        else:
            yield from _Python(text).walk(tree)
    else:
        yield from _guessed(text)


class _Python:
    def __init__(self, text: str) -> None:
        self.text = text
        self.names: dict[str, str] = {}  # what a name was imported as
        self.values: dict[str, str] = {}  # constants that were given a name

    def walk(self, tree: ast.AST) -> Iterator[Act]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self.names |= {a.asname or a.name: a.name for a in node.names}
            elif isinstance(node, ast.ImportFrom):
                self.names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = self.constant(node.value)
                if value is not None:
                    self.values[node.targets[0].id] = value
                elif dotted := self.dotted(node.value):
                    self.names[node.targets[0].id] = dotted
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield from self.call(node)

    def call(self, node: ast.Call) -> Iterator[Act]:
        name = self.dotted(node.func)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        first = node.args[0] if node.args else None
        if name in _SHELL:
            yield from self.command(node)
        elif name in _DELETE and first is not None:
            yield from self.path("delete", first)
        elif name in _WRITE and node.args:
            copies = name.startswith("shutil.") or name.endswith("link")
            yield from self.path("write", node.args[1] if copies and len(node.args) > 1 else node.args[0])
        elif name in ("exec", "eval", "compile", "builtins.exec", "builtins.eval") and first is not None:
            code = self.constant(first)
            if code is not None:
                yield from acts("python", code)
            elif _DECODING.search(self.text):
                yield "hidden", "it runs Python that is decoded or downloaded only then"
        elif name in ("open", "io.open") and first is not None:
            modes = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "mode")]
            if any(set(self.constant(mode) or "") & set("wax+") for mode in modes):
                yield from self.path("write", first)
        elif isinstance(node.func, ast.Attribute) and method in _METHODS:
            known = self.constant(node.func.value) is not None
            # texts and tables have methods of these names, too: only what is surely a path counts then
            if method not in _COMMON_METHODS or (known and isinstance(node.func.value, ast.Call)):
                yield from self.path(_METHODS[method], node.func.value)

    def command(self, node: ast.Call) -> Iterator[Act]:
        given = [*node.args, *(k.value for k in node.keywords if k.arg in ("args", "cmd"))]
        if not given:
            return
        first = next((a for a in given if isinstance(a, (ast.List, ast.Tuple))), given[0])
        if isinstance(first, (ast.List, ast.Tuple)):
            words = [self.constant(item) for item in first.elts]
            yield "shell", " ".join(_quoted(w) if w is not None else "$unknown" for w in words)
        elif (text := self.constant(first)) is not None:
            rest = [w for a in given[1:] if (w := self.constant(a)) is not None]
            yield (
                "shell",
                " ".join([text, *rest[1:]]) if self.dotted(node.func).startswith("os.exec") else text,
            )
        elif _DECODING.search(self.text):
            yield "hidden", "it runs a command that is decoded or downloaded only then"

    def path(self, act: str, node: ast.expr) -> Iterator[Act]:
        path = self.constant(node)
        if path is not None:
            yield act, path
        elif act == "delete":
            # In a loop over folders: each folder that the code makes paths from may be meant.
            yield from ((act, folder) for folder in self.folders())

    def folders(self) -> Iterator[str]:
        """Constant paths from which the code makes others."""
        for node in ast.walk(ast.parse(self.text)):
            parts: list[ast.expr] = []
            if isinstance(node, ast.Call) and self.dotted(node.func).rpartition(".")[2] in _MAKES_PATHS:
                parts = node.args
            elif isinstance(node, ast.BinOp):
                parts = [node.left]
            elif isinstance(node, ast.JoinedStr):
                parts = node.values
            elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(
                node.iter, (ast.List, ast.Tuple)
            ):
                parts = node.iter.elts
            for part in parts:
                if (
                    isinstance(part, ast.Constant)
                    and isinstance(part.value, str)
                    and part.value[:1] in ("/", "~")
                ):
                    yield part.value

    def constant(self, node: ast.expr) -> str | None:
        """The text that an expression is, if that can be told."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self.values.get(node.id)
        if isinstance(node, ast.JoinedStr):
            parts = [self.constant(v) if isinstance(v, ast.Constant) else self.constant(v.value) if
                     isinstance(v, ast.FormattedValue) else None for v in node.values]  # fmt: skip
            return None if None in parts else "".join(p for p in parts if p is not None)
        if isinstance(node, ast.BinOp):
            left, right = self.constant(node.left), self.constant(node.right)
            if left is None or right is None:
                return None
            return (
                left + right
                if isinstance(node.op, ast.Add)
                else f"{left}/{right}"
                if isinstance(node.op, ast.Div)
                else None
            )
        if isinstance(node, ast.Call):
            return self.constant_call(node)
        return None

    def constant_call(self, node: ast.Call) -> str | None:
        name, values = self.dotted(node.func), [self.constant(a) for a in node.args]
        if name.endswith("Path.home") or (name.endswith("expanduser") and values and values[0] == "~"):
            return HOME
        if name.endswith(
            ("expanduser", "abspath", "realpath", "Path", "PurePath", "PosixPath", "fspath", "str")
        ):
            return "/".join(v for v in values if v is not None) if values and None not in values else None
        if name.endswith("path.join"):
            return "/".join(v for v in values if v is not None) if None not in values else None
        if name == "chr" and node.args and isinstance(node.args[0], ast.Constant):
            return chr(node.args[0].value) if isinstance(node.args[0].value, int) else None
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("split", "strip", "lower"):
            return self.constant(node.func.value)  # the words of a command, as one text
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
            separator = self.constant(node.func.value)
            items = node.args[0].elts if isinstance(node.args[0], (ast.List, ast.Tuple)) else None
            texts = [self.constant(i) for i in items] if items is not None else [None]
            return (
                None
                if separator is None or None in texts
                else separator.join(t for t in texts if t is not None)
            )
        return None

    def dotted(self, node: ast.expr) -> str:
        """``os.system`` and the like, whatever it was imported as ("" for anything else)."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            before = self.dotted(node.value)
            return f"{before}.{node.attr}" if before else ""
        if isinstance(node, ast.Call):
            name = self.dotted(node.func)
            values = [self.constant(a) for a in node.args]
            if name in ("__import__", "importlib.import_module") and values and values[0]:
                return values[0]
            if name == "getattr" and len(node.args) > 1 and values[1]:
                return f"{self.dotted(node.args[0])}.{values[1]}"
        return ""


_STARTS = re.compile(
    r"\b(system|exec|execSync|spawn|spawnSync|popen|execute|shell_exec|passthru|qx|subprocess|IO\.popen)\b|`|\"\s*\|"
)
_DELETES = re.compile(
    r"\b(unlink|rmtree|rm_rf|rm_r|rmSync|rmdirSync|unlinkSync|rmdir|remove_tree|remove|delete|rm)\b"
)
_WRITES = re.compile(r"\b(writeFileSync|writeFile|file_put_contents|File\.write|fopen|open)\b|>")


def _guessed(text: str) -> Iterator[Act]:
    """From the text literals of code in any language."""
    literals = [next(filter(None, found.groups()), "") for found in _LITERAL.finditer(text)]
    if _STARTS.search(text):
        yield from (("shell", literal) for literal in literals)
        yield from (("shell", found[2]) for found in re.finditer(r"qx([/{(|])(.*?)[/})|]", text))
        yield "shell", " ".join(_quoted(literal) for literal in literals if literal)
    paths = [literal for literal in literals if literal.startswith(("/", "~", "..")) and " " not in literal]
    if _DELETES.search(text):
        yield from (("delete", path) for path in paths)
    elif _WRITES.search(text):
        yield from (("write", path) for path in paths if path not in ("/",))
    if re.search(r"\beval\b", text) and re.search(
        r"decode_base64|unpack|Buffer\.from|atob|base64_decode|Base64", text
    ):
        yield "hidden", "it runs code that is decoded only then"


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'" if re.search(r"[\s'\"$`\\;&|<>()]", word) else word
