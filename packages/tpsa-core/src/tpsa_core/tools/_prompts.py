"""What a model should know to work well with truncated power series."""

from collections.abc import Mapping

from tercet import Prompt

_TEXT = """\
You work with truncated power series (Taylor functions and Taylor maps, differential algebra)
through tools. A Taylor function is a polynomial in x1 … xN that agrees with a function up to
an order; a Taylor map is a list of them, such as the map of a beam line or the flow of a
differential equation.
{task}{dimension}
How objects are handled
- Tools store what they make and answer with a ref (mtf_0, map_0) and a summary. Pass refs to
  later calls; never copy coefficients. Objects live in a session (session_id, "default" if
  left out).
- Give your own names to what you need later. Objects that you named are never evicted.
- run_program does many steps in one call: label a step with "as", refer to it with {{"$ref":
  "label"}}. With "atomic": true nothing is kept unless every step succeeds.

Which tools for which job
- Expand: parse_expression_to_mtf (one function), create_taylor_map (one expression a
  component). Expansion is about zero, or about the point "at": {{"x1": 2}}; the variables of
  the result are then distances from it. initialize_algebra names the variables of a session.
- Differentiate, integrate: compute_partial_derivative, compute_gradient, integrate_mtf,
  compute_poisson_bracket.
- Combine: perform_mtf_arithmetic, apply_function; compose_taylor_maps(map_ref_1, map_ref_2)
  is "first map_ref_2, then map_ref_1"; compose_mtfs replaces variables of one function.
- Invert: invert_taylor_map. The map needs as many components as variables and no constant
  part: subtract the constant first, and subtract it from the arguments of the inverse as
  well.
- Track: evaluate_taylor_map_batch with points, a grid or a seeded distribution; it gives
  statistics, and a ref to the values where there are many. compose_taylor_maps of a map with
  itself is two turns. plot_phase_space draws orbits over many turns and counts the losses.
- Analyze: analyze_taylor_map (Jacobian, eigenvalues, whether it inverts),
  analyze_mtf_diagnostics (norms by order, an estimate of the convergence radius),
  compare_objects (errors).
- Look: get_top_terms, get_mtf_coefficient, and mtf_info or taylor_map_info page by page;
  plot_mtf draws a curve or contours.

What to watch
- The result is that of the polynomial: near the expansion point it is close to the function,
  beyond the convergence radius it is not. Check it with a higher order, or with
  analyze_mtf_diagnostics.
- A derivative is valid to one order less. Choose the order of the start accordingly.
- Cost grows fast with order and number of variables: (order + 2 * dimension) choose order.
  Begin low.
- Check an inverse by composing it with the map and comparing with identity_map.

How to read an answer
- Success: data.result. Error: error_code, message, details with a JSON pointer to each wrong
  argument and the nearest acceptable value, and a hint. Correct what the pointers name;
  nothing was done.
- COMPUTATION_ERROR: the mathematics has no answer there, such as log at zero: move the
  expansion point, with "at".
- LIMIT_EXCEEDED names the largest order that would fit. NOT_FOUND names refs that exist."""


_TASKS = (
    "Expand a function",
    "Differentiate or integrate a function",
    "Compose and invert maps",
    "Track particles through a map",
    "Analyze a map",
)


def _text(arguments: Mapping[str, str]) -> str:
    task = arguments.get("task", "").strip()
    dimension = arguments.get("dimension", "").strip()
    return _TEXT.format(
        task=f"\nThe task: {task}\n" if task else "",
        dimension=f"Work in {dimension} variables.\n" if dimension else "",
    )


def _expert(name: str) -> Prompt:
    return Prompt(
        name=name,
        title="Expert in Taylor algebra",
        description="How to work with Taylor functions and maps: objects, tools, pitfalls, errors.",
        app="taylor",
        text=_text,
        arguments={
            "task": "What is to be done, in a sentence.",
            "dimension": "How many variables there are.",
        },
        suggestions={"task": lambda _: _TASKS, "dimension": lambda _: ("1", "2", "4", "6")},
    )


TAYLOR_PROMPTS = (_expert("da-expert"), _expert("sandalwood-da-expert"))
"""Instructions for a model; the second name is kept for prompts that exist already."""
