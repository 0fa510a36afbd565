"""Builds the extension `tpsa_core._native`: for `setup.py`, and directly for tests and sanitizers.

    python build_native.py DIRECTORY [--compiler CC] [--few] [--flags "-O1 -fsanitize=address"]

generates the kernels, compiles everything and leaves `DIRECTORY/_native.so`. Files that have not
changed are not compiled anew.
"""
# ruff: noqa: INP001 - a build script stands in no package

import argparse
import importlib.util
import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

NATIVE = Path(__file__).resolve().parent
SOURCES = NATIVE / "src"
# Few kernels compile in seconds; what is past them takes the path of rows, and so is tested, too.
FEW_KERNELS = {1: 6, 2: 4, 3: 3, 4: 2}
# -O2 rather than Python's -O3: the kernels are straight lines already, and grow without gain.
# Multiplications and additions may be fused where the processor can.
FLAGS = ("-O2", "-std=gnu11", "-fwrapv", "-ffp-contract=fast", "-fvisibility=hidden")


def _load(name: str) -> ModuleType:
    """A module that stands beside this file and in no package."""
    path = NATIVE / f"{name}.py"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:  # pragma: no cover
        raise ImportError(f"there is no {path.name}")
    module = sys.modules[name] = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def _generator() -> ModuleType:
    """The generator, which imports the one that it is loaded after."""
    _load("generate_windows")
    return _load("generate_kernels")


def generate(directory: Path, highest_order: Mapping[int, int] | None = None) -> None:
    """Write the generated sources into a directory."""
    generator = _generator()
    generator.generate(directory, highest_order or generator.HIGHEST_ORDER)


def extension_arguments(project: Path, build_directory: Path) -> dict[str, object]:
    """Generate the kernels, and say how to build the extension.

    The extension is optional: where no compiler works, the installation goes on without it.

    Args:
        project: The directory of `setup.py`; sources are named relative to it.
        build_directory: Where generated sources go.

    Returns:
        The attributes of a `setuptools.Extension`.
    """
    generated = build_directory / "native-generated"
    generate(generated)
    headers = [*SOURCES.glob("*.h"), *SOURCES.glob("*.inc"), *generated.iterdir()]
    return {
        "name": "tpsa_core._native",
        "sources": [str(path.relative_to(project)) for path in sorted(SOURCES.glob("*.c"))],
        "include_dirs": [str(generated), str(SOURCES.relative_to(project))],
        "depends": [str(path) for path in sorted(headers)],
        "extra_compile_args": [*FLAGS, "-g0"],
        "libraries": ["m"],
        "optional": True,
    }


def compile_module(
    directory: Path,
    *,
    compiler: str | None = None,
    flags: Sequence[str] = (),
    highest_order: Mapping[int, int] | None = None,
) -> Path:
    """Compile the extension without setuptools.

    Args:
        directory: Where objects and the module go.
        compiler: The compiler's command; the one that Python was built with, if None.
        flags: More flags, after the usual ones, for compiling and linking.
        highest_order: The kernels to generate, by number of variables; all, if None.

    Returns:
        The path of the module.

    Raises:
        subprocess.CalledProcessError: If the compiler refuses a file.
    """
    generated = directory / "generated"
    generate(generated, highest_order)
    command = shlex.split(compiler or sysconfig.get_config_var("CC") or "cc")
    includes = [f"-I{path}" for path in (generated, sysconfig.get_paths()["include"])]
    headers = [*SOURCES.glob("*.h"), *SOURCES.glob("*.inc"), *generated.iterdir()]
    newest = max(path.stat().st_mtime for path in headers)

    def compile_one(source: Path) -> str:
        target = directory / f"{source.stem}.o"
        latest = max(newest, source.stat().st_mtime)
        if not target.exists() or target.stat().st_mtime < latest:
            options = [*FLAGS, "-fPIC", *includes, *flags]
            subprocess.run([*command, *options, "-c", str(source), "-o", str(target)], check=True)  # noqa: S603 - the compiler that the caller names
        return str(target)

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        objects = list(workers.map(compile_one, sorted(SOURCES.glob("*.c"))))
    module = directory / "_native.so"
    link = ["-shared", *flags, *objects, "-lm", "-o", str(module)]
    subprocess.run([*command, *link], check=True)  # noqa: S603 - the compiler that the caller names
    return module


def main(arguments: Sequence[str]) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Build the extension tpsa_core._native.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--compiler", help="the compiler's command")
    parser.add_argument("--flags", default="", help="more flags, as in a shell")
    parser.add_argument("--few", action="store_true", help="few kernels, as tests use them")
    options = parser.parse_args(arguments)
    compile_module(
        options.directory,
        compiler=options.compiler,
        flags=shlex.split(options.flags),
        highest_order=FEW_KERNELS if options.few else None,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
