"""How the demo's story looks on a terminal."""

import json
from collections.abc import Sequence
from typing import Any, cast

from langchain_core.messages import ToolMessage
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent_runtime import Event, ModelCalled, ToolFinished
from gateway._report import Check

__all__ = ["show_checks", "show_event"]

_MOST_SHOWN = 300


def show_event(event: Event, console: Console) -> None:
    """Show what the agent says and calls, and what it is answered."""
    match event:
        case ModelCalled(run=run, reply=reply):
            _show(console, f"{run:2}.", reply.text, style="bold")
            for call in reply.tool_calls:
                _show(console, "  →", f"{call['name']} {_short(call['args'])}", style="cyan")
        case ToolFinished(message=message):
            failed = message.status == "error"
            _show(console, "  ←", _answer(message), style="yellow" if failed else "green")
        case _:
            pass


def show_checks(checks: Sequence[Check], console: Console) -> None:
    """Show each figure of the report beside the equipment's own."""
    table = Table(
        "figure",
        "report",
        "equipment",
        "agrees",
        title="\nThe report, checked",
        title_justify="left",
    )
    for check in checks:
        table.add_row(
            check.name,
            _figure(check.claimed),
            _figure(check.true),
            "[green]yes[/]" if check.holds else "[red]NO[/]",
        )
    console.print(table)
    wrong = [check.name for check in checks if not check.holds]
    if wrong:
        console.print(Text(f"Not as reported: {', '.join(wrong)}.", style="red"))
    else:
        console.print(Text("Every figure of the report is true.", style="bold green"))


def _show(console: Console, mark: str, text: str, *, style: str) -> None:
    """Print a text beside its mark, with the lines that follow indented like the first."""
    row = Table.grid(padding=(0, 1))
    row.add_row(Text(mark, style=style), Text(text, style=style))
    console.print(row)


def _answer(message: ToolMessage) -> str:
    """Give an answer's gist: the result of an envelope, or the error's code and message."""
    try:
        answer: Any = json.loads(message.text)
    except ValueError:
        return _cut(message.text)
    match answer:
        case {"status": "success", "data": {"result": result}}:
            return _short(result)
        case {"error_code": code, "message": text, **more}:
            hint = f" (hint: {more['hint']})" if "hint" in more else ""
            return _cut(f"{code}: {text}{hint}")
        case _:
            return _short(answer)


def _short(value: Any) -> str:
    return _cut(json.dumps(_rounded(value), ensure_ascii=False))


def _rounded(value: Any) -> Any:
    """Keep what is worth looking at: rounded figures, readings without their circumstances."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [_rounded(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, Any]", value)
    if members.get("quality") == "good":
        return _rounded(members["value"])
    return {key: _rounded(item) for key, item in members.items() if item is not None}


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"


def _figure(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
