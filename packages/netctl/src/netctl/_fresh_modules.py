"""Imports packages again whose files have changed: all of them, or none."""

import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

__all__ = ["FreshModules"]

_Stamp = tuple[int, int, int]
_OWN = __name__.partition(".")[0]


class FreshModules:
    """Knows what the files of packages were like when they were imported."""

    def __init__(self) -> None:
        self._stamps: dict[str, _Stamp | None] = {}

    @contextmanager
    def imported_again(self, names: Iterable[str]) -> Generator[None, None, None]:
        """Have packages whose files have changed imported again, by a block.

        If the block raises, the modules are those that they were before.

        Args:
            names: Modules; what has changed is looked for in the packages that they are in.
        """
        roots = {root for name in names for root in _roots_of(name)}
        changed = sorted(root for root in roots if any(map(self._has_changed, _modules_of(root))))
        former = {name: sys.modules[name] for root in changed for name in _modules_of(root)}
        stamps = dict(self._stamps)
        _forget(changed)
        for name in former:
            self._stamps.pop(name, None)
        try:
            yield
        except BaseException:
            _forget(changed)
            sys.modules.update(former)
            for root in changed:
                _hang_up(root)
            self._stamps = stamps
            raise

    def note(self, names: Iterable[str]) -> None:
        """Note what files are like now of which modules were just imported.

        Args:
            names: Modules; those of the packages that they are in are noted, too.
        """
        for root in {root for name in names for root in _roots_of(name)}:
            for name in _modules_of(root):
                self._stamps.setdefault(name, _stamp_of(sys.modules[name]))

    def _has_changed(self, name: str) -> bool:
        """Whether a module's file is another one than when it was seen first."""
        known = self._stamps.get(name)
        return known is not None and known != _stamp_of(sys.modules[name])


def _roots_of(name: str) -> Iterator[str]:
    """The package that a module is in, or that it is, if it is there; never this one."""
    module = sys.modules.get(name)
    if module is None or name.partition(".")[0] == _OWN:
        return
    yield name if hasattr(module, "__path__") else name.rpartition(".")[0] or name


def _modules_of(root: str) -> list[str]:
    return [name for name in sys.modules if name == root or name.startswith(f"{root}.")]


def _stamp_of(module: ModuleType) -> _Stamp | None:
    """What tells a file from what it was before; None: there is none."""
    file = getattr(module, "__file__", None)
    if file is None:
        return None
    try:
        found = Path(file).stat()
    except OSError:
        return (0, 0, 0)
    return found.st_ino, found.st_mtime_ns, found.st_size


def _forget(roots: Iterable[str]) -> None:
    """Have packages imported again when they are imported next."""
    for root in roots:
        for name in _modules_of(root):
            del sys.modules[name]
        parent, _, below = root.rpartition(".")
        if hasattr(sys.modules.get(parent), below):
            delattr(sys.modules[parent], below)


def _hang_up(root: str) -> None:
    """Have a package found under the one that it is in, as an import does."""
    parent, _, below = root.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], below, sys.modules[root])
