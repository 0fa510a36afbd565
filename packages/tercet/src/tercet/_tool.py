"""A tool: declared once as a typed function, reached through every face."""

import copy
import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Literal, ParamSpec, TypeAlias, TypeVar, cast

from jsonschema import SchemaError
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from tercet._context import CallContext, run_in_thread
from tercet._envelope import envelope_schema
from tercet._errors import ErrorDetail, ToolDefinitionError, ToolError
from tercet._objects import OBJECT_NAME_PATTERN
from tercet._quick_schema import QuickSchema, check_schema
from tercet._schema import read_signature
from tercet._validation import check_arguments, explain_pydantic, refuse

__all__ = ["AnyTool", "Effect", "ErrorMap", "Example", "Tool", "tool"]

P = ParamSpec("P")
R = TypeVar("R")

Effect = Literal["read", "write", "destructive"]
"""What a call may do: change nothing, change something, or lose something for good."""

ErrorMap: TypeAlias = Mapping[type[Exception], type[ToolError]]
"""How a domain's own exceptions become error codes; the first match in order wins."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SESSION_SCHEMA = {
    "type": "string",
    "pattern": OBJECT_NAME_PATTERN,
    "default": "default",
    "description": "Your own name for a set of objects; refs are valid within one session.",
}
# What stands in place of a result that was too large to give: see the registry's response limit.
_HANDLE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "ref": {"type": "string"},
        "message": {"type": "string"},
        "summary": {"type": "object"},
    },
    "required": ["ref", "message", "summary"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Arguments that work, and where it is fixed, the result they give."""

    arguments: Mapping[str, Any]
    result: Any = None


