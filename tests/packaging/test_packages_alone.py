"""Each package, built, installed alone with plain pip into an empty environment, and imported."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]
FOREIGN = ("mcp", "fastapi", "langchain_core", "anyio", "pydantic")


def run(*command: str | Path, cwd: Path = ROOT, native: bool = False) -> str:
    # Compiling the kernels takes long: only where a test is about them.
    environment = {**os.environ, "TPSA_CORE_NATIVE": "1" if native else "0"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def importable(python: Path, *names: str) -> list[str]:
    program = f"""
import importlib.util, json
print(json.dumps([n for n in {names!r} if importlib.util.find_spec(n)]))
"""
    return json.loads(run(python, "-c", program))


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    run("uv", "build", "--all-packages", "--wheel", "--quiet", "--out-dir", folder)
    return folder


@pytest.fixture
def python(tmp_path: Path) -> Path:
    venv.create(tmp_path / "venv", with_pip=True)
    return tmp_path / "venv/bin/python"


def test_every_member_builds_a_wheel_that_carries_its_types(wheels: Path) -> None:
    names = sorted(path.name.split("-")[0] for path in wheels.glob("*.whl"))
    assert names == ["agent_runtime", "netctl", "tercet", "tercet_gateway", "tpsa_core"]
    for wheel in wheels.glob("*.whl"):
        listed = run(sys.executable, "-m", "zipfile", "-l", wheel)
        assert "py.typed" in listed, wheel.name


@pytest.mark.parametrize(
    ("folder", "module", "absent"),
    [
        ("packages/tpsa-core", "tpsa_core", FOREIGN),
        ("packages/netctl", "netctl", ("mcp", "fastapi", "langchain_core", "tercet")),
        ("packages/agent-runtime", "agent_runtime", ("mcp", "fastapi", "tercet")),
        ("packages/tercet", "tercet", ("mcp", "fastapi", "langchain_core", "numpy")),
    ],
)
def test_a_library_installs_from_its_folder_and_imports_alone(
    python: Path, folder: str, module: str, absent: tuple[str, ...]
) -> None:
    run(python, "-m", "pip", "install", "--quiet", ROOT / folder)
    run(python, "-W", "error", "-c", f"import {module}")
    assert importable(python, module, *absent) == [module]


@pytest.mark.parametrize(
    ("compiler", "backend"), [("/bin/false", "numpy"), (None, "native")], ids=["none", "usual"]
)
def test_the_taylor_algebra_installs_with_and_without_a_compiler(
    python: Path, monkeypatch: pytest.MonkeyPatch, compiler: str | None, backend: str
) -> None:
    if compiler:
        monkeypatch.setenv("CC", compiler)
    elif not shutil.which("cc"):
        pytest.skip("there is no C compiler here")
    install = (python, "-m", "pip", "install", "--quiet", "--no-cache-dir")
    run(*install, ROOT / "packages/tpsa-core", native=True)
    program = "import tpsa_core; print(tpsa_core.backend())"
    assert run(python, "-W", "error", "-c", program, cwd=python.parent) == f"{backend}\n"


@pytest.mark.parametrize(
    ("folder", "extra", "module"),
    [
        ("packages/tpsa-core", "tools", "tpsa_core.tools"),
        ("packages/netctl", "tools", "netctl.tools"),
        ("packages/agent-runtime", "tools,mcp", "agent_runtime.mcp"),
        ("packages/tercet", "mcp,langchain", "tercet.mcp"),
    ],
)
def test_the_tools_come_with_their_extra(
    python: Path, folder: str, extra: str, module: str
) -> None:
    tercet = [] if folder.endswith("/tercet") else [ROOT / "packages/tercet"]
    run(python, "-m", "pip", "install", "--quiet", *tercet, f"{ROOT / folder}[{extra}]")
    run(python, "-W", "error", "-c", f"import {module}")


def test_the_gateway_installs_from_the_wheels_and_the_pinned_requirements(
    python: Path, wheels: Path
) -> None:
    install = (python, "-m", "pip", "install", "--quiet")
    run(*install, "--require-hashes", "-r", ROOT / "requirements.txt")
    run(*install, "--no-deps", *wheels.glob("*.whl"))
    listed = run(python.parent / "tercet", "tools", cwd=python.parent)
    assert "parse_expression_to_mtf" in listed
    assert "NetworkApp1_set_gain" in listed


def test_a_sync_in_a_clean_clone_gives_the_locked_versions(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: there is nothing to clone")
    clone = tmp_path / "clone"
    run("git", "clone", "--quiet", ROOT, clone)
    locked: dict[str, set[str]] = {}
    for package in tomllib.loads((clone / "uv.lock").read_text())["package"]:
        # One that differs by Python version stands there more than once.
        locked.setdefault(package["name"], set()).add(package["version"])
    run("uv", "sync", "--quiet", "--directory", clone)
    python = clone / ".venv/bin/python"
    frozen = run("uv", "pip", "freeze", "--python", python)
    installed = dict(re.findall(r"^([a-z0-9.-]+)==(\S+)$", frozen, re.MULTILINE))
    assert len(installed) > 50
    different = {
        name: (version, locked[name])
        for name, version in installed.items()
        if version not in locked[name]
    }
    assert not different
