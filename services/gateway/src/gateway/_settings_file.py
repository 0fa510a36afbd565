"""The settings file `tercet.toml`: each setting is an option of the command line as well."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from gateway._access import AccessSettings, base_url
from gateway._jwt import JwtSettings
from gateway._settings import (
    NetworkSettings,
    SessionSettings,
    TaskSettings,
    TaylorSettings,
    WorkerSettings,
)
from gateway._tenant_limits import TenantLimits
from gateway._trace_settings import TraceSettings

__all__ = [
    "CONFIG_VARIABLE",
    "GatewaySettings",
    "SettingsError",
    "faults_of",
    "read_settings",
    "setting_names",
    "variable_of",
]

CONFIG_VARIABLE: Final = "TERCET_CONFIG"
_PREFIX = "TERCET_"
_MOST_BYTES = 1 << 20


class SettingsError(Exception):
    """Settings cannot be used; the message lists every fault, and what to do."""


class GatewaySettings(BaseModel):
    """All settings; those of a settings file have paths relative to its folder."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    store: Path | None = None
    tokens: Path | None = None
    public_url: Annotated[str, AfterValidator(base_url)] | None = None
    network: NetworkSettings = NetworkSettings()
    taylor: TaylorSettings = TaylorSettings()
    workers: WorkerSettings = WorkerSettings()
    session: SessionSettings = SessionSettings()
    task: TaskSettings = TaskSettings()
    tenant: TenantLimits = TenantLimits()
    jwt: JwtSettings = JwtSettings()
    trace: TraceSettings = TraceSettings()

    def access(self) -> AccessSettings:
        """Give those of them that say who may ask."""
        return AccessSettings(
            tokens=self.tokens, jwt=self.jwt, public_url=self.public_url, limits=self.tenant
        )

    def given(self, folder: Path) -> Iterator[tuple[str, Any]]:
        """The settings that were given, such as `network.store`, each with its value.

        Args:
            folder: Where relative paths begin.
        """
        for name, value in _leaves(self):
            if isinstance(value, Path) or (name == "jwt.keys" and "://" not in value):
                yield name, folder / value
            elif isinstance(value, tuple):
                # As an option and a variable have it.
                yield name, ",".join(cast("tuple[str, ...]", value))
            else:
                yield name, value


@dataclass(frozen=True, slots=True)
class SettingFault:
    """One fault: which setting, what is wrong with it, and what was given."""

    name: str
    problem: str

    def __str__(self) -> str:
        return f"{self.name}: {self.problem}"


def setting_names() -> list[str]:
    """The names of all settings, such as `port` and `network.store`."""
    names: list[str] = []
    for name, field in GatewaySettings.model_fields.items():
        part = field.annotation
        if isinstance(part, type) and issubclass(part, BaseModel):
            names += [f"{name}.{inner}" for inner in part.model_fields]
        else:
            names.append(name)
    return names


def variable_of(name: str) -> str:
    """The environment variable of a setting: `TERCET_NETWORK_STORE` for `network.store`."""
    return _PREFIX + name.replace(".", "_").upper()


def read_settings(path: Path) -> GatewaySettings:
    """Read a settings file.

    Raises:
        SettingsError: It cannot be read, or has faults; all of them are listed.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise SettingsError(f"{path}: this is no settings file, it has more than a MiB")
        found = tomllib.loads(text.decode())
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path} is no TOML: {error}") from error
    try:
        # As JSON, in which strict models take a path from a string but no number from one.
        return GatewaySettings.model_validate_json(json.dumps(found, default=str))
    except ValidationError as error:
        listed = "".join(f"\n  {fault}" for fault in faults_of(error))
        raise SettingsError(f"{path} has settings that cannot be used:{listed}") from error


def faults_of(error: ValidationError) -> list[SettingFault]:
    """Put the faults that a model found into the words of a settings file."""
    known = setting_names()
    faults: list[SettingFault] = []
    for fault in error.errors():
        name = ".".join(map(str, fault["loc"]))
        if fault["type"] == "extra_forbidden":
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            faults.append(SettingFault(name, f"there is no such setting; {hint}"))
            continue
        problem = fault["msg"].removeprefix("Value error, ")
        faults.append(SettingFault(name, f"{problem[:1].lower()}{problem[1:]}{_got(fault)}"))
    return faults


def _got(fault: Mapping[str, Any]) -> str:
    if fault["type"] == "value_error":
        return ""
    return f", got {json.dumps(fault['input'], default=str)[:80]}"


def _leaves(model: BaseModel, within: str = "") -> Iterator[tuple[str, Any]]:
    for name in model.model_fields_set:
        value: Any = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{within}{name}.")
        else:
            yield within + name, value
