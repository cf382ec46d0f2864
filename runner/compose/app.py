"""``acilab run`` as a Hydra application."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hydra
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.config_search_path import ConfigSearchPath, SearchPathQuery
from hydra.core.global_hydra import GlobalHydra
from hydra.core.plugins import Plugins
from hydra.plugins.search_path_plugin import SearchPathPlugin
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from aci_plugins.plugin import GROUP
from runner.compose.mistakes import explained, refuse_secrets
from runner.errors import Incomplete, UserError

CONFIG_NAME = "config"


def conf_dir() -> Path:
    """The folder of our configs: inside the installed package, or at the top of a clone."""
    package = Path(__file__).parent.parent
    installed = package / "conf"
    return installed if installed.is_dir() else package.parent / "conf"


def plugin_conf_dirs() -> list[tuple[str, Path]]:
    """``conf/`` folders of installed packages that declare the entry-point group ``acilab.plugins``."""
    found = []
    for point in sorted(entry_points(group=GROUP), key=lambda p: p.name):
        spec = find_spec(point.value.split(":")[0])
        for location in (spec.submodule_search_locations or []) if spec else []:
            if (folder := Path(location) / "conf").is_dir():
                found.append((point.name, folder))
    return found


class PluginConfigs(SearchPathPlugin):
    """Adds the options that installed packages bring to every group. Registered only in this application,
    so that other Hydra applications of the same interpreter are left alone."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        for name, folder in plugin_conf_dirs():
            search_path.append(provider=f"plugin {name}", path=f"file://{folder}")


def config_dirs(argv: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Split a command line into its other arguments and the folders of ``--config-dir``.

    Raises:
        UserError: a folder does not exist.
    """
    arguments, folders = [], []
    rest = iter(argv)
    for argument in rest:
        if argument in ("--config-dir", "-cd"):
            folders.append(Path(next(rest, "")))
        elif argument.startswith("--config-dir="):
            folders.append(Path(argument.split("=", 1)[1]))
        else:
            arguments.append(argument)
    for folder in folders:
        if not folder.is_dir():
            raise UserError(f"--config-dir {folder}: there is no such folder")
    return arguments, folders


@contextmanager
def composing(extra: Sequence[Path] = ()) -> Iterator[Any]:
    """Hydra with our search path, for asking it questions; yields its ``Hydra`` object."""
    GlobalHydra.instance().clear()
    Plugins.instance().register(PluginConfigs)
    with hydra.initialize_config_dir(str(conf_dir()), version_base="1.3"):
        found = GlobalHydra.instance().hydra
        assert found is not None
        search = found.config_loader.get_search_path()
        for folder in extra:
            search.prepend("command-line", f"file://{folder.resolve()}", SearchPathQuery(provider="main"))
        found.config_loader = ConfigLoaderImpl(search)  # it reads the search path once, when it is made
        yield found


def run(argv: Sequence[str]) -> None:
    """Run ``acilab run ARGV``.

    Raises:
        runner.errors.UserError: anything wrong with the command line or the configs.
        runner.errors.Incomplete: some episodes ended in an infrastructure failure.
    """
    hydra_app(_task, argv)


def hydra_app(task: Callable[[DictConfig], Any], argv: Sequence[str]) -> None:
    """Hand ``argv`` to Hydra with our configs; its errors become :class:`runner.errors.UserError`."""
    argv = flags_first(argv)
    refuse_secrets(argv)
    with explained(argv):
        _refuse_code(argv)
    Plugins.instance().register(PluginConfigs)
    # Hydra prints errors itself and exits with 1 unless told to raise them; ours are one line and exit code 2.
    os.environ["HYDRA_FULL_ERROR"] = "1"
    sys.argv = ["acilab run", *argv]
    raised: list[UserError | Incomplete] = []

    def guarded(config: DictConfig) -> Any:
        # Hydra prints the overrides of a job that raises; what a user did wrong is one line, and ours to print.
        try:
            return task(config)
        except (UserError, Incomplete) as error:
            raised.append(error)
            return None

    main = hydra.main(version_base="1.3", config_path=str(conf_dir()), config_name=CONFIG_NAME)(guarded)
    with explained(argv):
        main()
    if raised:
        raise raised[0]


WITH_VALUE = (
    "-c",
    "--cfg",
    "-p",
    "--package",
    "-cn",
    "--config-name",
    "-cp",
    "--config-path",
    "-cd",
    "--config-dir",
)
WITH_OPTIONAL_VALUE = ("-i", "--info")


def flags_first(argv: Sequence[str]) -> list[str]:
    """Hydra's flags may stand anywhere on our command line; Hydra wants them before the overrides."""
    flags, overrides = [], []
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            overrides.append(word)
            continue
        flags.append(word)
        takes = word in WITH_VALUE or (word in WITH_OPTIONAL_VALUE and rest and "=" not in rest[0])
        if takes and rest and not rest[0].startswith("-"):
            flags.append(rest.pop(0))
    return [*flags, *overrides]


PLUGIN_NODES = ("hydra.launcher", "hydra.sweeper")
HYDRA_PLUGINS = ("hydra_plugins.", "hydra._internal.core_plugins.")


def _refuse_code(argv: Sequence[str]) -> None:
    """A shared config is data: Hydra's own node must not name code to run (callbacks, logging factories, classes that
    are no Hydra plugins) nor set environment variables."""
    arguments, folders = config_dirs(argv)
    overrides = [a for a in arguments if not a.startswith("-") and re.match(r"[~+\w]", a) and "=" in a]
    with composing(folders) as found:
        config = found.compose_config(config_name=CONFIG_NAME, overrides=overrides, run_mode=RunMode.MULTIRUN)
    for key, value in _flat(OmegaConf.to_container(config.hydra, resolve=False), "hydra"):
        parent, _, name = key.rpartition(".")
        if name == "_target_" and parent in PLUGIN_NODES and str(value).startswith(HYDRA_PLUGINS):
            continue
        if name in ("_target_", "()") or parent == "hydra.job.env_set":
            raise UserError(
                f"{key}={value}: a config may not name code to run or variables to set in Hydra's own node"
            )


def _flat(node: Any, key: str) -> Iterator[tuple[str, Any]]:
    if isinstance(node, Mapping):
        for name, value in node.items():
            yield from _flat(value, f"{key}.{name}")
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _flat(value, f"{key}.{number}")
    elif not key.startswith("hydra.runtime") and not key.startswith("hydra.overrides"):
        yield key, node


def _task(config: DictConfig) -> Any:
    """One cell, as Hydra's run mode and its other launchers call it."""
    from hydra.core.hydra_config import HydraConfig

    from runner.compose import run_cells

    return run_cells([(config, HydraConfig.get())])[0]
