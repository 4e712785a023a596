"""Synthesis: the files that matter in a module, after 5, 10, 20, 50 and 100 of its sessions.

Definition: a folder whose edits reach one of `THRESHOLDS` with this session; the lesson lists the files
that most of its sessions edit, if there are at least two. Once per threshold, and always with a review;
it takes the place of those of lower thresholds. Source: the kept numbers.
"""

from collections import Counter

from bowerbird.sessions.learn.recurrence import OF_SUB_AGENT
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.learn.touched_files import module, modules, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "synthesis"
THRESHOLDS = (5, 10, 20, 50, 100)
# The share of a module's sessions that edit a file for it to be listed; and the maximum of files.
_SHARE = 0.6
_MOST = 3
# In a folder with fewer files the answer is obvious.
_FEWEST = 4


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each folder that has reached a threshold."""
    # Sub-agents have digests of their own, and belong to this session.
    helpers = [one for one in past if one.session.startswith(session.id + OF_SUB_AGENT)]
    others = [one for one in past if one not in helpers]
    edited = [path for path, one in touched(session).items() if one.edits]
    own = tuple(dict.fromkeys([*edited, *(path for one in helpers for path in one.edited)]))
    found = []
    for folder in modules(own):
        sessions = [one for one in others if folder in modules(one.edited)]
        count = len(sessions) + 1
        if count not in THRESHOLDS or folder == ".":
            continue
        edits = Counter(
            path
            for edited in (*(one.edited for one in sessions), own)
            for path in edited
            if module(path) == folder
        )
        usual = [path for path, number in edits.most_common(_MOST) if number >= _SHARE * count]
        if len(usual) > 1 and len(edits) >= _FEWEST:
            listed = " and ".join(f"`{path}` ({edits[path]})" for path in usual)
            found.append(
                Lesson(
                    NAME,
                    f"{folder} {count}",
                    "module_insight",
                    f"Most of {count} sessions that changed `{folder}` changed {listed}.",
                    sessions=(*(one.session for one in sessions), session.id),
                    files=tuple(usual),
                    replaces=tuple(f"{folder} {lower}" for lower in THRESHOLDS if lower < count),
                )
            )
    return found
