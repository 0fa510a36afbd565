"""The command `tercet config`, and how the other commands come to the settings of a file."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table

from gateway._settings_file import (
    CONFIG_VARIABLE,
    GatewaySettings,
    SettingsError,
    faults_of,
    read_settings,
    setting_names,
    variable_of,
)
from gateway._tokens import TokenFileError, read_tokens

__all__ = ["config_app", "defaults_of", "settings_path"]

_USUAL = Path("tercet.toml")
_NO_SETTINGS = {CONFIG_VARIABLE, "TERCET_TOKEN"}

config_app = typer.Typer(
    name="config", help="Check the settings of file and environment.", no_args_is_help=True
)


def settings_path(given: Path | None) -> Path | None:
    """The settings file: the one that was named, else `tercet.toml` if this folder has one."""
    if given is not None:
        return given
    return _USUAL if _USUAL.is_file() else None


def defaults_of(command: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What options of a command and of those below it default to, by the option's name.

    Args:
        command: A command of the command line, or a group of them.
        settings: Values, by the environment variable of each setting.
    """
    found: dict[str, Any] = {
        parameter.name: settings[parameter.envvar]
        for parameter in command.params
        if isinstance(parameter.envvar, str) and parameter.envvar in settings
    }
    for name, below in getattr(command, "commands", {}).items():
        found[name] = defaults_of(below, settings)
    return found


@config_app.command()
def check(context: typer.Context) -> None:
    """Print each setting, its value and where it comes from; the exit code is 2 for any fault.

    Options of the command line come before the environment, and that before the file.
    """
    path = settings_path(context.find_root().params.get("config"))
    file = {} if path is None else dict(read_settings(path).given(path.absolute().parent))
    given = {
        name: os.environ[variable_of(name)]
        for name in setting_names()
        if os.environ.get(variable_of(name))
    }
    faults = [*_unknown_variables(), *_environment_faults(given)]
    tokens = given.get("tokens", file.get("tokens"))
    if tokens is not None:
        try:
            read_tokens(Path(tokens))
        except TokenFileError as error:
            faults.append(str(error))
    if faults:
        raise SettingsError("settings that cannot be used:" + "".join(f"\n  {x}" for x in faults))
    table = Table(box=None, pad_edge=False)
    for column in ("setting", "value", "from"):
        table.add_column(column, overflow="fold")
    for name, default in _defaults():
        value, source = default, "default"
        if name in file:
            value, source = file[name], str(path)
        if name in given:
            value, source = given[name], variable_of(name)
        table.add_row(name, "" if value is None else str(value), source)
    Console().print(table, markup=False)


def _defaults() -> Iterator[tuple[str, Any]]:
    settings = GatewaySettings()
    for name in setting_names():
        value: Any = settings
        for part in name.split("."):
            value = getattr(value, part)
        yield name, value


def _environment_faults(given: Mapping[str, str]) -> Iterator[str]:
    nested: dict[str, Any] = {}
    for name, text in given.items():
        section, _, inner = name.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[inner] = text
    try:
        GatewaySettings.model_validate_strings(nested, strict=False)
    except ValidationError as error:
        for fault in faults_of(error):
            yield f"{variable_of(fault.name)}: {fault.problem}"


def _unknown_variables() -> Iterator[str]:
    known = {variable_of(name) for name in setting_names()} | _NO_SETTINGS
    for name in sorted(os.environ):
        if name.startswith("TERCET_") and name not in known:
            yield f"{name}: there is no such setting"
