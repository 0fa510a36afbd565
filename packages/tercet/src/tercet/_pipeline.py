"""One call, from its arguments to its envelope; the order of the steps never changes."""

import logging
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import anyio

from tercet._context import CallContext, ComputeRunner, run_in_thread
from tercet._envelope import (
    ResultMetadata,
    ToolResult,
    ToolSuccessResponse,
)
from tercet._errors import (
    ComputationError,
    InternalError,
    InvalidInputError,
    LimitExceededError,
    PermissionDeniedError,
    ToolError,
    ToolTimeoutError,
)
from tercet._json import find_unsayable
from tercet._object import Stored
from tercet._objects import ObjectRegistry
from tercet._tool import AnyTool

__all__ = ["CallLimits", "Pipeline", "correlate"]

_log = logging.getLogger("tercet")
# Named once: to find the class for a type argument takes as long as to make one of it.
_Success = ToolSuccessResponse[Any]
_Result = ToolResult[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimits:
    """How much one call may take.

    Attributes:
        timeout_s: How long a call may run that brings no deadline of its own, in seconds.
        answer_s: How long a person may take to answer a question of a call, in seconds; the call's
            own time stands still for so long.
        response_bytes: How long an answer's JSON text may be; a larger result becomes a handle.
        response_pictures: How many pictures an answer shows at most: the last ones. They do not
            count as text, and each is bounded by itself.
        read_only: Refuse every tool that changes anything.
    """

    timeout_s: float = 60.0
    answer_s: float = 600.0
    response_bytes: int = 32 * 1024
    response_pictures: int = 4
    read_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Runs tools: admit, validate, run, check, bound."""

    limits: CallLimits = field(default_factory=CallLimits)
    objects: ObjectRegistry | None = None
    runner: ComputeRunner = run_in_thread
    settings: Mapping[type[Any], Any] = field(default_factory=dict[type[Any], Any])

    async def run(
        self, tool: AnyTool, arguments: Any, context: CallContext
    ) -> ToolSuccessResponse[Any]:
        """Run a tool that the caller may see.

        Raises:
            ToolError: The call gave no answer.
        """
        self._admit(tool)
        valid = _as_object(tool, arguments)
        tool.check_arguments(valid)
        call = self._begin(tool, valid, context)
        if tool.session:
            valid.pop("session_id", None)
        result = await self._invoke(tool, valid, call)
        _check_result(tool, result)
        answer = await self._bound(tool, result, call)
        shown = call.shown
        if not shown:
            return answer
        return answer.showing(shown[max(0, len(shown) - self.limits.response_pictures) :])

    def _admit(self, tool: AnyTool) -> None:
        if self.limits.read_only and tool.effect != "read":
            raise PermissionDeniedError(
                f"{tool.name!r} changes things, and this service is switched to read-only",
                hint="only reading tools answer until an operator switches it back",
            )

    def _begin(
        self, tool: AnyTool, arguments: Mapping[str, Any], context: CallContext
    ) -> CallContext:
        session_id = arguments.get("session_id") if tool.session else None
        return context.starting(
            operation=tool.name,
            arguments={k: v for k, v in arguments.items() if k != "session_id"},
            session_id=session_id or context.session_id,
            objects=self.objects,
            runner=self.runner,
            settings=self.settings,
            timeout_s=self.limits.timeout_s,
            answer_s=self.limits.answer_s,
        )

    async def _invoke(self, tool: AnyTool, arguments: dict[str, Any], call: CallContext) -> Any:
        assert call.deadline is not None  # noqa: S101 -- set when the call began
        begun, result = anyio.current_time(), None
        scope = anyio.CancelScope(deadline=call.deadline)
        if call.time is not None:
            call.time.hold(scope)
        try:
            with scope:
                try:
                    result = await tool.invoke(call, arguments)
                except tuple(tool.errors) as error:
                    raise _translate(tool, error) from error
        finally:
            if call.time is not None:
                call.time.let_go(scope)
            # Whatever still works on this call in a thread may stop now.
            call.withdraw()
        if scope.cancelled_caught:
            raise ToolTimeoutError(
                f"{tool.name!r} did not answer within {max(0.0, scope.deadline - begun):.3g} s",
                hint="ask for less, or allow more time",
            )
        return result

    async def _bound(
        self, tool: AnyTool, result: Any, call: CallContext
    ) -> ToolSuccessResponse[Any]:
        answer = _success(tool, result)
        size = len(answer.to_json().encode())
        if size <= self.limits.response_bytes:
            return answer
        too_large = (
            f"the answer of {tool.name!r} takes {size} bytes; {self.limits.response_bytes} fit"
        )
        if self.objects is None:
            raise LimitExceededError(too_large, hint="ask for a smaller part")
        handle = await call.save(result, prefix="result")
        stored = Stored.of(handle, f"{too_large}; read it in parts with read_object")
        return _success(tool, stored.model_dump(mode="json"))


def correlate(tool_name: str, error: BaseException) -> tuple[InternalError, str]:
    """Log a defect under an id, and give the error that names only the id."""
    correlation_id = uuid.uuid4().hex[:12]
    _log.error("tool %s failed (id %s)", tool_name, correlation_id, exc_info=error)
    return (
        InternalError(
            f"{tool_name!r} failed for a reason of its own (id {correlation_id})",
            hint="this is a defect, not a fault of the call; report the id",
        ),
        correlation_id,
    )


def _as_object(tool: AnyTool, arguments: Any) -> dict[str, Any]:
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise InvalidInputError(
            f"the arguments of {tool.name!r} are of type {type(arguments).__name__}, not an object",
            hint='pass a JSON object, such as {"name": "value"}',
        )
    return dict(cast("Mapping[str, Any]", arguments))


def _translate(tool: AnyTool, error: Exception) -> ToolError:
    for domain, code in tool.errors.items():
        if isinstance(error, domain):
            return code(str(error), hint=getattr(error, "hint", None))
    raise AssertionError(
        f"{type(error).__name__} is not mapped"
    )  # pragma: no cover -- callers match first


def _check_result(tool: AnyTool, result: Any) -> None:
    for pointer, expected, found in find_unsayable(result):
        raise ComputationError(
            f"the result of {tool.name!r} is not {expected}: {pointer or 'it'} is {found}",
            hint="the input lies outside the range where the result can be computed",
        )
    for fault in tool.faults_of_result(result):
        raise TypeError(
            f"{tool.name!r} broke its output schema at {fault.pointer or 'the root'}: "
            f"expected {fault.expected}"
        )


def _success(tool: AnyTool, result: Any) -> ToolSuccessResponse[Any]:
    return _Success(data=_Result(result=result, metadata=ResultMetadata(operation=tool.name)))
