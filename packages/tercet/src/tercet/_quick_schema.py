"""A schema made ready for where it is asked for every call: a quick yes, or the whole check."""

from collections.abc import Mapping
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator

from tercet._errors import ErrorDetail
from tercet._validation import details_of

__all__ = ["QuickSchema", "check_schema"]


def check_schema(schema: Mapping[str, Any]) -> None:
    """See that a schema is one of JSON Schema 2020-12.

    Raises:
        jsonschema.SchemaError: It is none.
    """
    # A schema that names its own dialect is held against that one by the quick way.
    if "$schema" in schema or not jsonschema_rs.meta.is_valid(dict(schema)):
        Draft202012Validator.check_schema(schema)


class QuickSchema:
    """A JSON Schema 2020-12 that values are held against.

    The quick yes is by `jsonschema_rs`, in a hundredth of the time, and only believed when it says
    yes; all else goes to `jsonschema`, which finds every fault and explains it.

    Args:
        schema: A valid schema.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._whole = Draft202012Validator(schema)
        try:
            self._quick = jsonschema_rs.Draft202012Validator(dict(schema), retriever=_refuse)
        except ValueError:
            # Such as for a pattern that is none in its dialect.
            self._quick = None

    def faults(self, value: Any) -> list[ErrorDetail]:
        """Find every fault of a value, in the order of where it stands."""
        return [] if self._surely_fits(value) else details_of(self._whole, value)

    def _surely_fits(self, value: Any) -> bool:
        try:
            return self._quick is not None and self._quick.is_valid(value)
        except ValueError:
            # It is nested too deeply for it, or no JSON.
            return False


def _refuse(address: str) -> Any:
    """Get nothing from elsewhere: a schema says all itself."""
    raise ValueError(f"{address} is not looked up")
