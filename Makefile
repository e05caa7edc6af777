# Everything a developer or a machine runs. `make help` lists it; `make` is `make test`.

CARGO ?= cargo
PYTHON ?= python3
# Where cargo builds; stages share it, so nothing is compiled twice.
CARGO_TARGET_DIR ?= $(CURDIR)/target
# The lock file is part of the source: a stage that would change it fails.
LOCKED ?= --locked
# How long `make fuzz` works on each target, and how many inputs `make test` gives to each, or for
# how many seconds if that comes first.
FUZZ_SECONDS ?= 240
FUZZ_RUNS ?= 2000
FUZZ_RUNS_SECONDS ?= 20
# The command that the Python tests drive.
REPRISE_BIN ?= $(CARGO_TARGET_DIR)/debug/reprise

VENV := $(CURDIR)/.venv
# What tests run beside our own; each is a Debian package of the same name.
PROGRAMS := chromium ssdeep
REQUIREMENTS := tests/python/requirements.txt
FUZZ_TARGETS := $(patsubst fuzz/fuzz_targets/%.rs,%,$(wildcard fuzz/fuzz_targets/*.rs))
FUZZ_DIR := $(CARGO_TARGET_DIR)/fuzz-smoke

export CARGO_TARGET_DIR REPRISE_BIN

.DEFAULT_GOAL := test
.NOTPARALLEL:
.PHONY: test lint fmt fmt-check clippy tidy cargo-test doc-test doc fuzz-smoke programs python-test build \
	bench bench-record bench-quick fuzz clean help

test: programs fmt-check clippy tidy cargo-test doc-test doc fuzz-smoke python-test ## all checks and tests (default)
	@echo "make test: all stages passed"

lint: fmt-check clippy tidy ## formatting, clippy with warnings as errors, tidy

build: ## the command, for debugging
	$(CARGO) build $(LOCKED) --workspace --bin reprise

fmt: ## format the code
	$(CARGO) fmt --all
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml

fmt-check: ## is the code formatted?
	$(CARGO) fmt --all --check
	$(if $(FUZZ_TARGETS),$(CARGO) fmt --manifest-path fuzz/Cargo.toml --check)

clippy: ## clippy on all targets, warnings are errors
	$(CARGO) clippy $(LOCKED) --workspace --all-targets -- -D warnings

tidy: ## sizes, leftovers, dependencies and licences
	$(CARGO) run $(LOCKED) --quiet -p xtask -- tidy

cargo-test: ## unit and integration tests
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
		set -x; $(CARGO) nextest run $(LOCKED) --workspace --no-fail-fast; \
	else \
		set -x; $(CARGO) test $(LOCKED) --workspace --lib --bins --tests --no-fail-fast; \
	fi

doc-test: ## examples in the documentation
	$(CARGO) test $(LOCKED) --workspace --doc

doc: ## documentation without warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(LOCKED) --workspace --lib --no-deps

fuzz-smoke: ## build the fuzz targets on stable and run each on its seeds for a moment
	$(CARGO) build $(LOCKED) --manifest-path fuzz/Cargo.toml --bins
	@set -e; for target in $(FUZZ_TARGETS); do \
		rm -rf "$(FUZZ_DIR)/corpus/$$target"; \
		mkdir -p "$(FUZZ_DIR)/corpus/$$target" "fuzz/artifacts/$$target"; \
		log="$(FUZZ_DIR)/$$target.log"; \
		if "$(CARGO_TARGET_DIR)/debug/$$target" -seed=1 -runs=$(FUZZ_RUNS) \
			-max_total_time=$(FUZZ_RUNS_SECONDS) -timeout=60 \
			-artifact_prefix="fuzz/artifacts/$$target/" \
			"$(FUZZ_DIR)/corpus/$$target" "fuzz/seeds/$$target" >"$$log" 2>&1; then \
			echo "fuzz $$target: $$(tail -n 1 "$$log")"; \
		else \
			cat "$$log"; echo "fuzz $$target: failed"; exit 1; \
		fi; \
	done

programs: ## Debian's Chromium and ssdeep, if they are missing and may be installed; without them, their tests are skipped
	@missing=; for program in $(PROGRAMS); do command -v "$$program" >/dev/null || missing="$$missing $$program"; done; \
		[ -z "$$missing" ] || \
		{ [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq --no-install-recommends $$missing >/dev/null; } || \
		echo "make: missing$$missing: the tests that need them are skipped"

python-test: build programs $(VENV)/installed ## corpus, labels, detection and report as other programs see them
	$(VENV)/bin/python -B -m pytest --numprocesses=2 --dist=loadfile tests/python

$(VENV)/installed: $(REQUIREMENTS)
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "make: the Python tests need $(PYTHON) 3.11 or later with venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $(REQUIREMENTS)
	@touch $@

bench: ## how fast, how large, and is the answer right
	$(CARGO) run $(LOCKED) --release -p reprise-bench
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- rows
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- near
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- fuzzy
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- imatch

bench-record: ## the same, kept as a record
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- --record

bench-quick: ## only whether the answers of the benchmark are right
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- --quick

fuzz: ## fuzz each target for FUZZ_SECONDS with the nightly compiler
	@$(CARGO) +nightly --version >/dev/null 2>&1 || \
		{ echo "make: fuzzing needs the nightly compiler: rustup toolchain install nightly" >&2; exit 1; }
	@$(CARGO) fuzz --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-fuzz
	@set -e; unset CARGO_TARGET_DIR; for target in $(FUZZ_TARGETS); do \
		mkdir -p "fuzz/corpus/$$target"; \
		(set -x; $(CARGO) +nightly fuzz run "$$target" "fuzz/corpus/$$target" "fuzz/seeds/$$target" -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=60); \
	done

clean: ## remove everything that was built
	rm -rf $(CARGO_TARGET_DIR) fuzz/target $(VENV)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
