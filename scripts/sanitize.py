"""Build the compiled kernels with the address and undefined-behaviour sanitizers, and test them."""

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
FLAGS = (
    "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
)


def runtime(compiler: str) -> str:
    """The address sanitizer's library, which has to be loaded before Python is."""
    found = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
    ).stdout.strip()
    # A compiler that has none repeats the name.
    return found if Path(found).is_absolute() else ""


def main() -> None:
    """Build, test, and pass on what the tests say."""
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")[0]
    try:
        library = runtime(compiler)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stdout.write(f"no kernels to sanitize: {error}\n")
        return
    if not library:
        sys.stdout.write(f"{compiler} has no sanitizers here\n")
        return
    with tempfile.TemporaryDirectory() as directory:
        script = ROOT / "packages/tpsa-core/native/build_native.py"
        build = [sys.executable, str(script), directory, "--few", f"--flags={FLAGS}"]
        subprocess.run(build, check=True)
        environment = {
            **os.environ,
            # Python itself keeps memory until it ends.
            "ASAN_OPTIONS": "detect_leaks=0",
            "LD_PRELOAD": library,
            "PYTHONMALLOC": "malloc",
            "TPSA_NATIVE_MODULE": str(Path(directory) / "_native.so"),
        }
        tests = ("-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "tests/tpsa_core/native")
        done = subprocess.run([sys.executable, *tests], check=False, cwd=ROOT, env=environment)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
