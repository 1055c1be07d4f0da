# Evenhand: `make` lists what there is to do.
PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--require-hashes --only-binary :all:
TEMPLATES := $(shell find templates -name '*.html')
PACKAGES := config annotation judging calibration

.PHONY: help demo serve test test-sqlite test-postgres lint format requirements clean

help:
	@echo "make demo        install, load the demo, run it and serve the site"
	@echo "make demo ARGS=--no-serve"
	@echo "make serve       serve the site on this machine (ARGS=--port=8000)"
	@echo "make test        all tests, on SQLite and on PostgreSQL (ARGS=... to pytest)"
	@echo "make test ARGS=--randomly-seed=7   the same in another order, with another luck"
	@echo "make lint        style, types, layers, templates, migrations"
	@echo "make format      put code and templates into shape"
	@echo "make clean       delete what was made here, but not var/ with the data"

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv

.venv/.installed: requirements.txt | .venv/bin/python
	@echo "Installing packages (about a minute) ..."
	$(PIP) -r requirements.txt
	@touch $@

.venv/.installed-dev: requirements-dev.txt | .venv/bin/python
	@echo "Installing packages for development (about a minute) ..."
	$(PIP) -r requirements-dev.txt
	@touch .venv/.installed $@

demo: .venv/.installed
	EVENHAND_DEMO=1 $(MANAGE) demo $(ARGS)

serve: .venv/.installed
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) sync_roles
	$(MANAGE) serve $(ARGS)

test: test-sqlite test-postgres

# Those that time, kill or drive a browser wait more than they compute: two of them at
# once, beside no others. With ARGS a step may find no test (exit code 5): that is fine.
APART := slow or browser
PYTEST := $(BIN)/pytest --no-header
NONE_IS_FINE = $(if $(strip $(ARGS)),|| [ $$? -eq 5 ])

test-sqlite: .venv/.installed-dev
	$(PYTEST) --db sqlite -n logical -m "not ($(APART))" $(ARGS) $(NONE_IS_FINE)
	$(PYTEST) --db sqlite -n 2 -m "$(APART)" $(ARGS) $(NONE_IS_FINE)

# What needs no database, or a bundle of it alone, has run by then.
SHARED := not pure and not sqlite_only and not browser
test-postgres: .venv/.installed-dev
	$(PYTEST) --db postgres -n logical -m "$(SHARED) and not slow" $(ARGS) $(NONE_IS_FINE)
	$(PYTEST) --db postgres -n 2 -m "$(SHARED) and slow" $(ARGS) $(NONE_IS_FINE)

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(PACKAGES) tests manage.py
	$(BIN)/lint-imports
	$(BIN)/djade --check $(TEMPLATES)
	$(MANAGE) makemigrations --check --dry-run

format: .venv/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djade $(TEMPLATES)

# Needs uv: pip's own tools take minutes for this list.
requirements:
	for name in requirements requirements-dev; do \
		uv pip compile $$name.in -o $$name.txt --universal --python-version 3.11 \
			--generate-hashes --no-emit-index-url --no-header; \
	done

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find $(PACKAGES) tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
