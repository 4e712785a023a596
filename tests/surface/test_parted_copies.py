"""What one device ended, and another one did not know of or decided otherwise, once their stores meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.life import DAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from bowerbird.core.types import Entry

    Act = Callable[[Bowerbird, list[str]], object]

START = 1_767_225_600_000
STATE = "Work state: ticket SHOP-1 is half done."
LATER = "Work state: ticket SHOP-1 is nearly done."


class Clock:
    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        self.now += 1
        return self.now


class Devices:
    """Two copies of one store, and what comes of them in either order."""

    def __init__(self, folder: Path, *texts: str, kind: str = "fact") -> None:
        self._folder = folder
        base = self._path("base")
        with Bowerbird.open(base, project="shop", clock=Clock(START)) as bird:
            self.ids = [bird.remember(text, kind=kind).id for text in texts]
        for name in "ab":
            with Bowerbird.open(self._path(name), clock=Clock(START + DAY)) as bird:
                bird.admin.import_from(base)

    def _path(self, name: str) -> str:
        return str(self._folder / f"{name}.db")

    def on(self, name: str, day: float, act: Act) -> object:
        """Does something on one of both, some days after the start."""
        clock = Clock(START + int(day * DAY))
        with Bowerbird.open(self._path(name), project="shop", clock=clock) as bird:
            done = act(bird, self.ids)
        with Bowerbird.open(self._path(name), clock=clock) as bird:
            bird.admin.import_from(self._path("base"))  # a write counts the recorded uses
        return done

    def met(self, check: Callable[[Bowerbird], None], day: float = 400) -> None:
        """Checks what both are as one, which is the same in either order, and once more."""
        told = []
        for order in ("ab", "ba"):
            with Bowerbird.open(
                self._path(order), project="shop", clock=Clock(START + int(day * DAY))
            ) as bird:
                for name in order:
                    bird.admin.import_from(self._path(name))
                check(bird)
                for name in order:
                    got = bird.admin.import_from(self._path(name))
                    assert (got.added, got.changed, got.errors) == (0, 0, ())
                told.append(list(bird.admin.export_lines()))
                assert bird.admin.verify().sound
        assert told[0] == told[1]


def holding(bird: Bowerbird) -> list[Entry]:
    return list(bird.list(memories_only=True, states=["active"]))


def pruned(bird: Bowerbird, _: Iterable[str]) -> int:
    return len(bird.prune().leaving)


ACTS = {
    "used": (lambda bird, ids: bird.used(ids), STATE, False),
    "pinned": (lambda bird, ids: bird.edit(ids[0], pinned=True), STATE, True),
    "tagged": (lambda bird, ids: bird.edit(ids[0], tags=["shop"]), STATE, True),
    "worded": (lambda bird, ids: bird.edit(ids[0], LATER), LATER, True),
}


@pytest.mark.parametrize("removed", [False, True])
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("day", [95, 99, 140])
def test_what_one_device_pruned_and_the_other_wanted_holds(
    tmp_path: Path, act: str, day: float, *, removed: bool
) -> None:
    done, text, waits = ACTS[act]
    devices = Devices(tmp_path, STATE, kind="work_state")
    assert devices.on("a", 100, pruned) == 1
    if removed:
        assert devices.on("a", 150, lambda bird, _: bird.prune().removed) == 1
    devices.on("b", day, done)

    def check(bird: Bowerbird) -> None:
        (one,) = holding(bird)
        assert one.text == text
        assert ("it was pruned on" in one.review) == waits
        assert [case.entry.id for case in bird.waiting().cases] == ([one.id] if waits else [])

    devices.met(check)


def test_what_nobody_wanted_stays_pruned_and_removed(tmp_path: Path) -> None:
    devices = Devices(tmp_path, STATE, kind="work_state")
    devices.on("b", 2, lambda bird, ids: bird.used(ids))
    assert devices.on("a", 100, pruned) == 1
    devices.met(lambda bird: _assert_none(holding(bird)))


def test_a_use_of_what_is_known_as_pruned_changes_nothing(tmp_path: Path) -> None:
    devices = Devices(tmp_path, STATE, kind="work_state")
    assert devices.on("a", 100, pruned) == 1
    devices.on("b", 101, lambda bird, _: bird.admin.import_from(str(tmp_path / "a.db")))
    devices.on("b", 102, lambda bird, ids: bird.used(ids))
    devices.met(lambda bird: _assert_none(holding(bird)))


def test_what_a_person_ended_stays_ended_whoever_used_it(tmp_path: Path) -> None:
    devices = Devices(tmp_path, STATE, kind="work_state")
    devices.on("a", 3, lambda bird, ids: bird.deprecate(ids))
    devices.on("b", 4, lambda bird, ids: bird.used(ids))
    devices.met(lambda bird: _assert_none(holding(bird)))


def test_what_was_removed_here_is_told(tmp_path: Path) -> None:
    devices = Devices(tmp_path, STATE, kind="work_state")
    devices.on("a", 100, pruned)
    devices.on("a", 150, pruned)
    path = str(tmp_path / "a.db")

    def take(bird: Bowerbird, ids: list[str]) -> None:
        got = bird.admin.import_from(path).received
        assert got is not None
        assert (list(got.lowered), got.removed) == (ids, ())
        assert bird.get(ids[0]).state == "deleted"
        bird.revert(ids[0])
        assert [one.id for one in holding(bird)] == ids

    devices.on("b", 160, take)

    def check(bird: Bowerbird) -> None:
        (one,) = holding(bird)
        assert not one.review

    devices.met(check)


def _assert_none(found: list[Entry]) -> None:
    assert not found


BASTION = (
    "Deploys go through the bastion.",
    "A bastion is used for deploys, says Ulla.",
    "The bastion host is for shipping, says Tom.",
)
CROSSED: dict[str, tuple[Act, Act, int]] = {
    "merged": (
        lambda bird, ids: bird.merge(ids[0], ids[1]),
        lambda bird, ids: bird.merge(ids[1], ids[0]),
        2,
    ),
    "superseded": (
        lambda bird, ids: bird.link(ids[0], ids[1], "supersedes"),
        lambda bird, ids: bird.link(ids[1], ids[0], "supersedes"),
        2,
    ),
    "in a ring": (
        lambda bird, ids: (bird.merge(ids[0], ids[1]), bird.merge(ids[1], ids[2])),
        lambda bird, ids: bird.merge(ids[2], ids[0]),
        3,
    ),
}


@pytest.mark.parametrize("how", CROSSED)
def test_what_replaced_each_other_on_two_devices_holds_and_waits(tmp_path: Path, how: str) -> None:
    one, other, many = CROSSED[how]
    devices = Devices(tmp_path, *BASTION[:many])
    devices.on("a", 3, one)
    devices.on("b", 2, other)

    def check(bird: Bowerbird) -> None:
        assert {entry.id for entry in holding(bird)} == {*devices.ids}
        assert {entry.id for entry in holding(bird) if "decided otherwise" in entry.review} == {
            *devices.ids
        }
        assert bird.waiting().total
        assert list(bird.query("bastion for deploys"))

    devices.met(check)


def test_one_confirmation_settles_what_replaced_each_other_and_one_revert_takes_it_back(
    tmp_path: Path,
) -> None:
    devices = Devices(tmp_path, *BASTION)
    one, other, _ = CROSSED["in a ring"]
    devices.on("a", 3, one)
    devices.on("b", 2, other)
    path = str(tmp_path / "met.db")
    for name in "ab":
        with Bowerbird.open(path, project="shop", clock=Clock(START + 5 * DAY)) as bird:
            bird.admin.import_from(str(tmp_path / f"{name}.db"))
    with Bowerbird.open(path, project="shop", clock=Clock(START + 6 * DAY)) as bird:
        bird.remember(BASTION[0], origin="user", verified=True)
        assert [entry.id for entry in holding(bird)] == devices.ids[:1]
        assert not bird.waiting().total
        bird.revert(devices.ids[0])
        assert {entry.id for entry in holding(bird)} == {*devices.ids}
    # Both devices' stores given again decide nothing anew.
    for name in "ab":
        with Bowerbird.open(path, project="shop", clock=Clock(START + 8 * DAY)) as bird:
            assert not bird.admin.import_from(str(tmp_path / f"{name}.db")).changed


def test_what_a_third_memory_replaced_stays_so(tmp_path: Path) -> None:
    devices = Devices(tmp_path, *BASTION)
    devices.on("a", 3, lambda bird, ids: bird.link(ids[0], ids[1], "supersedes"))
    devices.on(
        "b",
        2,
        lambda bird, ids: (
            bird.link(ids[1], ids[0], "supersedes"),
            bird.link(ids[2], ids[1], "supersedes"),
        ),
    )
    devices.met(lambda bird: _assert_same([entry.id for entry in holding(bird)], devices.ids[2:]))


def _assert_same(found: list[str], wanted: list[str]) -> None:
    assert found == wanted


NIGHTLY = (
    "The nightly build failed because the disk of runner 3 was full.",
    "The nightly build failed since the disk of runner 3 was full again.",
    "Nightly build failed: disk of runner 3 full.",
)
NINE = "The nightly build failed since the disk of runner 9 was full again."


def consolidated(bird: Bowerbird, _: Iterable[str]) -> object:
    return bird.consolidate()


def _states(bird: Bowerbird, ids: Iterable[str]) -> list[str]:
    return [bird.get(id).state for id in ids]


@pytest.mark.parametrize("day", [2, 4])
def test_what_one_device_forgot_is_not_in_the_pattern_of_another_one(
    tmp_path: Path, day: float
) -> None:
    devices = Devices(tmp_path, *NIGHTLY, kind="error_pattern")
    devices.on("a", 3, consolidated)
    devices.on("b", day, lambda bird, ids: bird.forget(ids[0]))

    def check(bird: Bowerbird) -> None:
        assert _states(bird, devices.ids) == ["deleted", "active", "active"]
        assert {entry.id for entry in holding(bird)} == {*devices.ids[1:]}

    devices.met(check)


@pytest.mark.parametrize("day", [2, 4])
def test_an_example_that_another_device_changed_holds_with_its_new_words(
    tmp_path: Path, day: float
) -> None:
    devices = Devices(tmp_path, *NIGHTLY, kind="error_pattern")
    devices.on("a", 3, consolidated)
    devices.on("b", day, lambda bird, ids: bird.edit(ids[1], NINE))

    def check(bird: Bowerbird) -> None:
        assert {entry.text for entry in holding(bird)} == {NIGHTLY[0], NINE, NIGHTLY[2]}

    devices.met(check)


def test_what_one_device_erased_is_in_no_pattern_of_another_one(tmp_path: Path) -> None:
    devices = Devices(tmp_path, "Quendel grows by the disk of runner 3.", *NIGHTLY, kind="fact")
    devices.on("a", 2, lambda bird, ids: bird.admin.erase(ids[:1]))

    def summed_up(bird: Bowerbird, ids: list[str]) -> object:
        bird.edit(ids[0], f"{NIGHTLY[0][:-1]} of Quendel.")
        return bird.consolidate()

    devices.on("b", 3, summed_up)

    def check(bird: Bowerbird) -> None:
        assert "uendel" not in "".join(bird.admin.export_lines())
        assert {entry.id for entry in holding(bird)} == {*devices.ids[1:]}

    devices.met(check)


def test_what_one_device_erased_gave_nothing_to_what_another_one_merged_it_into(
    tmp_path: Path,
) -> None:
    devices = Devices(tmp_path, *BASTION[:2])
    devices.on("a", 2, lambda bird, ids: bird.admin.erase(ids[:1]))

    def merged(bird: Bowerbird, ids: list[str]) -> object:
        bird.edit(ids[0], tags=["quendel"], metadata={"note": "quendel"})
        return bird.merge(ids[0], ids[1])

    devices.on("b", 3, merged)
    devices.met(
        lambda bird: _assert_same(
            [one for one in bird.admin.export_lines() if "quendel" in one], []
        )
    )


def test_what_is_erased_on_one_device_goes_with_what_says_the_same_on_another_one(
    tmp_path: Path,
) -> None:
    devices = Devices(tmp_path, *BASTION[:2])
    devices.on("a", 5, lambda bird, ids: bird.admin.erase(ids[:1]))
    devices.on("b", 3, lambda bird, ids: (bird.forget(ids[0]), bird.remember(BASTION[0])))
    devices.met(lambda bird: _assert_same([one.id for one in holding(bird)], devices.ids[1:]))


def test_what_was_merged_into_what_another_device_forgot_holds_and_waits(tmp_path: Path) -> None:
    devices = Devices(tmp_path, *BASTION[:2])
    devices.on("a", 3, lambda bird, ids: bird.merge(ids[0], ids[1]))
    devices.on("b", 2, lambda bird, ids: bird.forget(ids[1]))

    def check(bird: Bowerbird) -> None:
        assert [entry.id for entry in holding(bird)] == devices.ids[:1]
        assert "which did not know of that" in bird.get(devices.ids[0]).review

    devices.met(check)


def test_what_was_merged_into_what_another_device_erased_holds_and_waits(tmp_path: Path) -> None:
    devices = Devices(tmp_path, *BASTION[:2])
    devices.on("a", 3, lambda bird, ids: bird.merge(ids[0], ids[1]))
    devices.on("b", 2, lambda bird, ids: bird.admin.erase(ids[1:]))

    def check(bird: Bowerbird) -> None:
        assert [entry.id for entry in holding(bird)] == devices.ids[:1]
        assert "which did not know of that" in bird.get(devices.ids[0]).review

    devices.met(check)


@pytest.mark.parametrize("gone", ["erased", "removed"])
def test_what_was_merged_into_what_the_same_device_removes_is_forgotten(
    tmp_path: Path, gone: str
) -> None:
    devices = Devices(tmp_path, *BASTION[:2])
    devices.on("a", 3, lambda bird, ids: bird.merge(ids[0], ids[1]))
    if gone == "erased":
        devices.on("a", 4, lambda bird, ids: bird.admin.erase(ids[1:]))
    else:
        devices.on("a", 4, lambda bird, ids: bird.forget(ids[1]))
        assert devices.on("a", 50, lambda bird, _: bird.prune().removed) == 1
    devices.met(lambda bird: _assert_none(holding(bird)))
    devices.on("a", 60, lambda bird, ids: bird.revert(ids[0]))
    devices.met(lambda bird: _assert_same([one.id for one in holding(bird)], devices.ids[:1]))


def test_whoever_forgets_what_another_was_merged_into_is_told_how_that_comes_back(
    tmp_path: Path,
) -> None:
    devices = Devices(tmp_path, *BASTION[:2])

    def forgets(bird: Bowerbird, ids: list[str]) -> object:
        bird.merge(ids[0], ids[1])
        return bird.forget(ids[1])

    done = devices.on("a", 3, forgets)
    assert done.replaced == tuple(devices.ids[:1])  # type: ignore[attr-defined]
    devices.on("a", 4, lambda bird, ids: bird.revert(ids[0]))
    devices.met(lambda bird: _assert_same([one.id for one in holding(bird)], devices.ids[:1]))


def test_a_memory_that_was_merged_is_not_replaced_once_more(tmp_path: Path) -> None:
    devices = Devices(tmp_path, *BASTION[:2])
    devices.on("a", 3, lambda bird, ids: bird.merge(ids[0], ids[1]))

    def again(bird: Bowerbird, ids: list[str]) -> None:
        with pytest.raises(BadInput, match="what is merged cannot become superseded") as refused:
            bird.link(ids[1], ids[0], "supersedes")
        assert "active (revert)" in str(refused.value.remedy)

    devices.on("a", 4, again)


def test_what_one_device_forgot_stays_so_though_another_one_ended_it_later(tmp_path: Path) -> None:
    devices = Devices(tmp_path, *BASTION[:2])
    devices.on("a", 3, lambda bird, ids: bird.deprecate(ids[:1]))
    devices.on("b", 2, lambda bird, ids: bird.forget(ids[0]))
    devices.met(lambda bird: _assert_same(_states(bird, devices.ids), ["deleted", "active"]))
