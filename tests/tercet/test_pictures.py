"""Pictures: kept as objects, and shown beside the answer by every face that can show them."""

import base64
import json
import struct
import zlib
from typing import Annotated, Any

import pytest
from langchain_core.messages import ToolMessage
from mcp import Client
from mcp.types import BlobResourceContents, ImageContent, TextContent
from pydantic import Field

from tercet import (
    OBJECT_TOOLS,
    CallContext,
    CallLimits,
    LimitExceededError,
    ObjectRegistry,
    Picture,
    Shown,
    SqliteStore,
    ToolErrorResponse,
    ToolRegistry,
    ToolSuccessResponse,
    UnavailableError,
    program_tool,
    tool,
)
from tercet._picture import PictureCodec
from tercet.langchain import to_langchain
from tercet.mcp import serve

pytestmark = pytest.mark.anyio


def png(width: int = 2, height: int = 1, extra: int = 0) -> bytes:
    """A grey PNG file, with a comment of so many bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    rows = (b"\x00" + b"\x80" * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
        + chunk(b"tEXt", b"Comment\x00" + b"x" * extra)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


@tool(app="drawing", kind="picture", effect="write", session=True)
async def draw(
    context: CallContext,
    width: Annotated[int, Field(description="In pixels.", ge=1)] = 2,
    extra: Annotated[int, Field(description="More bytes.", ge=0)] = 0,
    name: Annotated[str | None, Field(description="A name of your own.")] = None,
) -> Shown:
    """Draw a grey line."""
    picture = Picture(png(width, extra=extra), f"a grey line of {width} pixels")
    handle = await context.save(picture, prefix="picture", name=name)
    context.show(picture)
    return Shown(ref=handle.ref, **handle.summary)


@pytest.fixture
def drawing() -> ToolRegistry:
    registry = ToolRegistry([draw, *OBJECT_TOOLS], objects=ObjectRegistry())
    registry.register_tool(program_tool(registry))
    return registry


async def result_of(registry: ToolRegistry, name: str, /, **arguments: Any) -> Any:
    answer = await registry.call_tool(name, arguments)
    assert isinstance(answer, ToolSuccessResponse), answer.message
    return answer.data.result


async def test_a_picture_is_kept_under_a_ref_and_goes_beside_the_envelope(
    drawing: ToolRegistry,
) -> None:
    answer = await drawing.call_tool("draw", {"width": 3})
    assert isinstance(answer, ToolSuccessResponse)
    assert answer.to_dict() == {
        "status": "success",
        "data": {
            "result": {
                "ref": "picture_0",
                "width_px": 3,
                "height_px": 1,
                "description": "a grey line of 3 pixels",
            },
            "metadata": {"operation": "draw"},
        },
    }
    assert [picture.png for picture in answer.pictures] == [png(3)]
    described = await result_of(drawing, "describe_object", ref="picture_0")
    assert described["kind"] == "picture"
    assert described["summary"] == {
        "width_px": 3,
        "height_px": 1,
        "description": "a grey line of 3 pixels",
    }
    part = await result_of(drawing, "read_object", ref="picture_0", pointer="/base64", limit=1000)
    assert base64.b64decode(part["value"]) == png(3)


async def test_a_kept_picture_comes_back_exactly_also_from_a_file(tmp_path: Any) -> None:
    for opened in range(2):
        objects = ObjectRegistry(SqliteStore(tmp_path / "objects.db"))
        registry = ToolRegistry([draw], objects=objects)
        if not opened:
            await registry.call_tool("draw", {"name": "mine"})
        assert await objects.get(CallContext(), "mine", Picture) == Picture(
            png(), "a grey line of 2 pixels"
        )
        await objects.aclose()


async def test_an_error_shows_no_picture_and_keeps_none(drawing: ToolRegistry) -> None:
    await result_of(drawing, "draw", name="taken")
    answer = await drawing.call_tool("draw", {"name": "taken"})
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code == "CONFLICT"
    assert (await result_of(drawing, "list_objects"))["total"] == 1


async def test_a_picture_of_more_than_a_mebibyte_is_refused(drawing: ToolRegistry) -> None:
    answer = await drawing.call_tool("draw", {"extra": 1024 * 1024})
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code == "LIMIT_EXCEEDED"
    assert "1048576 are allowed" in answer.message
    assert (await result_of(drawing, "list_objects"))["total"] == 0
    with pytest.raises(LimitExceededError):
        Picture(png(extra=1024 * 1024), "a line")


async def test_only_the_text_of_an_answer_counts_against_its_limit() -> None:
    registry = ToolRegistry([draw], objects=ObjectRegistry(), limits=CallLimits(response_bytes=300))
    answer = await registry.call_tool("draw", {"extra": 100_000})
    assert isinstance(answer, ToolSuccessResponse)
    assert answer.data.result["ref"] == "picture_0"
    assert len(answer.pictures[0].png) > 100_000


@pytest.mark.parametrize(
    ("data", "description", "message"),
    [
        (b"GIF89a", "a line", "no PNG file"),
        (png()[:20], "a line", "no PNG file"),
        (png(), "two\nlines", "one line"),
        (png(), "", "one line"),
        (png(), "x" * 501, "500 characters"),
    ],
)
async def test_what_is_no_picture_cannot_be_made_one(
    data: bytes, description: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Picture(data, description)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[1]\n" + png(),
        b'{"format":"picture","version":2,"description":"a line"}\n' + png(),
        b'{"format":"picture","version":1,"description":7}\n' + png(),
        b'{"format":"picture","version":1,"description":"a line"}\n' + png()[:9],
        b"\xff\n" + png(),
    ],
)
async def test_damaged_bytes_are_no_picture_and_say_what_to_do(data: bytes) -> None:
    with pytest.raises(UnavailableError, match="no picture") as caught:
        PictureCodec().decode(data)
    assert caught.value.hint == "make the picture again"


async def test_a_program_shows_the_pictures_of_its_steps(drawing: ToolRegistry) -> None:
    steps = [{"tool": "draw", "arguments": {"width": width}} for width in range(1, 7)]
    answer = await drawing.call_tool("run_program", {"steps": steps, "atomic": True})
    assert isinstance(answer, ToolSuccessResponse)
    # The last four; all six are kept.
    assert [picture.width_px for picture in answer.pictures] == [3, 4, 5, 6]
    assert (await result_of(drawing, "list_objects"))["total"] == 6


async def test_a_later_step_refers_to_a_picture_by_the_label_of_its_step(
    drawing: ToolRegistry,
) -> None:
    steps = [
        {"tool": "draw", "as": "line"},
        {"tool": "describe_object", "arguments": {"ref": {"$ref": "line"}}},
    ]
    result = await result_of(drawing, "run_program", steps=steps)
    assert result["result"]["kind"] == "picture"


async def test_how_many_pictures_an_answer_shows_can_be_set_to_none() -> None:
    registry = ToolRegistry(
        [draw], objects=ObjectRegistry(), limits=CallLimits(response_pictures=0)
    )
    answer = await registry.call_tool("draw", {})
    assert isinstance(answer, ToolSuccessResponse)
    assert answer.pictures == ()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_mcp_a_picture_is_image_content_after_the_text(
    drawing: ToolRegistry, mode: Any
) -> None:
    async with Client(serve(drawing), mode=mode, raise_exceptions=True) as client:
        result = await client.call_tool("draw", {"width": 5})
        text, image = result.content
        assert isinstance(text, TextContent)
        assert json.loads(text.text) == result.structured_content
        assert isinstance(image, ImageContent)
        assert image.mime_type == "image/png"
        assert base64.b64decode(image.data) == png(5)
        refused = await client.call_tool("draw", {"width": 0})
        assert refused.is_error
        assert [type(block) for block in refused.content] == [TextContent]


async def test_over_mcp_a_kept_picture_is_a_png_resource(drawing: ToolRegistry) -> None:
    await drawing.call_tool("draw", {"name": "line"})
    async with Client(serve(drawing), raise_exceptions=True) as client:
        (resource,) = (await client.list_resources()).resources
        assert resource.mime_type == "image/png"
        contents = (await client.read_resource(str(resource.uri))).contents[0]
        assert isinstance(contents, BlobResourceContents)
        assert contents.mime_type == "image/png"
        assert base64.b64decode(contents.blob) == png()


async def test_in_langchain_a_picture_is_a_standard_image_block(drawing: ToolRegistry) -> None:
    tools = {made.name: made for made in to_langchain(drawing)}
    call = {"type": "tool_call", "id": "call_1", "name": "draw", "args": {"width": 7}}
    message = await tools["draw"].ainvoke(call)
    assert isinstance(message, ToolMessage)
    text, image = message.content_blocks
    assert text["type"] == "text"
    assert json.loads(text["text"])["data"]["result"] == message.artifact
    assert image["type"] == "image"
    assert image.get("mime_type") == "image/png"
    assert base64.b64decode(image.get("base64", "")) == png(7)
