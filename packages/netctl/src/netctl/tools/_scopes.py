"""What a caller must be allowed: to look, to change, and to decide on changes."""

__all__ = ["OPERATE", "READ", "WRITE"]

READ = ("network",)
WRITE = ("network", "network:write")
OPERATE = ("network", "network:operate")
