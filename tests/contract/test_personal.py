"""What is personal in a shared store is its owner's alone: the same over every backend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import Denied, NotFound
from bowerbird.core.who import Who

if TYPE_CHECKING:
    from tests.contract.conftest import Hands

    from bowerbird import Bowerbird


def person(name: str, role: str = "member") -> Who:
    return Who(
        f"member:{name}", "member", may_share=False, wide=False, local=False,
        person=name, role=role, most="normal",
    )  # fmt: skip


def texts(bird: Bowerbird) -> set[str]:
    return {one.text for one in bird.list(memories_only=True)}


def test_what_the_owner_kept_before_anybody_came_stays_their_own(bird: Bowerbird) -> None:
    own = bird.remember("My desk is by the window", confidence=0.7).id
    shared = bird.remember("The printer is in the hall", audience="team").id
    bird.admin.add_member("mia")
    mia = bird.acting(person("mia"))
    assert texts(mia) == {"The printer is in the hall"}
    assert texts(bird) == {"My desk is by the window", "The printer is in the hall"}
    assert bird.status().total_memories == 2
    assert mia.status().total_memories == 1
    with pytest.raises(NotFound):
        mia.get(own)
    assert mia.get(shared).text == "The printer is in the hall"
    later = bird.remember("My chair squeaks").id
    with pytest.raises(NotFound):
        mia.get(later)


def test_a_personal_memory_is_not_even_the_owners(bird: Bowerbird) -> None:
    bird.admin.add_member("mia")
    mia = bird.acting(person("mia"))
    id = mia.remember("I answer mail after lunch").id
    for other in (bird, bird.acting(person("sam", "admin"))):
        assert not texts(other)
        assert not other.query("who answers mail after lunch?")
        with pytest.raises(NotFound):
            other.get(id)
        with pytest.raises(NotFound):
            other.forget(id)
    assert not bird.list(all_projects=True)
    assert bird.status(all_projects=True).total_memories == 0
    assert [hit.id for hit in mia.query("who answers mail after lunch?")] == [id]


def test_it_is_shared_by_its_audience_and_reverted_the_same_way(bird: Bowerbird) -> None:
    bird.admin.add_member("mia")
    mia, sam = bird.acting(person("mia")), bird.acting(person("sam", "steward"))
    id = mia.remember("The archive opens at nine").id
    mia.edit(id, audience="team")
    assert sam.get(id).speaker == "mia"
    with pytest.raises(Denied):
        sam.edit(id, audience="personal")
    sam.revert(id)
    with pytest.raises(NotFound):
        sam.get(id)
    assert mia.get(id).text == "The archive opens at nine"
    assert [one.actor for one in mia.history(id).events][-1] == "member:sam"


def test_the_same_words_are_one_memory_for_each(bird: Bowerbird) -> None:
    bird.admin.add_member("mia")
    mia, sam = bird.acting(person("mia")), bird.acting(person("sam"))
    said = "The lift is slow on Mondays"
    first, second = mia.remember(said), sam.remember(said)
    assert (first.decision, second.decision) == ("created", "created")
    assert not second.matched
    assert mia.remember(said).id == first.id
    third = sam.remember(said, audience="team")
    assert (third.decision, third.matched) == ("created", ())


def test_ones_own_comes_first_only_if_it_is_newer_and_surer(bird: Bowerbird, hands: Hands) -> None:
    bird.admin.add_member("mia")
    mia, sam = bird.acting(person("mia")), bird.acting(person("sam"))
    team = sam.remember("The deploy window is on Tuesday", audience="team", confidence=0.8).id
    hands.days(1)
    own = mia.remember("The deploy window is on Thursday for me", confidence=0.6).id
    question = "when is the deploy window?"
    hits = mia.query(question)
    assert [hit.id for hit in hits] == [team, own]
    assert [(hit.entry.speaker, hit.entry.audience) for hit in hits] == [
        ("sam", ""),
        ("mia", "personal"),
    ]
    assert [hit.relevance for hit in hits] == sorted((hit.relevance for hit in hits), reverse=True)
    mia.edit(own, confidence=0.95)
    assert {hit.id for hit in mia.query(question)} == {team, own}
    assert mia.query(question)[0].id == own
    hands.days(1)
    newer = sam.remember("The deploy window is now on Friday", audience="team", confidence=0.5).id
    order = [hit.id for hit in mia.query(question)]
    assert order.index(newer) < order.index(own)
    assert own not in [hit.id for hit in sam.query(question)]


def test_a_pattern_sums_up_what_one_person_keeps_for_themselves(bird: Bowerbird) -> None:
    bird.admin.add_member("mia")
    mia, sam = bird.acting(person("mia")), bird.acting(person("sam"))
    said = (
        "The payment service returned HTTP 502 on node {} because the upstream pool was exhausted"
    )
    nodes = ("web-8081", "web-8082", "web-8083", "web-8090", "web-8091", "web-8092")
    its = {
        who: {one.remember(said.format(node), kind="error_pattern").id for node in some}
        for who, one, some in (("mia", mia, nodes[:3]), ("sam", sam, nodes[3:]))
    }
    made = [*mia.consolidate().patterns, *sam.consolidate().patterns]
    assert sorted(map(sorted, (one.examples for one in made))) == sorted(map(sorted, its.values()))
    for pattern in made:
        (owner,) = (name for name, ids in its.items() if ids == set(pattern.examples))
        for name, one in (("mia", mia), ("sam", sam)):
            if name == owner:
                assert one.get(pattern.id).audience == "personal"
                assert [hit.id for hit in one.query("payment service HTTP 502")] == [pattern.id]
            else:
                with pytest.raises(NotFound):
                    one.get(pattern.id)
