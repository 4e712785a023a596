"""The team of a store: the same over every backend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird.core.errors import BadInput, Denied, NotFound, UnknownName
from bowerbird.core.who import Who

if TYPE_CHECKING:
    from pathlib import Path

    from tests.contract.conftest import Hands

    from bowerbird import Bowerbird


def test_a_token_is_its_members_until_it_expires_or_is_revoked(
    bird: Bowerbird, hands: Hands
) -> None:
    bird.admin.add_member("mia", role="steward")
    made = bird.admin.new_member_token("mia", label="laptop", expires="30d")
    other = bird.admin.new_member_token("mia", label="phone", expires="60d")
    holder = bird.admin.token_holder(made.token)
    assert holder is not None
    assert (holder.name, holder.role, holder.trust) == ("mia", "steward", "normal")
    assert bird.admin.token_holder(made.token + "x") is None
    assert made.token not in repr(bird.admin.team())
    with pytest.raises(BadInput, match="already"):
        bird.admin.new_member_token("mia", label="laptop")
    assert bird.admin.revoke_member_token("mia", label="phone").revoked == 1
    assert bird.admin.token_holder(other.token) is None
    hands.days(32)
    assert bird.admin.token_holder(made.token) is None
    assert [one.label for one in bird.admin.team().tokens] == ["laptop", "phone"]


def test_a_member_is_added_once_and_then_changed(bird: Bowerbird) -> None:
    assert bird.admin.add_member("Mia", trust="imported").done == "added"
    changed = bird.admin.add_member("mia", role="admin")
    assert (changed.done, changed.member.role, changed.member.trust) == (
        "changed",
        "admin",
        "imported",
    )
    assert [one.name for one in bird.admin.team().members] == ["mia"]


def test_what_is_no_name_no_role_and_no_trust_is_refused(bird: Bowerbird) -> None:
    for name in ("", "user", "agent", "global", "1st", "a b", "é", "x" * 41):
        with pytest.raises(BadInput):
            bird.admin.add_member(name)
    with pytest.raises(UnknownName):
        bird.admin.add_member("mia", role="boss")
    with pytest.raises(BadInput):
        bird.admin.add_member("mia", trust="full")
    with pytest.raises(NotFound):
        bird.admin.new_member_token("mia")


def test_only_an_admin_changes_the_team(bird: Bowerbird) -> None:
    bird.admin.add_member("mia")
    bird.admin.new_member_token("mia", label="laptop")
    mia = Who("member:mia", "member", person="mia", role="member", most="normal", local=False)
    own = bird.acting(mia)
    with pytest.raises(Denied):
        own.admin.add_member("eve")
    with pytest.raises(Denied):
        own.admin.new_member_token("mia", label="phone")
    assert own.admin.revoke_member_token("mia").revoked == 1
    robot = bird.acting(Who("agent:robot", "agent", local=False))
    with pytest.raises(Denied):
        robot.admin.add_member("eve")


def test_a_dispute_leaves_four_fifths_until_it_is_closed(bird: Bowerbird) -> None:
    bird.admin.add_member("mia")
    id = bird.remember("The gate closes at nine", audience="team", confidence=0.5).id
    mia = bird.acting(
        Who(
            "member:mia",
            "member",
            person="mia",
            role="member",
            most="normal",
            local=False,
            wide=False,
            may_share=False,
        )
    )
    assert mia.dispute(id, "at eight").confidence == 0.4
    assert [one.id for one in bird.disputes().disputes] == [id]
    assert bird.get(id).disputed == "mia"
    mia.dispute(id, "ask the guard")
    with pytest.raises(Denied):
        mia.close_dispute(id, "kept")
    with pytest.raises(UnknownName):
        bird.close_dispute(id, "maybe")
    closed = bird.close_dispute(id, "kept", "asked him")
    assert (closed.confidence, closed.disputed) == (0.5, "")
    assert [(one.actor, one.text) for one in closed.thread] == [
        ("member:mia", "at eight"),
        ("member:mia", "ask the guard"),
        ("user", "kept: asked him"),
    ]
    with pytest.raises(BadInput):
        bird.close_dispute(id, "kept")
    assert not bird.get(id).disputed


def test_who_leaves_takes_what_is_personal(bird: Bowerbird, tmp_path: Path) -> None:
    bird.admin.add_member("mia")
    mia = bird.acting(
        Who(
            "member:mia",
            "member",
            person="mia",
            role="member",
            most="normal",
            local=False,
            wide=False,
            may_share=False,
        )
    )
    shared = mia.remember("The gate is green", audience="team").id
    mia.remember("My coat hangs behind the gate")
    assert [one.id for one in bird.onboarding()] == [shared]
    path = tmp_path / "mia.jsonl"
    left = bird.admin.leave_team("mia", export=path)
    assert (left.done, left.erased) == ("left", 1)
    assert "My coat" in path.read_text()
    assert mia.admin.personal().memories == 0
    assert {one.text for one in mia.list()} == {"The gate is green"}
    with pytest.raises(NotFound):
        bird.admin.new_member_token("mia")
