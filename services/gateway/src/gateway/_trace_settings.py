"""Where traces go, if they go anywhere."""

from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from gateway._tracing import Tracing

__all__ = ["TraceSettings", "TracingError"]


class TracingError(Exception):
    """Traces cannot be sent; the message says why and what to do."""


def _collector(given: str) -> str:
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise ValueError(
            f"{given[:80]!r} is no address of a collector; give one such as http://127.0.0.1:4318"
        )
    return given.rstrip("/")


class TraceSettings(BaseModel):
    """The settings of traces."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    endpoint: Annotated[str, AfterValidator(_collector)] | None = Field(
        default=None,
        description="The base address of a collector that takes OTLP over HTTP; None: no traces.",
    )
    share: float = Field(
        default=1.0, ge=0.0, le=1.0, description="Which part of the traces begun here is sent."
    )

    def tracing(self) -> "Tracing | None":
        """Give what makes traces and sends them; None where they go nowhere.

        Raises:
            TracingError: What it takes is not installed.
        """
        if self.endpoint is None:
            return None
        try:
            from gateway._tracing import sending_to  # noqa: PLC0415 -- of the extra
        except ImportError as error:
            raise TracingError(
                f"traces need the extra tercet-gateway[otel]: {error.name} is not installed"
            ) from error
        return sending_to(self.endpoint, share=self.share)
