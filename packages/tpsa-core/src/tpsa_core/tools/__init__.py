"""The agent tools of the Taylor algebra, declared on the contract of `tercet`.

The only part of the package that needs more than numpy: install it as `tpsa-core[tools]`.
"""

from tercet import OBJECT_TOOLS, AnyTool, ObjectRegistry, ToolRegistry
from tpsa_core.tools._codecs import TAYLOR_CODECS
from tpsa_core.tools._create import create_taylor_map, parse_expression_to_mtf
from tpsa_core.tools._evaluate import evaluate_mtf, evaluate_taylor_map
from tpsa_core.tools._failures import TAYLOR_ERRORS
from tpsa_core.tools._transform import compute_partial_derivative, invert_taylor_map

TAYLOR_TOOLS: tuple[AnyTool, ...] = (
    parse_expression_to_mtf,
    create_taylor_map,
    evaluate_mtf,
    evaluate_taylor_map,
    invert_taylor_map,
    compute_partial_derivative,
)
"""Every tool of the Taylor algebra."""


def taylor_registry(objects: ObjectRegistry | None = None) -> ToolRegistry:
    """A registry of the Taylor tools and of those that look after stored objects.

    Args:
        objects: Where the objects are kept, with `TAYLOR_CODECS` among its codecs; in memory, if
            None.
    """
    kept = ObjectRegistry(codecs=TAYLOR_CODECS) if objects is None else objects
    return ToolRegistry([*TAYLOR_TOOLS, *OBJECT_TOOLS], objects=kept)


__all__ = [
    "TAYLOR_CODECS",
    "TAYLOR_ERRORS",
    "TAYLOR_TOOLS",
    "compute_partial_derivative",
    "create_taylor_map",
    "evaluate_mtf",
    "evaluate_taylor_map",
    "invert_taylor_map",
    "parse_expression_to_mtf",
    "taylor_registry",
]
