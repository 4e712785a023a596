"""Which memories are compared once several copies of a store are one."""

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import ModelError
from bowerbird.core.types import ModelIdentity
from bowerbird.lifecycle import opposing
from bowerbird.models.embed.static import StaticEmbedder

HERE = ("The port of the mail service is 1001", "The colour of the till is blue")
THERE = ("The mail service restarts at midnight", "Deploys happen on Mondays")
COMMON = ("The port of the mail service was chosen by Ines", "The colour of the van is red")


class Unread:
    """A model that is not there."""

    @property
    def identity(self) -> ModelIdentity:
        raise ModelError("the model is not there", "start it")


@pytest.fixture(params=[StaticEmbedder.builtin, Unread], ids=["read", "unread"])
def embedder(request: pytest.FixtureRequest) -> StaticEmbedder:
    return request.param()  # type: ignore[no-any-return]


def kept(bird: Bowerbird, texts: tuple[str, ...]) -> list[str]:
    return [bird.remember(text).id for text in texts]


def near(
    bird: Bowerbird, embedder: StaticEmbedder, sides: dict[str, str]
) -> tuple[set[tuple[str, str]], int]:
    with bird._wiring.opened.reading() as store:
        return opposing.near(store, embedder, sides)


def test_what_two_sides_alone_knew_is_compared(bird: Bowerbird, embedder: StaticEmbedder) -> None:
    here, there, common = (kept(bird, texts) for texts in (HERE, THERE, COMMON))
    pairs, left_out = near(
        bird, embedder, dict.fromkeys(here, "here") | dict.fromkeys(there, "there")
    )
    assert (here[0], there[0]) in pairs
    assert pairs <= {(one, other) for one in here for other in there}
    assert left_out == 0
    # What no side knew as it is now is compared with what all knew, too.
    changed, _ = near(bird, embedder, {common[0]: common[0], here[1]: "here"})
    assert {(here[0], common[0]), (there[0], common[0])} <= changed
    assert all(common[0] in pair for pair in changed)
    assert near(bird, embedder, dict.fromkeys((*here, *there), "here")) == (set(), 0)


def test_of_too_many_the_eldest_of_the_smaller_side_are(
    bird: Bowerbird, embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opposing, "MOST", 2)
    services = range(4)
    more = kept(bird, tuple(f"Service q{one} reads the queue of the shop" for one in range(5)))
    less = kept(bird, tuple(f"Service q{one} is looked after by Ines" for one in services))
    found = [
        near(bird, embedder, dict.fromkeys(more, one) | dict.fromkeys(less, other))
        for one, other in (("here", "there"), ("there", "here"))
    ]
    assert found[0] == found[1]
    pairs, left_out = found[0]
    assert {other for _, other in pairs} == {*less[:2]}
    assert left_out == len(services) - 2
