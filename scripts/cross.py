"""Compile all kernels for a 64-bit Arm processor, where there is a compiler for it."""

import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
COMPILER = "aarch64-linux-gnu-gcc"
AARCH64 = 183
"""The machine's number in the head of an ELF file."""


def machine(library: Path) -> int:
    """The number of the machine that a library is for."""
    return struct.unpack_from("<H", library.read_bytes(), 18)[0]


def main() -> None:
    """Compile, with every warning an error, and see for what."""
    if shutil.which(COMPILER) is None:
        sys.stdout.write(f"nothing compiled: no {COMPILER} (Debian: gcc-aarch64-linux-gnu)\n")
        return
    with tempfile.TemporaryDirectory() as directory:
        script = ROOT / "packages/tpsa-core/native/build_native.py"
        options = ["--compiler", COMPILER, "--flags=-Wall -Wextra -Werror"]
        subprocess.run([sys.executable, str(script), directory, *options], check=True)
        found = machine(Path(directory) / "_native.so")
    if found != AARCH64:
        sys.exit(f"compiled for machine {found}, not {AARCH64}")
    sys.stdout.write("the kernels compile for aarch64 without a warning\n")


if __name__ == "__main__":
    main()
