"""The library and a server's client answer the same: the same values, and errors of the same classes."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird, Client
from bowerbird.core.anchors import Anchor
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.graph import Node
from bowerbird.core.memories import Fields
from bowerbird.core.overview import FadingMemory
from bowerbird.core.trace import Trace
from bowerbird.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.surface.http.conftest import Server

    from bowerbird.core.memory import Memory

# What means nothing outside of the store's own process, or is another at each call.
LOCAL = {"row", "document", "took_ms", "nonce", "accessed", "by", "worded_by"}
# The same of one type alone: what an anchor is compared with, by what number a node is known.
OWN: dict[type, set[str]] = {
    Fields: {"anchors"},
    Anchor: {"hash", "size", "modified", "first", "lines"},
    Node: {"id"},
    FadingMemory: {"at"},
}


@pytest.fixture(scope="module")
def interfaces(server: Server) -> Iterator[tuple[Bowerbird, Client]]:
    """The library and the client over one store that holds some of everything."""
    notes = server.folder / "notes"
    notes.mkdir()
    text = "\n\n".join(
        f"# Part {n}\n\nRedis {n} must be up before the auth tests run. " * 9 for n in range(5)
    )
    (notes / "auth.md").write_text(text)
    with (
        Bowerbird.open(server.store, project="shop") as bird,
        Client(server.address, token=server.token, project="shop") as client,
    ):
        (notes / "tokens.py").write_text("def sign(text):\n    return text\n")
        (notes / "login.py").write_text(
            "from tokens import sign\n\n\ndef login(user):\n    return sign(user)\n"
        )
        (notes / "twice.py").write_text("def login():\n    return missing()\n")
        bird.index(notes)
        one = bird.remember("Tokens are signed twice", files=[str(notes / "tokens.py")])
        two = bird.remember("Logins wait for the signature", files=[str(notes / "login.py")])
        bird.link(one.id, two.id, "causes")
        (notes / "tokens.py").write_text("def sign(text):\n    return text[::-1]\n")
        bird.remember("We chose SQLite because it is one file", kind="decision", tags=["db"])
        bird.remember("The label printer jams on Mondays", kind="gotcha")
        bird.remember("A web page said that Redis is slow", origin="agent", tainted=True)
        bird.remember("Deploys run on Fridays from main", everywhere=True)
        bird.forget(bird.remember("Redis listens on port 6379 here").id, reason="moved")
        yield bird, client


def reported(value: Any, number: Callable[[float], object]) -> Any:
    """A value field by field, so that a difference is shown by its name; `number` says how near."""
    if isinstance(value, Trace):
        return [(name, note.kind, str(note)) for name, note in value.notes]
    if isinstance(value, Value):
        hidden = LOCAL | OWN.get(type(value), set())
        names = [name for name in value.__slots__ if name not in hidden]
        return {name: reported(getattr(value, name), number) for name in names}
    if isinstance(value, (list, tuple)):
        notes = getattr(value, "notes", None)
        found = [reported(one, number) for one in value]
        return found if notes is None else {"entries": found, "notes": reported(notes, number)}
    if isinstance(value, dict):
        return {key: reported(one, number) for key, one in value.items()}
    if getattr(value, "kind", None):
        return (value.kind, str(value))
    return number(value) if isinstance(value, float) else value


def nearly(number: float) -> object:
    """Doors round to four digits."""
    return pytest.approx(number, abs=1e-4)


def ids(memory: Memory) -> dict[str, str]:
    """The memories of the store by a word of each."""
    every = memory.list(memories_only=True, states=["active", "quarantined", "deleted"])
    words = ("SQLite", "slow", "Fridays", "6379", "signed", "signature")
    return {word: one.id for one in every for word in words if word in one.text}


CALLS: dict[str, Any] = {
    "get a memory": lambda one: one.get(ids(one)["SQLite"]),
    "get one that waits": lambda one: one.get(ids(one)["slow"]),
    "get one that is gone": lambda one: one.get(ids(one)["6379"]),
    "at": lambda one: one.at("notes/auth.md", 12),
    "query": lambda one: one.query("sqlite or redis before auth tests"),
    "query what is gone": lambda one: one.query("redis port", states=["deleted", "quarantined"]),
    "query a word that is misspelt": lambda one: one.query("rediss"),
    "query by words": lambda one: one.query("redis", fast=True),
    "list": lambda one: one.list(),
    "list what is gone": lambda one: one.list(states=["deleted"]),
    "history": lambda one: one.history(ids(one)["6379"]),
    "context": lambda one: one.context("which database file?", min_trust="low"),
    "status": lambda one: one.status(fading=True),
    "fading": lambda one: one.fading(),
    "status of all": lambda one: one.status(all_projects=True),
    "prune": lambda one: one.prune(dry_run=True),
    "prune of all": lambda one: one.prune(dry_run=True, all_projects=True),
    "consolidate": lambda one: one.consolidate(dry_run=True),
    "a tag": lambda one: one.query("redis or sqlite", tags="db"),
    "a path": lambda one: one.list(path="notes"),
    "impact": lambda one: one.impact("sign"),
    "impact of what changed": lambda one: one.impact("login.py", direction="dependencies"),
    "impact of what is one of several": lambda one: one.impact("login"),
    "references": lambda one: one.references("sign"),
    "references of one of several": lambda one: one.references("login"),
    "outline": lambda one: one.outline("login.py"),
    "map": lambda one: one.map(),
    "stale": lambda one: one.stale(),
    "a way": lambda one: one.way(ids(one)["signed"], "login.py"),
    "a way of one of several": lambda one: one.way(ids(one)["signed"], "login"),
    "causes": lambda one: one.way(ids(one)["signed"]),
    "communities": lambda one: one.communities(),
    "nothing to forget": lambda one: one.forget_all([]),
    "nothing was used": lambda one: one.used([]),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_both_give_the_same_value(interfaces: tuple[Bowerbird, Client], call: Any) -> None:
    bird, client = interfaces
    assert reported(call(client), float) == reported(call(bird), nearly)


@pytest.mark.usefixtures("interfaces")  # a store that was never made is told of instead
def test_notes_keep_their_kind(server: Server) -> None:
    with (
        Bowerbird.open(server.store, project="nowhere") as bird,
        Client(server.address, token=server.token, project="nowhere") as client,
    ):
        for name in ("query", "list", "prune"):
            about: dict[str, Any] = {"text": "redis"} if name == "query" else {}
            about |= {"dry_run": True} if name == "prune" else {}
            here, there = (getattr(interface, name)(**about).notes for interface in (bird, client))
            assert [note.kind for note in there] == [note.kind for note in here] == ["project"]


NOWHERE = Path("nowhere")
TODAY = date(2026, 3, 1)
WRONG: dict[str, Any] = {
    "no id": lambda one: one.get(5),
    "a path for an id": lambda one: one.get(NOWHERE),
    "no id of a history": lambda one: one.history(5),
    "a short id": lambda one: one.get("zz"),
    "no id to forget": lambda one: one.forget(5),
    "no id of use": lambda one: one.used([5]),
    "a file that is not there": lambda one: one.at(NOWHERE),
    "no line": lambda one: one.at("notes/auth.md", "x"),
    "line 0": lambda one: one.at("notes/auth.md", 0),
    "a date": lambda one: one.query("x", since=TODAY),
    "a date to come": lambda one: one.remember("Deploys wait", expires=TODAY),
    "a path among files": lambda one: one.remember("Deploys wait", files=[NOWHERE]),
    "what JSON does not hold": lambda one: one.remember("Deploys wait", metadata={"a": NOWHERE}),
    "a set": lambda one: one.remember("Deploys wait", metadata={"a": {1}}),
    "an empty path": lambda one: one.query("redis", path=""),
    "an empty path of a list": lambda one: one.list(path=""),
    "a shape": lambda one: one.query("redis", shape="compact"),
    "a digest": lambda one: one.query("redis", digest=True),
    "no such argument of a memory": lambda one: one.remember("Deploys wait", colour="red"),
    "a state": lambda one: one.query("redis", states=["gone"]),
    "a trust": lambda one: one.query("redis", min_trust="all"),
    "a phase": lambda one: one.query("redis", phase="none"),
    "a trust of a context": lambda one: one.context("redis", min_trust="all"),
    "a phase of a context": lambda one: one.context("redis", phase="none"),
    "a scope": lambda one: one.query("redis", scopes=["big"]),
    "an audience": lambda one: one.list(audiences=["all"]),
    "a kind": lambda one: one.query("redis", kinds=["gotscha"]),
    "a relation": lambda one: one.link(ids(one)["SQLite"], ids(one)["Fridays"], "likes"),
    "itself": lambda one: one.link(ids(one)["SQLite"], ids(one)["SQLite"]),
    "an origin": lambda one: one.remember("Deploys wait", origin="me"),
    "a priority": lambda one: one.remember("Deploys wait", priority="big"),
    "a scope of a memory": lambda one: one.remember("Deploys wait", scope="big"),
    "an audience of a memory": lambda one: one.remember("Deploys wait", audience="all"),
    "a kind of a memory": lambda one: one.remember("Deploys wait", kind="gotscha"),
    "a limit": lambda one: one.query("redis", limit=0),
    "half a limit": lambda one: one.query("redis", limit=1.5),
    "a budget": lambda one: one.query("redis", budget=-1),
    "a budget of a context": lambda one: one.context("redis", budget=-1),
    "a threshold": lambda one: one.prune(threshold=2, dry_run=True),
    "a strength": lambda one: one.link(ids(one)["SQLite"], ids(one)["Fridays"], strength=3),
    "an offset": lambda one: one.list(offset=-1),
    "no question": lambda one: one.query(None),
    "no text": lambda one: one.remember(5),
    "no version": lambda one: one.revert(ids(one)["SQLite"], "zz"),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_both_refuse_with_an_error_of_one_class(
    interfaces: tuple[Bowerbird, Client], call: Any
) -> None:
    raised = []
    for interface in interfaces:
        with pytest.raises(BowerbirdError) as caught:
            call(interface)
        assert caught.value.remedy
        raised.append(type(caught.value))
    assert raised[0] is raised[1]


def test_a_path_may_be_a_path(interfaces: tuple[Bowerbird, Client]) -> None:
    for interface in interfaces:
        assert interface.list(path=Path("notes"))
        assert interface.at(Path("notes/auth.md")).start_line == 1
