"""Types of every kind that a submission may have, and their JSON Schemas."""

from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

from pydantic import BaseModel, Field, TypeAdapter

from agent_runtime import (
    SchemaCompilationError,
    SchemaFamily,
    compile_schema,
)
from agent_runtime.testing import call

FAMILIES: tuple[SchemaFamily, ...] = get_args(SchemaFamily)
STRICT: tuple[SchemaFamily, ...] = ("openai", "gemini")


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=0, le=9)] = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: dict[str, int]


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class Owner(BaseModel):
    """Somebody with pets."""

    pet: Pet
    others: list[Pet] = []


class Mixed(Enum):
    ONE = 1
    TWO = "two"
    NONE = None


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Scalars(BaseModel):
    price: Decimal
    at: datetime
    day: date
    hour: time
    own: UUID
    raw: bytes
    mixed: Mixed
    level: Level
    code: Annotated[str, Field(min_length=2, max_length=4, pattern="^[a-z]+$")]
    share: Annotated[float, Field(gt=0, lt=1, multiple_of=0.25)]


class Options(BaseModel):
    note: str | None = None
    count: int = 5
    either: Annotated[int | str, Field(description="A number or a name.")] = "x"
    tags: Annotated[set[str], Field(max_length=3)] = set()
    pair: tuple[int, str] = (1, "a")


class Prices(BaseModel):
    by_node: dict[str, Cat]
    deep: dict[str, dict[str, list[Decimal]]] = {}


CASES: dict[str, Any] = {
    "recursive": Tree,
    "union at the root": Pet,
    "union in a field": Owner,
    "scalars": Scalars,
    "optional fields": Options,
    "fields of any name": Prices,
    "names at the root": dict[str, Cat],
    "list at the root": list[Cat],
}


def schema_of(form: Any) -> dict[str, Any]:
    return form if isinstance(form, dict) else TypeAdapter(form).json_schema()


def compiled(form: Any, family: SchemaFamily) -> Any:
    try:
        return compile_schema(schema_of(form), family).schema
    except SchemaCompilationError as error:
        return {"refused": str(error)}


def call_of(form: Any, sent: dict[str, Any]) -> Any:
    title = form.__name__ if isinstance(form, type) and issubclass(form, BaseModel) else ""
    return call(f"submit_{title.lower() or 'result'}", sent)
