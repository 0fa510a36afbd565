"""Many steps in one call: an agent's ten round trips become one.

Every step goes through the same registry as a call of its own, with the same checks, limits and
records. A step may use what an earlier one gave, by `{"$ref": "label"}`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field

from tercet._context import CallContext
from tercet._envelope import ToolErrorResponse
from tercet._errors import (
    ConflictError,
    ErrorDetail,
    InvalidInputError,
    ToolError,
    error_class,
)
from tercet._json import follow_pointer
from tercet._object import Stored
from tercet._overlay import OverlayStore
from tercet._picture import Shown
from tercet._registry import ToolRegistry
from tercet._tool import AnyTool, tool

__all__ = ["program_tool"]

_NAME = "run_program"
_MOST_STEPS = 50
_LABEL = r"^[A-Za-z_][A-Za-z0-9_]{0,31}$"


class Step(BaseModel):
    """One call of a program."""

    model_config = ConfigDict(extra="forbid")

    tool: str = Field(description="The tool's name.", max_length=64)
    arguments: dict[str, Any] = Field(
        description=(
            'Its arguments. In place of any value, {"$ref": "label"} stands for what the step with '
            'that label gave: the ref of what it stored, else its result; {"$ref": "label", '
            '"pointer": "/0"} for a part of its result.'
        ),
        default_factory=dict[str, Any],
    )
    label: str | None = Field(
        description="A label by which later steps refer to what this one gives.",
        default=None,
        alias="as",
        pattern=_LABEL,
    )


class StepResult(BaseModel):
    """What one step gave."""

    step: int = Field(description="The number of the step, from 1.")
    tool: str
    label: str | None = Field(description="The step's label, if it has one.")
    result: Any


class ProgramResult(BaseModel):
    """What the steps gave, in their order; the last is the program's own result."""

    steps: list[StepResult]
    result: Any = Field(description="What the last step gave.")


def program_tool(registry: ToolRegistry) -> AnyTool:
    """Make the tool that runs programs of a registry's tools; register it in the same registry."""

    @tool(
        app="objects",
        kind="program",
        effect="destructive",
        name=_NAME,
        session=True,
    )
    async def run_program(
        context: CallContext,
        steps: Annotated[
            list[Step],
            Field(description="The calls, in order.", min_length=1, max_length=_MOST_STEPS),
        ],
        atomic: Annotated[  # noqa: FBT002 -- passed by name, from JSON
            bool,
            Field(
                description="Keep no object unless every step succeeds. Only tools that read, or "
                "that store new objects, may then be used; never commands to equipment."
            ),
        ] = False,
    ) -> ProgramResult:
        """Run several tools in one call, each with the checks it has when called alone.

        Stops at the first step that fails and says which; what the steps before it did stays done,
        unless the program is atomic. A step gives its result a label with "as", and a later step
        uses it: {"map_ref": {"$ref": "label"}}. Example: {"steps": [{"tool": "create_taylor_map",
        "arguments": {"expressions": ["x1 + x1^2"], "dimension": 1, "max_order": 5}, "as": "m"},
        {"tool": "invert_taylor_map", "arguments": {"map_ref": {"$ref": "m"}}}]}.
        """
        _check(registry, steps, context, atomic=atomic)
        if not atomic or context.objects is None:
            return await _run(registry, steps, context)
        overlay = OverlayStore(context.objects.store)
        held = registry.with_objects(context.objects.over(overlay))
        result = await _run(held, steps, context)
        await overlay.commit()
        return result

    return run_program


async def _run(registry: ToolRegistry, steps: list[Step], context: CallContext) -> ProgramResult:
    results: list[StepResult] = []
    given: dict[str, Any] = {}
    for number, step in enumerate(steps, 1):
        where = f"/steps/{number - 1}/arguments"
        await context.report(number - 1, len(steps), step.tool)
        arguments = _resolved(step.arguments, given, where)
        # A call that asks a person may be made again from its start: that must not repeat steps.
        call = replace(context, request_id=f"{context.request_id}/{number}", asker=None)
        answer = await registry.call_tool(step.tool, arguments, call)
        if answer.status == "error":
            raise _stopped(step, results, answer, where)
        for picture in answer.pictures:
            context.show(picture)
        result = answer.data.result
        results.append(StepResult(step=number, tool=step.tool, label=step.label, result=result))
        if step.label is not None:
            given[step.label] = result
    return ProgramResult(steps=results, result=results[-1].result)


