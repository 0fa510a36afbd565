"""Stores of a controller's changes, approvals, audit trail and states; the default is memory."""

from netctl.stores._sqlite import SqliteStore

__all__ = ["SqliteStore"]
