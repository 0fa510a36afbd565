"""Signed tokens of an identity provider: which are taken, and as whom."""

import base64
import json
import time
import warnings
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fastapi import FastAPI, Response
from httpx2 import AsyncClient
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from jwt.warnings import InsecureKeyLengthWarning
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import ValidationError

from gateway import (
    AccessSettings,
    JwtSettings,
    compose,
    create_app,
    create_token,
    listen_on,
    serving,
)
from gateway._credentials import CredentialError
from gateway._jwt import JwtTokens
from gateway._jwt_keys import IssuerKeys

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

ISSUER, AUDIENCE = "https://issuer.example.org", "https://tercet.example.org/mcp"
EDWARDS = ed25519.Ed25519PrivateKey.generate()
CURVE = ec.generate_private_key(ec.SECP256R1())
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
WEAK_RSA = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 -- the fault under test


def public(key: Any, key_id: str) -> dict[str, Any]:
    makers: list[tuple[type, Any]] = [
        (ed25519.Ed25519PrivateKey, OKPAlgorithm),
        (ec.EllipticCurvePrivateKey, ECAlgorithm),
        (rsa.RSAPrivateKey, RSAAlgorithm),
    ]
    maker = next(maker for kind, maker in makers if isinstance(key, kind))
    return {**maker.to_jwk(key.public_key(), as_dict=True), "kid": key_id, "use": "sig"}


KEYS = {
    "keys": [
        public(EDWARDS, "ed"),
        public(CURVE, "ec"),
        public(RSA, "rsa"),
        public(WEAK_RSA, "weak"),
        {"kty": "oct", "kid": "secret", "k": base64.urlsafe_b64encode(b"s" * 32).decode()},
        {"kty": "unheard of", "kid": "odd"},
    ]
}


def claims(**changes: Any) -> dict[str, Any]:
    now_s = int(time.time())
    whole = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ann",
        "iat": now_s,
        "exp": now_s + 300,
        "tenant": "north",
        "role": "operator",
        **changes,
    }
    return {name: value for name, value in whole.items() if value is not None}


def signed(key: Any = EDWARDS, key_id: str = "ed", algorithm: str = "EdDSA", **changes: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InsecureKeyLengthWarning)
        return jwt.encode(claims(**changes), key, algorithm=algorithm, headers={"kid": key_id})


@pytest.fixture
def tokens(tmp_path: Path) -> JwtTokens:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(KEYS))
    return JwtTokens(JwtSettings(issuer=ISSUER, keys=str(path)), audience=AUDIENCE)


@pytest.mark.parametrize(
    ("key", "key_id", "algorithm"),
    [(EDWARDS, "ed", "EdDSA"), (CURVE, "ec", "ES256"), (RSA, "rsa", "RS256")],
    ids=["EdDSA", "ES256", "RS256"],
)
async def test_a_token_of_the_issuer_says_who_asks(
    tokens: JwtTokens, key: Any, key_id: str, algorithm: str
) -> None:
    ann = await tokens.find(signed(key, key_id, algorithm))
    assert ann is not None
    assert (ann.tenant, ann.subject, ann.role) == ("north", "north/ann", "operator")


