"""Asks an agent at the end of a turn what the session taught, if `learn.ask` is on: once a session.

Only after a real signal: a person's correction, their wish that something lasts, or a command that failed
again and again and then worked. Not in sub-agents, and not where nobody watches. What the agent keeps is
checked against the session's record when it ends (`verbs/asked_memories.py`).
"""

import re

from bowerbird.core.events import ASKED, CALLED, FAILED, PROMPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from bowerbird.hook import Hook

# At most sixty tokens: the agent reads it once.
REASON = (
    "Did this session teach a lasting rule, decision or trap that the code does not show? Keep at most 3"
    " by memory_store, each ending with the exact words it rests on: (“…”). If none, just stop."
)
# What headless runs of Claude Code and build servers set.
_ENTRY = "CLAUDE_CODE_ENTRYPOINT"
_HEADLESS = "sdk"
BUILDS = ("CI", "GITHUB_ACTIONS", "BUILD_ID")
_MARK = f'"what":"{ASKED}"'.encode()
# A command that failed so often before it worked.
_AGAIN = 2
_CORRECTS = re.compile(
    r"(?i)^\W*(?:no\b(?!\s+(?:problem|worries|need))|nope\b|wrong\b|stop\b|not (?:that|like|what)"
    r"|actually\b|don'?t\b|nein\b|falsch\b)|\binstead of\b|\bi (?:told|asked) you\b"
)
_LASTS = re.compile(
    r"(?i)\b(?:remember|from now on|in (?:the )?future|next time|always|never"
    r"|merk dir|ab jetzt|nie wieder)\b"
)


def question(hook: "Hook", environment: "Mapping[str, str]") -> str:
    """What to ask the agent now; empty if it is not asked. Raises OSError."""
    event, hooking = hook.event, hook.hooking
    config = hooking.config
    wanted = config["learn.ask"] == "end" and config["agent.learn"] == "on"
    if not wanted or not event.session or event.sub or event.again or _is_alone(environment):
        return ""
    journal, session = hooking.journal, hook.session
    if not _teaches(journal.lines(session)):
        return ""
    # Counted on disk before it is asked, as the agent's own sign of a second time may be missing.
    journal.add(session, {"at": hook.now, "agent": event.agent, "event": event.name, "what": ASKED})
    times = sum(1 for _ in journal.lines(session, holding=_MARK))
    return REASON if times == 1 else ""


def _is_alone(environment: "Mapping[str, str]") -> bool:
    """Whether nobody watches this session."""
    headless = environment.get(_ENTRY, "").startswith(_HEADLESS)
    return headless or any(map(environment.get, BUILDS))


def _teaches(lines: "Iterable[Mapping[str, Any]]") -> bool:
    """Whether a session that was not asked yet has a signal."""
    failures: dict[str, int] = {}
    found = False
    for line in lines:
        what, command = line.get("what"), str(line.get("command", ""))
        if what == ASKED:
            return False
        if line.get("sub"):
            continue
        text = str(line.get("text", "")) if what == PROMPTED else ""
        found = found or bool(_CORRECTS.search(text) or _LASTS.search(text))
        if what in (CALLED, FAILED) and command:
            if line.get("failed"):
                failures[command] = failures.get(command, 0) + 1
            else:
                found = found or failures.get(command, 0) >= _AGAIN
    return found
