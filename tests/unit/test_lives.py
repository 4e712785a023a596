"""A memory's past weighs, within bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bowerbird.core.errors import UnknownName
from bowerbird.core.kinds import KINDS
from bowerbird.core.life import (
    BOUND,
    CHANGES_HALFWAY,
    DAY,
    Life,
    effective_importance,
    pace,
)
from bowerbird.core.phases import OTHER, PHASES, phase
from bowerbird.retrieval import fuse
from bowerbird.retrieval.scoring import factor, lived

NOW = 1_767_225_600_000
SHARE = st.floats(0, 1)
LIVES = st.builds(
    Life,
    kind=st.sampled_from(sorted(KINDS)),
    source=st.sampled_from(["user_taught", "agent_explicit", "observer_inferred", "import"]),
    importance=SHARE,
    confidence=SHARE,
    half_life=st.none() | st.floats(1, 365),
    accessed=st.integers(0, 2 * NOW),
    uses=st.integers(0, 10_000),
)


def life(**changes: object) -> Life:
    usual = Life("fact", "agent_explicit", 0.5, 0.8, None, NOW - 10 * DAY, 3)
    return usual.replace(**changes)


def test_confidence_halves_with_each_half_life_unused() -> None:
    assert life(half_life=10).current_confidence(NOW) == pytest.approx(0.4)
    assert life(half_life=None).current_confidence(NOW) == 0.8
    assert life(half_life=10, accessed=NOW + DAY).current_confidence(NOW) == 0.8


@given(LIVES, st.sampled_from([None, *PHASES]))
def test_a_past_never_weighs_more_than_its_bound(one: Life, name: str | None) -> None:
    weights = phase(name).weights if name else {}
    assert 1 - BOUND <= factor(one, NOW, (one.kind,), weights) <= 1 + BOUND


@given(LIVES, SHARE, st.integers(1, 500))
def test_it_grows_with_every_number(one: Life, more: float, uses: int) -> None:
    here = factor(one, NOW)
    assert factor(one.replace(uses=one.uses + uses), NOW) >= here
    assert factor(one.replace(accessed=one.accessed + uses * DAY), NOW) >= here
    assert factor(one.replace(importance=max(one.importance, more)), NOW) >= here
    assert factor(one.replace(confidence=max(one.confidence, more)), NOW) >= here
    assert factor(one, NOW, (one.kind,)) >= here


@given(LIVES, LIVES, SHARE, SHARE)
def test_noise_never_passes_a_clear_match(
    noise: Life, match: Life, low: float, high: float
) -> None:
    # A clear match scores half as much again as what the best past could lift over the worst.
    low = min(low, high * (1 - BOUND) / (1 + BOUND) * 0.99)
    scores = lived({1: low, 2: high}, {1: noise, 2: match}, NOW)
    assert scores[1] <= scores[2]
    assert lived({1: 0.0, 3: 0.4}, {1: noise}, NOW) == {1: 0.0}


@given(LIVES, st.integers(0, 365), st.integers(1, 365), SHARE)
def test_the_more_its_files_change_the_faster_it_fades(
    one: Life, changes: int, more: int, rate: float
) -> None:
    """With every change, never more than twice as fast, and as ever if they do not change."""
    calm, restless = one.replace(changes=changes), one.replace(changes=changes + more)
    assert restless.recency(NOW) <= calm.recency(NOW) <= one.recency(NOW)
    assert restless.recency(NOW) >= one.recency(NOW) ** 2 - 1e-12
    assert factor(restless, NOW) <= factor(calm, NOW)
    weights = [
        effective_importance(one.importance, rate, one.accessed, one.accessed, NOW, days)
        for days in (0, changes, changes + more)
    ]
    assert weights == sorted(weights, reverse=True)
    assert weights[2] >= weights[0] / 2
    assert pace(0) == 1.0
    assert pace(CHANGES_HALFWAY) == 1.5


def test_the_kind_that_a_phase_or_the_wording_asks_for_comes_first() -> None:
    lives = {1: life(kind="fact"), 2: life(kind="gotcha")}
    scores = {1: 0.50, 2: 0.49}
    plain = lived(scores, lives, NOW)
    assert plain[1] > plain[2]
    wanted = lived(scores, lives, NOW, ("gotcha",))
    assert wanted[2] > wanted[1]
    phased = lived(scores, lives, NOW, phase=phase("implement").weights)
    assert phased[2] > phased[1]


def test_phases_name_known_kinds_and_share_out_the_whole() -> None:
    for one in PHASES.values():
        assert {*one.weights, *one.shares} - {OTHER} <= KINDS.keys()
        assert sum(one.shares.values()) == pytest.approx(1.0)
    with pytest.raises(UnknownName, match="phase"):
        phase("implment")


def test_a_relation_lends_by_strength_and_only_the_strongest_counts() -> None:
    lent = fuse.from_related({1: 0.8, 2: 0.4}, [(1, 9, 0.5), (2, 9, 1.0), (7, 8, 1.0)])
    assert lent == {9: pytest.approx(fuse.RELATED * 0.4), 8: 0.0}
