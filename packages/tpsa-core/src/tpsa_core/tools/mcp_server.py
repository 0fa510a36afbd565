"""The Taylor tools as an MCP server on standard input and output.

Run with `python -m tpsa_core.tools.mcp_server`; needs `tpsa-core[tools]` and `tercet[mcp]`.
"""

from tercet import ProcessWorkers
from tercet.mcp import run_stdio, serve
from tpsa_core.tools import TAYLOR_PROMPTS, taylor_registry

__all__ = ["main"]


def main() -> None:
    """Serve one client until it closes its end."""
    workers = ProcessWorkers()
    registry = taylor_registry(runner=workers)
    run_stdio(serve(registry, name="taylor", prompts=TAYLOR_PROMPTS), workers=workers)


if __name__ == "__main__":
    main()
