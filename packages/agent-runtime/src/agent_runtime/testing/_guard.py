"""Keeps tests from calling a real model by mistake."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.tracers.context import register_configure_hook
from typing_extensions import override


class ModelRequestForbiddenError(AssertionError):
    """A model was called where model requests are forbidden."""


@contextmanager
def forbid_model_requests() -> Generator[None]:
    """Inside, every chat model but a `ScriptedModel` or a `ReplayModel` raises, and sends nothing.

    It holds for everything that the block calls, in other tasks and threads too, as far as they
    inherit its context.
    """
    variable = _variable()
    token = variable.set(_Refuse())
    try:
        yield
    finally:
        variable.reset(token)


@cache
def _variable() -> ContextVar[BaseCallbackHandler | None]:
    """The variable through which langchain-core finds the guard; registered on first use."""
    variable: ContextVar[BaseCallbackHandler | None] = ContextVar("model_guard", default=None)
    register_configure_hook(variable, inheritable=True)
    return variable


class _Refuse(BaseCallbackHandler):
    raise_error = True

    @override
    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], **kwargs: Any
    ) -> None:
        kind = kwargs.get("invocation_params", {}).get("_type", "unknown")
        # A model that is being recorded is asked inside, and refused there.
        if kind not in {"scripted", "replay", "recording"}:
            raise ModelRequestForbiddenError(
                f"a request to a model of type {kind!r} was about to be sent: "
                "give the agent a ScriptedModel, or leave forbid_model_requests()"
            )
