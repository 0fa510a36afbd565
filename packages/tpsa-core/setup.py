"""Builds the optional extension with the compiled kernels; all else stands in pyproject.toml.

Where no compiler works the installation goes on without it, and numpy computes. To leave it out on
purpose, set TPSA_CORE_NATIVE=0.
"""
# ruff: noqa: INP001 - a build script stands in no package

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import Extension, setup  # pyright: ignore[reportMissingModuleSource] -- the build has it
from setuptools.command.build_ext import build_ext  # pyright: ignore[reportMissingModuleSource] -- likewise

PROJECT = Path(__file__).resolve().parent
sys.path.insert(0, str(PROJECT / "native"))

from build_native import extension_arguments  # noqa: E402 - stands beside its sources


class BuildKernels(build_ext):
    """Generates the kernels, and compiles the files of the extension side by side."""

    def build_extension(self, ext: Extension) -> None:
        """Build it; what fails here setuptools reports, and goes on."""
        for name, value in extension_arguments(PROJECT, Path(self.build_temp)).items():
            setattr(ext, name, value)
        compile_all = self.compiler.compile

        def compile_each(sources: list[str], **options: Any) -> list[str]:
            def compile_one(source: str) -> list[str]:
                return compile_all([source], **options)

            with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
                return [name for part in workers.map(compile_one, sources) for name in part]

        self.compiler.compile = compile_each
        super().build_extension(ext)  # pyright: ignore[reportUnknownMemberType] -- typed by no stub


wanted = os.environ.get("TPSA_CORE_NATIVE", "1") != "0"
extensions = [Extension("tpsa_core._native", sources=[], optional=True)] if wanted else []
# Not in the project: what an earlier build has left there would get into the next wheel.
with TemporaryDirectory() as build_base:
    setup(
        ext_modules=extensions,
        cmdclass={"build_ext": BuildKernels},
        options={"build": {"build_base": build_base}},
    )
