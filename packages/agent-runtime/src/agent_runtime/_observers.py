"""Observers, kept from disturbing what they observe."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig, ensure_config
from langchain_core.runnables.config import merge_configs

from agent_runtime._events import Event, Observer

Warn = Callable[[str], None]


class Observers:
    """All observers of a run; none of their failures reaches it."""

    def __init__(self, callbacks: Iterable[BaseCallbackHandler | Observer], warn: Warn) -> None:
        """`warn` is told of each failure, from whatever thread it happened in."""
        self._functions: list[Observer] = []
        handlers: list[BaseCallbackHandler] = []
        for callback in callbacks:
            if isinstance(callback, BaseCallbackHandler):
                # langchain-core looks at a handler's class, which the guard answers for.
                guard: Any = _GuardedHandler(callback, warn)
                handlers.append(guard)
            else:
                self._functions.append(callback)
        self.handlers: Sequence[BaseCallbackHandler] = handlers
        self._warn = warn

    def config(self) -> RunnableConfig | None:
        """The surrounding configuration, so that traces nest, with the handlers added.

        None if there are none: langchain-core then takes the surrounding one by itself.
        """
        if not self.handlers:
            return None
        return merge_configs(ensure_config(), {"callbacks": list(self.handlers)})

    async def notify(self, event: Event) -> None:
        """Tell every function of an event, in order."""
        for function in self._functions:
            try:
                answer = function(event)
                if inspect.isawaitable(answer):
                    await answer
            except Exception as error:  # noqa: BLE001 -- whatever an observer does, the run goes on
                self._warn(_failure(function, event.kind, error))


class _GuardedHandler:
    """Stands in for a langchain-core handler: the same to look at, but it never raises."""

    def __init__(self, handler: BaseCallbackHandler, warn: Warn) -> None:
        self._handler = handler
        self._warn = warn

    @property
    def __class__(self) -> type[Any]:  # pyright: ignore[reportIncompatibleMethodOverride] -- it cannot be set
        return type(self._handler)

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._handler, name)
        if not name.startswith("on_"):
            return member
        if inspect.iscoroutinefunction(member):

            async def guarded_async(*args: Any, **kwargs: Any) -> Any:
                try:
                    return await member(*args, **kwargs)
                except NotImplementedError:
                    raise
                except Exception as error:  # noqa: BLE001 -- as above
                    self._warn(_failure(self._handler, name, error))

            return guarded_async

        def guarded(*args: Any, **kwargs: Any) -> Any:
            try:
                return member(*args, **kwargs)
            except NotImplementedError:
                # langchain-core's way to say: tell me by the older method instead.
                raise
            except Exception as error:  # noqa: BLE001 -- as above
                self._warn(_failure(self._handler, name, error))

        return guarded


def _failure(observer: object, event: str, error: Exception) -> str:
    name = getattr(observer, "__qualname__", type(observer).__qualname__)
    return f"observer {name} failed on {event}: {type(error).__name__}: {error}"
