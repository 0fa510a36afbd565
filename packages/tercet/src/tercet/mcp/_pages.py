"""The pages of a listing."""

from mcp import MCPError
from mcp.types import INVALID_PARAMS, PaginatedRequestParams

__all__ = ["page_of"]


def page_of(
    names: list[str], params: PaginatedRequestParams | None, page_size: int
) -> tuple[list[str], str | None]:
    # The cursor is the last name that was given, so that it survives changes of the list.
    cursor = params.cursor if params else None
    if cursor is not None and not cursor.startswith("after:"):
        raise MCPError(code=INVALID_PARAMS, message="Invalid cursor")
    after = "" if cursor is None else cursor.removeprefix("after:")
    left = sorted(name for name in names if name > after)
    page = left[:page_size]
    return page, f"after:{page[-1]}" if len(left) > page_size else None
