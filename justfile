# Run these as `uv run just RECIPE`: that needs nothing installed but uv.

# List the recipes.
default:
    @just --list

# The story, end to end and offline.
demo:
    tercet demo

# Several tests at a time; the blocks of a page follow each other, so a file stays together.
parallel := "-n auto --maxprocesses 4 --dist loadfile --timeout 120"

# The fast tests, documented examples included.
test *args:
    pytest {{ parallel }} {{ args }}

# Everything that has to hold before a change lands, cheapest first.
check: lint types arch cover conformance sanitize cross pythons packaging

# Format the code and mend what can be mended.
format:
    ruff format
    ruff check --fix

# Format and style.
lint:
    ruff format --check
    ruff check

# Strict types, over tests and examples too.
types:
    pyright

# Who may import whom.
arch:
    lint-imports --no-logo

# Write docs/tools.md from the tools themselves.
reference:
    python scripts/reference.py

# The fast tests with the coverage gate, each law on the same examples every time, then the algebra on numpy.
cover:
    coverage erase
    HYPOTHESIS_PROFILE=ci coverage run -m pytest -q {{ parallel }}
    TPSA_CORE_BACKEND=numpy coverage run -m pytest -q {{ parallel }} tests/tpsa_core --ignore tests/tpsa_core/native
    coverage combine --quiet
    coverage report

# The protocol's own conformance suites and inspector, against the gateway.
conformance:
    pytest -m conformance -q tests/conformance

# A gateway under a hostile mix of requests, for long; the fast tests send a few thousand.
soak requests="200000":
    TERCET_SOAK_REQUESTS={{ requests }} pytest -q tests/soak

# The compiled kernels under the address and undefined-behaviour sanitizers.
sanitize:
    python scripts/sanitize.py

# The compiled kernels for a 64-bit Arm processor: compiled, where there is a compiler for it.
cross:
    python scripts/cross.py

# The fast tests on every other minor version of CPython that uv finds.
pythons:
    python scripts/other_pythons.py

# Build the wheels, install each alone, compare the lock with what a clean clone gets.
packaging:
    pytest -m packaging -q tests/packaging

# Resolve again and write uv.lock (registry-neutral) and requirements.txt; do this before committing.
lock *args:
    python scripts/lock.py {{ args }}
