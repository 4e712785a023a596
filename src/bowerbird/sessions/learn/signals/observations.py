"""Observations: what an agent saw of a running program through browser tools.

Definition: consecutive calls of such tools, classified by their outcome. `ui_behavior`: a click led to
another page. `timing`: a call failed and succeeded after a wait alone. `precondition`: it failed and
succeeded after another action on the page. `mcp_gotcha`: it failed, and a similar target worked instead.
`test_sequence`: consecutive successful actions that ended in an inspection of the page, in `SESSIONS`
sessions. Anything else is dropped. Source: calls to third-party tools.
"""

import re
from urllib.parse import urlsplit

from bowerbird.guard.privacy import private
from bowerbird.sessions.learn.commands import cut_short
from bowerbird.sessions.learn.recurrence import recurring
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "observations"
SESSIONS = 2
# Actions of the tools, by a word of their names (Playwright, Chrome DevTools, Puppeteer, Electron).
_ACTS = re.compile(
    r"(?:^|_)(?P<act>click|fill|type|press|select|hover|drag|upload|navigate|goto|open)"
)
# Tools that take the action as an argument.
_COMMANDS = re.compile(r"(?:send|run|execute)_command")
# A sequence begins when a page is opened.
_BEGINS = ("navigate", "goto", "open")
_LOOKS = re.compile(r"(?:^|_)(?:screenshot|snapshot|page_structure|eval(?:uate)?|console|get_text)")
_WAITS = re.compile(r"(?:^|_)wait")
# Arguments with the target of an action, the most readable first.
_WHERE = ("element", "text", "label", "name", "selector", "target", "url", "ref", "uid", "key")
_PAGE = re.compile(r"(?im)^\W*(?:page )?url\W+(?P<url>https?://\S+)")
_WENT_WRONG = re.compile(r"(?i)\A\s*(?:#+ )?(?:error|timeout|timed out|failed|\w*Error\b)")
# Maximum calls until a failed one succeeds; minimum and maximum steps of a sequence; then characters of a
# target.
_SOON = 4
_FEWEST = 3
_MOST = 8
_LONGEST = 60
# What is typed into such a field may be one.
_SECRET = re.compile(r"(?i)password|token|secret")


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each observation."""
    steps = _browsed(session)
    found = {}
    for observed, text, lines in (*_led(steps), *_cured(steps)):
        if text not in found and not (private(text) or _SECRET.search(text)):
            found[text] = Lesson(
                NAME,
                f"{observed}: {text.lower()}",
                "e2e_observation",
                text,
                lines,
                (session.id,),
                strength=0.5,
                source="mcp_auto",
                outside=True,
            )
    rows = recurring(NAME, "e2e_observation", SESSIONS, session, past, marks(session), _sequence)
    for lesson in rows:
        lesson.source, lesson.outside = "mcp_auto", True
    return [*found.values(), *rows]


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the sequences of successful actions that ended in an inspection of the page."""
    found: dict[str, Mark] = {}
    row: list[tuple[str, int]] = []
    for step in _browsed(session):
        does = _does(step)
        begins = does.startswith(_BEGINS)
        if _wrong(step) or begins:
            row = []
        if does and not _wrong(step) and (row or begins):
            row.append((does, step.line))
        elif _LOOKS.search(_bare(step)) and _FEWEST <= len(row) <= _MOST:
            key = ", ".join(one for one, _ in row)
            if not (private(key) or _SECRET.search(key)):
                found[key] = Mark(1, (row[0][1], step.line))
            row = []
    return found


def _sequence(key: str, _mark: Mark, _numbers: "Sequence[int]") -> str:
    return f"In the running program these steps work one after the other: {key}."


def _browsed(session: "RecordedSession") -> "list[Step]":
    """Return the calls to browser tools."""
    known = (_ACTS, _LOOKS, _WAITS)
    return [
        step
        for step in session.steps
        if kind_of(step.event.tool) == "mcp" and any(one.search(_bare(step)) for one in known)
    ]


def _bare(step: "Step") -> str:
    """Return the name of a tool, without that of its server; of one tool for all actions the action."""
    name = step.event.tool.rpartition("__")[2].lower().replace("-", "_")
    action = step.event.given.get("command")
    return action if _COMMANDS.match(name) and isinstance(action, str) else name


def _does(step: "Step") -> str:
    """Return the text of an action and its target; empty for a call that is no action."""
    act = _ACTS.search(_bare(step))
    if act is None:
        return ""
    given = step.event.given
    inner = given.get("args")
    given = given | inner if isinstance(inner, dict) else given
    to = next((one for name in _WHERE if isinstance(one := given.get(name), str) and one), "")
    address = urlsplit(to)
    to = address.path or "/" if address.scheme in ("http", "https") else to
    return f"{act['act']} `{cut_short(' '.join(to.split()), _LONGEST)}`" if to else ""


def _wrong(step: "Step") -> bool:
    answer = step.event.answer
    return step.failed or (isinstance(answer, str) and bool(_WENT_WRONG.match(answer)))


def _page(step: "Step") -> str:
    """Return the path of the page in a result."""
    match = _PAGE.search(step.event.answer) if isinstance(step.event.answer, str) else None
    return urlsplit(match["url"]).path or "/" if match else ""


def _led(steps: "Sequence[Step]") -> "Iterator[tuple[str, str, tuple[int, ...]]]":
    here = ""
    for step in steps:
        page, does = _page(step), _does(step)
        if (
            page
            and here
            and page != here
            and does.startswith(("click", "press"))
            and not _wrong(step)
        ):
            yield "ui_behavior", f"On the page `{here}`, {does} leads to `{page}`.", (step.line,)
        here = page or here


def _cured(steps: "Sequence[Step]") -> "Iterator[tuple[str, str, tuple[int, ...]]]":
    """Yield calls that failed, with what made them succeed."""
    for at, step in enumerate(steps):
        wanted = _does(step)
        if not wanted or not _wrong(step):
            continue
        soon = steps[at + 1 : at + 1 + _SOON]
        good = [other for other in soon if not _wrong(other)]
        again = next((n for n, other in enumerate(good) if _does(other) == wanted), None)
        if again is None:
            yield from _reworded(step, wanted, good)
            continue
        between = [does for other in good[:again] if (does := _does(other))]
        lines = (step.line, good[again].line)
        if between:
            yield "precondition", f"Before {wanted} works: {', then '.join(between)}.", lines
        elif any(_WAITS.search(_bare(other)) for other in soon[: soon.index(good[again])]):
            yield "timing", f"What {wanted} needs is there late: wait for it first.", lines


def _reworded(
    step: "Step", wanted: str, good: "Sequence[Step]"
) -> "Iterator[tuple[str, str, tuple[int, ...]]]":
    """Yield a call that never succeeded, if the next action is the same one with a similar target."""
    other = next((one for one in good if _does(one)), None)
    if other is None or _bare(other) != _bare(step):
        return
    does = _does(other)
    if {*_words(wanted)[1:]} & {*_words(does)[1:]}:
        lines = (step.line, other.line)
        yield "mcp_gotcha", f"{wanted[0].upper()}{wanted[1:]} fails: {does} works.", lines


def _words(does: str) -> list[str]:
    return re.findall(r"\w+", does.lower())
