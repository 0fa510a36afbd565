"""Run the fast tests on every other CPython >= 3.11 that uv finds here."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
OLDEST = (3, 11, 0)


def others() -> dict[tuple[int, int, int], str]:
    """Find the interpreters, by version."""
    listed = subprocess.run(
        ["uv", "python", "list", "--only-installed", "--output-format", "json", "--quiet"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ).stdout
    found: dict[tuple[int, int, int], str] = {}
    for python in json.loads(listed):
        parts = python["version_parts"]
        version = (parts["major"], parts["minor"], parts["patch"])
        plain = python["implementation"] == "cpython" and python.get("variant") == "default"
        if plain and version >= OLDEST and version != sys.version_info[:3]:
            found.setdefault(version, python["path"])
    return found


def main() -> None:
    """Run them, and fail where one fails."""
    found = others()
    if not found:
        sys.stdout.write("no other CPython >= 3.11 here\n")
    for version, path in sorted(found.items()):
        sys.stdout.write(f"CPython {'.'.join(map(str, version))}\n")
        sys.stdout.flush()
        subprocess.run(
            [
                *("uv", "run", "--quiet", "--isolated", "--python", path),
                *("--no-default-groups", "--group", "test"),
                *("pytest", "-q", "-p", "no:cacheprovider"),
            ],
            check=True,
            cwd=ROOT,
            env={k: v for k, v in os.environ.items() if k != "VIRTUAL_ENV"},
        )


if __name__ == "__main__":
    main()
