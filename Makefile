# Everything a person or CI runs. `make` alone lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What running needs, and with it what developing and testing adds.
RUNTIME := $(VENV)/.runtime
STAMP := $(VENV)/.installed
PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
THREADS ?= 8
# All tests that need no control plane, no browser, no container, no engine, and no console of many processes.
FAST ?= tests --ignore=tests/cluster --ignore=tests/browser --ignore=tests/processes --ignore=tests/shipping --ignore=tests/engine
PROCESSES ?= tests/processes
XDIST ?= -n 2
# Tests that mostly wait, for control planes (500 MB each) or for leases to run out: more than cores.
XDIST_WAITING ?= -n 3 --dist worksteal
MANAGE := $(BIN)/python manage.py

.PHONY: help venv lock run serve prepare test test-fast test-processes test-cluster test-browser test-shipping test-engine picture check lint format bench clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

venv: $(STAMP)  ## the virtual environment, from the locks

# A stamp is written last, so that an interrupted install is done again.
$(RUNTIME): requirements/base.txt
	@command -v $(PYTHON) >/dev/null || { echo "make: python3 is missing; on Debian: apt-get install python3 python3-venv make"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "make: Slipway needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) -V); on Debian 12: apt-get install python3 python3-venv, or name another with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "make: Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	@[ -x $(BIN)/python ] && $(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@echo "installing the locked packages into $(VENV)"
	@$(PIP_INSTALL) -r requirements/base.txt
	@touch $@

$(STAMP): $(RUNTIME) requirements/dev.txt
	@echo "installing the tools of developing into $(VENV)"
	@$(PIP_INSTALL) -r requirements/dev.txt
	@touch $@

run: prepare  ## set everything up and start the console on 127.0.0.1:8000 (PORT=8001 for another)
	@$(MAKE) --no-print-directory serve

# Each step says by itself what is wrong with a setting; the first one to fail ends the start.
prepare: $(RUNTIME)
	@$(MANAGE) check --fail-level ERROR
	@$(MANAGE) migrate --skip-checks --no-input --verbosity 0
	@$(MANAGE) load_catalog --activate --skip-checks
	@$(MANAGE) ensure_admin --skip-checks
	@$(MANAGE) collectstatic --skip-checks --no-input --verbosity 0

serve: $(RUNTIME)
	@exec $(MANAGE) start --host $(HOST) --port $(PORT) --workers $(WORKERS) --threads $(THREADS)

test: $(STAMP) test-fast test-processes test-cluster test-browser test-shipping  ## set everything up and run all tests

test-fast: $(STAMP)  ## units, golden files, API, pages; on SQLite, or where DATABASE_URL points
	@$(BIN)/python -m pytest -q $(XDIST) $(FAST)

# On the simulated cluster; SLIPWAY_REAL_CLUSTER=1 runs them on control planes as in tests/cluster.
test-processes: $(STAMP)  ## the console as many processes, killed and all at once; DATABASE_URL and REDIS_URL are obeyed
	@$(BIN)/python -m pytest -q $(XDIST_WAITING) $(PROCESSES)

test-cluster: $(STAMP)  ## against a real control plane (built once, where Go is installed)
	@$(BIN)/python -m pytest -q -rs $(XDIST_WAITING) tests/cluster

test-browser: $(STAMP)  ## journeys in the system's Chromium, at 1280 and 360 px, light and dark
	@$(BIN)/python -m pytest -q -rs $(XDIST) --dist worksteal tests/browser

test-shipping: $(STAMP)  ## the compose file (needs Go), and the image built and run (needs podman, runc, debootstrap and root)
	@$(BIN)/python -m pytest -q -rs tests/shipping

# Not part of `make test`: what it installs, once and outside the checkout, is 310 MB.
test-engine: $(STAMP)  ## a real llama.cpp server with a small model, launched and killed (needs root and iproute2)
	@$(BIN)/python tests/engine/installing.py
	@$(BIN)/python -m pytest -q -rs tests/engine

picture: $(STAMP)  ## take the README's picture of the launch page anew
	@SLIPWAY_SHOTS=var/shots $(BIN)/python -m pytest -q tests/browser -k photographed
	@mkdir -p docs/img && cp var/shots/launch.png docs/img/launch.png

check: lint test-fast  ## everything a change must pass

lint: $(STAMP)  ## style, types, walls, templates, settings, migrations
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "make: run 'make format'"; $(BIN)/ruff format --check .; exit 1; }
	@$(BIN)/mypy --no-error-summary .
	@PYTHONPATH=. $(BIN)/lint-imports --no-logo
	@$(BIN)/djlint --quiet --lint console/templates
	@SLIPWAY_HTTPS=1 SLIPWAY_TRUST_PROXY=1 $(MANAGE) check --deploy --fail-level WARNING
	@$(MANAGE) makemigrations --check --dry-run --verbosity 1

format: $(STAMP)  ## ruff's formatting and its safe corrections
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet . || true

bench: $(STAMP)  ## the figures, with the commands that measured them
	@$(BIN)/python -m bench

clean:  ## remove what make made, but not var/ (it holds your data)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

PIP_COMPILE = $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links

lock: $(STAMP)  ## resolve requirements/*.in anew into the locks
	@$(PIP_COMPILE) -o requirements/base.txt requirements/base.in
	@$(PIP_COMPILE) -c requirements/base.txt -o requirements/dev.txt requirements/dev.in
	@$(PIP_COMPILE) -o requirements/ci.txt requirements/ci.in
	@$(PIP_COMPILE) -o requirements/engine.txt requirements/engine.in
