"""Many drafts that are admitted in one call: the store is the same as if each had been admitted alone."""

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from bowerbird import Bowerbird
from bowerbird.core.types import SHORT_ID
from bowerbird.storage.sqlite.store import Store

PARTS = "auth billing cache deploy gateway ingest kafka metrics oauth queue redis vault".split()
SAID = (
    "The {a} service depends on {b}, and is started after it.",
    "{A} keeps {n} rows in a table of its own, because {b} is slow under load.",
    "The {a} service listens on port {n}.",
    "{A} is maintained by Anna; ask her before a change of {b}.",
    "We decided to run {a} on {b}.",
    "From now on run {a} on {b} instead.",
    "Never restart {a} while {b} drains.",
    "Restart {a} while {b} drains.",
    "Since March the port of the {a} service is {n}.",
    "{A} errors mean that {b} has run out of connections. Drain {b} first.",
)
MOST_TOGETHER = 9_000
KINDS = ("fact", "decision", "gotcha", "preference", "procedure", "")


class Told(NamedTuple):
    """A decision, with every id as the place of its draft."""

    decision: str
    state: str
    review: str
    reason: str
    matched: tuple[str, ...]


def drafts(count: int) -> list[tuple[str, str]]:
    chosen = random.Random(34)
    made = []
    for _ in range(count):
        a, b = chosen.sample(PARTS, 2)
        text = chosen.choice(SAID).format(a=a, A=a.title(), b=b, n=chosen.choice((80, 443, 5432)))
        made.append((text, chosen.choice(KINDS)))
    # Longer than what is judged in one transaction here.
    made[50] = ("The gateway page says: " + "all is well " * (MOST_TOGETHER // 12), "")
    return made


def admitted(path: Path, given: list[tuple[str, str]], at_once: int) -> tuple[list[Told], object]:
    """What was decided about each, and what the store holds then, without ids and times."""
    with Bowerbird.open(path, project="shop") as bird:
        wiring = bird._wiring
        made = [wiring.acting.draft(text, {"kind": kind} if kind else {}) for text, kind in given]
        done = []
        for start in range(0, len(made), at_once):
            some = made[start : start + at_once]
            done += wiring.keeping.admission(some).admit_all(some)
        places = {one.id: str(place) for place, one in reversed([*enumerate(done)])}
        short = {id[:SHORT_ID]: place for id, place in places.items()}

        def named(text: str) -> str:
            return " ".join(short.get(word.rstrip(":"), word) for word in text.split(" "))

        told = [
            Told(
                one.decision,
                one.state,
                named(one.review),
                named(one.reason),
                tuple(f"{match.relation} {places[match.id]}" for match in one.matched),
            )
            for one in done
        ]
        store = wiring.writer()
        assert isinstance(store, Store)
        held = store.connection.execute(
            "SELECT e.uid, e.text, f.kind, f.state, f.trust FROM entry e JOIN facet f ON f.id = e.id"
        )
        texts = sorted((int(places[uid]), *rest) for uid, *rest in held)
        linked = store.connection.execute(
            "SELECT source, target, kind, strength, present FROM relation"
        )
        links = sorted((places[one], places[other], *rest) for one, other, *rest in linked)
        return told, (texts, links)


def test_a_hundred_are_decided_as_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bowerbird.lifecycle.admit.MOST_TOGETHER", MOST_TOGETHER)
    given = drafts(120)
    together = admitted(tmp_path / "together.db", given, len(given))
    alone = admitted(tmp_path / "alone.db", given, 1)
    assert {one.decision for one in together[0]} >= {"created", "known", "superseded"}
    assert any("contradicts" in one.matched[0] for one in together[0] if one.matched)
    assert together == alone
