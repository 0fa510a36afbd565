"""Standards that a reviewer would otherwise have to repeat."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "tercet": ROOT / "packages/tercet",
    "tpsa_core": ROOT / "packages/tpsa-core",
    "netctl": ROOT / "packages/netctl",
    "agent_runtime": ROOT / "packages/agent-runtime",
    "gateway": ROOT / "services/gateway",
}
MOST_LINES = 400


def python_files() -> Iterator[Path]:
    for folder in ("packages", "services", "tests", "examples", "scripts", "benchmarks"):
        yield from (ROOT / folder).rglob("*.py")


def public_modules() -> Iterator[ModuleType]:
    for name, folder in PACKAGES.items():
        package = importlib.import_module(name)
        yield package
        for found in pkgutil.walk_packages([str(folder / "src" / name)], f"{name}."):
            if not any(part.startswith("_") for part in found.name.split(".")[1:]):
                yield importlib.import_module(found.name)


@pytest.mark.parametrize("module", list(public_modules()), ids=lambda module: module.__name__)
def test_what_a_module_exports_exists_and_is_described(module: ModuleType) -> None:
    exported: list[str] = module.__all__
    assert len(exported) == len(set(exported))
    assert module.__doc__
    for name in exported:
        assert hasattr(module, name), name


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in python_files()
        if "src" in path.parts and (count := len(path.read_text().splitlines())) > MOST_LINES
    }
    assert not long


def test_no_library_prints() -> None:
    printing = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in PACKAGES.values()
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert not printing


def test_no_input_reaches_an_evaluator() -> None:
    forbidden = {"eval", "exec", "compile", "sympify", "parse_expr", "__import__"}
    modules = {"pickle", "marshal", "shelve", "subprocess", "dill"}
    found: list[str] = []
    for folder in PACKAGES.values():
        for path in (folder / "src").rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                where = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
                match node:
                    case ast.Call(func=ast.Name(id=name)) if name in forbidden:
                        found.append(f"{where} calls {name}")
                    case ast.Import(names=names):
                        found += [f"{where} imports {n.name}" for n in names if n.name in modules]
                    case ast.ImportFrom(module=name) if name in modules:
                        found.append(f"{where} imports {name}")
                    case _:
                        pass
    assert not found


def test_every_suppression_says_why() -> None:
    bare = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in python_files()
        if path != Path(__file__)
        for lines in [path.read_text().splitlines()]
        for number, line in enumerate(lines, 1)
        if re.search(r"# (noqa|type: ignore|pyright: ignore)", line)
        # The reason stands on the line, or is the comment right above it.
        and not re.search(r"(noqa|ignore).* --? \w", line)
        and not re.search(r"(noqa|ignore)[^#]*#\s*\w", line)
        and not lines[number - 2].strip().startswith("#")
    ]
    assert not bare


def test_decisions_are_numbered_once() -> None:
    numbers = [path.name[:4] for path in sorted((ROOT / "docs/adr").glob("[0-9]*.md"))]
    assert numbers == [f"{n:04}" for n in range(1, len(numbers) + 1)]


def test_members_ask_for_the_same_python_and_licence() -> None:
    for folder in (*PACKAGES.values(), ROOT):
        project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
        assert project["requires-python"] == ">=3.11"
        assert (project.get("license", "Apache-2.0")) == "Apache-2.0"


def test_every_block_of_the_readme_runs_somewhere() -> None:
    text = (ROOT / "README.md").read_text()
    ci = (ROOT / ".ci/run").read_text()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert {language for language, _ in blocks} <= {"python", "sh", "text", "json"}
    for language, block in blocks:
        if language == "sh":
            for command in block.splitlines():
                assert command in ci, f"{command!r} is in the README and not in .ci/run"


def test_the_readme_shows_what_its_example_prints() -> None:
    text = (ROOT / "README.md").read_text()
    program, shown = re.findall(
        r"^```python\n(.*?)^```\n\nprints\n\n```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    )[0]
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert printed == shown


def test_the_reference_page_is_that_of_the_tools() -> None:
    subprocess.run([sys.executable, "scripts/reference.py", "--check"], cwd=ROOT, check=True)


def test_the_committed_lock_names_no_address() -> None:
    committed = subprocess.run(
        ["git", "show", "HEAD:uv.lock"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if committed.returncode:
        pytest.skip("not a git checkout: there is no committed lock to look at")
    assert "://" not in committed.stdout
    assert "://" not in (ROOT / "requirements.txt").read_text()


def test_the_requirements_are_those_of_the_lock(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "uv.lock", "README.md"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for folder in ("packages", "services"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    exported = subprocess.run(
        [
            *("uv", "export", "--frozen", "--offline", "--package", "tercet-gateway"),
            *("--no-default-groups", "--no-emit-workspace", "--no-header", "--no-annotate"),
            *("--no-hashes", "--quiet"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    committed = (ROOT / "requirements.txt").read_text()
    pins = [
        line.removesuffix(" \\").rstrip()
        for line in committed.splitlines()
        if line and line[0] not in " #"
    ]
    assert pins == exported.splitlines()
    hashed = re.findall(
        r"^\S+==.*\\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", committed, re.MULTILINE
    )
    assert len(hashed) == len(pins)
