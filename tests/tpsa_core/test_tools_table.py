"""Every tool, by every way there is to it: the same answer, whatever it is asked.

The rows are in `taylor_table`: one for each tool that a Taylor registry has.
"""

import json
import re
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from held_calls import withdrawn_at
from jsonschema import Draft202012Validator
from taylor_faces import Face, face_of_a_tenant, face_over_http, faces_of
from taylor_table import LIMITS, OBJECTS, ROWS, TWINS, lay_out, renamed, settled

from tercet import CallContext, ObjectRegistry, ToolRegistry
from tpsa_core.tools import TAYLOR_CODECS, TaylorLimits, TaylorWork, taylor_registry

pytestmark = pytest.mark.anyio

OWNER, STRANGER = CallContext(), CallContext(tenant="stranger")
SETTINGS = {TaylorLimits: LIMITS}
# Whatever is computed waits for somebody else to do it: one more point to be withdrawn at.
ALL_AWAY = TaylorWork(inline=0)
NOBODY = dict.fromkeys(TWINS, "nobody")
TOOLS = {tool.name: tool for tool in taylor_registry()}
TAKING_OBJECTS = [name for name, row in ROWS.items() if renamed(row.works, NOBODY) != row.works]
WRONG = (True, {"wrong": [1]}, "wrong")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One event loop for the module, and with it one server."""
    return "asyncio"


@pytest.fixture(scope="module")
def objects() -> ObjectRegistry:
    return ObjectRegistry(codecs=TAYLOR_CODECS)


@pytest.fixture(scope="module")
def registry(objects: ObjectRegistry) -> ToolRegistry:
    return taylor_registry(objects, limits=LIMITS)


@pytest.fixture(scope="module")
async def faces(registry: ToolRegistry) -> AsyncGenerator[dict[str, Face]]:
    async with faces_of(registry, OWNER, SETTINGS) as near, face_over_http(registry) as far:
        yield {**near, **far}


@pytest.fixture(scope="module")
async def faces_of_a_stranger(
    registry: ToolRegistry, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[dict[str, Face]]:
    tokens = tmp_path_factory.mktemp("tokens") / "tokens.json"
    async with (
        faces_of(registry, STRANGER, SETTINGS) as near,
        face_of_a_tenant(registry, STRANGER.tenant, tokens) as far,
    ):
        yield {**near, **far}


@pytest.fixture(autouse=True)
async def _laid_out(objects: ObjectRegistry) -> None:
    await lay_out(objects, OWNER)


async def listed(objects: ObjectRegistry) -> set[str]:
    return {handle.ref for handle in await objects.list(OWNER)}


def arguments_of(name: str, /, **other: Any) -> dict[str, Any]:
    """Arguments that work, with a name for what is made, so that it is the same every time."""
    named = {"name": "made"} if "name" in TOOLS[name].input_schema["properties"] else {}
    return {**named, **ROWS[name].works, **other}


def anonymous(answer: Any) -> str:
    """An answer with one name in place of every object's."""
    names = "|".join(sorted([*TWINS, "nobody"], key=len, reverse=True))
    return re.sub(rf"'(?:{names})'", "'*'", json.dumps(answer))


def takers(faces: dict[str, Face], name: str) -> dict[str, Face]:
    """The faces that take the arguments of a tool as JSON."""
    plain = ROWS[name].plain
    return {face: ask for face, ask in faces.items() if plain or face != "function"}


async def same_from(
    faces: dict[str, Face], objects: ObjectRegistry, name: str, arguments: dict[str, Any]
) -> Any:
    """The one answer that all faces give to a call; each begins with the same session."""
    answers: dict[str, Any] = {}
    for face, ask in takers(faces, name).items():
        await lay_out(objects, OWNER)
        answers[face] = settled(await ask(name, arguments))
    assert len(answers) >= 4
    expected = answers["registry"]
    assert answers == dict.fromkeys(answers, expected)
    return expected


async def test_every_tool_has_a_row() -> None:
    assert ROWS.keys() == TOOLS.keys()


