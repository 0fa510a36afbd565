"""Class methods of apps, which are given the app's instance where there is one."""

from typing import Any, cast

__all__ = ["give_instances"]


class _InstanceFirst(classmethod):  # pyright: ignore[reportMissingTypeArgument] -- any function
    """A class method that, reached through an instance, is given the instance.

    Apps used to keep their state in their class. Given the instance as `cls`, the same code keeps
    it there, and several controllers fit in one process.
    """

    def __get__(self, instance: Any, owner: type | None = None, /) -> Any:
        return cast("Any", self).__func__.__get__(owner if instance is None else instance)


def give_instances(cls: type, *, below: type) -> None:
    """Make the class methods that a class has, below another one, give their instances."""
    for parent in reversed(cls.__mro__):
        if parent is below or not issubclass(parent, below):
            continue
        for name, member in tuple(vars(parent).items()):
            if isinstance(member, classmethod):
                setattr(cls, name, _InstanceFirst(cast("Any", member).__func__))
