"""Where a key of a composed config comes from: the command line, or a file and its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

_LONGEST = 80


@dataclass(frozen=True)
class Where:
    """Names the file (or the command line) that a key comes from.

    Attributes:
        choices: the option chosen in every config group.
        overrides: of the command line, in its order.
        folders: the search path of configs.
    """

    choices: Mapping[str, str]
    overrides: tuple[str, ...]
    folders: Sequence[str]

    def __call__(self, key: str, line: int = 0) -> str:
        """``command line (OVERRIDE)``, ``FILE:LINE``, or ``FILE`` where the key stands in a file that this one
        extends. ``line`` counts within the key's text, from 1; 0 is the key itself."""
        for override in reversed(self.overrides):  # of two that set the same key, the last one counts
            name = override.split("=", 1)[0].lstrip("+~")
            if self._chooses(override, name):
                continue
            if name == key or key.startswith(f"{name}.") or name.startswith(f"{key}."):
                shown = " ".join(override.split())
                return f"command line ({shown if len(shown) <= _LONGEST else shown[:_LONGEST] + '…'})"
        experiment = self._file(f"experiment/{self.choices.get('experiment')}.yaml")
        if found := _line(experiment, key.split("."), line):
            return f"{experiment}:{found}"
        path = key.replace(".", "/")
        for group in sorted(self.choices, key=len, reverse=True):
            if path == group or path.startswith(f"{group}/"):
                chosen = self.choices[group]
                names = path.removeprefix(group).split("/")[1:]
                if chosen.startswith("["):  # several options, each with a key of its own (aci/extras)
                    chosen, names = (names[0] if names else ""), names[1:]
                return _with_line(self._file(f"{group}/{chosen}.yaml"), names, line)
        return _with_line(self._file("config.yaml"), key.split("."), line)

    def _chooses(self, override: str, name: str) -> bool:
        """Whether it chose an option of a group: then the value stands in the option's file."""
        value = override.partition("=")[2].strip("'\"")
        return "=" in override and self.choices.get(name.split("@")[0]) == value

    def _file(self, name: str) -> str:
        for folder in self.folders:
            if (Path(folder) / name).is_file():
                return str(Path(folder) / name)
        return name


def _with_line(file: str, names: Sequence[str], line: int) -> str:
    found = _line(file, names, line)
    return f"{file}:{found}" if found else file


def _line(file: str, names: Sequence[str], line: int) -> int:
    """On which line of ``file`` the key ``names`` stands, or the ``line``-th line of its text; 0 if it does not."""
    if not names or not Path(file).is_file():
        return 0
    node = yaml.compose(Path(file).read_text("utf-8"))
    found = 0
    for name in names:
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        match = next(((k, v) for k, v in pairs if isinstance(k, yaml.ScalarNode) and k.value == name), None)
        if match is None:
            return 0
        found, node = match[0].start_mark.line + 1, match[1]
    if not line or not isinstance(node, yaml.ScalarNode):
        return found
    # The text of "key: |" begins on the next line.
    start: int = node.start_mark.line
    return start + line + (1 if node.style in ("|", ">") else 0)
