"""How every tool of the Taylor algebra is declared."""

from functools import partial

from tercet import tool
from tpsa_core.tools._failures import TAYLOR_ERRORS

_taylor_tool = partial(
    tool, app="taylor", kind="taylor", session=True, scopes=("taylor",), errors=TAYLOR_ERRORS
)

reads = partial(_taylor_tool, effect="read")
"""Declares a tool that only looks at stored objects."""

makes = partial(_taylor_tool, effect="write")
"""Declares a tool that stores a new object and leaves the others as they are."""
