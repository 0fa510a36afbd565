"""A rule with a senseless number is an error when it is made."""

from netctl._errors import DeclarationError
from netctl._number import is_finite_number

__all__ = ["check_above_zero", "check_count", "check_not_negative"]


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


def check_not_negative(rule: object, **numbers: object) -> None:
    """See that each number is finite and not below 0: nothing is larger than NaN.

    Raises:
        DeclarationError: If one is not.
    """
    for name, number in numbers.items():
        if not (is_finite_number(number) and number >= 0):
            raise DeclarationError(
                f"{name} of {type(rule).__name__} is {number!r}, not a number from 0 on",
                hint=f"give {name} a number from 0 on",
            )


def check_count(rule: object, **numbers: object) -> None:
    """See that each number that is given is a whole number from 1 on.

    Raises:
        DeclarationError: If one is not.
    """
    for name, number in numbers.items():
        if number is None:
            continue
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise DeclarationError(
                f"{name} of {type(rule).__name__} is {number!r}, not a whole number from 1 on",
                hint=f"give {name} a whole number from 1 on",
            )
