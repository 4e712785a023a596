"""A confined Bowerbird knows of its project and of what is global, and of nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BadInput, Denied, NotFound
from bowerbird.core.who import AGENT, Who

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bowerbird.core.types import Entry


@pytest.fixture
def bird(store_path: str) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path) as opened:
        shop, bank = opened.within("shop"), opened.within("bank")
        shop.remember("The shop sells shoes on Mondays")
        bank.remember("The bank keeps platypuses in the vault")
        bank.remember("The whole world knows that water is wet", everywhere=True)
        yield opened


def only(bird: Bowerbird, project: str) -> Entry:
    (entry,) = [one for one in bird.within(project).list() if one.project]
    return entry


def test_what_is_its_own_and_what_is_global_is_found(bird: Bowerbird) -> None:
    shop = bird.within("shop", confined=True)
    for entry in shop.list():
        assert shop.get(entry.id).text == entry.text
        assert shop.get(entry.id[:18]).id == entry.id
    assert {entry.project for entry in shop.list()} == {"name:shop", ""}


def test_nothing_is_moved_out_of_another_project_or_into_one(bird: Bowerbird) -> None:
    theirs, ours = only(bird, "bank"), only(bird, "shop")
    shop = bird.within("shop", confined=True)
    for id in (theirs.id, theirs.id[:18], ours.id):
        with pytest.raises(BadInput, match="leads out of this project"):
            shop.admin.move([id], "bank")
    with pytest.raises(NotFound):
        shop.admin.move([theirs.id], "shop")


def test_a_move_to_a_project_leads_nobody_there(bird: Bowerbird) -> None:
    ours, shop = only(bird, "shop"), bird.within("shop")
    shop.admin.move([ours.id], "bank")
    assert shop.project.uid == "name:shop"
    assert shop.get(shop.remember("The shop opens at nine").id).project == "name:shop"


def test_an_id_of_another_project_leads_nowhere(bird: Bowerbird) -> None:
    theirs, ours = only(bird, "bank"), only(bird, "shop")
    shop = bird.within("shop", confined=True)
    calls = (
        shop.get,
        shop.history,
        shop.forget,
        shop.revert,
        lambda source: shop.link(source, ours.id),
        lambda target: shop.link(ours.id, target),
    )
    for call in calls:
        for id in (theirs.id, theirs.id[:18]):
            with pytest.raises(NotFound) as found:
                call(id)
            with pytest.raises(NotFound) as none:
                call("019a2f6c-81d4-7000-8000-000000000000")
            shown = found.value.message.replace(id, "ID")
            assert shown == none.value.message.replace("019a2f6c-81d4-7000-8000-000000000000", "ID")
    assert bird.get(theirs.id).state == "active"


def test_the_beginning_of_an_id_is_told_apart_among_its_own(store_path: str) -> None:
    """Whether another project holds an id of the same beginning is not to be learnt."""
    with Bowerbird.open(store_path) as bird:
        ours = bird.within("shop").remember("The shop sells shoes on Mondays").id
        theirs = bird.within("bank").remember("The bank keeps platypuses in the vault").id
        same = next(n for n in range(len(ours)) if ours[n] != theirs[n])
        with pytest.raises(BadInput, match="several"):
            bird.get(ours[:same])
        assert bird.within("shop", confined=True).get(ours[:same]).id == ours
        assert bird.within("bank", confined=True).get(ours[:same]).id == theirs


def test_links_into_other_projects_are_neither_told_nor_taken_back(bird: Bowerbird) -> None:
    theirs, ours = only(bird, "bank"), only(bird, "shop")
    bird.link(ours.id, theirs.id, "causes")
    bird.link(ours.id, "file:shop.py", "informs")
    shop = bird.within("shop", confined=True)
    history = shop.history(ours.id)
    assert [one.target for one in history.relations] == ["file:shop.py"]
    assert theirs.id not in str([event.raw_dict() for event in history.events])
    shop.revert(ours.id)
    with pytest.raises(BadInput, match="another project"):
        shop.revert(ours.id)
    assert len(bird.history(theirs.id).relations) == 1


def test_all_projects_are_out_of_bounds(bird: Bowerbird) -> None:
    shop = bird.within("shop", confined=True)
    for call in (
        lambda: shop.query("vault", all_projects=True),
        lambda: shop.list(all_projects=True),
        lambda: shop.context("open the vault", all_projects=True),
    ):
        with pytest.raises(BadInput):
            call()


def test_no_answer_names_another_project(bird: Bowerbird) -> None:
    shop, nobody = (bird.within(name, confined=True) for name in ("shop", "nobody"))
    assert {one["name"] for one in shop.status().projects} == {"shop", "global"}
    assert "bank" not in str(nobody.list().notes)
    assert "bank" in str(bird.within("nobody").list().notes)
    assert "bank" not in str(nobody.query("vault").notes)


def test_no_kept_answer_names_another_project(store_path: str) -> None:
    """The remark for whoever sees the whole store stays with that answer."""
    with Bowerbird.open(store_path, resident=True) as bird:
        bird.within("bank").remember("The bank keeps platypuses in the vault")
        everybody, nobody = bird.within("nobody"), bird.within("nobody", confined=True)
        for _ in range(2):
            assert "known: bank" in everybody.query("vault").trace.degraded[0]
            degraded = nobody.query("vault").trace.degraded
            assert degraded == ["project: no project 'nobody' in this store"]


def test_words_of_another_project_correct_nothing(bird: Bowerbird) -> None:
    """Else a slip of the pen would be a way to read them, one word at a time."""
    assert bird.within("bank").query("platypusses").corrected == {"platypusses": "platypuses"}
    for confined in (True, False):
        hits = bird.within("shop", confined=confined).query("platypusses")
        assert hits.corrected == {}
        assert "platypuses" not in str([stage.raw_dict() for stage in hits.trace.stages])


def test_a_word_that_only_shares_its_stem_with_one_here_stays_unnamed(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.within("bank").remember("The gnomonical vault opens at nine")
        shop = bird.within("shop", confined=True)
        shop.remember("The gnomoneical sundial stands in the yard")
        hits = shop.query("gnomaonical")
        assert "gnomonical" not in hits.corrected.values()
        assert "gnomonical" not in str([stage.raw_dict() for stage in hits.trace.stages])
        assert bird.within("bank").query("gnomaonical").corrected == {"gnomaonical": "gnomonical"}


def test_a_confined_one_stays_confined(bird: Bowerbird) -> None:
    theirs = only(bird, "bank")
    again = bird.within("shop", confined=True).within("shop")
    with pytest.raises(NotFound):
        again.get(theirs.id)


def test_the_importance_that_status_tells_is_that_of_what_it_counts(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.within("bank").remember("The vault opens at nine", importance=0.9)
        shop = bird.within("shop", confined=True)
        assert shop.status().avg_importance == 0.0
        kept = shop.remember("The shop opens at ten", importance=0.3)
        assert shop.status().avg_importance == 0.3
        shop.forget(kept.id)
        assert shop.status().avg_importance == 0.0


def test_what_is_for_the_owner_of_this_machine_is_refused_to_callers_from_elsewhere(
    bird: Bowerbird, tmp_path: Path
) -> None:
    here, elsewhere = (bird.acting(Who("agent:x", AGENT, local=local)) for local in (True, False))
    assert here.admin.doctor()
    assert here.admin.cache_state().vectors == here.admin.prune_cache() == 0
    assert here.index(tmp_path).added == 0
    for refused in (
        elsewhere.admin.doctor,
        elsewhere.admin.cache_state,
        elsewhere.admin.prune_cache,
        lambda: elsewhere.index(tmp_path),
    ):
        with pytest.raises(Denied, match="owner of this machine"):
            refused()


def test_an_agent_neither_erases_nor_says_whose_files_are_trusted(
    bird: Bowerbird, tmp_path: Path
) -> None:
    ours = only(bird, "shop")
    shop = bird.within("shop").acting(Who("agent:x", AGENT))
    for refused in (
        lambda: shop.admin.erase([ours.id]),
        lambda: shop.admin.trust(tmp_path),
        lambda: shop.admin.distrust(tmp_path),
    ):
        with pytest.raises(Denied, match="owner"):
            refused()
    assert bird.get(ours.id).text == ours.text
