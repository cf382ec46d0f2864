"""``acilab config``: what a command line composes to, and what there is to choose from."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aci_plugins.plugin import PluginError, find, suggest
from runner.compose.app import CONFIG_NAME, composing, config_dirs
from runner.compose.mistakes import explained, refuse_secrets
from runner.errors import UserError

USAGE = """usage:
  acilab config [overrides]           the composed config
  acilab config options [GROUP]       every config group with its options, or one group with what they are
  acilab config explain GROUP=OPTION  the option's file, its fields and their meaning
  (--config-dir DIR adds your own options, as in acilab run)
"""


def config(argv: Sequence[str]) -> int:
    """Dispatch."""
    if argv and argv[0] in ("-h", "--help"):
        sys.stdout.write(USAGE)
        return 0
    arguments, extra = config_dirs(argv)
    refuse_secrets(arguments)
    with explained(arguments), composing(extra) as hydra:
        if arguments and arguments[0] == "options":
            _options(hydra, arguments[1:])
        elif arguments and arguments[0] == "explain":
            _explain(hydra, arguments[1:])
        else:
            _print(arguments)
    return 0


def _print(overrides: Sequence[str]) -> None:
    from hydra import compose
    from omegaconf import OmegaConf

    composed = compose(CONFIG_NAME, overrides=list(overrides))
    sys.stdout.write(OmegaConf.to_yaml(composed))


def _options(hydra: Any, names: Sequence[str]) -> None:
    groups = [g for g in sorted(hydra.list_all_config_groups()) if not g.startswith("hydra/")]
    wanted = [n.rstrip("=") for n in names]
    for name in wanted:
        if name not in groups:
            raise UserError(f"there is no config group {name!r}{suggest(name, groups)}")
    width = max(len(g) for g in groups)
    for group in wanted or groups:
        options = sorted(hydra.config_loader.get_group_options(group))
        if not wanted:
            sys.stdout.write(f"{group:<{width}}  {', '.join(options)}\n")
            continue
        indent = max(len(o) for o in options)
        for option in options:
            about = _comment(_file(hydra, f"{group}/{option}.yaml"))
            sys.stdout.write(f"{option:<{indent}}  {about.splitlines()[0] if about else ''}\n")


def _explain(hydra: Any, names: Sequence[str]) -> None:
    if len(names) != 1 or "=" not in names[0]:
        raise UserError(
            "usage: acilab config explain GROUP=OPTION, e.g. acilab config explain aci/editor=lint"
        )
    group, _, option = names[0].partition("=")
    options = hydra.config_loader.get_group_options(group)
    if not options:
        groups = [g for g in hydra.list_all_config_groups() if not g.startswith("hydra/")]
        raise UserError(f"there is no config group {group!r}{suggest(group, groups)}")
    if option not in options:
        raise UserError(f"config group {group!r} has no option {option!r}{suggest(option, options)}")
    path = _file(hydra, f"{group}/{option}.yaml")
    text = path.read_text("utf-8")
    sys.stdout.write(f"{path}\n\n{text.rstrip()}\n")
    import yaml

    target = yaml.safe_load(text.replace("???", "null")).get("_target_")
    if target:
        try:
            plugin = find(target)
        except PluginError as error:
            raise UserError(f"{path}: {error}") from error
        import inspect

        sys.stdout.write(f"\n{target}\n\n{inspect.getdoc(plugin)}\n")


def _file(hydra: Any, name: str) -> Path:
    for source in hydra.config_loader.get_sources():
        if source.scheme() == "file" and (Path(source.path) / name).is_file():
            return Path(source.path) / name
    raise UserError(f"{name}: not a file on the search path")


def _comment(path: Path) -> str:
    lines = []
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            break
        if not line.startswith("# @package"):
            lines.append(line.lstrip("# "))
    return "\n".join(lines)
