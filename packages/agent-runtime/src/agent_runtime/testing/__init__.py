"""Fakes for testing agents without a model."""

from agent_runtime.testing._guard import ModelRequestForbiddenError, forbid_model_requests
from agent_runtime.testing._script import Entry, Reply, ScriptedCall, call
from agent_runtime.testing._scripted_model import (
    ModelRequest,
    ScriptedModel,
    ScriptExhaustedError,
)

__all__ = [
    "Entry",
    "ModelRequest",
    "ModelRequestForbiddenError",
    "Reply",
    "ScriptExhaustedError",
    "ScriptedCall",
    "ScriptedModel",
    "call",
    "forbid_model_requests",
]
