"""What proves who sends a request."""

from typing import Protocol

from gateway._identity import Identity

__all__ = ["CredentialError", "Credentials"]


class CredentialError(Exception):
    """Credentials cannot be checked now; the message says why, for the operator's eyes."""


class Credentials(Protocol):
    """One kind of bearer token."""

    async def find(self, given: str) -> Identity | None:
        """Give whose a token is; None where it is of another kind, or nobody's now.

        Raises:
            CredentialError: It cannot be told now; nobody gets in until it can.
        """
        ...