def _nothing() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[P, R]):
    """Something that an agent may do.

    Calling a tool calls the function it was made of.

    Attributes:
        name: Unique in a registry; matches `[A-Za-z0-9_-]{1,64}`.
        title: A name for people.
        description: What it needs, gives and may do, for a model to read.
        app: The application or library it belongs to.
        kind: `control`, `measurement`, `state`, `agent_controlled`, `taylor`, `object`, …
        effect: What a call may do.
        idempotent: Calling twice does what calling once does.
        session: Its calls name a session of the caller's objects, and change nothing else.
        scopes: What a caller must be allowed.
        input_schema: JSON Schema 2020-12 of the arguments; an object, closed.
        output_schema: JSON Schema 2020-12 of the result inside the envelope.
        examples: Calls that work.
        errors: How exceptions of the domain become error codes.
        facts: What else a face may want to know, such as the command behind a control tool.
    """

    name: str
    title: str
    description: str
    app: str
    kind: str
    effect: Effect
    idempotent: bool
    session: bool
    scopes: frozenset[str]
    input_schema: dict[str, Any] = field(repr=False)
    output_schema: dict[str, Any] = field(repr=False)
    examples: tuple[Example, ...] = field(repr=False)
    errors: ErrorMap = field(repr=False)
    facts: Mapping[str, Any] = field(repr=False, default_factory=_nothing)
    function: Callable[P, R] = field(repr=False)
    invoke: Callable[[CallContext, dict[str, Any]], Awaitable[Any]] = field(repr=False)
    _input: QuickSchema = field(init=False, repr=False, compare=False)
    _output: QuickSchema = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ToolDefinitionError(
                f"{self.name!r} is no tool name; use 1 to 64 letters, digits, '_' or '-'"
            )
        if not self.description.strip():
            raise ToolDefinitionError(f"tool {self.name!r} has no description")
        if self.input_schema.get("type") != "object":
            raise ToolDefinitionError(f"the input schema of {self.name!r} is not of an object")
        if self.session:
            properties = cast("dict[str, Any]", self.input_schema.setdefault("properties", {}))
            properties["session_id"] = dict(_SESSION_SCHEMA)
        # Strict by construction: an argument nobody reads is a mistake of the caller.
        self.input_schema.setdefault("additionalProperties", False)
        for schema in (self.input_schema, self.output_schema):
            try:
                check_schema(schema)
            except SchemaError as error:
                raise ToolDefinitionError(
                    f"tool {self.name!r} has a bad schema: {error.message}"
                ) from error
        object.__setattr__(self, "_input", QuickSchema(self.input_schema))
        object.__setattr__(self, "_output", QuickSchema(self.output_schema))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function itself, as if it had never been made a tool."""
        return self.function(*args, **kwargs)

    def check_arguments(self, arguments: Mapping[str, Any]) -> None:
        """Refuse arguments that are no JSON or do not fit the input schema; for registries.

        Raises:
            InvalidInputError: With one detail for each fault.
        """
        check_arguments(self.name, self.faults_of_arguments, arguments)

    def faults_of_arguments(self, arguments: Mapping[str, Any]) -> list[ErrorDetail]:
        """Find every way in which arguments break the input schema; for registries."""
        return self._input.faults(arguments)

    def faults_of_result(self, result: Any) -> list[ErrorDetail]:
        """Find every way in which a result breaks the output schema; for registries."""
        return self._output.faults(result)

    def to_mcp_format(self) -> dict[str, Any]:
        """Give `{name, description, inputSchema}`, a copy to be used freely."""
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": copy.deepcopy(self.input_schema),
        }

    def answer_schema(self) -> dict[str, Any]:
        """Give the JSON Schema of the whole answer, envelope included."""
        result = copy.deepcopy(self.output_schema)
        if not _HANDLE_SCHEMA["properties"].keys() <= result.get("properties", {}).keys():
            result = {"anyOf": [result, copy.deepcopy(_HANDLE_SCHEMA)]}
        return envelope_schema(result)

    @classmethod
    def from_schema(
        cls,
        *,
        name: str,
        description: str,
        input_schema: Mapping[str, Any],
        function: Callable[[CallContext, dict[str, Any]], Awaitable[Any]],
        app: str,
        kind: str,
        effect: Effect,
        title: str = "",
        output_schema: Mapping[str, Any] | None = None,
        idempotent: bool = False,
        session: bool = False,
        scopes: Iterable[str] = (),
        examples: Iterable[Example] = (),
        errors: ErrorMap | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> "Tool[[CallContext, dict[str, Any]], Awaitable[Any]]":
        """Make a tool of a given JSON Schema and a function of the call and its arguments.

        Raises:
            ToolDefinitionError: The name or a schema is not usable.
        """
        return Tool[[CallContext, dict[str, Any]], Awaitable[Any]](
            name=name,
            title=title or _title_of(name),
            description=inspect.cleandoc(description),
            app=app,
            kind=kind,
            effect=effect,
            idempotent=idempotent or effect == "read",
            session=session,
            scopes=frozenset(scopes),
            input_schema=copy.deepcopy(dict(input_schema)),
            output_schema=copy.deepcopy(dict({} if output_schema is None else output_schema)),
            examples=tuple(examples),
            errors=dict(errors or {}),
            facts=dict(facts or {}),
            function=function,
            invoke=function,
        )


AnyTool: TypeAlias = Tool[..., Any]
"""A tool of any signature."""


def tool(
    *,
    app: str,
    kind: str,
    effect: Effect,
    name: str | None = None,
    title: str = "",
    description: str | None = None,
    idempotent: bool = False,
    session: bool = False,
    scopes: Iterable[str] = (),
    examples: Iterable[Example] = (),
    errors: ErrorMap | None = None,
) -> Callable[[Callable[P, R]], Tool[P, R]]:
    """Make a tool of a typed function, sync or async.

    The parameters' annotations become the input schema (bounds, units and descriptions by
    `Annotated[…, Field(…)]`), the returned type the output schema, the docstring up to its first
    section the description. A parameter of type `CallContext` receives the context of the call
    and is no part of the schema. A sync function runs in a thread.

    Raises:
        ToolDefinitionError: Something is missing, or has no JSON Schema.
    """

    def declare(function: Callable[P, R]) -> Tool[P, R]:
        own_name = name or getattr(function, "__name__", "")
        signature = read_signature(function)

        async def invoke(context: CallContext, arguments: dict[str, Any]) -> Any:
            try:
                model = signature.arguments.model_validate(arguments)
            except ValidationError as error:
                # What JSON Schema cannot say, such as a validator of the type's own.
                raise refuse(own_name, explain_pydantic(error)) from error
            typed = {key: getattr(model, key) for key in signature.arguments.model_fields}
            if signature.context_parameter is not None:
                typed[signature.context_parameter] = context
            call = cast("Callable[..., Any]", function)
            if inspect.iscoroutinefunction(function):
                value = await call(**typed)
            else:
                # In this process, whose state it may share with its callers.
                value = await run_in_thread(partial(call, **typed))
            try:
                return signature.result.dump_python(value, mode="json")
            except PydanticSerializationError as error:
                raise TypeError(f"{own_name!r} returned what it does not declare") from error

        return Tool[P, R](
            name=own_name,
            title=title or _title_of(own_name),
            description=description or _description_of(function),
            app=app,
            kind=kind,
            effect=effect,
            idempotent=idempotent or effect == "read",
            session=session,
            scopes=frozenset(scopes),
            input_schema=signature.input_schema,
            output_schema=signature.output_schema,
            examples=tuple(examples),
            errors=dict(errors or {}),
            function=function,
            invoke=invoke,
        )

    return declare


def _title_of(name: str) -> str:
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _description_of(function: Callable[..., Any]) -> str:
    text = inspect.getdoc(function) or ""
    return re.split(r"\n\n?(?:Args|Arguments|Returns|Raises|Yields|Example|Examples):\n", text)[
        0
    ].strip()
