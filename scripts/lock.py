"""Resolve the workspace and write the two committed files: `uv.lock` and `requirements.txt`.

The committed `uv.lock` is registry-neutral: every package and version, no download address, so
that people behind different mirrors share it. uv reads it, keeps the versions it names, and
completes it locally; run this (`just lock`) before committing it.

`requirements.txt` pins the gateway's production set with hashes, for installs by plain pip.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "uv.lock"
REQUIREMENTS = ROOT / "requirements.txt"
HEADER = """\
# What a production install of the gateway needs beside this workspace's own packages, pinned by
# version and hash. Written by `just lock`; install with `pip install --require-hashes -r`.
"""


def neutral(lock: str) -> str:
    """Take the addresses out of a lock file, and mark it as one that uv has to complete."""
    lock = re.sub(r"^sdist = .*\n", "", lock, flags=re.MULTILINE)
    lock = re.sub(r"^wheels = \[\n(?:.*\n)*?\]\n", "", lock, flags=re.MULTILINE)
    lock = re.sub(r'source = \{ registry = "[^"]*" \}', 'source = { registry = "index" }', lock)
    # Different from what the project says: this makes uv resolve again, preferring these versions.
    return re.sub(
        r'^requires-python = ".*"$',
        'requires-python = ">=3.11, <4"',
        lock,
        count=1,
        flags=re.MULTILINE,
    )


def main() -> None:
    """Write both files."""
    subprocess.run(["uv", "lock", "--quiet"], cwd=ROOT, check=True)
    exported = subprocess.run(
        [
            *("uv", "export", "--frozen", "--package", "tercet-gateway", "--no-default-groups"),
            *("--no-emit-workspace", "--no-header", "--no-annotate", "--format=requirements.txt"),
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    REQUIREMENTS.write_text(HEADER + exported)
    LOCK.write_text(neutral(LOCK.read_text()))


if __name__ == "__main__":
    main()
