"""``acilab table`` and ``acilab show``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.arguments import Parser, split_overrides
from analysis.episodes import find_episode

FORMATS = ("text", "markdown", "latex", "csv", "json")


def table(argv: Sequence[str]) -> int:
    """``acilab table EXPERIMENT [--format …] [--baseline …] [--sweep …] [--layout …] [paths.outputs=DIR]``.

    Raises:
        UserError: unknown experiment, format, layout, sweep, baseline or setting.
    """
    from analysis.layout import LAYOUTS

    words, given = split_overrides(argv, {"paths.outputs": "outputs"})
    parser = Parser(
        prog="acilab table", description="The paper-style table of an experiment, from what was logged."
    )
    parser.add_argument("experiment")
    parser.add_argument("settings", nargs="*", metavar="paths.outputs=DIR")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument(
        "--baseline", metavar="FP|LABEL", help="fingerprint, label, or override such as aci/editor=none"
    )
    parser.add_argument("--sweep", metavar="ID|last|all", help="one sweep; all: superseded cells too")
    parser.add_argument("--layout", choices=LAYOUTS, default="auto")
    asked = parser.parse_args(words)
    if asked.settings:
        parser.error(f"one experiment at a time, not also {' '.join(asked.settings)}")
    from analysis.table import ablation_table, render

    rows = ablation_table(Path(given["paths.outputs"]), asked.experiment, asked.baseline, asked.sweep)
    terminal = sys.stdout.isatty()
    width = os.get_terminal_size().columns if terminal else None
    color = terminal and not os.environ.get("NO_COLOR")
    sys.stdout.write(render(rows, asked.format, asked.layout, color=color, width=width))
    return 0


def show(argv: Sequence[str]) -> int:
    """``acilab show EPISODE [--full] [--json] [--experiment NAME] [paths.outputs=DIR]``.

    EPISODE is a folder, ``experiment/fingerprint/instance_id[/repeat]`` (the fingerprint may be shortened), or an
    instance id that only one episode has.

    Raises:
        UserError: no such episode, or several.
    """
    words, given = split_overrides(argv, {"paths.outputs": "outputs"})
    parser = Parser(prog="acilab show", description="One trajectory, step by step.")
    parser.add_argument(
        "episode", help="folder, experiment/fingerprint/instance_id[/repeat], or an instance id"
    )
    parser.add_argument("settings", nargs="*", metavar="paths.outputs=DIR")
    parser.add_argument("--experiment", help="where to look for an instance id")
    parser.add_argument("--full", action="store_true", help="observations and prompt whole")
    parser.add_argument("--json", action="store_true", help="the record as one JSON object")
    asked = parser.parse_args(words)
    if asked.settings:
        parser.error(f"one episode at a time, not also {' '.join(asked.settings)}")
    from analysis.show import as_json, print_episode

    episode = find_episode(Path(given["paths.outputs"]), asked.episode, asked.experiment)
    if asked.json:
        sys.stdout.write(as_json(episode))
    else:
        print_episode(episode, full=asked.full)
    return 0
