"""What is summed up of a folder after some of its sessions, and again after more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.surface.test_learn import Talk

from bowerbird import Bowerbird
from bowerbird.surfaces.verbs import review

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    settings = {"agent.signals": "all"}
    with Bowerbird.open(tmp_path / "memory.db", project="shop", settings=settings) as opened:
        yield opened


def work(bird: Bowerbird, shop: Path, *days: int) -> list[str]:
    """Sessions that change the same two files and another one each; what is summed up in the end."""
    for day in days:
        talk = Talk(f"s{day}", shop, day=day).say("go on with the queue")
        for name in ("drain.py", "fill.py", f"of_{day % 7}.py"):
            given = {"file_path": str(shop / "queue" / name), "old_string": "a", "new_string": "b"}
            talk.call("Edit", given, "The file has been updated.")
        bird.admin.learn(talk.put(shop.parent / "talks"))
    listed = bird.list(kinds=["module_insight"])
    return [one.text for one in listed if one.text.startswith("Most of")]


def test_a_later_summary_of_a_folder_takes_the_place_of_an_earlier_one(
    bird: Bowerbird, tmp_path: Path
) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (five,) = work(bird, shop, *range(1, 6))
    assert five.startswith("Most of 5 sessions that changed `queue` changed `queue/drain.py` (5)")
    (earlier,) = bird.list(kinds=["module_insight"])
    (ten,) = work(bird, shop, *range(6, 11))
    assert ten.startswith("Most of 10 sessions")
    old = bird.get(earlier.id)
    assert (old.state, old.review) == ("superseded", "")
    (twenty,) = work(bird, shop, *range(11, 21))
    assert twenty.startswith("Most of 20 sessions")
    # All of its sessions are counted, and only the last one waits.
    (waits,) = [one for one in review.run(bird, {}).entries if one.kind == "module_insight"]
    assert waits.details is not None
    assert len(waits.details.fields.metadata["learned"]["sessions"]) == 20
    assert len(bird.admin.evidence(waits.id).sessions) == 20
    assert not bird.list(kinds=["module_insight"], states=("quarantined",))


def test_what_a_person_vouched_for_stays_beside_a_later_summary(
    bird: Bowerbird, tmp_path: Path
) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    work(bird, shop, *range(1, 6))
    (earlier,) = bird.list(kinds=["module_insight"])
    review.run(bird, {"confirm": [earlier.id]})
    assert len(work(bird, shop, *range(6, 11))) == 2


def test_agents_of_one_session_are_one_session(bird: Bowerbird, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    work(bird, shop, 1, 2)
    for name in ("one", "two"):
        helper = Talk("s3", shop, day=3).say("go on")
        given = {"file_path": str(shop / "queue" / "drain.py"), "old_string": "a"}
        path = helper.call("Edit", given | {"new_string": "b"}, "ok").put(tmp_path / "talks" / "s3")
        path.rename(path.with_name(f"agent-{name}.jsonl"))
    assert work(bird, shop, 3) == []
    # Its helpers' edits count as its own.
    assert [one[:18] for one in work(bird, shop, 4, 5)] == ["Most of 5 sessions"]
