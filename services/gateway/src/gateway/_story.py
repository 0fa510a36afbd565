"""The demo's story, as a script that reacts to what the tools answer.

It stands where a language model would: each step reads the answers so far and decides on the next
call. No figure is written down here but the wanted power and the gain that is too high.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

__all__ = ["APP", "NODE_ID", "PROMPT", "Story"]

APP = "NetworkApp1"
NODE_ID = 8
_TOO_HIGH_DB = 30.0
_ORDER = 10

PROMPT = (
    "Bring the output power of node {node_id}, at the line's end, to {wanted_dbm:g} dBm. "
    "Find the limits first, compute the gain that is needed, try it dry, set it, read back, "
    "and submit a report."
)


class StoryError(Exception):
    """The story cannot go on: a step was refused that has to succeed."""


@dataclass(slots=True)
class Story:
    """Gives a scripted model's replies, one step after another.

    Attributes:
        wanted_dbm: The power wanted at the line's end, in dBm.
        answers: The envelope of each step so far, by the step's name.
    """

    wanted_dbm: float
    answers: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    _asked: str | None = None

    def script(self) -> list[Callable[[Sequence[BaseMessage]], AIMessage]]:
        """Give the steps as entries of a `ScriptedModel`."""
        steps = (
            self._start,
            self._measure,
            self._ask_too_much,
            self._model,
            self._map,
            self._invert,
            self._evaluate,
            self._try_dry,
            self._set,
            self._read_back,
            self._submit,
        )
        return [self._entry(step) for step in steps]

    def _entry(
        self, step: Callable[[], tuple[str, str, dict[str, Any]]]
    ) -> Callable[[Sequence[BaseMessage]], AIMessage]:
        def reply(messages: Sequence[BaseMessage]) -> AIMessage:
            last = messages[-1]
            if self._asked is not None and isinstance(last, ToolMessage):
                self.answers[self._asked] = _envelope(last)
            thought, tool, arguments = step()
            self._asked = step.__name__.removeprefix("_")
            call = {"name": tool, "args": arguments, "id": f"call_{len(messages)}"}
            return AIMessage(thought, tool_calls=[{**call, "type": "tool_call"}])

        return reply

    def _result(self, step: str) -> Any:
        answer = self.answers[step]
        if answer["status"] != "success":
            raise StoryError(f"step {step!r} was not possible: {answer['message']}")
        return answer["data"]["result"]

    def _power_model(self) -> Any:
        # An operation inside the app's loop answers its result beside the id of the request.
        return self._result("model")["result"]

    def _reading(self, step: str, metric: str) -> float:
        return float(self._result(step)["measurements"][metric]["value"])

    def _start(self) -> tuple[str, str, dict[str, Any]]:
        return "Start the app.", f"{APP}_set_state", {"state": "running"}

    def _measure(self) -> tuple[str, str, dict[str, Any]]:
        return "Where does the line stand?", f"{APP}_get_measurements", {"node_id": NODE_ID}

    def _ask_too_much(self) -> tuple[str, str, dict[str, Any]]:
        return (
            f"How far can I go? Ask for {_TOO_HIGH_DB:g} dB.",
            f"{APP}_set_gain",
            self._gain(_TOO_HIGH_DB),
        )

    def _model(self) -> tuple[str, str, dict[str, Any]]:
        refused = self.answers["ask_too_much"]
        return (
            f"Refused, because {refused['message']}. Compute instead: how does the power answer?",
            f"{APP}_power_model",
            {"node_id": NODE_ID},
        )

    def _map(self) -> tuple[str, str, dict[str, Any]]:
        return (
            "Make a Taylor map of output power against gain, around the operating point.",
            "create_taylor_map",
            {
                "expressions": [self._power_model()["expression"]],
                "dimension": 1,
                "max_order": _ORDER,
            },
        )

    def _invert(self) -> tuple[str, str, dict[str, Any]]:
        return (
            "Invert it: gain against output power.",
            "invert_taylor_map",
            {"map_ref": self._result("map")["ref"]},
        )

    def _evaluate(self) -> tuple[str, str, dict[str, Any]]:
        change_db = self.wanted_dbm - float(self._power_model()["output_power_dbm"])
        return (
            f"The power has to change by {change_db:+.3f} dB. Which change of gain gives that?",
            "evaluate_taylor_map",
            {"map_ref": self._result("invert")["ref"], "point": [change_db]},
        )

    def _try_dry(self) -> tuple[str, str, dict[str, Any]]:
        return (
            f"So a gain of {self._wanted_gain_db():.3f} dB. Try it dry.",
            f"{APP}_set_gain",
            {**self._gain(self._wanted_gain_db()), "dry_run": True},
        )

    def _set(self) -> tuple[str, str, dict[str, Any]]:
        planned = self._result("try_dry")
        return (
            f"The plan is {planned['before']:g} dB → {planned['after']:g} dB. Set it.",
            f"{APP}_set_gain",
            self._gain(self._wanted_gain_db()),
        )

    def _read_back(self) -> tuple[str, str, dict[str, Any]]:
        return "Read back.", f"{APP}_get_measurements", {"node_id": NODE_ID}

    def _submit(self) -> tuple[str, str, dict[str, Any]]:
        return (
            "Done. Report.",
            "submit_report",
            {
                "node_id": NODE_ID,
                "wanted_dbm": self.wanted_dbm,
                "power_before_dbm": self._reading("measure", "output_power_dbm"),
                "gain_before_db": self._reading("measure", "booster_gain_db"),
                "refused_gain_db": _TOO_HIGH_DB,
                "refusal": self.answers["ask_too_much"]["message"],
                "gain_set_db": self._reading("read_back", "booster_gain_db"),
                "power_after_dbm": self._reading("read_back", "output_power_dbm"),
            },
        )

    def _wanted_gain_db(self) -> float:
        operating_gain_db = float(self._power_model()["operating_gain_db"])
        return operating_gain_db + float(self._result("evaluate")[0])

    def _gain(self, gain_db: float) -> dict[str, Any]:
        return {"node_id": NODE_ID, "amp_type": "booster", "target_gain": gain_db}


def _envelope(message: ToolMessage) -> Mapping[str, Any]:
    """Read an answer; what was refused before it was sent is prose and no envelope."""
    try:
        return json.loads(message.text)
    except ValueError:
        return {"status": "error", "message": message.text}
