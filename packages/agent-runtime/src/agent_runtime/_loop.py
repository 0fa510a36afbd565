"""The loop: budget, bind, call, classify, execute, verdict.

One pass is one model reply. Every way that a pass can go either continues with something said to
the model, or ends the run by a result or a typed error; there is no third.
"""

from typing import Any

from langchain_core.exceptions import ModelRefusalError
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage

from agent_runtime import _failures as failures
from agent_runtime import _feedback as feedback
from agent_runtime._agent import ChatModel
from agent_runtime._calls import Turn, classify
from agent_runtime._events import ModelCalled, Nudged
from agent_runtime._hooks import after_model, before_model
from agent_runtime._ledger import refusal
from agent_runtime._prose import with_submission
from agent_runtime._result import ExtractResult, result_of
from agent_runtime._round import execute_round
from agent_runtime._run import Run


async def run_to_target(run: Run) -> ExtractResult[Any]:
    """Run until a submission is accepted.

    Raises:
        ExtractError: If it ends otherwise; the subclass says how.
    """
    while True:
        if kind := run.budget.spent(run.ledger):
            raise failures.out_of_budget(run, kind)
        await before_model(run)
        reply = await _call_model(run)
        turn = with_submission(run, classify(await after_model(run, reply)))
        run.ledger.take(turn.reply, turn.calls)
        match turn.kind:
            case "refused":
                run.ledger.close_round("the reply was declined")
                raise failures.refused(run, _refusal_text(turn))
            case "truncated":
                _answer_cut_off(run, turn)
            case "prose":
                await _nudge(run)
            case "calls":
                done = await execute_round(run, turn.calls)
                if done.accepted is not None:
                    return result_of(run, *done.accepted)
                if done.submitted and run.stop == "on_call":
                    raise failures.rejected(run)
        run.ledger.last_turn = turn.kind


async def _call_model(run: Run) -> AIMessage:
    """One reply of the model, forced to call the submit tool after a nudge where that works."""
    forced = run.binder.forced() if run.ledger.last_turn == "prose" else None
    try:
        reply = await _ask(run, forced or run.binder.free)
    except ModelRefusalError as error:
        raise failures.refused(run, str(error)) from error
    except Exception as error:
        # The border to the provider: its client libraries raise whatever they like.
        if forced is None or "tool_choice" not in str(error).casefold():
            raise failures.provider_failed(run, error) from error
        run.binder.can_force = False
        run.ledger.warn("tool_choice_unsupported", f"the provider refused a forced tool: {error}")
        return await _call_model(run)
    if not isinstance(reply, AIMessage):
        raise failures.unexpected_response(run, reply)
    run.ledger.runs += 1
    run.ledger.usage = run.ledger.usage.plus(reply, run.agent.model)
    await run.observers.notify(ModelCalled(run=run.ledger.runs, reply=reply))
    return reply


async def _ask(run: Run, model: ChatModel) -> object:
    messages: list[BaseMessage] = []
    if run.agent.instructions:
        messages.append(SystemMessage(run.agent.instructions))
    # Some providers refuse a history with an empty reply in it.
    messages.extend(message for message in run.ledger.state.messages if not _is_empty(message))
    return await model.ainvoke(messages, config=run.observers.config())


def _is_empty(message: BaseMessage) -> bool:
    if not isinstance(message, AIMessage):
        return False
    return not (message.content or message.tool_calls or message.invalid_tool_calls)


def _answer_cut_off(run: Run, turn: Turn) -> None:
    """Say what happened; nothing of a cut-off reply is executed. The second in a row ends it."""
    for call in turn.calls:
        run.ledger.answer(call, refusal(call, feedback.cut_off_call()))
        if call.name in run.targets.forms:
            run.ledger.attempt(call, "truncated", answer=feedback.cut_off_call())
    run.ledger.close_round()
    if run.ledger.last_turn == "truncated":
        raise failures.truncated(run)
    if not turn.calls:
        run.ledger.tell(feedback.cut_off(run.targets.names))


async def _nudge(run: Run) -> None:
    """Tell the model to call the submit tool, while the budget for that lasts."""
    if run.ledger.nudges >= run.budget.max_nudges:
        raise failures.not_called(run)
    text = feedback.nudge(run.targets.names)
    run.ledger.nudges += 1
    run.ledger.tell(text)
    await run.observers.notify(Nudged(run=run.ledger.runs, text=text))


def _refusal_text(turn: Turn) -> str:
    return str(turn.reply.additional_kwargs.get("refusal") or turn.reply.text)