def forged() -> Mapping[str, str]:
    """Tokens that have to be refused, by what is wrong with them."""
    now_s = int(time.time())
    good = signed()
    head, body, signature = good.split(".")
    other = base64.urlsafe_b64encode(json.dumps(claims(sub="eve")).encode()).decode().rstrip("=")
    as_secret = EDWARDS.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    unsigned = {"alg": "none", "kid": "ed"}
    none = base64.urlsafe_b64encode(json.dumps(unsigned).encode()).decode().rstrip("=")
    return {
        "nothing": "",
        "two dots": "..",
        "no json": "a.b.c",
        "three dots": f"{good}.x",
        "too long": signed(note="x" * 10_000),
        "other claims": f"{head}.{other}.{signature}",
        "no signature": f"{head}.{body}.",
        "algorithm none": f"{none}.{body}.",
        "another key": signed(ed25519.Ed25519PrivateKey.generate()),
        "key unknown": signed(key_id="elsewhere"),
        "no key named": jwt.encode(claims(), EDWARDS, algorithm="EdDSA"),
        "public key as secret": jwt.encode(
            claims(), as_secret, algorithm="HS256", headers={"kid": "ed"}
        ),
        "a secret of the set": jwt.encode(
            claims(), b"s" * 32, algorithm="HS256", headers={"kid": "secret"}
        ),
        "algorithm not pinned": signed(RSA, "rsa", "RS512"),
        "algorithm of another key": signed(CURVE, "rsa", "ES256"),
        "weak key": signed(WEAK_RSA, "weak", "RS256"),
        "another kind": jwt.encode(
            claims(), EDWARDS, algorithm="EdDSA", headers={"kid": "ed", "typ": "dpop+jwt"}
        ),
        "another issuer": signed(iss="https://issuer.example.org.evil.example"),
        "another audience": signed(aud="https://elsewhere.example.org/mcp"),
        "no audience": signed(aud=None),
        "no subject": signed(sub=None),
        "no end": signed(exp=None),
        "over": signed(exp=now_s - 60),
        "not yet": signed(nbf=now_s + 600),
        "no tenant": signed(tenant=None),
        "a tenant that is no name": signed(tenant="north/../south"),
        "a tenant that is no text": signed(tenant=["north"]),
        "no role": signed(role=None),
        "a role that there is not": signed(role="owner"),
        "two roles": signed(role=["admin", "viewer"]),
        "a subject in two lines": signed(sub="ann\neve"),
        "a subject without end": signed(sub="a" * 1_000),
        "an empty subject": signed(sub=""),
    }


@pytest.mark.parametrize("wrong", forged())
async def test_a_token_with_a_fault_is_nobodys(tokens: JwtTokens, wrong: str) -> None:
    assert await tokens.find(forged()[wrong]) is None


async def test_clocks_may_be_a_little_apart(tokens: JwtTokens) -> None:
    now_s = int(time.time())
    assert await tokens.find(signed(exp=now_s - 2)) is not None
    assert await tokens.find(signed(nbf=now_s + 2)) is not None


async def test_claims_may_lie_deeper_and_one_of_several_roles_is_ours(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(KEYS))
    settings = JwtSettings(
        issuer=ISSUER,
        keys=str(path),
        audience="tercet",
        tenant_claim="https://example.org/tenant",
        role_claim="realm_access.roles",
    )
    deeper: dict[str, Any] = {
        "https://example.org/tenant": "south",
        "realm_access": {"roles": ["users", "viewer"]},
    }
    taken = signed(aud=["account", "tercet"], **deeper)
    found = await JwtTokens(settings, audience=AUDIENCE).find(taken)
    assert found is not None
    assert (found.tenant, found.role) == ("south", "viewer")


@pytest.mark.parametrize(
    "changes",
    [
        {"keys": "http://issuer.example.org/keys"},
        {"keys": "ftp://issuer.example.org/keys"},
        {"keys": "https://user:secret@issuer.example.org/keys"},
        {"keys": "https://"},
        {"algorithms": ["HS256"]},
        {"algorithms": ["none"]},
        {"algorithms": []},
        {"issuer": ""},
        {"leeway_s": 3600},
        {"audeince": "tercet"},
    ],
)
def test_settings_that_would_open_the_door_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        JwtSettings.model_validate({"issuer": ISSUER, "keys": "keys.json", **changes})


def test_signed_tokens_need_an_audience() -> None:
    access = AccessSettings(jwt=JwtSettings(issuer=ISSUER, keys="keys.json"))
    with pytest.raises(ValueError, match="audience"):
        access.credentials()
    assert access.named("http://127.0.0.1:8000").credentials()


@dataclass
class Provider:
    """An issuer that serves its keys, and counts who asks for them."""

    keys: Any = field(default_factory=lambda: {"keys": [public(EDWARDS, "ed")]})
    status: int = 200
    asked: int = 0
    address: str = ""

    async def answer(self) -> Response:
        self.asked += 1
        body = self.keys if isinstance(self.keys, bytes) else json.dumps(self.keys).encode()
        headers = {"location": "/elsewhere"} if self.status == 302 else {}
        return Response(body, self.status, headers, "application/json")


@asynccontextmanager
async def providing() -> AsyncGenerator[Provider]:
    provider, app = Provider(), FastAPI()
    app.add_api_route("/keys", provider.answer)
    app.add_api_route("/elsewhere", provider.answer)
    async with serving(app, listen_on("127.0.0.1", 0)) as address:
        provider.address = f"{address}/keys"
        yield provider


