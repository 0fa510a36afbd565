"""Write the reference page of all tools from the tools themselves: `docs/tools.md`."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gateway import compose
from tercet import AnyTool

PAGE = Path(__file__).parent.parent / "docs/tools.md"
HEAD = """\
# The tools

Every tool that the gateway serves, as it describes itself.
This page is written by `uv run just reference` from the same declarations that the tools are called
through, and a test keeps it so.
"""


def page() -> str:
    """Give the whole page."""
    registry = compose().registry
    apps = registry.get_stats()["apps"]
    parts = [HEAD]
    for app in apps:
        parts.append(f"## {app}\n")
        parts.extend("\n".join(section(tool)) for tool in registry.list_tools_by_app(app))
    return "\n".join(parts)


def section(tool: AnyTool) -> Iterator[str]:
    """Give the section of one tool."""
    yield f"### {tool.name}\n"
    yield f"{tool.description}\n"
    yield f"Kind: {tool.kind}. Effect: {tool.effect}{', idempotent' if tool.idempotent else ''}.\n"
    properties: Mapping[str, Mapping[str, Any]] = tool.input_schema.get("properties", {})
    if properties:
        required = tool.input_schema.get("required", [])
        yield "| argument | type | what it is |"
        yield "|---|---|---|"
        for name, rules in properties.items():
            label = f"`{name}`" if name in required else f"`{name}` (optional)"
            yield f"| {label} | {_type(rules)} | {rules.get('description', '')} |"
        yield ""


def _type(rules: Mapping[str, Any]) -> str:
    kinds = rules.get("type", "any")
    names = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind != "null"]
    text = " or ".join(names)
    if "items" in rules:
        text += f" of {_type(rules['items'])}"
    if "enum" in rules:
        text = ", ".join(f"`{value}`" for value in rules["enum"] if value is not None)
    bounds = [
        f"{sign} {rules[keyword]}"
        for keyword, sign in (("minimum", "≥"), ("maximum", "≤"))
        if keyword in rules
    ]
    return ", ".join([text, *bounds])


def main() -> None:
    """Write the page, or with `--check` say whether it is as it should be."""
    if "--check" in sys.argv:
        sys.exit(
            0 if PAGE.read_text() == page() else "docs/tools.md is out of date: just reference"
        )
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
