"""Functions of an app may be sync or async."""

import inspect
from typing import Any

__all__ = ["resolve"]


async def resolve(value: Any) -> Any:
    """What a function that was called gives in the end."""
    return await value if inspect.isawaitable(value) else value
