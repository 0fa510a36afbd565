"""A gateway in this process: as an application, and as a server on a free loopback port."""

import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from guarded_gateway import Guarded, guarding
from httpx2 import ASGITransport, AsyncClient
from operators_town import Town

from gateway import Composition, _reloading, compose, create_app, listen_on, serving


@pytest.fixture
async def composition() -> AsyncGenerator[Composition]:
    made = compose()
    yield made
    await made.aclose()


@pytest.fixture
async def http(composition: Composition) -> AsyncGenerator[AsyncClient]:
    """A client of the application itself, with its lifespan running and no socket."""
    app = create_app(composition)
    async with app.router.lifespan_context(app):
        transport = ASGITransport(app=app)
        async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            yield client


@pytest.fixture
async def address(composition: Composition) -> AsyncGenerator[str]:
    """The base URL of a server on a free loopback port."""
    async with serving(create_app(composition), listen_on("127.0.0.1", 0)) as url:
        yield url


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncGenerator[Guarded]:
    async with guarding(tmp_path / "tokens.json") as made:
        yield made


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(_reloading, "_PERIOD_S", 0.01)
    for module in [name for name in sys.modules if name.startswith(("street_app", "lane_app"))]:
        monkeypatch.delitem(sys.modules, module)
    return Town(tmp_path)
