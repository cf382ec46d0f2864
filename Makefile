# `make` alone lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_ENV := UV_COMPILE_BYTECODE=1 UV_PYTHON_DOWNLOADS=never UV_PROJECT_ENVIRONMENT=$(VENV)

.PHONY: help setup demo test lint types unit format bench clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 10

setup: $(VENV)/.ready  ## an isolated environment in .venv, from the lock file

# uv comes from the package registry into a folder of its own, unless it is installed.
$(VENV)/.ready: uv.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "acilab needs Python 3.11 or newer; name one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 2; }
	@command -v uv >/dev/null || test -x .uv/bin/uv || { $(PYTHON) -m venv .uv && .uv/bin/pip install --quiet 'uv>=0.9'; }
	@$(UV_ENV) $$(command -v uv || echo .uv/bin/uv) sync --frozen --quiet --extra local \
	  --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')"
	@touch $@

demo: setup  ## a real ablation sweep, no key and no network, and its table
	@$(BIN)/acilab run experiment=demo benchmark.slice=$(SLICE) model.max_candidates=300
	@$(BIN)/acilab table demo
	@echo "MLflow UI: $(BIN)/acilab ui      one trajectory: $(BIN)/acilab show demo/<cell>/<instance>"

SLICE ?= 0:12

test: lint types unit  ## lint, types and tests: what CI runs

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: setup
	@$(BIN)/mypy

unit: setup
	@$(BIN)/pytest -n auto

format: setup  ## format and mend what can be mended
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: setup  ## our overhead beside peers (see benchmarks/README.md)
	@$(BIN)/python benchmarks/run.py

clean:  ## remove what the targets above made (not outputs/)
	rm -rf $(VENV) .uv .mypy_cache .ruff_cache .pytest_cache .hypothesis
