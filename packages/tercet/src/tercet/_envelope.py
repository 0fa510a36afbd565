"""The one shape of every answer."""

from collections.abc import Iterable
from typing import Annotated, Any, Generic, Literal, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from tercet._errors import ErrorCode, ErrorDetail, ToolError
from tercet._json import to_json_text
from tercet._picture import Picture

__all__ = [
    "Envelope",
    "ResultMetadata",
    "ToolErrorResponse",
    "ToolResult",
    "ToolSuccessResponse",
    "envelope_schema",
]

T = TypeVar("T")


class ResultMetadata(BaseModel):
    """What is known about a result; at least the operation that made it."""

    model_config = ConfigDict(frozen=True, extra="allow")

    operation: str = Field(description="The tool that answered.")


class ToolResult(BaseModel, Generic[T]):
    """A result and what is known about it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    result: T
    metadata: ResultMetadata


class ToolSuccessResponse(BaseModel, Generic[T]):
    """A tool answered.

    Its JSON is `{"status": "success", "data": {"result": …, "metadata": {"operation": …}}}`.
    Pictures go beside it: they are no part of the JSON.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: Literal["success"] = "success"
    data: ToolResult[T]
    _json: str | None = PrivateAttr(default=None)
    _pictures: tuple[Picture, ...] = PrivateAttr(default=())

    @property
    def is_error(self) -> bool:
        """Always false: the tool answered."""
        return False

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """What a face shows beside the JSON."""
        return self._pictures

    def showing(self, pictures: Iterable[Picture]) -> Self:
        """Give the same answer with these pictures beside it."""
        answer = self.model_copy()
        answer._pictures = tuple(pictures)  # noqa: SLF001 -- of its own class
        return answer

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """Give the compact JSON text.

        Raises:
            ValueError: The result holds NaN or an infinity.
        """
        if self._json is None:
            # Written once: the registry measures it, and then a face sends it.
            self._json = to_json_text(self.to_dict())
        return self._json


class ToolErrorResponse(BaseModel):
    """A tool gave no answer: why, and what to do about it.

    Its JSON is `{"status": "error", "error_code": …, "message": …}`, followed by `details` and
    `hint` where there are any.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: Literal["error"] = "error"
    error_code: ErrorCode
    message: str
    details: tuple[ErrorDetail, ...] = ()
    hint: str | None = None

    @classmethod
    def of(cls, error: ToolError) -> "ToolErrorResponse":
        """Say in an envelope what an error says."""
        return cls(
            error_code=error.code, message=error.message, details=error.details, hint=error.hint
        )

    @property
    def is_error(self) -> bool:
        """Always true: the tool gave no answer."""
        return True

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form, without the optional parts that are empty."""
        answer: dict[str, Any] = {
            "status": self.status,
            "error_code": self.error_code.value,
            "message": self.message,
        }
        if self.details:
            answer["details"] = [detail.to_dict() for detail in self.details]
        if self.hint:
            answer["hint"] = self.hint
        return answer

    def to_json(self) -> str:
        """Give the compact JSON text."""
        return to_json_text(self.to_dict())


Envelope: TypeAlias = Annotated[
    ToolSuccessResponse[Any] | ToolErrorResponse, Field(discriminator="status")
]
"""What every call answers: a success or an error, told apart by `status`."""


def envelope_schema(result_schema: dict[str, Any]) -> dict[str, Any]:
    """Give the JSON Schema of the envelope around a result of the given schema.

    A flat object with no alternatives at the root, since several clients refuse those.
    """
    return {
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["success", "error"]},
            "data": {
                "type": "object",
                "properties": {
                    "result": result_schema,
                    "metadata": {
                        "type": "object",
                        "properties": {"operation": {"type": "string"}},
                        "required": ["operation"],
                    },
                },
                "required": ["result", "metadata"],
                "additionalProperties": False,
            },
            "error_code": {"type": "string", "enum": [code.value for code in ErrorCode]},
            "message": {"type": "string"},
            "details": {"type": "array", "items": {"type": "object"}},
            "hint": {"type": "string"},
        },
        "required": ["status"],
        "additionalProperties": False,
    }
