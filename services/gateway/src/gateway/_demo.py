"""The command `tercet demo`: the whole of Tercet in one story, offline."""

from collections.abc import Sequence
from typing import Any

from langchain_core.tools import BaseTool, ToolException, tool
from rich.console import Console
from rich.text import Text

from agent_runtime import Agent, ExtractError, extract
from agent_runtime.mcp import mcp_tools
from agent_runtime.testing import ScriptedModel
from gateway._app import create_app
from gateway._compose import compose
from gateway._demo_view import show_checks, show_event
from gateway._report import TOLERANCE_DB, PowerReport, check_report
from gateway._serving import listen_on, serving
from gateway._story import NODE_ID, PROMPT, Story

__all__ = ["run_demo"]


async def run_demo(wanted_dbm: float, console: Console) -> int:
    """Run the story over real HTTP, check its report, and give the exit code.

    0 only where every figure of the report agrees with the simulator's own state and the power is
    the wanted one; 1 otherwise.
    """
    composition = compose()
    before = composition.line.state()
    listener = listen_on("127.0.0.1", 0)
    async with serving(create_app(composition), listener) as address:
        console.print(Text(f"The gateway serves {address}/mcp, and an agent connects to it."))
        console.print(Text(f"{_prompt(wanted_dbm)}\n", style="italic"))
        try:
            async with mcp_tools(f"{address}/mcp") as tools:
                report = await _run_agent(wanted_dbm, tools, console)
        except ExtractError as error:
            console.print(Text(f"The agent did not finish: {error}", style="red"))
            return 1
        checks = check_report(
            report,
            wanted_dbm=wanted_dbm,
            before=before,
            after=composition.line.state(),
            audited=[record.outcome for record in composition.controller.audit.records],
        )
    await composition.aclose()
    show_checks(checks, console)
    return 0 if all(check.holds for check in checks) else 1


async def _run_agent(wanted_dbm: float, tools: Sequence[BaseTool], console: Console) -> PowerReport:
    script = Story(wanted_dbm=wanted_dbm).script()
    agent = Agent(
        model=ScriptedModel(script),
        tools=[*tools, _submit_report()],
        system_prompt="You operate an optical line. Compute before you change anything.",
    )
    result = await extract(
        agent,
        _prompt(wanted_dbm),
        until_tool_success="submit_report",
        max_runs=len(script),
        callbacks=[lambda event: show_event(event, console)],
    )
    return result.value


def _prompt(wanted_dbm: float) -> str:
    return PROMPT.format(node_id=NODE_ID, wanted_dbm=wanted_dbm)


def _submit_report() -> BaseTool:
    @tool("submit_report", args_schema=PowerReport, response_format="content_and_artifact")
    def submit_report(**figures: Any) -> tuple[str, PowerReport]:
        """Submit the report of what was done. Refused while the power is not the wanted one."""
        report = PowerReport.model_validate(figures)
        deviation_db = report.power_after_dbm - report.wanted_dbm
        if abs(deviation_db) > TOLERANCE_DB:
            raise ToolException(
                f"power_after_dbm is {deviation_db:+.3f} dB off the wanted power; correct the gain "
                f"until it is within {TOLERANCE_DB} dB, then submit again"
            )
        return "The report is accepted.", report

    return submit_report
