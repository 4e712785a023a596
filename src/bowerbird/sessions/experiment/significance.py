"""Compares the arms of an experiment, with tests of significance. Pure."""

import random
from itertools import combinations
from math import comb

from bowerbird.core.events import CALLED, FAILED, GAVE, PROMPTED, STARTED
from bowerbird.core.sessions import Compared, Comparison
from bowerbird.sessions.experiment.arms import ARMS, FULL, NONE
from bowerbird.sessions.experiment.corrections import corrected, wrong
from bowerbird.sessions.experiment.dead_ends import re_entered
from bowerbird.sessions.inject.session_history import given
from bowerbird.sessions.learn.commands import checks
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

    from bowerbird.sessions.experiment.dead_ends import DeadEnd

# Minimum sessions of an arm for a comparison, and the significance level.
FEWEST = 10
SIGNIFICANT = 0.05
# Up to this number all permutations of sessions are tried; otherwise this number is sampled, with a fixed
# seed.
_EXACT = 20_000
_DRAWN = 10_000
# The share of passed ones among the first checks (builds, tests, linters) after edits; a session without
# any does not have this figure.
_FIRST = "first_checks_passed"
# The share of prompts whose work was corrected, of sessions that tried a known dead end again, and of
# injected memories that a person called wrong; a session without any of these does not have the figure.
_CORRECTED = "corrections"
_RE_ENTERED = "dead_end_re_entry"
_FLAGGED = "flagged_memories"
METRICS = (
    "calls_a_prompt",
    "re_reads",
    "failed_calls",
    _FIRST,
    _CORRECTED,
    _RE_ENTERED,
    _FLAGGED,
    "tokens_given",
)
# What an arm gets by definition is no result: it is neither tested nor counted among the tests.
_BY_DESIGN = (("tokens_given", NONE), (_FLAGGED, NONE))


def measured(
    lines: "Iterable[dict[str, Any]]",
    dead_ends: "Iterable[DeadEnd]" = (),
    flagged: "Collection[str]" = (),
) -> "tuple[str, dict[str, float]] | None":
    """Return the arm of a session and its figures; None if it had no arm or no prompt.

    `dead_ends` are those of its project, `flagged` the ids of memories that a person called wrong.
    """
    lines = [*lines]
    arm, prompts, calls, failed, reads, again, tokens = "", 0, 0, 0, 0, 0, 0
    read: set[str] = set()
    for line in lines:
        what = line.get("what")
        if what == STARTED:
            arm = str(line.get("arm", arm))
        elif what == PROMPTED:
            prompts += 1
        elif what == GAVE:
            tokens += line["tokens"] if type(line.get("tokens")) is int else 0
        elif what in (CALLED, FAILED):
            calls += 1
            failed += "failed" in line
            if kind_of(str(line.get("tool", ""))) == "read":
                paths = [str(one) for one in line.get("paths") or ()]
                reads += len(paths)
                again += sum(one in read for one in paths)
                read.update(paths)
    if arm not in ARMS or not (prompts and calls):
        return None
    figures = {"calls_a_prompt": calls / prompts, "re_reads": again / max(1, reads)}
    figures |= {"failed_calls": failed / calls, "tokens_given": float(tokens)}
    first = _first_checks(lines)
    some = {
        _FIRST: sum(first) / len(first) if first else None,
        _CORRECTED: corrected(lines),
        _RE_ENTERED: re_entered(lines, dead_ends),
        _FLAGGED: wrong(given(lines), flagged),
    }
    return arm, figures | {name: float(it) for name, it in some.items() if it is not None}


def _first_checks(lines: "Iterable[dict[str, Any]]") -> list[bool]:
    """Return for each check that was the first one after an edit whether it passed."""
    found, edited = [], False
    for line in lines:
        if line.get("what") not in (CALLED, FAILED):
            continue
        if kind_of(str(line.get("tool", ""))) == "edit":
            edited = True
        elif edited and checks(str(line.get("command", ""))):
            found.append("failed" not in line)
            edited = False
    return found


def comparison(sessions: "Iterable[tuple[str, dict[str, float]]]") -> Comparison:
    """Compare every other arm with the one with all injections, figure by figure."""
    by_arm: dict[str, list[dict[str, float]]] = {one: [] for one in ARMS}
    for arm, figures in sessions:
        by_arm[arm].append(figures)
    rows = []
    pairs = {
        (metric, arm): tuple(
            [one[metric] for one in by_arm[name] if metric in one] for name in (arm, FULL)
        )
        for metric in METRICS
        for arm in ARMS[:-1]
    }
    chances = {
        pair: chance_of(full, other)
        for pair, (other, full) in pairs.items()
        if min(len(other), len(full)) >= FEWEST and pair not in _BY_DESIGN
    }
    for pair, (other, full) in pairs.items():
        chance = chances.get(pair)
        says = "none by design" if pair in _BY_DESIGN else _says(chance, len(chances))
        there, everything = (_mean(some) if some else None for some in (other, full))
        rows.append(Compared(*pair, there, everything, chance, says))
    return Comparison({one: len(found) for one, found in by_arm.items()}, tuple(rows))


def chance_of(one: "Sequence[float]", other: "Sequence[float]") -> float:
    """Return the p-value of the difference of two means, by a permutation test.

    Two-sided; exact if there are few permutations, else from 10,000 samples.
    """
    pool, size = [*one, *other], len(one)
    seen = abs(_mean(one) - _mean(other))
    total, left = sum(pool), len(pool) - size
    drawn = _DRAWN if comb(len(pool), size) > _EXACT else 0
    far = tried = 0
    for some in _drawn(pool, size, drawn) if drawn else _every(pool, size):
        part = sum(some)
        far += abs(part / size - (total - part) / left) >= seen - 1e-12
        tried += 1
    # The observed partition counts as one of the samples.
    return (far + 1) / (tried + 1) if drawn else far / tried


def _every(pool: "Sequence[float]", size: int) -> "Iterable[Sequence[float]]":
    return combinations(pool, size)


def _drawn(pool: "Sequence[float]", size: int, times: int) -> "Iterable[Sequence[float]]":
    dice = random.Random(0)  # noqa: S311 nothing secret: the same draws each time
    for _ in range(times):
        yield dice.sample(pool, size)


def _mean(values: "Sequence[float]") -> float:
    return sum(values) / len(values) if values else 0.0


def _says(chance: float | None, figures: int) -> str:
    """Return the verdict on one of `figures` tests, corrected for their number (Bonferroni)."""
    if chance is None:
        return f"too few sessions to tell: {FEWEST} of each arm are needed"
    return "more than chance" if chance * figures < SIGNIFICANT else "may be chance"
