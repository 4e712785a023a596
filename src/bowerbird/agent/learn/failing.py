"""Whether a call failed, by its exit code or by what it printed, and the lines that say so. Pure."""

import re

from bowerbird.agent.learn.commands import checks

# What agents report in the place of a result where a person stopped them, or where a call beside this one
# failed: no errors of the project.
_STOPPED = (
    "The user doesn't want to proceed",
    "The user doesn't want to take this action",
    "[Request interrupted by user",
)
# What agents report of calls that their rules did not let them make.
_DENIED = re.compile(r"\APermission to use \w+ .*has been denied|\AClaude requested permissions to")
_SAID = "the user said:\n"
_NO_ERROR = ("Sibling tool call errored", "<tool_use_error>")
_EXIT = re.compile(r"\A\s*(?:Error: )?[Ee]xit(?:ed with)? (?:code|status)[: ]+(\d{1,3})")
# Lines by which tools that build, test and lint end badly, whatever a pipe behind them returns.
_BAD = re.compile(
    r"(?m)^\s*(?:FAIL\b|--- FAIL|FAILED\b|npm ERR!|make(?:\[\d+\])?: \*\*\*|error(?:\[\w+\])?:|Error:"
    r"|fatal:|panic:|Traceback \(most recent|E   |\[\w[\w:-]*\] ERROR\b"
    r"|(?:\S+ )?[1-9]\d* (?:failed|errors?|issues?)\b|.*\b[1-9]\d* (?:failed|failing)\b"
    r"|[\w./-]+:\d+(?::\d+)?: (?:error|undefined|cannot)\b)"
)
# Characters of an output that are looked through, from both ends.
_HEAD, _TAIL = 20_000, 20_000


def stopped(text: str) -> bool:
    """Whether a result says that a person stopped the call."""
    return text.lstrip().startswith(_STOPPED)


def denied(text: str) -> bool:
    """Whether a result says that the agent was not allowed to make the call."""
    return bool(_DENIED.match(text.lstrip()))


def said_instead(text: str) -> str:
    """What a person said when stopping a call."""
    said = text.partition(_SAID)[2]
    return said.partition("\n\nNote: ")[0].strip()


def failed(command: str, text: str, *, flagged: bool) -> bool:
    """Whether a call failed; `flagged`: its agent says so."""
    if stopped(text) or denied(text) or any(one in text[:200] for one in _NO_ERROR):
        return False
    if flagged:
        return True
    code = _EXIT.match(text[:200])
    if code is not None:
        return code[1] != "0"
    return bool(checks(command)) and bool(_BAD.search(shown(text)))


def shown(text: str) -> str:
    """An output as far as it is looked at."""
    if len(text) <= _HEAD + _TAIL:
        return text
    return text[:_HEAD] + "\n" + text[-_TAIL:]