@pytest.mark.parametrize("name", ROWS)
async def test_every_face_gives_the_same_result(
    faces: dict[str, Face], objects: ObjectRegistry, name: str
) -> None:
    answer = await same_from(faces, objects, name, arguments_of(name))
    assert answer["status"] == "success", answer
    kept = await listed(objects)
    # What is said of an object that was made is true, whichever face made it last.
    result = answer["data"]["result"]
    if isinstance(result, dict) and result.get("ref"):
        assert result["ref"] in kept


@pytest.mark.parametrize("name", ROWS)
async def test_every_face_refuses_an_argument_of_the_wrong_type_and_points_at_it(
    faces: dict[str, Face], objects: ObjectRegistry, name: str
) -> None:
    # A function in Python does not check what it is given; whatever calls it for others does.
    checking = {face: ask for face, ask in faces.items() if face != "function"}
    for argument, schema in TOOLS[name].input_schema["properties"].items():
        validator = Draft202012Validator(schema)
        wrong = next(value for value in WRONG if not validator.is_valid(value))
        answer = await same_from(checking, objects, name, arguments_of(name, **{argument: wrong}))
        assert answer["error_code"] == "INVALID_INPUT"
        assert {detail["pointer"].split("/")[1] for detail in answer["details"]} == {argument}
        assert await listed(objects) == OBJECTS.keys()


@pytest.mark.parametrize("name", TAKING_OBJECTS)
async def test_every_face_says_that_there_is_no_such_object(
    faces: dict[str, Face], objects: ObjectRegistry, name: str
) -> None:
    answer = await same_from(faces, objects, name, renamed(arguments_of(name), NOBODY))
    assert answer["error_code"] == "NOT_FOUND"
    assert "'nobody'" in answer["message"]
    assert await listed(objects) == OBJECTS.keys()


@pytest.mark.parametrize("name", ROWS)
async def test_no_face_shows_or_changes_what_another_tenant_keeps(
    faces_of_a_stranger: dict[str, Face], objects: ObjectRegistry, name: str
) -> None:
    asked = takers(faces_of_a_stranger, name)
    assert "http" in asked
    for ask in asked.values():
        # The choice of an algebra is not the stranger's either: it has none but its own.
        await objects.clear(STRANGER)
        answer = await ask(name, arguments_of(name))
        if name in TAKING_OBJECTS:
            assert answer["error_code"] == "NOT_FOUND"
            assert answer["hint"] == "this session holds no objects yet; make one first"
            # What is there and what never was are the same to a stranger.
            never = await ask(name, renamed(arguments_of(name), NOBODY))
            assert anonymous(answer) == anonymous(never)
        assert not any(f'"{ref}"' in json.dumps(answer) for ref in ("large_f", "large_m"))
    assert await listed(objects) == OBJECTS.keys()


@pytest.mark.parametrize("name", ROWS)
async def test_every_face_refuses_what_takes_too_much_and_nothing_else(
    faces: dict[str, Face], objects: ObjectRegistry, name: str
) -> None:
    row = ROWS[name]
    arguments = {**renamed(arguments_of(name), TWINS), **row.over}
    answer = await same_from(faces, objects, name, arguments)
    if row.limited:
        assert answer["error_code"] == "LIMIT_EXCEEDED"
        assert answer["hint"]
        assert await listed(objects) == OBJECTS.keys()
    else:
        assert answer["status"] == "success", answer


@pytest.mark.parametrize("name", ROWS)
async def test_a_call_that_is_withdrawn_anywhere_on_its_way_loses_nothing_and_keeps_nothing(
    registry: ToolRegistry, objects: ObjectRegistry, name: str
) -> None:
    before = await listed(objects)
    number = 0
    while True:
        number += 1
        held, observer = await withdrawn_at(
            registry, objects, (name, arguments_of(name)), number, [LIMITS, ALL_AWAY]
        )
        if not held:
            break
        assert observer.records[-1].error_code == "CANCELLED"
        after = await listed(objects)
        assert before <= after
        assert "made" not in after
    assert number > 1
    assert observer.records[-1].outcome == "success"
