"""What a caller must be allowed: to look, to change, to decide on changes, to stop them all."""

__all__ = ["ADMIN", "OPERATE", "READ", "WRITE"]

READ = ("network",)
WRITE = ("network", "network:write")
OPERATE = ("network", "network:operate")
ADMIN = ("network", "network:admin")
