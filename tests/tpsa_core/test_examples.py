"""Every public name shows in its docstring how it is used, and what it shows is true."""

import doctest
from typing import Any

import numpy as np
import pytest

import tpsa_core

NAMES: dict[str, Any] = {name: getattr(tpsa_core, name) for name in tpsa_core.__all__}
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("name", tpsa_core.__all__)
def test_every_public_name_has_an_example_that_runs_as_shown(name: str) -> None:
    # A function's own namespace is hidden: a reader has the public names only.
    known = {**NAMES, "np": np, "tpsa_core": tpsa_core}
    found = doctest.DocTestFinder(recurse=False).find(NAMES[name], name, globs=known)
    examples = [test for test in found if test.examples]
    assert examples, f"{name} has no example"
    printed: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=OPTIONS)
    for test in examples:
        failed, _ = runner.run(test, out=printed.append)
        assert not failed, "".join(printed)
