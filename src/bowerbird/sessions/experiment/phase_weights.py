"""The phase of work of each injection, the kinds used most in it, and the weights that follow. Pure.

Weights are only proposed: a person puts them into the setting agent.phase_weights, or does not.
"""

from bowerbird.core.events import CALLED, FAILED, GAVE
from bowerbird.core.phases import PHASES
from bowerbird.core.sessions import Weighed
from bowerbird.sessions.experiment.significance import FEWEST, SIGNIFICANT, chance_of
from bowerbird.sessions.learn.commands import checks
from bowerbird.sessions.levels import CONFIRMED, USED, WRONG
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    # By phase, kind and session: how many memories were injected, and how many of them were used.
    Shares = dict[str, dict[str, dict[str, list[int]]]]

# Sessions with injections below which nothing is proposed: set beforehand.
SESSIONS = 30
# The maximum factor from a phase's initial weight: analysing the same sessions again must not strengthen
# their effect.
_STEP = 1.25


def weighed(
    outcomes: "Iterable[dict[str, Any]]", weights: "Mapping[str, Mapping[str, float]]"
) -> tuple[int, tuple[Weighed, ...]]:
    """Return the number of sessions with injections, and each kind compared to the others of its phase.

    `weights` are the current ones. A memory was used if its agent cited it or a person confirmed it, and
    not if a person said that it is wrong, even if cited.
    """
    sessions, shares = _shares([*outcomes])
    pairs = [(phase, kind) for phase, kinds in shares.items() for kind in kinds]
    compared = {}
    for phase, kind in sorted(pairs, key=lambda pair: ([*PHASES].index(pair[0]), pair[1])):
        own = shares[phase][kind]
        others = _together(of for one, of in shares[phase].items() if one != kind)
        enough = min(len(own), len(others)) >= FEWEST and sessions >= SESSIONS
        chance = chance_of(_used(own), _used(others)) if enough else None
        compared[phase, kind] = own, others, chance
    tests = sum(chance is not None for _, _, chance in compared.values())
    found = []
    for (phase, kind), (own, others, chance) in compared.items():
        now = weights[phase].get(kind, 1.0)
        more = sum(_used(own)) * len(others) > sum(_used(others)) * len(own)
        sure = chance is not None and chance * tests < SIGNIFICANT
        first = PHASES[phase].weights.get(kind, 1.0)
        wanted = round(first * _STEP if more else first / _STEP, 2)
        proposed = wanted if sure and wanted != now else None
        counts = (*_counted(own), *_counted(others))
        found.append(Weighed(phase, kind, *counts, len(own), chance, now, proposed))
    return sessions, tuple(found)


def setting(rows: "Iterable[Weighed]", kept: "Mapping[str, Mapping[str, float]]") -> str:
    """Return the value of agent.phase_weights with all proposals; empty if there are none.

    `kept` are the weights that the setting has already.
    """
    weights = {(phase, kind): one for phase, kinds in kept.items() for kind, one in kinds.items()}
    new = {(row.phase, row.kind): row.proposed for row in rows if row.proposed is not None}
    if not new:
        return ""
    return ", ".join(f"{phase}.{kind}={one:g}" for (phase, kind), one in (weights | new).items())


def _shares(outcomes: "list[dict[str, Any]]") -> "tuple[int, Shares]":
    verdicts = {one.get("id"): one["what"] for one in outcomes if one.get("what") != USED}
    shares: Shares = {}
    sessions = set()
    for one in outcomes:
        given, labels = one.get("given"), one.get("told")
        if one.get("what") != USED or not isinstance(given, list) or not isinstance(labels, list):
            continue
        session = str(one.get("session"))
        cited = one.get("cited")
        for id, (kind, phase) in zip(given, labels, strict=False):
            if phase not in PHASES:
                continue
            sessions.add(session)
            used = verdicts.get(id) not in WRONG and (
                id in (cited or ()) or verdicts.get(id) == CONFIRMED
            )
            counts = shares.setdefault(phase, {}).setdefault(kind, {}).setdefault(session, [0, 0])
            counts[0] += 1
            counts[1] += used
    return len(sessions), shares


def _together(some: "Iterable[dict[str, list[int]]]") -> "dict[str, list[int]]":
    """Return the counts of several kinds added up, by session."""
    all: dict[str, list[int]] = {}
    for of in some:
        for session, (given, used) in of.items():
            counts = all.setdefault(session, [0, 0])
            counts[0] += given
            counts[1] += used
    return all


def _used(of: "dict[str, list[int]]") -> list[float]:
    """Return the used share of each session: the memories of one session are not independent."""
    return [used / given for given, used in of.values()]


def _counted(of: "dict[str, list[int]]") -> tuple[int, int]:
    return sum(given for given, _ in of.values()), sum(used for _, used in of.values())


# Planning and review leave no evidence of their own in hook events: injections there count as
# orientation.
# Calls after and before a moment that are evidence for its phase.
_CALLS = 5


def phases(lines: "Sequence[dict[str, Any]]") -> dict[str, str]:
    """Return by id the phase (core.phases) of each injected memory's first injection."""
    found: dict[str, str] = {}
    for at, line in enumerate(lines):
        items = line.get("items")
        if line.get("what") != GAVE or not isinstance(items, list):
            continue
        before = [one for one in lines[:at] if one.get("what") in (CALLED, FAILED)][-_CALLS:]
        behind = [one for one in lines[at:] if one.get("what") in (CALLED, FAILED)][:_CALLS]
        phase = _phase(before, behind)
        for item in items:
            if isinstance(item, dict) and isinstance(item.get("id"), str):
                found.setdefault(item["id"], phase)
    return found


def _phase(before: "list[dict[str, Any]]", behind: "list[dict[str, Any]]") -> str:
    edits = any(kind_of(str(one.get("tool", ""))) == "edit" for one in behind)
    if edits and any("failed" in one and checks(str(one.get("command", ""))) for one in before):
        return "refine"
    if edits:
        return "implement"
    checked = any(checks(str(one.get("command", ""))) for one in (*before[-1:], *behind))
    return "validate" if checked else "explore"
