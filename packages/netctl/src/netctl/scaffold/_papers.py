"""What stands beside the code of a new app: its project file and its page for people."""

import re

from netctl._inventory import Node
from netctl.scaffold._content import AppContent
from netctl.scaffold._names import AppNames

__all__ = ["project_file", "readme"]

_MOST_NODES = 50

_PROJECT = """\
[project]
name = "{package}"
version = "0.1.0"
description = "The network app {app}."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["netctl"]

[project.entry-points."netctl.apps"]
"{app}" = "{module}:{type}"

[build-system]
requires = ["uv_build>=0.9,<0.14"]
build-backend = "uv_build"

[tool.uv.build-backend]
module-name = "{module}"

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]

[tool.ruff]
line-length = 100
target-version = "py311"
src = ["src"]

[tool.ruff.lint]
select = ["B", "E", "F", "I", "RUF", "UP"]
"""

_README = """\
# {app}

A network app of `netctl`, number {app_id}. Its inventory is `src/{module}/inventory.toml`; its
class, `{type}`, and the ranges that it keeps to are in `src/{module}/app.py`.

```sh
python -m pytest    # on the simulated plant of the inventory
```

`{module}.simulated_controller()` is a controller of that plant with the app in it. On equipment
of your own, give an instance to `Controller.add`; the controller needs to know
`{module}.app.COMMANDS`. Installed, the app is found under the entry point `netctl.apps`.

| node | name | kind | read | set |
|---|---|---|---|---|
{rows}
"""


def project_file(names: AppNames) -> str:
    """The project file, with the entry point and the settings of the tools."""
    return _PROJECT.format(
        app=names.app, module=names.module, package=names.package, type=names.type
    )


def readme(names: AppNames, content: AppContent) -> str:
    """The page for people."""
    control = content.control
    rows = [_row(node, control.get(node.node_id, ())) for node in content.nodes[:_MOST_NODES]]
    left_out = len(content.nodes) - len(rows)
    if left_out:
        rows.append(f"| … | {left_out} more | | | |")
    return _README.format(
        app=names.app,
        app_id=names.app_id,
        module=names.module,
        type=names.type,
        rows="\n".join(rows),
    )


def _row(node: Node, commands: tuple[str, ...]) -> str:
    read = ", ".join(f"`{metric}`" for metric in node.metrics)
    sent = ", ".join(f"`{command}`" for command in commands)
    return f"| {node.node_id} | {_plain(node.name)} | {node.kind} | {read} | {sent} |"


def _plain(text: str) -> str:
    """A name as one cell of a table: whatever Markdown or HTML would read in it is text."""
    return re.sub(r"([\\`*_{}\[\]<>()#+\-.!|&~])", r"\\\1", " ".join(text.split()))
