"""Detects failed calls, by exit code or output, and extracts the lines of the error. Pure."""

from bowerbird.core.pattern import late
from bowerbird.sessions.learn.commands import checks

# Results that agents report if a person stopped the call, or a parallel call failed: not errors of the
# project.
_STOPPED = (
    "The user doesn't want to proceed",
    "The user doesn't want to take this action",
    "[Request interrupted by user",
)
# Results that agents report for calls that their permissions did not allow.
_DENIED = late(r"\APermission to use \w+ .*has been denied|\AClaude requested permissions to")
_SAID = "the user said:\n"
_NO_ERROR = ("Sibling tool call errored", "<tool_use_error>")
_EXIT = late(r"\A\s*(?:Error: )?[Ee]xit(?:ed with)? (?:code|status)[: ]+(\d{1,3})")
# Gemini reports the parts of a result line by line, the exit code behind the output.
_PARTS = ("Command: ", "Stdout: ", "Output: ")
_EXIT_PART = late(r"(?m)^Exit Code: (\d{1,3})$")
_LAST_PARTS = 500
# What may hide the exit code of a command.
_HIDES = late(r"[|;]")
# Error lines of tools that build, test and lint, whatever exit code a pipe behind them returns.
_BAD = late(
    r"(?m)^[ \t]*(?:FAIL\b|--- FAIL|FAILED\b|npm ERR!|make(?:\[\d+\])?: \*\*\*|error(?:\[\w+\])?:"
    r"|Error:(?! \(none\))|fatal:|panic:|Traceback \(most recent|E   |\[\w[\w:-]*\] ERROR\b"
    r"|(?:\S+ )?[1-9]\d* (?:failed|errors?|issues?)\b|.*\b[1-9]\d* (?:failed|failing)\b"
    r"|[\w./-]+:\d+(?::\d+)?: (?:error|undefined|cannot)\b)"
)
# Characters of an output that are searched, from both ends.
_HEAD = 20_000
_TAIL = 20_000


def stopped(text: str) -> bool:
    """Return whether a result says that a person stopped the call."""
    return text.lstrip().startswith(_STOPPED)


def denied(text: str) -> bool:
    """Return whether a result says that the agent was not allowed to make the call."""
    return bool(_DENIED.match(text.lstrip()))


def said_instead(text: str) -> str:
    """Return what a person wrote when stopping a call."""
    said = text.partition(_SAID)[2]
    return said.partition("\n\nNote: ")[0].strip()


def no_result(text: str) -> bool:
    """Return whether a call did not run: stopped by a person, denied, or cancelled by another one."""
    return stopped(text) or denied(text) or any(one in text[:200] for one in _NO_ERROR)


def failed(command: str, output: str, *, flagged: bool) -> bool:
    """Return whether a call failed; `flagged`: the agent reports an error."""
    if no_result(output):
        return False
    if flagged:
        return True
    code = _EXIT.match(output[:200])
    if code is None and output.startswith(_PARTS):
        code = _EXIT_PART.search(output[-_LAST_PARTS:])
    if code is not None and (code[1] != "0" or not _HIDES.search(command)):
        return code[1] != "0"
    return bool(checks(command)) and bool(_BAD.search(shown(output)))


def shown(text: str) -> str:
    """Return the part of an output that is searched."""
    if len(text) <= _HEAD + _TAIL:
        return text
    return text[:_HEAD] + "\n" + text[-_TAIL:]
