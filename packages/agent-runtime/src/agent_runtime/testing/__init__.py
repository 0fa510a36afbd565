"""Fakes for testing agents without a model."""

from agent_runtime.testing._cassette import CassetteError, CassetteMissError
from agent_runtime.testing._cassette_models import RecordingModel, ReplayModel
from agent_runtime.testing._guard import ModelRequestForbiddenError, forbid_model_requests
from agent_runtime.testing._script import Entry, Reply, ScriptedCall, call
from agent_runtime.testing._scripted_model import (
    ModelRequest,
    ScriptedModel,
    ScriptExhaustedError,
)

__all__ = [
    "CassetteError",
    "CassetteMissError",
    "Entry",
    "ModelRequest",
    "ModelRequestForbiddenError",
    "RecordingModel",
    "ReplayModel",
    "Reply",
    "ScriptExhaustedError",
    "ScriptedCall",
    "ScriptedModel",
    "call",
    "forbid_model_requests",
]
