"""Pictures that a tool drew, as pixels."""

import io
from typing import Any

import matplotlib.image
import numpy as np

from tercet import ToolRegistry, ToolSuccessResponse


async def drawn(registry: ToolRegistry, tool_name: str, **arguments: Any) -> tuple[Any, Any]:
    """The result of a tool that draws, and the pixels of its picture, `(height, width, 3)`."""
    answer = await registry.call_tool(tool_name, arguments)
    assert isinstance(answer, ToolSuccessResponse), answer.message
    (picture,) = answer.pictures
    result = answer.data.result
    assert registry.objects is not None
    pixels = np.asarray(matplotlib.image.imread(io.BytesIO(picture.png)))[:, :, :3]
    assert pixels.shape[:2] == (result["height_px"], result["width_px"])
    assert picture.description == result["description"]
    return result, pixels
