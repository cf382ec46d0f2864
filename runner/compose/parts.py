"""Single parts of a composed config, for commands that need no whole cell."""

from __future__ import annotations

from collections.abc import Sequence

from hydra.types import RunMode

from runner.compose.app import CONFIG_NAME, composing, config_dirs
from runner.compose.cell import Composed, compose_parts
from runner.compose.mistakes import explained, refuse_secrets
from runner.errors import UserError


def compose_command(argv: Sequence[str], names: Sequence[str]) -> Composed:
    """Compose the overrides ``argv`` (with ``--config-dir``) as ``acilab run`` does, and build the plugins ``names``.

    Raises:
        UserError: with the file or the override that is wrong.
    """
    arguments, folders = config_dirs(argv)
    refuse_secrets(arguments)
    for argument in arguments:
        if "=" not in argument and not argument.startswith("~"):
            raise UserError(f"command line: {argument!r} is no override (key=value)")
    with explained(arguments), composing(folders) as hydra:
        config = hydra.compose_config(
            config_name=CONFIG_NAME,
            overrides=list(arguments),
            run_mode=RunMode.RUN,
            with_log_configuration=False,
        )
        return compose_parts(config, config.hydra, names)
