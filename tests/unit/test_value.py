"""Values: what may be a key never changes, and what may change is no key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.damage import Damage
from bowerbird.core.operators import matching
from bowerbird.core.query import Filter, Query
from bowerbird.core.types import Vector
from bowerbird.core.value import FrozenRecord, Record, fresh

if TYPE_CHECKING:
    from collections.abc import Callable


def asked() -> Query:
    lists: Any = ["fact", "decision"]
    return Query("redis", filter=Filter(kinds=lists, matching=matching("redis NOT (a OR b*)")))


def test_a_question_is_a_key() -> None:
    kept = {asked(): "answer"}
    assert kept[asked()] == "answer"
    assert asked().replace(limit=3) not in kept
    assert asked().replace(filter=Filter()) not in kept


@pytest.mark.parametrize("value", [asked(), asked().filter, asked().filter.matching])
def test_its_fields_stay(value: Any) -> None:
    before = hash(value)
    for name in value.__slots__:
        with pytest.raises(AttributeError, match="replace"):
            setattr(value, name, None)
        with pytest.raises(AttributeError, match="frozen"):
            delattr(value, name)
    with pytest.raises(AttributeError):
        value.colour = "red"
    assert hash(value) == before


def test_a_list_that_was_handed_in_may_change_afterwards() -> None:
    kinds: Any = ["fact"]
    filter = Filter(kinds=kinds, projects=kinds)
    kinds.append("decision")
    assert (filter.kinds, filter.projects) == (("fact",), ("fact",))


def test_what_may_change_is_no_key() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Vector(b"", 0.0))


class Part(Record):
    """What a record is made of."""

    TABLE = (("name", "text"),)
    name: str
    size: int = 1


def test_a_table_takes_shapes_from_declarations_and_its_own_rows_in_their_place() -> None:
    class Whole(Record):
        """A record of all sorts of fields, and of a property."""

        words: tuple[str, ...]
        at: int
        TABLE = (("count", "whole"), "*", ("at", "moment"))

    table: Any = Whole.TABLE
    assert table == (
        ("count", "whole"),
        ("words", "texts"),
        ("at", "moment"),
    )


class Larger(Part):
    """A record over another one."""

    colour: str = ""


def test_a_record_is_made_by_the_fields_of_its_class() -> None:
    part = Part("a")
    assert (part.name, part.size) == ("a", 1)
    assert part == Part(name="a", size=1) != Part("a", 2)
    assert part.replace(size=3) == Part("a", 3)
    assert (part.as_dict(), part.raw_dict()) == ({"name": "a"}, {"name": "a", "size": 1})
    assert repr(Larger("a", 2, "red")) == "Larger(name='a', size=2, colour='red')"


@pytest.mark.parametrize(
    ("given", "named"),
    [((), {}), ((), {"size": 1}), (("a",), {"name": "b"}), (("a", 1, 2), {}), (("a",), {"x": 1})],
)
def test_a_record_of_other_fields_is_none(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="takes name, size"):
        Part(*given, **named)


def test_a_damage_can_be_copied_with_another_remedy() -> None:
    damage = Damage("text", "0198", "it is not what was written", "restore a backup")
    assert damage.replace(remedy="verify").raw_dict() == {
        **damage.raw_dict(),
        "remedy": "verify",
    }


def test_what_a_class_needs_is_its_own_whichever_made_a_value_first() -> None:
    class Wider(Part):
        """A part with a field of its own, and with a default for one that had none."""

        name: str = "wheel"
        weight: int  # type: ignore[misc]

    part: Any = Part
    wider: Any = Wider
    assert Part("hub").raw_dict() == {"name": "hub", "size": 1}
    assert wider(weight=3).raw_dict() == {"name": "wheel", "size": 1, "weight": 3}
    with pytest.raises(TypeError, match="Wider takes"):
        wider("hub")
    with pytest.raises(TypeError, match="Part takes"):
        part("hub", weight=3)


def test_the_values_of_a_class_are_alike_however_many_it_made() -> None:
    class Listed(Record):
        """A record with a list of its own for each value."""

        name: str
        parts: list[str] = fresh(list)
        size: int = 1

    class Fixed(FrozenRecord):
        """A record that is a key."""

        name: str
        size: int = 1

    listed: Any = Listed
    fixed: Any = Fixed
    for kind in (listed, fixed):
        first = kind("a")
        for _ in range(150):
            last = kind("a")
        assert first == last
        assert vars(first) == vars(last)
        assert kind("b", size=2).raw_dict() == first.replace(name="b", size=2).raw_dict()
        with pytest.raises(TypeError, match="name"):
            kind(size=2)
    assert hash(Fixed("a")) == hash(Fixed("a", 1))
    with pytest.raises(AttributeError, match="frozen"):
        Fixed("a").size = 3  # type: ignore[misc]
    listed("c").parts.append("changed")
    assert listed("c").parts == []

    class Wider(Listed):
        """A record over one that made many."""

        colour: str = ""

    assert Wider("a", colour="red").raw_dict() == {
        "name": "a",
        "parts": [],
        "size": 1,
        "colour": "red",
    }


class _Asks(Record):
    text: str
    ask: Callable[[str], str] = lambda text: text.upper()


def test_a_function_as_a_default_is_no_method_however_many_were_made() -> None:
    values = [_Asks("a") for _ in range(300)]
    assert {one.ask("b") for one in values} == {"B"}
    assert values[0] == values[-1]