class Clock:
    now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


async def test_keys_are_asked_for_once_and_again_when_one_is_missing_but_not_at_will() -> None:
    async with providing() as provider:
        clock = Clock()
        keys = IssuerKeys(provider.address, clock=clock)
        assert await keys.find("ed") is not None
        assert await keys.find("ed") is not None
        # Anybody can name a key that is not there; that is not passed on to the issuer each time.
        assert [await keys.find(f"made up {n}") for n in range(5)] == [None] * 5
        assert provider.asked == 1
        provider.keys = {"keys": [public(CURVE, "new")]}
        clock.now_s += 10.0
        assert await keys.find("new") is not None
        assert await keys.find("ed") is None
        assert provider.asked == 2
        clock.now_s += 300.0
        assert await keys.find("new") is not None
        assert provider.asked == 3


@pytest.mark.parametrize(
    ("keys", "status"),
    [
        ({"keys": [public(EDWARDS, "ed")]}, 500),
        ({"keys": [public(EDWARDS, "ed")]}, 302),
        (b"<html>", 200),
        ([], 200),
        ({"keys": []}, 200),
        ({"keys": KEYS["keys"][4:]}, 200),
        (b" " * 2_000_000, 200),
    ],
    ids=["status", "redirect", "html", "list", "empty", "no public key", "too large"],
)
async def test_an_issuer_that_gives_no_keys_lets_nobody_in_and_old_keys_last_an_hour(
    keys: Any, status: int
) -> None:
    async with providing() as provider:
        good = provider.keys
        provider.keys, provider.status = keys, status
        clock = Clock()
        found = IssuerKeys(provider.address, clock=clock)
        with pytest.raises(CredentialError, match="keys of the issuer"):
            await found.find("ed")
        provider.keys, provider.status = good, 200
        clock.now_s += 10.0
        assert await found.find("ed") is not None
        provider.keys, provider.status = keys, status
        clock.now_s += 3_599.0
        assert await found.find("ed") is not None
        clock.now_s += 10.0
        with pytest.raises(CredentialError):
            await found.find("ed")


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncGenerator[tuple[str, str]]:
    """The address of a gateway that takes tokens of both kinds, and one of its own."""
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(KEYS))
    file = tmp_path / "tokens.json"
    own = create_token(file, "root", tenant="north", role="admin")
    access = AccessSettings(
        tokens=file, jwt=JwtSettings(issuer=ISSUER, keys=str(path), audience=AUDIENCE)
    )
    composition = compose()
    async with serving(create_app(composition, access), listen_on("127.0.0.1", 0)) as address:
        yield address, own
    await composition.aclose()


async def test_both_kinds_of_tokens_open_the_door_and_strangers_learn_where_to_get_one(
    gateway: tuple[str, str],
) -> None:
    address, own = gateway
    async with AsyncClient(base_url=address) as http:
        for token, status in ((own, 200), (signed(), 200), (signed(role="owner"), 401)):
            answer = await http.get("/mcp/tools", headers={"authorization": f"Bearer {token}"})
            assert answer.status_code == status
        stranger = await http.get("/mcp/tools")
        assert ISSUER in stranger.json()["detail"]
        where = stranger.headers["www-authenticate"].split('"')[1]
        assert (await http.get(where)).json()["authorization_servers"] == [ISSUER]


async def test_a_signed_token_is_a_tenant_and_a_role_like_any(gateway: tuple[str, str]) -> None:
    address, _ = gateway

    @asynccontextmanager
    async def client(token: str) -> AsyncGenerator[Client]:
        headers = {"authorization": f"Bearer {token}"}
        async with (
            AsyncClient(headers=headers) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http)) as made,
        ):
            yield made

    wave = {"expression": "sin(x1)", "dimension": 1, "max_order": 3, "name": "wave"}
    async with client(signed()) as ann:
        assert not (await ann.call_tool("parse_expression_to_mtf", wave)).is_error
        assert len((await ann.list_resources()).resources) == 1
    async with client(signed(sub="eve", tenant="south")) as eve:
        assert (await eve.list_resources()).resources == []
    async with client(signed(role="viewer")) as viewer:
        names = {each.name for each in (await viewer.list_tools()).tools}
        assert "evaluate_mtf" in names
        assert "parse_expression_to_mtf" not in names
