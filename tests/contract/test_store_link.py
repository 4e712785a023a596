"""A store that is reached through a link is the same store, with the same files beside it."""

import os
from pathlib import Path

from bowerbird import Bowerbird


def test_a_link_leads_to_the_store_and_all_that_stands_beside_it(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").mkdir()
    real, link = tmp_path / "real" / "memory.db", tmp_path / "linked" / "memory.db"
    link.symlink_to(real)
    with Bowerbird.open(link, project="shop") as bird:
        kept = bird.remember("Redis must be up before the auth tests")
        assert bird.used([kept.id], "s1")
    assert os.listdir(link.parent) == ["memory.db"]
    with Bowerbird.open(real, project="shop") as bird:
        bird.remember("The next writer counts what was used")
        found = bird.get(kept.id)
        assert found.details is not None
        assert found.details.access_count == 1
