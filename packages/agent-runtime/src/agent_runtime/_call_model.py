"""One reply of a model: forced where that helps, asked for again where it got lost."""

from langchain_core.exceptions import ModelRefusalError
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage

from agent_runtime import _failures as failures
from agent_runtime._agent import ChatModel
from agent_runtime._events import ModelCalled, ModelStarted, Retried
from agent_runtime._run import Run
from agent_runtime._stream_reply import stream_reply
from agent_runtime._transport import transport_failure


async def call_model(run: Run) -> AIMessage:
    """One reply.

    Raises:
        ExtractError: If there is none.
    """
    await run.observers.notify(ModelStarted(run=run.ledger.runs + 1))
    reply = await _reply(run)
    if not isinstance(reply, AIMessage):
        raise failures.unexpected_response(run, reply)
    model = run.models.current.model
    run.ledger.spend(reply, model, run.cost_of)
    for outer in run.outers():
        outer.ledger.count(reply, model, outer.cost_of)
    await run.observers.notify(ModelCalled(run=run.ledger.runs, reply=reply))
    return reply


async def _reply(run: Run) -> object:
    """What the model answers, forced to call the submit tool after a nudge where that works."""
    retries = 0
    while True:
        binder = run.models.current
        forced = binder.forced() if run.ledger.last_turn == "prose" else None
        try:
            return await _ask(run, forced or binder.free)
        except ModelRefusalError as error:
            raise failures.refused(run, str(error)) from error
        except Exception as error:
            # The border to the provider: its client libraries raise whatever they like.
            if forced is not None and "tool_choice" in str(error).casefold():
                binder.can_force = False
                text = f"the provider refused a forced tool: {error}"
                run.ledger.warn("tool_choice_unsupported", text)
            elif await _may_retry(run, retries, error):
                retries += 1
            elif transport_failure(error) and run.models.fall_back():
                retries = 0
                text = f"another model was asked, after: {type(error).__name__}: {error}"
                run.ledger.warn("model_fell_back", text)
                await run.observers.notify(Retried(run=run.ledger.runs + 1, reason="fallback"))
            else:
                raise failures.provider_failed(run, error) from error


async def _may_retry(run: Run, retries: int, error: Exception) -> bool:
    """Whether to ask the same model again; if so, after the wait for that."""
    backoff = run.backoff
    if backoff is None or retries >= backoff.max_retries or not transport_failure(error):
        return False
    await backoff.sleep(backoff.delay_s(retries, error))
    await run.observers.notify(Retried(run=run.ledger.runs + 1, reason="transport"))
    return True


async def _ask(run: Run, model: ChatModel) -> object:
    messages: list[BaseMessage] = []
    if run.agent.instructions:
        messages.append(SystemMessage(run.agent.instructions))
    # Some providers refuse a history with an empty reply in it.
    messages.extend(message for message in run.ledger.state.messages if not _is_empty(message))
    if run.streaming:
        return await stream_reply(run, model, messages)
    return await model.ainvoke(messages, config=run.observers.config())


def _is_empty(message: BaseMessage) -> bool:
    if not isinstance(message, AIMessage):
        return False
    return not (message.content or message.tool_calls or message.invalid_tool_calls)
