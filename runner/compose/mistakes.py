"""Hydra's and OmegaConf's errors in one line: what is wrong, where, and the nearest right name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import yaml
from hydra.errors import (
    ConfigCompositionException,
    HydraException,
    MissingConfigException,
    OverrideParseException,
)
from omegaconf.errors import OmegaConfBaseException

from aci_plugins.plugin import suggest
from runner.errors import UserError
from runner.secrets import redact

_SECRET_KEY = re.compile(r"(?i)(^|[._+])(api_?key|token|secret|password)=(?!null$|\$\{oc\.env:)")


def refuse_secrets(argv: Sequence[str]) -> None:
    """Refuse a command line that holds a secret: it would be written into records and process lists."""
    for argument in argv:
        if _SECRET_KEY.search(argument) or redact(argument) != argument:
            key = redact(argument).split("=", 1)[0]
            raise UserError(
                f"command line: {key}=… holds a secret; put it into an environment variable and name that "
                "variable (model.api_key_env=[NAME])"
            )


@contextmanager
def explained(argv: Sequence[str]) -> Iterator[None]:
    """Turn composition errors that escape from Hydra into :class:`UserError`."""
    try:
        yield
    except MissingConfigException as error:
        raise UserError(_missing(error, argv)) from error
    except OverrideParseException as error:
        raise UserError(f"command line: {error.override!r} is not key=value: {_line(error)}") from error
    except ConfigCompositionException as error:
        raise UserError(_composition(error, argv)) from error
    except yaml.YAMLError as error:
        raise UserError(f"not valid YAML: {' '.join(str(error).split())}") from error
    except (OmegaConfBaseException, HydraException) as error:
        raise UserError(_line(error)) from error


def _line(error: BaseException) -> str:
    text = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    cause = error.__cause__
    detail = next((line.strip() for line in str(cause).splitlines() if line.strip()), "") if cause else ""
    return redact(f"{text} ({detail})" if detail and detail not in text else text)


def _missing(error: MissingConfigException, argv: Sequence[str]) -> str:
    from runner.compose.app import composing, config_dirs

    missing = error.missing_cfg_file or ""
    group, _, option = missing.rpartition("/")
    if not group:
        return _line(error)
    with composing(config_dirs(argv)[1]) as hydra:
        options = hydra.config_loader.get_group_options(group)
    return f"{group}={option}: config group {group!r} has no option {option!r}{suggest(option, options)}"


def _composition(error: ConfigCompositionException, argv: Sequence[str]) -> str:
    if ambiguous := re.match(r"Ambiguous value for argument '(.*)'", str(error), re.DOTALL):
        key = ambiguous[1].partition("=")[0]
        return (
            f"{redact(ambiguous[1])}: several values, but no sweep: add -m to run each of them (acilab run -m "
            f"{redact(ambiguous[1])} …), or quote a text that holds a comma ({key}=\\'…\\')"
        )
    match = re.match(r"Could not (?:override|append to config|delete from config)[^']*'([^']+)'", str(error))
    if not match:
        return _line(error)
    key = match[1]
    if "/" in key or "defaults list" in str(error):
        return f"{key}: there is no such config group{suggest(key, _groups(argv))}"
    known = _known(argv, key)
    if known is None:
        return f"{key}: {_line(error)}"
    parent, name, names = known
    where = f" in {parent!r}" if parent else ""
    return f"{key}: there is no key {name!r}{where}{suggest(name, names)}"


def _groups(argv: Sequence[str]) -> list[str]:
    from runner.compose.app import composing, config_dirs

    with composing(config_dirs(argv)[1]) as hydra:
        return [g for g in hydra.list_all_config_groups() if not g.startswith("hydra")]


def _known(argv: Sequence[str], key: str) -> tuple[str, str, list[str]] | None:
    """The deepest existing parent of ``key``, the name that is missing there, and the names there are."""
    from hydra import compose
    from omegaconf import OmegaConf

    from runner.compose.app import CONFIG_NAME, composing, config_dirs

    groups = [a for a in argv if re.fullmatch(r"[\w/]+=[\w.-]+", a) and "." not in a.split("=")[0]]
    try:
        with composing(config_dirs(argv)[1]):
            composed = compose(CONFIG_NAME, overrides=groups)
    except HydraException:
        return None
    node: Any = OmegaConf.to_container(composed, resolve=False)
    parent: list[str] = []
    for name in key.split("."):
        if not isinstance(node, Mapping):
            return None
        if name not in node:
            return ".".join(parent), name, [str(n) for n in node if not str(n).startswith("_")]
        node = node[name]
        parent.append(name)
    return None
