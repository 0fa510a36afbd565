"""What a model should know before its first call."""

__all__ = ["INSTRUCTIONS"]

INSTRUCTIONS = """\
Two families of tools on one endpoint.
Taylor algebra (parse_expression_to_mtf, create_taylor_map, evaluate_…, invert_…): truncated power
series. Results are stored; an answer gives a ref and a summary. Pass the ref to later calls, read
more with read_object.
Network control ({App}_get_state, {App}_set_state, {App}_get_measurements, {App}_{command}, and
operations that run inside the app's loop): start an app before its operations. Ask a command with
dry_run first. A refused command changed nothing and says why, with the nearest acceptable value.
run_program runs several tools in one call; a later step refers to an earlier one's result.
Every answer is {"status": "success", "data": {"result": …}} or {"status": "error", "error_code",
"message", "details", "hint"}; details name each wrong argument by its JSON pointer.
"""
