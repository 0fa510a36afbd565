"""Run fast tests on the other minor versions of CPython >= 3.11 that uv finds here."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
OLDEST = (3, 11, 0)
# Laws are tried at length where the coverage is counted; here a few cases show that they hold too.
PROFILE = "brief"
# What looks at the sources and at documents, or runs on Node, learns nothing of another Python.
THE_SAME_EVERYWHERE = (
    "tests/conformance",
    "tests/gateway/test_openapi.py",
    "tests/house",
    "tests/soak",
)
# What is near the interpreter: compiled code, processes, annotations. It is enough for the versions
# between the oldest, on which everything runs, and the newest.
NEAR_IT = ("tests/tercet", "tests/tpsa_core/native")


def others() -> dict[tuple[int, int, int], str]:
    """Find the interpreters, by version: the oldest of each minor version but this one's."""
    listed = subprocess.run(
        ["uv", "python", "list", "--only-installed", "--output-format", "json"],
        check=False,
        capture_output=True,  # it warns of interpreters that do not run
        text=True,
        cwd=ROOT,
    )
    if listed.returncode:
        sys.exit(listed.stderr)
    found: dict[tuple[int, int, int], str] = {}
    known = {sys.version_info[:2]}
    for python in sorted(json.loads(listed.stdout), key=_version):
        version = _version(python)
        plain = python["implementation"] == "cpython" and python.get("variant") == "default"
        if plain and version >= OLDEST and version[:2] not in known:
            known.add(version[:2])
            found[version] = python["path"]
    return found


def _version(python: dict[str, Any]) -> tuple[int, int, int]:
    parts = python["version_parts"]
    return parts["major"], parts["minor"], parts["patch"]


def run(path: str, tests: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Run tests on one interpreter, in an environment of its own."""
    return subprocess.run(
        [
            *("uv", "run", "--quiet", "--isolated", "--python", path),
            *("--no-default-groups", "--group", "test"),
            *("pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile"),
            *tests,
        ],
        check=False,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
        | {"HYPOTHESIS_PROFILE": PROFILE},
    )


def main() -> None:
    """Run them one after the other, and fail where one fails."""
    found = sorted(others().items())
    if not found:
        sys.stdout.write("no other minor version of CPython >= 3.11 here\n")
    failed = False
    for version, path in found:
        newest = version == found[-1][0]
        done = run(path, [f"--ignore={p}" for p in THE_SAME_EVERYWHERE] if newest else NEAR_IT)
        failed |= done.returncode != 0
        last = done.stdout if done.returncode else done.stdout.splitlines()[-1]
        sys.stdout.write(f"CPython {'.'.join(map(str, version))}: {last}\n")
        sys.stdout.flush()
    sys.exit(failed)


if __name__ == "__main__":
    main()
