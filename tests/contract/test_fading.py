"""How sure memories still are, and what goes next: what is foreseen is what pruning does on that day."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.life import DAY
from bowerbird.core.overview import FadingKind

if TYPE_CHECKING:
    from pathlib import Path

    from tests.contract.conftest import Hands


def test_what_is_foreseen_leaves_on_that_day_and_not_before(bird: Bowerbird, hands: Hands) -> None:
    bird.remember("The label printer jams on Mondays", kind="gotcha", half_life=10.0)
    bird.remember("The stand-up is at nine until the move", expires=hands() + 5 * DAY)
    bird.remember("We chose SQLite for the cart", kind="decision")
    bird.remember("Deploys start at seven", kind="gotcha", half_life=10.0, pinned=True)
    found = bird.fading()
    assert [(one.kind, one.at - hands()) for one in found.leaving] == [
        ("fact", 5 * DAY),
        ("gotcha", 31 * DAY),
    ]
    assert "half-lives" in found.leaving[1].why
    for one in found.leaving:
        hands.days((one.at - hands()) / DAY - 1)
        assert one.id not in {one.id for one in bird.prune(dry_run=True).leaving}
        hands.days(1)
        assert (one.id, one.why) in {
            (one.id, one.reason) for one in bird.prune(dry_run=True).leaving
        }
    assert len(bird.fading(limit=1).leaving) == 1
    assert bird.status(fading=True).fading == bird.fading()
    assert bird.status().fading is None
    with pytest.raises(BadInput, match="limit cannot be 0"):
        bird.fading(limit=0)


def test_all_that_goes_within_a_month_is_counted_and_a_named_day_is_never_missed(
    bird: Bowerbird, hands: Hands
) -> None:
    """However many others may be due before it: these are kept by their weight."""
    for number in range(30):
        bird.remember(f"Shelf {number} holds jar {number * 7}", importance=0.9)
    hands.days(95)
    assert bird.fading().soon == 0
    bird.remember("The stand-up is at nine until 20 April 2026")
    bird.remember("The gate is open all day", expires=hands() + 5 * DAY, pinned=True)
    for number in range(3):
        bird.remember(f"Lane {number} is closed to lorries", expires=hands() + 20 * DAY)
    found = bird.fading(limit=1)
    assert found.soon == 5
    assert [one.at - hands() for one in found.leaving] == [5 * DAY]
    assert bird.fading(limit=5).leaving[1].why.startswith("it held until 2026-04-20")
    hands.days(30)
    assert bird.prune(dry_run=True).pruned == 5


def test_what_is_about_restless_files_goes_earlier(
    store_path: str, hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    monkeypatch.chdir(root)

    def commit(day: int, **texts: str) -> None:
        for name, text in texts.items():
            (root / f"{name}.py").write_text(text)
        words = ("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "-m", "x")
        env = os.environ | {"GIT_COMMITTER_DATE": f"{hands() // 1000 + day * 86_400} +0000"}
        for one in (("add", "."), words):
            subprocess.run(["git", *one], check=True, env=env)

    subprocess.run(["git", "init", "-q"], check=True)
    commit(-25, calm="0", restless="0")
    for day in range(-24, 0):
        commit(day, restless=str(day))
    with Bowerbird.open(store_path, clock=hands) as bird:
        calm, restless = (
            bird.remember(text, origin="agent", importance=0.2, files=[file]).id
            for text, file in (
                ("The cart is summed up in integers", "calm.py"),
                ("Labels are printed from a queue of their own", "restless.py"),
            )
        )
        before = {one.id: one.at for one in bird.fading().leaving}
        bird.prune()
        after = {one.id: (one.at, one.why) for one in bird.fading().leaving}
        assert after[calm][0] == before[calm]
        assert after[restless][0] < before[restless]
        assert "1.7 times as fast, as its files changed on 24 days" in after[restless][1]
        details = bird.get(restless).details
        assert details is not None
        assert details.changes == 24
        hands.days((after[restless][0] - hands()) / DAY)
        assert [(one.id, one.reason) for one in bird.prune().leaving] == [
            (restless, after[restless][1])
        ]


def test_confidence_is_counted_by_tenths_as_it_halves(bird: Bowerbird, hands: Hands) -> None:
    bird.remember(
        "The label printer jams on Mondays", kind="gotcha", half_life=10.0, confidence=0.8
    )
    bird.remember("Deploys start at seven in the morning", confidence=0.6)
    first = bird.fading()
    assert first.kinds == (FadingKind("gotcha", 10.0, 1),)
    assert [at for at, count in enumerate(first.tenths) for _ in range(count)] == [6, 8]
    hands.days(10)
    later = bird.fading().tenths
    assert [at for at, count in enumerate(later) for _ in range(count)] == [4, 6]


def test_without_a_store_nothing_fades(bird: Bowerbird) -> None:
    assert bird.fading().leaving == ()
    assert not any(bird.fading().tenths)
