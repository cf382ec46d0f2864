"""``python -m runner`` is ``acilab``."""

from runner.cli import main

main()