def _check(
    registry: ToolRegistry, steps: list[Step], context: CallContext, *, atomic: bool
) -> None:
    """Refuse what can be seen to fail before the first step has run."""
    labels: set[str] = set()
    for index, step in enumerate(steps):
        found = registry.get(step.tool, context)
        if found.name == _NAME:
            raise InvalidInputError(
                f"step {index + 1} is itself a program",
                hint="put its steps into this one",
                details=[ErrorDetail(pointer=f"/steps/{index}/tool", expected="another tool")],
            )
        # A tool with a session changes nothing but the caller's own objects.
        if atomic and found.effect != "read" and (not found.session or found.kind == "object"):
            raise ConflictError(
                f"step {index + 1} ({found.name}) cannot be undone, and the program is atomic",
                hint="run it in a program that is not atomic, or in a call of its own",
                details=[ErrorDetail(pointer=f"/steps/{index}/tool", expected="an undoable tool")],
            )
        for label in _labels_used(step.arguments):
            if label not in labels:
                raise InvalidInputError(
                    f"step {index + 1} refers to {label!r}, which no earlier step gives",
                    hint=f"labels so far: {', '.join(sorted(labels)) or 'none'}",
                    details=[
                        ErrorDetail(
                            pointer=f"/steps/{index}/arguments",
                            expected="references to the labels of earlier steps",
                            got=label,
                        )
                    ],
                )
        if step.label in labels:
            raise InvalidInputError(
                f"step {index + 1} gives the label {step.label!r} a second time",
                hint="give each step a label of its own",
                details=[ErrorDetail(pointer=f"/steps/{index}/as", expected="a new label")],
            )
        if step.label is not None:
            labels.add(step.label)


def _labels_used(value: Any) -> set[str]:
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        label = _label_of(members)
        if label is not None:
            return {label}
        return {used for member in members.values() for used in _labels_used(member)}
    if isinstance(value, list):
        return {used for item in cast("list[Any]", value) for used in _labels_used(item)}
    return set()


def _label_of(members: Mapping[str, Any]) -> str | None:
    label = members.get("$ref")
    return label if isinstance(label, str) and members.keys() <= {"$ref", "pointer"} else None


def _resolved(value: Any, given: Mapping[str, Any], where: str) -> Any:
    if isinstance(value, list):
        return [_resolved(item, given, where) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, Any]", value)
    label = _label_of(members)
    if label is None:
        return {key: _resolved(item, given, where) for key, item in members.items()}
    result = given[label]
    pointer = members.get("pointer")
    if pointer is None:
        return _ref_or_value(result)
    try:
        return follow_pointer(result, str(pointer))
    except LookupError as error:
        raise InvalidInputError(
            f"what {label!r} gave has nothing at {str(pointer)[:80]!r}",
            hint="leave the pointer out to use the whole result",
            details=[ErrorDetail(pointer=where, expected="a pointer into the result")],
        ) from error


def _ref_or_value(result: Any) -> Any:
    """Give the ref where a tool stored its result, else the result itself."""
    if not isinstance(result, dict):
        return result
    members = cast("dict[str, Any]", result)
    stored = any(kind.model_fields.keys() <= members.keys() for kind in (Stored, Shown))
    return members["ref"] if stored else members


def _stopped(
    step: Step, done: list[StepResult], answer: ToolErrorResponse, where: str
) -> ToolError:
    """Say which step failed, and what the steps before it had done."""
    label = f" ({step.label})" if step.label else ""
    before = ", ".join(f"{result.step} {result.tool}" for result in done) or "none"
    return error_class(answer.error_code)(
        f"step {len(done) + 1}{label}, {step.tool}, failed: {answer.message}; "
        f"steps done before: {before}",
        hint=answer.hint,
        details=[
            detail.model_copy(update={"pointer": where + detail.pointer})
            for detail in answer.details
        ],
    )
