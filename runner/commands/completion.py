"""``acilab completion SHELL`` and the query behind it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from runner.errors import UserError

SCRIPTS = {
    "bash": """_acilab() {
  local IFS=$'\\n' word="${COMP_LINE:0:COMP_POINT}"
  word="${word##* }"
  COMPREPLY=($(acilab __complete "${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
  # bash splits words at '=': give back only what follows the last one
  if [[ "$word" == *=* && "$COMP_WORDBREAKS" == *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*=}"}"}")
  fi
  [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *[=/] ]] && compopt -o nospace
}
complete -o default -F _acilab acilab
""",
    "zsh": """#compdef acilab
_acilab() {
  local -a found
  found=("${(@f)$(acilab __complete "${LBUFFER}" 2>/dev/null)}")
  compadd -Q -S '' -- $found
}
compdef _acilab acilab
""",
    "fish": """complete -c acilab -f -a '(acilab __complete (commandline -cp))'
""",
}


def completion(argv: Sequence[str]) -> int:
    """Print the script for a shell, to be sourced: ``source <(acilab completion bash)``."""
    if len(argv) != 1 or argv[0] not in SCRIPTS:
        raise UserError(f"usage: acilab completion {'|'.join(SCRIPTS)}")
    sys.stdout.write(SCRIPTS[argv[0]])
    return 0


def complete(argv: Sequence[str]) -> int:
    """Print the completions of a command line, one a line."""
    from runner.cli import COMMANDS

    words = (argv[0] if argv else "").split(" ")
    if len(words) <= 2:
        found = [c for c in COMMANDS if c.startswith(words[-1] if len(words) == 2 else "")]
    elif words[1] in ("run", "config"):
        found = overrides(words[-1], words[2:-1])
    else:
        found = []
    sys.stdout.write("".join(f"{line}\n" for line in found))
    return 0


def overrides(word: str, given: Sequence[str]) -> list[str]:
    """Completions of one override, by Hydra's own completion."""
    from hydra._internal.core_plugins.bash_completion import BashCompletion

    from runner.compose.app import CONFIG_NAME, composing, config_dirs

    arguments, folders = config_dirs(given)
    with composing(folders) as hydra:
        line = " ".join([*(g for g in arguments if not g.startswith("-")), word])
        found: list[str] = BashCompletion(hydra.config_loader)._query(CONFIG_NAME, line)
        return found
