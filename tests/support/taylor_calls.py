"""Calls of Taylor tools, short enough to read in a test."""

from typing import Any

from tercet import ToolErrorResponse, ToolRegistry, ToolSuccessResponse


async def do(registry: ToolRegistry, tool_name: str, /, **arguments: Any) -> Any:
    answer = await registry.call_tool(tool_name, arguments)
    assert isinstance(answer, ToolSuccessResponse), answer.message
    return answer.data.result


async def no(registry: ToolRegistry, tool_name: str, /, **arguments: Any) -> ToolErrorResponse:
    answer = await registry.call_tool(tool_name, arguments)
    assert isinstance(answer, ToolErrorResponse)
    return answer


async def parse(
    registry: ToolRegistry, expression: str, *, dimension: int = 2, order: int = 6, **more: Any
) -> str:
    made = await do(
        registry,
        "parse_expression_to_mtf",
        expression=expression,
        dimension=dimension,
        max_order=order,
        **more,
    )
    return made["ref"]


async def make_map(registry: ToolRegistry, *expressions: str, order: int = 6, **more: Any) -> str:
    made = await do(
        registry,
        "create_taylor_map",
        expressions=list(expressions),
        dimension=len(expressions),
        max_order=order,
        **more,
    )
    return made["ref"]


async def terms(registry: ToolRegistry, ref: str) -> dict[tuple[int, ...], Any]:
    page = await do(registry, "mtf_info", mtf_ref=ref, limit=200)
    return {tuple(t["exponents"]): t["coefficient"] for t in page["terms"]}
