# The commands of the project. `make help` lists them; `make` alone runs `make test`.

CARGO ?= cargo
PYTHON ?= python3
# The build directory. All stages share it, so nothing is compiled twice.
CARGO_TARGET_DIR ?= $(CURDIR)/target
# A stage that would change the lock file fails.
LOCKED ?= --locked
# `make fuzz` runs each target for FUZZ_SECONDS. `make test` gives each target FUZZ_RUNS inputs, and
# stops after FUZZ_RUNS_SECONDS.
FUZZ_SECONDS ?= 240
FUZZ_RUNS ?= 2000
FUZZ_RUNS_SECONDS ?= 20
# The command that the Python tests run.
REPRISE_BIN ?= $(CARGO_TARGET_DIR)/debug/reprise

XTASK = $(CARGO) run $(LOCKED) --quiet -p xtask --
ENGINE_FEATURES := convert crawl lab report serde
VENV := $(CURDIR)/.venv
REQUIREMENTS := tests/python/requirements.txt
# Programs that tests run, each with its Debian package.
PROGRAMS := chromium:chromium ssdeep:ssdeep node:nodejs
FUZZ_TARGETS := $(patsubst fuzz/fuzz_targets/%.rs,%,$(wildcard fuzz/fuzz_targets/*.rs))
FUZZ_DIR := $(CARGO_TARGET_DIR)/fuzz-smoke

export CARGO_TARGET_DIR REPRISE_BIN

.DEFAULT_GOAL := test
.NOTPARALLEL:
.PHONY: setup setup-programs setup-cargo setup-wasm test missing lint fmt fmt-check clippy tidy deny cargo-test features doc-test doc \
	wasm fuzz-smoke python-test build bench bench-record bench-quick fuzz clean help

# Setup. `make test` does not install anything.

setup: setup-programs setup-cargo setup-wasm $(VENV)/installed ## install everything that the tests need
	@echo "make setup: done"

setup-programs:
	@packages=; \
	for program in $(PROGRAMS); do \
		command -v "$${program%%:*}" >/dev/null || packages="$$packages $${program##*:}"; \
	done; \
	if [ -z "$$packages" ]; then \
		exit 0; \
	elif [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
		echo "make: cannot install$$packages: this needs root and apt-get"; \
	elif ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends $$packages >/dev/null; }; then \
		echo "make: apt-get could not install$$packages"; \
	fi

# Without CARGO_TARGET_DIR, cargo builds tools in a temporary directory. cargo-nextest is optional:
# without it, `make test` runs `cargo test`.
setup-cargo:
	@$(CARGO) deny --version >/dev/null 2>&1 || (unset CARGO_TARGET_DIR; set -x; $(CARGO) install --locked cargo-deny)

# Uses the target of the installed compiler if it has one (`rustup target add wasm32-unknown-unknown`).
# Otherwise downloads Debian's compiler into the build directory, without installing it.
setup-wasm:
	@$(XTASK) wasm setup || echo "make: a compiler for WebAssembly is missing"

$(VENV)/installed: $(REQUIREMENTS)
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "make: the Python tests need $(PYTHON) 3.11 or later with venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $(REQUIREMENTS)
	@touch $@

# Tests: they use the tools that are installed and skip the rest.

test: missing fmt-check clippy tidy deny cargo-test features doc-test doc wasm fuzz-smoke python-test ## all checks and tests (default)
	@$(list_missing)
	@echo "make test: all stages passed"

missing: ## list the tools that are missing, with the tests that are skipped without them
	@$(list_missing)

has_deny = $(CARGO) deny --version >/dev/null 2>&1
has_venv = [ $(VENV)/installed -nt $(REQUIREMENTS) ]
define list_missing
skipped() { echo "make: $$1: $$2 skipped; run \`make setup\`"; }; \
command -v chromium >/dev/null || skipped "chromium is missing" "tests that need a browser are"; \
command -v ssdeep >/dev/null || skipped "ssdeep is missing" "comparisons with ssdeep are"; \
$(has_deny) || skipped "cargo-deny is missing" "the check of licences and sources is"; \
tool=$$($(XTASK) wasm missing) || skipped "$${tool:-xtask} is missing" "the WebAssembly build and its tests are"; \
$(has_venv) || skipped ".venv is missing or out of date" "the Python tests are"
endef

lint: fmt-check clippy tidy deny ## formatting, clippy with warnings as errors, tidy, cargo-deny

build: ## build the command for debugging
	$(CARGO) build $(LOCKED) --workspace --bin reprise

fmt: ## format the code
	$(CARGO) fmt --all
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml

fmt-check: ## check that the code is formatted
	$(CARGO) fmt --all --check
	$(if $(FUZZ_TARGETS),$(CARGO) fmt --manifest-path fuzz/Cargo.toml --check)

clippy: ## run clippy on all targets; warnings are errors
	$(CARGO) clippy $(LOCKED) --workspace --all-targets -- -D warnings

tidy: ## check layers, sizes, leftovers and the number of packages
	$(XTASK) tidy

deny: ## check the licences and sources of all dependencies
	@if $(has_deny); then \
		set -x; $(CARGO) deny $(LOCKED) --all-features check --hide-inclusion-graph licenses bans sources; \
	else \
		echo "make: skipped: cargo-deny is missing; run \`make setup\`"; \
	fi

# Tests run the examples of the engine.
cargo-test: ## run unit and integration tests
	$(CARGO) build $(LOCKED) --workspace --examples
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
		set -x; $(CARGO) nextest run $(LOCKED) --workspace --no-fail-fast; \
	else \
		set -x; $(CARGO) test $(LOCKED) --workspace --lib --bins --tests --no-fail-fast; \
	fi

features: ## build the engine with each of its features alone, and a program that uses none
	@set -e; for feature in "" $(ENGINE_FEATURES); do \
		(set -x; $(CARGO) clippy $(LOCKED) --quiet -p reprise-engine --no-default-features --features "$$feature" -- \
			-D warnings); \
	done
	REPRISE_TEST_MINIMAL=1 $(CARGO) test $(LOCKED) --quiet --workspace --test it -- minimal::

doc-test: ## run the examples in the documentation
	$(CARGO) test $(LOCKED) --workspace --doc

doc: ## build the documentation; warnings are errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(LOCKED) --workspace --lib --no-deps

wasm: ## build all pure crates for WebAssembly and test the module in Node
	@tool=$$($(XTASK) wasm missing); case $$? in \
		0) set -x; $(XTASK) wasm;; \
		1) echo "make: skipped: $$tool is missing; run \`make setup\`";; \
		*) exit 1;; \
	esac

fuzz-smoke: ## build the fuzz targets with the stable compiler and run each briefly
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

python-test: build ## test the command and its files with other programs
	@if $(has_venv); then \
		set -x; $(VENV)/bin/python -B -m pytest --numprocesses=2 --dist=loadfile tests/python; \
	else \
		echo "make: skipped: .venv is missing or out of date; run \`make setup\`"; \
	fi

# Benchmarks and fuzzing.

bench: ## measure speed and size, and check the answers
	$(CARGO) run $(LOCKED) --release -p reprise-bench
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- rows
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- near
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- fuzzy
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- imatch

bench-record: ## measure indexing and keep the results in bench/records
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- --record

bench-quick: ## check the answers of the indexing benchmark without measuring
	$(CARGO) run $(LOCKED) --release -p reprise-bench -- --quick

fuzz: ## fuzz each target for FUZZ_SECONDS with the nightly compiler
	@$(CARGO) +nightly --version >/dev/null 2>&1 || \
		{ echo "make: fuzzing needs the nightly compiler: rustup toolchain install nightly" >&2; exit 1; }
	@$(CARGO) fuzz --version >/dev/null 2>&1 || \
		{ echo "make: fuzzing needs cargo-fuzz: cargo install --locked cargo-fuzz" >&2; exit 1; }
	@set -e; unset CARGO_TARGET_DIR; for target in $(FUZZ_TARGETS); do \
		mkdir -p "fuzz/corpus/$$target"; \
		(set -x; $(CARGO) +nightly fuzz run "$$target" "fuzz/corpus/$$target" "fuzz/seeds/$$target" -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=60); \
	done

clean: ## remove everything that was built
	rm -rf $(CARGO_TARGET_DIR) fuzz/target $(VENV)

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
