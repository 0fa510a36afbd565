"""Pages that prove what they say by naming tests: each of those is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A page, and the folder of tests that it means where it names none.
PAGES = {
    "threat-model.md": "tests/gateway",
    "extraction-rules.md": "tests/agent_runtime",
    "network-faults.md": "tests/netctl",
}


def named(page: str) -> dict[str, list[str]]:
    """The names of tests in the tables of a page, by the file that comes before them."""
    found: dict[str, list[str]] = {}
    for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines():
        file = ""
        for word in re.findall(r"`((?:\w+/)*test_\w+(?:\.py)?)`", line):
            if word.endswith(".py"):
                file = word if word.startswith("tests/") else f"{PAGES[page]}/{word}"
                found.setdefault(file, [])
            else:
                found[file].append(word)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_a_page_names_is_in_the_file_that_it_names(page: str) -> None:
    missing: list[str] = []
    for file, tests in named(page).items():
        path = ROOT / file
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        missing += [f"{file}::{test}" for test in ["", *tests] if f"def {test}" not in text]

    assert sum(map(len, named(page).values())) > 10
    assert not missing
