"""A rule with a senseless number is an error when it is made."""

from netctl._errors import DeclarationError
from netctl._number import is_finite_number

__all__ = ["check_above_zero"]


def check_above_zero(rule: object, **numbers: object) -> None:
    """See that each number that is given is finite and above 0.

    Raises:
        DeclarationError: If one is not.
    """
    for name, number in numbers.items():
        if number is not None and not (is_finite_number(number) and number > 0):
            raise DeclarationError(
                f"{name} of {type(rule).__name__} is {number!r}, not a number above 0",
                hint=f"give {name} a number above 0",
            )
