"""Fakes for testing agents without a model, and assertions on what came of a run."""

from agent_runtime.testing._assertions import (
    assert_attempts,
    assert_calls_answered,
    assert_script_used_up,
)
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
    "assert_attempts",
    "assert_calls_answered",
    "assert_script_used_up",
    "call",
    "forbid_model_requests",
]
