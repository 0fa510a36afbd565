"""A program that asks a gateway for all that its OpenAPI document says, by schemathesis.

The gateway and the tool are in one process, without a socket. It is not the process of the tests:
the tool changes Hypothesis there for good, whose failing examples would no longer be shown.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.engine import events, from_schema
from schemathesis.python.asgi import shutdown_lifespans

from gateway import AccessSettings, TenantLimits, compose, create_app, create_token

LEFT_OUT = [
    {
        # `GET` of this path is there: it lists the tools of an app that is named "call". So `Allow`
        # names it, while the document has that operation under its own path, with a parameter.
        "include-name": "POST /mcp/tools/call",
        "checks": {"allow_header_conformance": {"enabled": False}},
    },
    {
        # The document says what a message of the protocol is. The SDK's transport, which reads it,
        # also takes some that are none, such as an error with `true` for its code; what a server
        # has to refuse is for the protocol's own suites to say.
        "include-name": ["POST /mcp", "POST /mcp/"],
        "checks": {"negative_data_rejection": {"enabled": False}},
    },
]


def check(examples: int, tokens: Path | None) -> dict[str, Any]:
    """Exercise every operation, with data that fits and data that does not.

    Args:
        examples: How many requests are made up for each operation, beside those at every edge.
        tokens: The token file of a gateway that asks for tokens; None: one that is open.

    Returns:
        `document`; `faults`, where the gateway does otherwise than it says, with how to see it;
        `statuses` that were answered, by operation.
    """
    access, authorization = None, dict[str, str]()
    settings: dict[str, Any] = {
        "base-url": "http://127.0.0.1",
        "workers": 1,
        "continue-on-failure": True,
        "request-timeout": 20,
        # A stream of events has no end of its own.
        "max-stream-events": 2,
        "warnings": False,
        "generation": {"max-examples": examples, "deterministic": True, "database": "none"},
        "operations": LEFT_OUT,
    }
    if tokens is not None:
        token = create_token(tokens, "root", tenant="lab", role="admin")
        settings["auth"] = {"openapi": {"bearerToken": {"bearer": token}}}
        authorization["authorization"] = f"Bearer {token}"
        # Each request counts as a call, and here is one caller for all of them.
        limits = TenantLimits(calls_per_minute=1_000_000)
        access = AccessSettings(tokens=tokens, limits=limits)
    app = create_app(compose(), access)
    schema = schemathesis.openapi.from_asgi(
        "/openapi.json",
        app,
        config=schemathesis.Config.from_dict(settings),
        headers={"host": "127.0.0.1", **authorization},
    )
    faults: list[str] = []
    statuses: dict[str, set[int]] = {}
    for event in from_schema(schema).execute():
        match event:
            case events.ScenarioFinished():
                faults += _faults(event)
                seen = statuses.setdefault(event.recorder.label, set())
                for interaction in event.recorder.interactions.values():
                    if interaction.response is not None:
                        seen.add(int(interaction.response.status_code))
            case events.NonFatalError():
                faults.append(f"{event.label}: {event.value}")
            case events.FatalError():
                raise event.exception
            case _:
                pass
    return {
        "document": app.openapi(),
        "faults": faults,
        "statuses": {label: sorted(seen) for label, seen in statuses.items()},
    }


def _faults(scenario: events.ScenarioFinished) -> Iterator[str]:
    for checks in scenario.recorder.checks.values():
        for result in checks:
            if result.failure_info is not None:
                failure = result.failure_info.failure
                yield (
                    f"{scenario.recorder.label}: {result.name}: {failure.title}\n"
                    f"{failure.message}\n{result.failure_info.code_sample}"
                )


def main(arguments: list[str]) -> None:
    """Write what came out into a file."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("findings", type=Path)
    parser.add_argument("examples", type=int)
    parser.add_argument("--tokens", type=Path)
    asked = parser.parse_args(arguments)
    try:
        findings = check(asked.examples, asked.tokens)
    finally:
        shutdown_lifespans()
    asked.findings.write_text(json.dumps(findings), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
