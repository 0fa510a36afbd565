"""Stores of a controller's changes, approvals, audit trail and states; the default is memory."""

from netctl.stores._sqlite import SqliteStore
from netctl.stores._sqlite_audit import AuditFile, TrailCheck

__all__ = ["AuditFile", "SqliteStore", "TrailCheck"]
