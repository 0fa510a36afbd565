"""The bar of a batch."""

from io import StringIO

import pytest
from clerk import Clerk
from rich.console import Console

from agent_runtime.progress import progress_bar

pytestmark = pytest.mark.anyio


async def test_a_bar_shows_how_many_are_done_and_how_many_failed() -> None:
    screen = StringIO()
    with progress_bar("Reading [x]", console=Console(file=screen, width=80)) as shown:
        await Clerk().visits(["Ada", "broken", "Bo"], on_progress=shown)

    last = screen.getvalue().splitlines()[-1]
    assert "Reading [x]" in last
    assert "3/3" in last
    assert "1 failed" in last


async def test_a_batch_of_nothing_and_one_that_stops_leave_no_bar_behind() -> None:
    screen = StringIO()
    console = Console(file=screen, width=80, force_terminal=True)
    with progress_bar(console=console) as shown:
        await Clerk().visits([], on_progress=shown)
    with pytest.raises(KeyError), progress_bar(console=console):
        raise KeyError
    # A bar hides the cursor while it is there.
    assert screen.getvalue().count("\x1b[?25h") == screen.getvalue().count("\x1b[?25l") == 2
