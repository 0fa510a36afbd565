"""The names of a new app: what it is called as an app, a class, a module and a package."""

import re
import zlib
from dataclasses import dataclass

from netctl._errors import ScaffoldError

__all__ = ["AppNames", "names_of"]

_APP_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,46}")
_FIRST_ID, _IDS = 1000, 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AppNames:
    """What a new app is called.

    Attributes:
        app: Its name, as given: the first part of its tools' names.
        module: The package that it is imported as; it ends with `_app`, so that no app hides a
            module of Python's own.
        package: The same for installers, with dashes; also the name of its folder.
        type: The name of its class.
        app_id: Its number, which follows from the name.
    """

    app: str
    module: str
    package: str
    type: str
    app_id: int


def names_of(app: str) -> AppNames:
    """The names that follow from an app's name.

    Raises:
        ScaffoldError: If it is no app name.
    """
    if not _APP_NAME.fullmatch(app):
        raise ScaffoldError(
            f"{app!r} is no app name",
            hint="use up to 47 letters of a to z, digits, '_' and '-', a letter first",
        )
    parts = [part for part in re.split(r"[_-]+", app) if part]
    module = "_".join(parts).lower()
    module = module if module.endswith("_app") else f"{module}_app"
    return AppNames(
        app=app,
        module=module,
        package=module.replace("_", "-"),
        type=_type_name(parts),
        # The same name gives the same number; two apps of one controller hardly ever share it.
        app_id=_FIRST_ID + zlib.crc32(app.encode()) % _IDS,
    )


def _type_name(parts: list[str]) -> str:
    name = "".join(part[0].upper() + part[1:] for part in parts)
    name = name if name.endswith("App") else f"{name}App"
    # The class that it derives from has this name.
    return "OwnNetworkApp" if name == "NetworkApp" else name
