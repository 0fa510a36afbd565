"""Nodes written in Python: each measures, takes commands, and is known to live by its heartbeat."""

from netctl.nodes._hub import NodeHub
from netctl.nodes._link import NodeGoneError, NodeLink, NodeRequest
from netctl.nodes._node import NetworkNode

__all__ = ["NetworkNode", "NodeGoneError", "NodeHub", "NodeLink", "NodeRequest"]
