"""A new app from an inventory: the files of a folder that works as it is, with its own test."""

from netctl.scaffold._folder import folder_name, new_app

__all__ = ["folder_name", "new_app"]
