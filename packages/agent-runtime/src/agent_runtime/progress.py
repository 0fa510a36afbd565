"""A progress bar for a batch. Needs the extra `agent-runtime[progress]`."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from agent_runtime import OnProgress, Progress

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(
    description: str = "Extracting", *, console: Console | None = None
) -> Generator[OnProgress, None, None]:
    """Show how far a batch is, until the block is left.

    Items that the journal had are done at once. Where the output is no terminal, only the last
    state is written.

    Args:
        description: What stands before the bar.
        console: Where it is shown; None: on the standard error stream.

    Example:
        ```python
        with progress_bar("Reading reports") as shown:
            outcomes = await extract_many(agent, reports, until_tool_success=T, on_progress=shown)
        ```
    """
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("[red]{task.fields[failed]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console or Console(stderr=True)) as bar:
        # How many there are is told with the first outcome.
        task = bar.add_task(description, total=None, failed="")

        def shown(progress: Progress) -> None:
            failed = f"{progress.failed} failed" if progress.failed else ""
            bar.update(task, completed=progress.done, total=progress.total, failed=failed)

        yield shown
