# Everything a person or CI runs. `make` alone lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCKS := requirements/base.txt requirements/dev.txt

.PHONY: help venv lock

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

venv: $(STAMP)  ## the virtual environment, from the locks

# The stamp is written last, so that an interrupted install is done again.
$(STAMP): $(LOCKS)
	@command -v $(PYTHON) >/dev/null || { echo "make: python3 is missing; on Debian: apt-get install python3 python3-venv make"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "make: Slipway needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) -V); on Debian 12: apt-get install python3 python3-venv, or name another with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "make: Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	@[ -x $(BIN)/python ] && $(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@echo "installing the locked packages into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

PIP_COMPILE = $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links

lock: $(STAMP)  ## resolve requirements/*.in anew into the locks
	@$(PIP_COMPILE) -o requirements/base.txt requirements/base.in
	@$(PIP_COMPILE) -c requirements/base.txt -o requirements/dev.txt requirements/dev.in
