"""What a caller must be allowed: to look, and to change."""

__all__ = ["READ", "WRITE"]

READ = ("network",)
WRITE = ("network", "network:write")
