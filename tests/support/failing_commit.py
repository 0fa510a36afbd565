"""A database whose transactions cannot be ended, as on a disk that fails at that moment."""

import sqlite3
from typing import Any

from typing_extensions import override


class FailingCommit(sqlite3.Connection):
    """Refuses as many commits as `left` says, and leaves their transactions open."""

    left = 0

    @override
    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql == "COMMIT" and FailingCommit.left:
            FailingCommit.left -= 1
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *parameters)
