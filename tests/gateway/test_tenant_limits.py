"""What one tenant may ask for: bounded, told when to come back, and no affair of the others."""

from pathlib import Path

import anyio
import pytest
from guarded_gateway import guarding

from gateway import AccessSettings, TenantLimits
from gateway._tenant_limits import TenantGate, TooMuchError

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


async def refused(gate: TenantGate, tenant: str) -> int:
    with pytest.raises(TooMuchError) as caught:
        async with gate.call(tenant):
            raise AssertionError("it was let in")
    return caught.value.retry_after_s


async def test_calls_are_counted_by_the_minute_and_by_the_tenant() -> None:
    clock = Clock()
    gate = TenantGate(TenantLimits(calls_per_minute=6), clock=clock)
    for _ in range(6):
        async with gate.call("north"):
            pass
    assert await refused(gate, "north") == 10
    async with gate.call("south"):
        pass
    clock.now_s = 9.0
    assert await refused(gate, "north") == 1
    clock.now_s = 10.0
    async with gate.call("north"):
        pass
    assert await refused(gate, "north") == 10


async def test_rest_earns_a_minute_of_calls_and_no_more() -> None:
    clock = Clock()
    gate = TenantGate(TenantLimits(calls_per_minute=3), clock=clock)
    clock.now_s = 1e6
    for _ in range(3):
        async with gate.call("north"):
            pass
    assert await refused(gate, "north") == 20


async def test_calls_at_once_wait_in_order_and_then_no_more_do() -> None:
    gate = TenantGate(TenantLimits(calls_at_once=1, calls_waiting=2))
    order: list[int] = []
    free = anyio.Event()

    async def hold() -> None:
        async with gate.call("north"):
            await free.wait()

    async def wait(number: int) -> None:
        async with gate.call("north"):
            order.append(number)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(hold)
        await anyio.wait_all_tasks_blocked()
        for number in (1, 2):
            tasks.start_soon(wait, number)
            await anyio.wait_all_tasks_blocked()
        assert await refused(gate, "north") == 5
        async with gate.call("south"):
            pass
        free.set()
    assert order == [1, 2]
    async with gate.call("north"):
        pass


async def test_a_wait_ends() -> None:
    gate = TenantGate(TenantLimits(calls_at_once=1, wait_s=0.01))
    async with gate.call("north"):
        assert await refused(gate, "north") == 1
        assert await refused(gate, "north") == 1
    async with gate.call("north"):
        pass


async def test_who_gives_up_waiting_takes_no_place() -> None:
    gate = TenantGate(TenantLimits(calls_at_once=1, calls_waiting=1))
    async with gate.call("north"), anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(refused, gate, "north")
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()
    async with gate.call("north"):
        pass


async def test_a_call_that_fails_gives_its_place_back() -> None:
    gate = TenantGate(TenantLimits(calls_at_once=1, wait_s=0.0))
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            async with gate.call("north"):
                raise ZeroDivisionError
    async with gate.call("north"):
        pass


def test_streams_are_counted_by_the_tenant() -> None:
    gate = TenantGate(TenantLimits(streams=1), clock=Clock())
    with gate.stream("north"):
        with gate.stream("south"):
            pass
        with pytest.raises(TooMuchError, match="end one first"), gate.stream("north"):
            pass
    with gate.stream("north"):
        pass


async def test_over_http_too_much_is_429_and_says_when_to_come_back(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    access = AccessSettings(tokens=tokens, limits=TenantLimits(calls_per_minute=2, streams=1))
    async with guarding(tokens, access) as guarded:
        guarded.token("other", "viewer", tenant="south")
        async with guarded.rest("root") as http:
            for _ in range(2):
                assert (await http.get("/apps")).status_code == 200
            answer = await http.get("/apps")
        async with guarded.rest("other") as http:
            assert (await http.get("/apps")).status_code == 200
        async with guarded.rest() as http:
            # A stranger costs nobody anything, and the health is nobody's.
            assert (await http.get("/health")).status_code == 200
    assert answer.status_code == 429
    # One call in 30 s, less what has passed meanwhile.
    wait_s = int(answer.headers["retry-after"])
    assert 1 <= wait_s <= 30
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "LIMIT_EXCEEDED"
    assert answer.json()["detail"] == (
        f"this tenant may make 2 calls a minute; try again in {wait_s} s"
    )


async def test_over_http_a_tenant_has_so_many_streams(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    access = AccessSettings(tokens=tokens, limits=TenantLimits(streams=1))
    async with guarding(tokens, access) as guarded:
        guarded.token("other", "viewer", tenant="south")
        async with guarded.rest("root") as http, http.stream("GET", "/mcp/sse") as reply:
            # Held: a reader that is let go of closes its stream.
            lines = reply.aiter_lines()
            assert "connected" in await anext(lines)
            assert (await http.get("/mcp/sse")).status_code == 429
            accept = {"accept": "text/event-stream"}
            assert (await http.get("/mcp", headers=accept)).status_code == 429
            # Streams take no place of calls.
            assert (await http.get("/apps")).status_code == 200
            async with guarded.rest("other") as south, south.stream("GET", "/mcp/sse") as heard:
                assert heard.status_code == 200
            del lines
