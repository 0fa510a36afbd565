"""Laws of the algebra, for functions that hypothesis makes up.

Coefficients are small integers where a law is about ring operations: those are exact in floating
point, so the law must hold exactly. Where functions come in, the tolerances state their reason.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import MTF, Algebra, TaylorMap

ALGEBRAS = [Algebra(1, order=5), Algebra(2, order=4), Algebra(3, order=3), Algebra(2, order=0)]


def _functions(algebra: Algebra, *, constant: st.SearchStrategy[int]) -> st.SearchStrategy[MTF]:
    """Functions with integer coefficients, zero more often than not."""
    coefficient = st.one_of(st.just(0), st.integers(-5, 5))
    others = st.lists(coefficient, min_size=algebra.size - 1, max_size=algebra.size - 1)

    def build(first: int, rest: list[int]) -> MTF:
        return MTF(algebra, [first, *rest])

    return st.builds(build, constant, others)


def _groups(
    count: int, *, constant: st.SearchStrategy[int] | None = None
) -> st.SearchStrategy[list[MTF]]:
    """So many functions of one algebra."""
    constants = st.integers(-5, 5) if constant is None else constant
    return st.sampled_from(ALGEBRAS).flatmap(
        lambda algebra: st.lists(
            _functions(algebra, constant=constants), min_size=count, max_size=count
        )
    )


@st.composite
def _maps(draw: st.DrawFn, count: int) -> list[TaylorMap]:
    """So many maps of two variables without a constant part."""
    algebra = Algebra(2, order=4)
    functions = _functions(algebra, constant=st.just(0))
    return [TaylorMap([draw(functions), draw(functions)]) for _ in range(count)]


@given(_groups(3))
def test_functions_form_a_commutative_ring(functions: list[MTF]) -> None:
    f, g, h = functions
    assert f + g == g + f
    assert (f + g) + h == f + (g + h)
    assert f - f == f.algebra.zero()
    assert f * g == g * f
    assert (f * g) * h == f * (g * h)
    assert f * (g + h) == f * g + f * h
    assert f * 1 == f
    assert f * 0 == f.algebra.zero()


@given(_groups(2), st.integers(0, 2))
def test_the_derivative_obeys_the_product_rule(functions: list[MTF], position: int) -> None:
    f, g = functions
    if not f.algebra.order:
        return
    variable = position % f.algebra.dimension
    product_rule = f.derivative(variable) * g + f * g.derivative(variable)
    assert (f * g).derivative(variable) == product_rule


@given(_groups(1), st.integers(0, 2))
def test_the_derivative_undoes_the_antiderivative(functions: list[MTF], position: int) -> None:
    (f,) = functions
    variable = position % f.algebra.dimension
    if f.algebra.order:
        # A coefficient divided by n and multiplied by it again is off by a rounding at most.
        assert f.antiderivative(variable).derivative(variable).is_close(f, rtol=1e-15)


@given(_groups(2), st.integers(0, 6))
def test_truncation_commutes_with_products(functions: list[MTF], order: int) -> None:
    f, g = functions
    assert (f * g).truncate(order) == f.truncate(order) * g.truncate(order)


@given(_groups(1), st.integers(0, 5), st.integers(0, 5))
def test_integer_powers_add_up(functions: list[MTF], first: int, second: int) -> None:
    (f,) = functions
    assert f**first * f**second == f ** (first + second)


@given(_groups(2, constant=st.integers(1, 5)))
def test_a_quotient_undoes_a_product(functions: list[MTF]) -> None:
    f, g = functions
    # Each order divides by the constant once more and multiplies by up to 5 times as many terms.
    tolerance = 1e-15 * (g * g).norm() * (1 / g).norm() * max(1.0, f.norm())
    assert ((f * g) / g).is_close(f, atol=10 * tolerance)


@given(_groups(1, constant=st.integers(1, 5)))
def test_the_logarithm_undoes_the_exponential_and_the_square_the_root(functions: list[MTF]) -> None:
    (f,) = functions
    logarithm, root = np.log(f), np.sqrt(f)
    # Rounding grows with the coefficients of what is undone, by order.
    scale = 1e-14 * max(1.0, np.exp(logarithm).norm()) * max(1.0, logarithm.norm()) ** 2
    assert np.exp(logarithm).is_close(f, atol=scale)
    assert (root * root).is_close(f, atol=1e-14 * max(1.0, root.norm()) ** 2)


@given(_groups(1))
def test_sine_and_cosine_lie_on_the_circle(functions: list[MTF]) -> None:
    (f,) = functions
    sine, cosine = np.sin(f), np.cos(f)
    scale = 1e-14 * max(1.0, sine.norm(), cosine.norm()) ** 2
    assert (sine**2 + cosine**2).is_close(f.algebra.constant(1.0), atol=scale)
    hyperbolic = np.cosh(f / 8) ** 2 - np.sinh(f / 8) ** 2
    assert hyperbolic.is_close(f.algebra.constant(1.0), atol=1e-12)


@given(_groups(1), st.integers(0, 2))
def test_functions_obey_the_chain_rule(functions: list[MTF], position: int) -> None:
    f = functions[0] / 8
    if not f.algebra.order:
        return
    variable = position % f.algebra.dimension
    slope = f.derivative(variable)
    sine, cosine, tangent = np.sin(f), np.cos(f), np.tan(f)
    scale = 1e-13 * max(1.0, sine.norm(), cosine.norm(), tangent.norm()) ** 2
    assert sine.derivative(variable).is_close(cosine * slope, atol=scale)
    assert cosine.derivative(variable).is_close(-sine * slope, atol=scale)
    assert tangent.derivative(variable).is_close((1 + tangent**2) * slope, atol=scale)
    arctangent = np.arctan(f)
    assert ((1 + f**2) * arctangent.derivative(variable)).is_close(slope, atol=1e-11)


@given(_maps(3))
def test_composition_is_associative(maps: list[TaylorMap]) -> None:
    # Coefficients stay integers below 2**53 here: exact.
    f, g, h = (taylor_map.truncate(2) for taylor_map in maps)
    assert (f @ g) @ h == f @ (g @ h)


@given(_maps(2))
def test_composition_respects_products(maps: list[TaylorMap]) -> None:
    outer, inner = maps
    assert (outer[0] * outer[1]).compose(list(inner)) == (outer @ inner)[0] * (outer @ inner)[1]


@given(_maps(2))
def test_the_chain_rule_multiplies_jacobians(maps: list[TaylorMap]) -> None:
    outer, inner = maps
    product = outer.jacobian() @ inner.jacobian()
    assert (outer @ inner).jacobian().tolist() == product.tolist()


@given(_maps(1))
def test_a_map_and_its_inverse_compose_to_the_identity(maps: list[TaylorMap]) -> None:
    (noise,) = maps
    identity = TaylorMap.identity(noise.algebra)
    # The linear part is dominated by the identity: its condition number is below four.
    taylor_map = identity + noise / 16
    inverse = taylor_map.inverse()
    # Coefficients of the inverse grow up to a few hundred; rounding in proportion.
    assert (inverse @ taylor_map).is_close(identity, atol=1e-11)
    assert (taylor_map @ inverse).is_close(identity, atol=1e-11)


@given(_groups(1), st.lists(st.integers(-3, 3), min_size=3, max_size=3))
def test_shifting_the_origin_keeps_the_values_of_a_polynomial(
    functions: list[MTF], origin: list[int]
) -> None:
    (f,) = functions
    if not f.algebra.order:
        return
    shift = origin[: f.algebra.dimension]
    moved = f.compose([x + step for x, step in zip(f.algebra.variables(), shift, strict=True)])
    # Integers throughout: exact.
    assert moved.constant == f(*shift)


@st.composite
def _complex_functions(draw: st.DrawFn) -> list[MTF]:
    """Three functions of one algebra with Gaussian integers as coefficients."""
    algebra = draw(st.sampled_from(ALGEBRAS))
    parts = _functions(algebra, constant=st.integers(-5, 5))
    return [draw(parts) + 1j * draw(parts) for _ in range(3)]


@given(_complex_functions(), st.integers(0, 2))
def test_complex_functions_obey_the_same_laws_and_conjugation(
    functions: list[MTF], position: int
) -> None:
    f, g, h = functions
    assert (f * g) * h == f * (g * h)
    assert f * (g + h) == f * g + f * h
    assert (f * g).conjugate() == f.conjugate() * g.conjugate()
    assert (f * g).real == f.real * g.real - f.imag * g.imag
    if f.algebra.order:
        variable = position % f.algebra.dimension
        product_rule = f.derivative(variable) * g + f * g.derivative(variable)
        assert (f * g).derivative(variable) == product_rule


@given(_maps(1), st.integers(0, 3), st.integers(-2, 2))
def test_powers_of_maps_add_up(maps: list[TaylorMap], first: int, second: int) -> None:
    identity = TaylorMap.identity(maps[0].algebra)
    taylor_map = identity + maps[0] / 64
    powers = taylor_map.power(first) @ taylor_map.power(second)
    # The map is near the identity, so coefficients stay of size one.
    assert powers.is_close(taylor_map.power(first + second), rtol=0, atol=1e-13)


@given(_maps(1), st.sampled_from([(), (0,), (1,), (0, 1)]))
def test_a_partial_inverse_of_the_same_variables_leads_back(
    maps: list[TaylorMap], variables: tuple[int, ...]
) -> None:
    taylor_map = TaylorMap.identity(maps[0].algebra) + maps[0] / 64
    back = taylor_map.partial_inverse(variables).partial_inverse(variables)
    assert back.is_close(taylor_map, rtol=0, atol=1e-13)


@given(_groups(3))
def test_poisson_brackets_form_a_lie_algebra(functions: list[MTF]) -> None:
    f, g, h = functions
    if f.algebra.dimension != 2 or f.algebra.order < 2:
        return

    def bracket(first: MTF, second: MTF) -> MTF:
        return first.poisson_bracket(second)

    assert bracket(f, g) == -bracket(g, f)
    cyclic = bracket(f, bracket(g, h)) + bracket(g, bracket(h, f)) + bracket(h, bracket(f, g))
    assert cyclic.to_dict() == {}
    assert bracket(f, g * h) == bracket(f, g) * h + g * bracket(f, h)


@given(_groups(1), st.lists(st.integers(-3, 3), min_size=3, max_size=3))
def test_values_are_those_of_substitution_and_translation(
    functions: list[MTF], origin: list[int]
) -> None:
    (f,) = functions
    if not f.algebra.order:
        return
    point = origin[: f.algebra.dimension]
    # Integers throughout: exact.
    assert f.translate(point).constant == f(*point)
    assert f.substitute(dict(enumerate(point))) == f.algebra.constant(f(*point))
    assert f.translate(point).translate([-step for step in point]) == f
