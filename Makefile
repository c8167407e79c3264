# The manual of this project: `make help` lists what can be done.
PYTHON ?= python3.11
# Where PyTorch for the CPU is found, e.g. make setup TORCH_INDEX=<url of the CPU index>.
# Only the export of the encoder and one test need it; serving does not.
TORCH_INDEX ?=
VENV := .venv
BIN := $(VENV)/bin
ENCODER := models/encoder/encoder.json
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup run test coverage check format lint types contracts soak bench endurance train clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

$(INSTALLED): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Trivium needs Python 3.11; set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) --editable '.[export,dev]'
	$(BIN)/python -m compileall -q trivium router tiers synthesis feedback
	@touch $@

$(ENCODER): $(INSTALLED)
	HF_HUB_OFFLINE=1 $(BIN)/python scripts/export_encoder.py --out models/encoder

setup: $(INSTALLED) $(ENCODER) ## Install everything into .venv and export the encoder (once)

run: setup ## Serve the example on http://127.0.0.1:8080
	$(BIN)/trivium serve --load examples/aerospace

PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

test: setup ## Run the tests
	$(PYTEST)

coverage: setup ## Run the tests, twice as slowly, and tell which lines and branches they reach
	$(PYTEST) --cov --cov-report=term

format: setup ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports

check: lint types contracts test ## Format, lint, types, import contracts, tests: what CI runs

soak: setup ## Run the property, race, fault, crash and hostile suites with their full counts
	TRIVIUM_SOAK=100 $(BIN)/python -m pytest -p no:cacheprovider -s tests/property tests/contract \
	  tests/faults tests/crash tests/races tests/unit/test_hostile_data.py tests/unit/test_reading.py \
	  tests/e2e/test_hostile.py tests/e2e/test_openapi.py tests/e2e/test_grounded.py \
	  tests/integration/test_chat.py tests/integration/test_model_writer.py

bench: setup ## Measure all that has a bench, but for endurance: hours
	$(BIN)/python -m bench.door
	$(BIN)/python -m bench.suite --every
	$(BIN)/python -m bench.grounding
	$(BIN)/python -m bench.routing
	$(BIN)/python -m bench.unseen
	$(BIN)/python -m bench.documented
	$(BIN)/python -m bench.decision
	$(BIN)/python -m bench.misroutes
	$(BIN)/python -m bench.feedback
	$(BIN)/python -m bench.reading
	$(BIN)/python -m bench.confidence
	$(BIN)/python -m bench.grammar
	$(BIN)/python -m bench.variants
	$(BIN)/python -m bench.facts
	$(BIN)/python -m bench.meaning
	$(BIN)/python -m bench.memory
	$(BIN)/python -m bench.retrieval
	$(BIN)/python -m bench.retrieval_scale
	$(BIN)/python -m bench.encoder
	$(BIN)/python -m bench.operators
	$(BIN)/python -m bench.graph_scale
	$(BIN)/python -m bench.architectures
	$(BIN)/python -m bench.overload

endurance: setup ## An hour of mixed load: do memory and file handles stay where they are?
	$(BIN)/python -m bench.endurance

train: setup ## Train the router on all labelled rows and ship it
	$(BIN)/python -m bench.routing --train

clean: ## Remove what make made; the home (.trivium) stays
	rm -rf $(VENV) models build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .import_linter_cache
