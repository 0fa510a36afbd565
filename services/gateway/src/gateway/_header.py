"""The headers of a request, as they came: read for each request, several times."""

from collections.abc import Mapping
from typing import Any

__all__ = ["header_of", "headers_of"]


def header_of(scope: Mapping[str, Any], name: bytes) -> str | None:
    """Give the first header of a name, which is in small letters; None: there is none."""
    for found, value in scope["headers"]:
        if found == name:
            return value.decode("latin-1")
    return None


def headers_of(scope: Mapping[str, Any], name: bytes) -> list[str]:
    """Give all headers of a name, which is in small letters."""
    return [value.decode("latin-1") for found, value in scope["headers"] if found == name]
