"""The ``acilab`` command. Nothing heavy is imported before the subcommand that needs it is known."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from runner import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("runner.compose.app:run", "run a cell or a sweep (a Hydra application: every Hydra flag works)"),
    "table": ("analysis.cli:table", "the paper-style table of an experiment, from what was logged"),
    "show": ("analysis.cli:show", "one trajectory, step by step"),
    "ui": ("runner.tracking.cli:ui", "the MLflow UI on the local store"),
    "sync": ("runner.tracking.cli:sync", "bring MLflow up to date with the records"),
    "doctor": ("runner.commands.doctor:doctor", "what works on this machine"),
    "config": ("runner.commands.config:config", "print the composed config, list options, explain an option"),
    "aci": ("runner.commands.aci:aci", "look at an interface, and try it, without a model"),
    "parse": ("runner.commands.parse:parse", "what an action format reads in an answer (standard input)"),
    "completion": (
        "runner.commands.completion:completion",
        "print a shell completion script (bash, zsh, fish)",
    ),
}

HELP = f"""acilab {__version__}: a lab bench for agent-computer interfaces.

usage: acilab COMMAND [arguments]

{chr(10).join(f"  {name:<11} {text}" for name, (_, text) in COMMANDS.items())}

  acilab COMMAND --help explains a command.

examples:
  acilab run experiment=demo                              a real ablation, no key, no network
  acilab run -m aci/editor=lint,none aci/history=last5,full
  acilab run model=litellm model.name=openai/gpt-4o benchmark=humanevalfix benchmark.slice=0:10
  acilab table demo
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point: dispatch, and turn known errors into one line and an exit code.

    Exit codes: 0 fine, 1 some episodes ended in an infrastructure failure, 2 bad input, 130 interrupted.
    """
    sys.exit(_main(list(sys.argv[1:] if argv is None else argv)))


def _main(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        sys.stdout.write(HELP)
        return 0
    if argv[0] in ("-V", "--version"):
        sys.stdout.write(f"acilab {__version__}\n")
        return 0
    name = argv[0]
    if name == "__complete":
        from runner.commands.completion import complete

        return complete(argv[1:])
    if name not in COMMANDS:
        import difflib

        close = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(COMMANDS)}"
        sys.stderr.write(f"acilab: there is no command {name!r}; {hint}\n")
        return 2
    module, _, function = COMMANDS[name][0].partition(":")
    from runner.errors import Incomplete, UserError
    from runner.secrets import redact

    try:
        result = getattr(importlib.import_module(module), function)(argv[1:])
    except UserError as error:
        sys.stderr.write(f"acilab {name}: {redact(' '.join(str(error).split()))}\n")
        return 2
    except Incomplete as error:
        sys.stderr.write(f"acilab {name}: {redact(str(error))}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write(f"acilab {name}: interrupted; the same command continues where it stopped\n")
        return 130
    except BrokenPipeError:
        # The reader (head, less) went away; point stdout elsewhere so that the exit does not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return int(result or 0)


if __name__ == "__main__":
    main()
