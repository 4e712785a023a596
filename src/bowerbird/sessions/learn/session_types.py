"""The sorts of sessions: when one may give memories, how many, and from which signals. Pure."""

from bowerbird.core.value import Record
from bowerbird.sessions.learn.commit_messages import landed_commits
from bowerbird.sessions.learn.steps import once
from bowerbird.sessions.learn.test_runs import tests_passed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.sessions.learn.steps import RecordedSession

BUILD = "build"
TERMINAL = "terminal"


class Sort(Record):
    """A sort of session: the maximum of memories (`most`), and the allowed `signals`; none named: all.

    `passed`: only if its tests passed, or a commit landed.
    """

    most: int
    signals: tuple[str, ...] = ()
    passed: bool = False


# Instructions of people and routines count in any sort.
_ALWAYS = ("instructions", "corrections", "routines")
SORTS = {
    BUILD: Sort(20, passed=True),
    "insights": Sort(5, (*_ALWAYS, "self_correction", "conclusions")),
    "roadmap": Sort(3, ("instructions", "corrections", "conclusions")),
    TERMINAL: Sort(3),
    "changelog": Sort(0),
    "spec": Sort(3, (*_ALWAYS, "conclusions")),
    "review": Sort(8, (*_ALWAYS, "error_retry", "self_correction", "conclusions")),
}


def sort_of(session: "RecordedSession") -> str:
    """Return the declared sort of a session, else a build if its tests pass or a commit landed."""
    return session.sort or (BUILD if passed(session) else TERMINAL)


@once
def passed(session: "RecordedSession") -> bool:
    """Return whether the last test run of a session passed, or a commit landed."""
    runs = (ran for step in reversed(session.steps) if (ran := tests_passed(step)) is not None)
    return next(runs, False) or bool(landed_commits(session))
