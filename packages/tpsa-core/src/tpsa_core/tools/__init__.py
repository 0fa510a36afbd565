"""The agent tools of the Taylor algebra, declared on the contract of `tercet`.

The only part of the package that needs more than numpy: install it as `tpsa-core[tools]`.
"""

from tercet import (
    OBJECT_TOOLS,
    AnyTool,
    ComputeRunner,
    ObjectRegistry,
    ToolRegistry,
    program_tool,
    run_in_thread,
)
from tpsa_core.tools._analyze import (
    analyze_mtf_diagnostics,
    analyze_taylor_map,
    compare_objects,
    compute_map_sensitivity,
)
from tpsa_core.tools._arithmetic import (
    apply_function,
    perform_complex_operation,
    perform_mtf_arithmetic,
)
from tpsa_core.tools._batch import evaluate_mtf_batch, evaluate_taylor_map_batch
from tpsa_core.tools._build import (
    extract_map_component,
    identity_map,
    map_from_components,
    truncate_object,
)
from tpsa_core.tools._calculus import (
    compute_gradient,
    compute_poisson_bracket,
    integrate_mtf,
)
from tpsa_core.tools._codecs import TAYLOR_CODECS
from tpsa_core.tools._compose import (
    compose_mtfs,
    compose_taylor_maps,
    substitute_in_taylor_map,
    substitute_variable_in_mtf,
)
from tpsa_core.tools._create import create_taylor_map, parse_expression_to_mtf
from tpsa_core.tools._evaluate import evaluate_mtf, evaluate_taylor_map
from tpsa_core.tools._exchange import export_object, import_object
from tpsa_core.tools._failures import TAYLOR_ERRORS
from tpsa_core.tools._inspect import (
    get_mtf_coefficient,
    get_top_terms,
    mtf_info,
    taylor_map_info,
)
from tpsa_core.tools._limits import TaylorLimits
from tpsa_core.tools._plot import plot_mtf
from tpsa_core.tools._portrait import plot_phase_space
from tpsa_core.tools._prompts import TAYLOR_PROMPTS
from tpsa_core.tools._session import initialize_algebra, initialize_sandalwood
from tpsa_core.tools._transform import compute_partial_derivative, invert_taylor_map
from tpsa_core.tools._work import TaylorWork

TAYLOR_TOOLS: tuple[AnyTool, ...] = (
    initialize_algebra,
    initialize_sandalwood,
    parse_expression_to_mtf,
    create_taylor_map,
    identity_map,
    map_from_components,
    extract_map_component,
    truncate_object,
    evaluate_mtf,
    evaluate_taylor_map,
    evaluate_mtf_batch,
    evaluate_taylor_map_batch,
    perform_mtf_arithmetic,
    apply_function,
    perform_complex_operation,
    compute_partial_derivative,
    compute_gradient,
    compute_poisson_bracket,
    integrate_mtf,
    compose_mtfs,
    compose_taylor_maps,
    invert_taylor_map,
    substitute_variable_in_mtf,
    substitute_in_taylor_map,
    get_mtf_coefficient,
    get_top_terms,
    mtf_info,
    taylor_map_info,
    analyze_taylor_map,
    analyze_mtf_diagnostics,
    compare_objects,
    compute_map_sensitivity,
    plot_mtf,
    plot_phase_space,
    export_object,
    import_object,
)
"""Every tool of the Taylor algebra."""


def taylor_registry(
    objects: ObjectRegistry | None = None,
    *,
    limits: TaylorLimits | None = None,
    work: TaylorWork | None = None,
    runner: ComputeRunner = run_in_thread,
) -> ToolRegistry:
    """A registry of the Taylor tools, those that look after objects, and `run_program`.

    Args:
        objects: Where the objects are kept, with `TAYLOR_CODECS` among its codecs; in memory, if
            None.
        limits: What one call may take; the defaults of `TaylorLimits`, if None.
        work: What is computed in the event loop; the defaults of `TaylorWork`, if None.
        runner: Computes the rest: in threads, or in the processes of `tercet.ProcessWorkers`,
            which can be stopped.
    """
    kept = ObjectRegistry(codecs=TAYLOR_CODECS) if objects is None else objects
    registry = ToolRegistry(
        [*TAYLOR_TOOLS, *OBJECT_TOOLS],
        objects=kept,
        runner=runner,
        settings=[limits or TaylorLimits(), work or TaylorWork()],
    )
    registry.register_tool(program_tool(registry))
    return registry


__all__ = [
    "TAYLOR_CODECS",
    "TAYLOR_ERRORS",
    "TAYLOR_PROMPTS",
    "TAYLOR_TOOLS",
    "TaylorLimits",
    "TaylorWork",
    "analyze_mtf_diagnostics",
    "analyze_taylor_map",
    "apply_function",
    "compare_objects",
    "compose_mtfs",
    "compose_taylor_maps",
    "compute_gradient",
    "compute_map_sensitivity",
    "compute_partial_derivative",
    "compute_poisson_bracket",
    "create_taylor_map",
    "evaluate_mtf",
    "evaluate_mtf_batch",
    "evaluate_taylor_map",
    "evaluate_taylor_map_batch",
    "export_object",
    "extract_map_component",
    "get_mtf_coefficient",
    "get_top_terms",
    "identity_map",
    "import_object",
    "initialize_algebra",
    "initialize_sandalwood",
    "integrate_mtf",
    "invert_taylor_map",
    "map_from_components",
    "mtf_info",
    "parse_expression_to_mtf",
    "perform_complex_operation",
    "perform_mtf_arithmetic",
    "plot_mtf",
    "plot_phase_space",
    "substitute_in_taylor_map",
    "substitute_variable_in_mtf",
    "taylor_map_info",
    "taylor_registry",
    "truncate_object",
]
