# `make demo` shows it, `make test` proves it; each sets up .venv by itself the first time.

PYTHON ?= python3
# Tests wait for processes, browsers and disks a third of the time: two processors take three at once.
WORKERS ?= 3
BIN := .venv/bin
# Without bytecode every cold command would compile itself again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test lint dashboard-bench adapters scoreboard coverage package site canaries personal poisonings openapi postgres citus axe faults lives fuzz bench docs clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1	/p' Makefile

demo: .venv/.stamp ## index a few notes and a conversation, and ask questions about them
	@$(BIN)/bower demo

test: lint ## everything that must hold: style, types, contracts, reference pages, tests
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal

lint: .venv/.stamp ## style, types, import contracts, reference pages
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --num-workers $(WORKERS)
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python scripts/agents.py --check
	@$(BIN)/python scripts/reference.py --check

adapters: .venv/.stamp ## run each framework's program against the real package, in an environment of its own: make adapters ONLY=langgraph
	@$(BIN)/python scripts/adapters.py $(ONLY)

coverage: .venv/.stamp ## run the tests, and fail if they run less than 85 % of the code, branches included
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal --cov --cov-report=term:skip-covered

package: .venv/.stamp ## build the wheel twice, compare both builds, check its size and that of an installation
	@$(BIN)/python -m pip install -q build cyclonedx-bom pip-audit
	@$(BIN)/python scripts/package.py

site: .venv/.stamp ## build the site of these pages into build/site; a link that leads nowhere fails it
	@$(BIN)/python -m pip install -q 'mkdocs-material>=9.6'
	@$(BIN)/python scripts/pages.py

canaries: .venv/.stamp ## try 10,000 ways to read one project from another, over HTTP and MCP
	@CANARY_OPERATIONS=10000 $(BIN)/pytest -s tests/surface/http/test_canaries.py

personal: .venv/.stamp ## ask 10,000 times for what is other people's own in a shared store
	@PERSONAL=10000 $(BIN)/pytest -s tests/surface/http/test_personal.py

poisonings: .venv/.stamp ## try all attacks (or those of FILE=…) in every interface, by every way in: none may be trusted or injected
	@POISONINGS=$(or $(FILE),all) $(BIN)/pytest -s tests/surface/http/test_poisonings.py tests/surface/hooks/test_poisonings.py tests/surface/hooks/test_poisoned_surfaces.py

openapi: .venv/.stamp ## ask every operation of the OpenAPI document 200 times and more
	@OPENAPI_EXAMPLES=200 $(BIN)/pytest -s tests/surface/http/test_openapi.py

lives: .venv/.stamp ## 2,000 random lives of memories against a model in plain dictionaries
	@LIVES=2000 LIFE_STEPS=50 $(BIN)/pytest -q -x -n auto tests/property/test_memory_model.py

postgres: .venv/.stamp ## every contract of a store over a PostgreSQL server, or that of BOWER_TEST_POSTGRES (make test runs a third)
	@POSTGRES=all $(BIN)/pytest -n $(WORKERS) tests/contract -k postgresql

citus: .venv/.stamp ## the same over a cluster of two workers: needs a PostgreSQL 15 or newer whose pg_config is on PATH, with the extensions Citus 13 and pgvector
	@POSTGRES=citus $(BIN)/pytest -n 2 tests/contract -k "postgresql or citus"

axe: .venv/.stamp ## examine every page of the dashboard light and dark, wide and narrow, in each language (make test takes one of each, of the rows of a list the first)
	@AXE=all $(BIN)/pytest -n 1 tests/surface/web/test_browser.py -k everybody

faults: .venv/.stamp ## kill, cut the power, fail the disk, thousands of times: nothing may be lost
	@PYTHONPATH=benchmarks $(BIN)/python -m faults $(ARGS)

fuzz: .venv/.stamp ## ask every reader of foreign files with 200,000 random inputs: make fuzz PARSER=git N=1000
	@$(BIN)/python benchmarks/fuzz.py --inputs $(or $(N),200000) $(if $(PARSER),--parser $(PARSER))

bench: .venv/.stamp ## measure retrieval: make bench DATA=folder with evaluation sets
	@$(BIN)/bower bench recall "$(DATA)"

dashboard-bench: .venv/.stamp ## time every page of the dashboard over 100,000 memories in FOLDER=…, which is filled first if it is empty
	@PYTHONPATH=benchmarks $(BIN)/python benchmarks/dashboard.py "$(FOLDER)" --out benchmarks/results

scoreboard: .venv/.stamp ## install other memory systems, ask them and Bowerbird the same: make scoreboard ONLY=mem0
	@PYTHONPATH=benchmarks $(BIN)/python -m scoreboard $(ONLY) $(if $(ONLY),,--out benchmarks/scoreboard.md)

docs: .venv/.stamp ## write the index of agents, the reference pages and the picture of the README anew from the code
	@$(BIN)/python scripts/agents.py
	@$(BIN)/python scripts/reference.py
	@$(BIN)/python scripts/picture.py

clean: ## remove .venv, caches and build products
	rm -rf .venv .adapters .scoreboard .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
	find src tests scripts benchmarks -name __pycache__ -prune -exec rm -rf {} +

.venv/.stamp: pyproject.toml scripts/bootstrap.py
	@$(PYTHON) scripts/bootstrap.py
