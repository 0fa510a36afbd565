"""Pictures: what a tool shows beside its answer, and how they are kept."""

import base64
import json
from dataclasses import dataclass
from typing import Any, final

from pydantic import BaseModel, ConfigDict, Field

from tercet._errors import LimitExceededError, UnavailableError

__all__ = ["MOST_PICTURE_BYTES", "Picture", "PictureCodec", "Shown"]

MOST_PICTURE_BYTES = 1024 * 1024
"""How large a picture may be: a model sees no more in a larger one."""

_MOST_DESCRIPTION = 500
# A PNG file begins with its signature and the chunk IHDR, which begins with width and height.
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADER = b"\x00\x00\x00\rIHDR"
_SIZE_AT = len(_SIGNATURE) + len(_HEADER)


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG image and what it shows.

    Attributes:
        png: The file, at most 1 MiB.
        description: What is to be seen, in one line of at most 500 characters.

    Raises:
        LimitExceededError: The file is too large.
        ValueError: It is no PNG file, or the description no such line.
    """

    png: bytes
    description: str

    def __post_init__(self) -> None:
        if not self.png.startswith(_SIGNATURE + _HEADER) or len(self.png) < _SIZE_AT + 8:
            raise ValueError("the bytes of a picture are no PNG file")
        if len(self.png) > MOST_PICTURE_BYTES:
            raise LimitExceededError(
                f"the picture takes {len(self.png)} bytes; {MOST_PICTURE_BYTES} are allowed",
                hint="ask for a picture with fewer details",
            )
        if not self.description or len(self.description.splitlines()) > 1:
            raise ValueError("a picture is described in one line")
        if len(self.description) > _MOST_DESCRIPTION:
            raise ValueError(f"the description of a picture exceeds {_MOST_DESCRIPTION} characters")

    @property
    def width_px(self) -> int:
        """The width, in pixels."""
        return int.from_bytes(self.png[_SIZE_AT : _SIZE_AT + 4])

    @property
    def height_px(self) -> int:
        """The height, in pixels."""
        return int.from_bytes(self.png[_SIZE_AT + 4 : _SIZE_AT + 8])

    @property
    def base64(self) -> str:
        """The file as base64 text, as the faces send it."""
        return base64.b64encode(self.png).decode()


@final
class PictureCodec:
    """Keeps a picture: a line of JSON, then the file."""

    kind = "picture"
    type = Picture

    def encode(self, value: Picture) -> bytes:
        """Write the picture with its version."""
        header = {"format": self.kind, "version": 1, "description": value.description}
        return json.dumps(header).encode() + b"\n" + value.png

    def decode(self, data: bytes) -> Picture:
        """Read the picture back, exactly.

        Raises:
            UnavailableError: The bytes hold none.
        """
        line, _, png = data.partition(b"\n")
        try:
            header = json.loads(line)
            if (header["format"], header["version"]) == (self.kind, 1):
                return Picture(png, header["description"])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise _damaged() from error
        raise _damaged()

    def summarize(self, value: Picture) -> dict[str, Any]:
        """Give the size and what is to be seen."""
        return {
            "width_px": value.width_px,
            "height_px": value.height_px,
            "description": value.description,
        }

    def to_json(self, value: Picture) -> dict[str, Any]:
        """Give all of it, the file as base64."""
        return {**self.summarize(value), "mime_type": "image/png", "base64": value.base64}


class Shown(BaseModel):
    """The answer of a tool that made a picture; the picture itself goes beside it."""

    model_config = ConfigDict(frozen=True)

    ref: str = Field(description="The name of the stored picture.")
    width_px: int = Field(description="In pixels.")
    height_px: int = Field(description="In pixels.")
    description: str = Field(description="What is to be seen, in one line.")


def _damaged() -> UnavailableError:
    return UnavailableError(
        "the stored bytes are no picture, or a damaged one", hint="make the picture again"
    )
