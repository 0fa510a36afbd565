"""Runs the Python blocks of README and docs as tests; the blocks of one page share their names."""

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()], patterns=["*.md"]
).pytest()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the blocks of a page in their order; everything else runs in a random one."""
    pages = [item for item in items if item.path.suffix == ".md"]
    pages.sort(key=lambda item: (item.path, item.location[1] or 0))
    items[:] = [item for item in items if item.path.suffix != ".md"] + pages
