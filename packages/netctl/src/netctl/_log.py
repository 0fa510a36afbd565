"""Structured logs into the standard library's logging: nothing is printed that nobody asked for."""

import logging

import structlog
from structlog.typing import FilteringBoundLogger

__all__ = ["get_logger", "listens"]


def get_logger(name: str) -> FilteringBoundLogger:
    """A logger that the program configures, through structlog, and that never prints by itself.

    Unconfigured, structlog writes to standard output, which may carry a protocol.
    """
    logger: FilteringBoundLogger = structlog.wrap_logger(logging.getLogger(name))
    return logger


def listens(name: str) -> bool:
    """Whether anybody hears what a logger says of the ordinary course of things.

    What nobody hears need not be put into words: each command would pay for it.
    """
    return logging.getLogger(name).isEnabledFor(logging.INFO)
