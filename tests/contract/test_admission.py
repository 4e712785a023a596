"""Judging keeps nobody waiting and stops no write: it is done without the lock, and checked under it."""

from __future__ import annotations

import os
from threading import Thread
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.draft import Draft
from bowerbird.core.types import SHORT_ID
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.host import locks
from bowerbird.lifecycle.admit import ATTEMPTS, Admission
from bowerbird.lifecycle.judge import RULES
from bowerbird.lifecycle.survey import MOST_UNDER_LOCK
from bowerbird.storage.sqlite.file import writer_queue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bowerbird.core.memories import Decision, Pair, Verdict
    from bowerbird.core.ports.thinking import Judge

TIMEOUT = "The payment timeout is 30 seconds"


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


def admit(bird: Bowerbird, text: str, judge: Judge) -> Decision:
    """Admit a text with this judge, and all else as the bird does it."""
    wiring = bird._wiring
    store = wiring.writer()
    admission = Admission(
        store,
        wiring.embedder(),
        wiring.reach.project,
        ALLOW_NOTHING,
        wiring.kinds,
        store.clock,
        judge,
    )
    return admission.admit(Draft(text))


class Broken:
    """A judge with a fault in it: it takes the first word of what is about 30 seconds for a number."""

    slow = False

    def judge(self, pair: Pair) -> Verdict:
        if "30" in pair.old:
            int(pair.new.split(maxsplit=1)[0])
        return RULES.judge(pair)


def test_a_judge_that_raises_costs_the_judgement_and_not_the_write(bird: Bowerbird) -> None:
    kept = bird.remember(TIMEOUT)
    decided = admit(bird, "Payment retries are capped at 5", Broken())
    assert decided.decision == "created"
    expected = f"could not be compared with {kept.id[:SHORT_ID]}: internal error, please report it"
    assert expected in decided.reason
    assert bird.get(decided.id).text == "Payment retries are capped at 5"
    failed = [one for one in bird.admin.doctor() if one.check == "comparisons"]
    assert [one.found for one in failed] == ["1 comparisons of memories failed: ValueError 1"]
    assert failed[0].level == "warning"


def test_what_can_be_judged_is_judged_beside_what_cannot(bird: Bowerbird) -> None:
    bird.remember(TIMEOUT)
    older = bird.remember("Payment retries are capped at 5")
    decided = admit(bird, "Payment retries are capped at 5, because the bank asks for it", Broken())
    assert decided.decision == "superseded"
    assert [match.id for match in decided.matched] == [older.id]
    assert "could not be compared" in decided.reason


def test_doctor_says_nothing_of_comparisons_that_went_well(bird: Bowerbird) -> None:
    bird.remember(TIMEOUT)
    bird.remember("Payment retries are capped at 5")
    assert [one for one in bird.admin.doctor() if one.check == "comparisons"] == []


def held(path: Path) -> bool:
    """Whether somebody has the lock for writing."""
    other = apsw.Connection(str(path))
    try:
        other.execute("BEGIN IMMEDIATE; ROLLBACK")
    except apsw.BusyError:
        return True
    finally:
        other.close()
    return False


class Meanwhile:
    """A judge that lets another process write each time that it is asked outside of the lock."""

    slow = False

    def __init__(self, bird: Bowerbird, path: Path, texts: list[str]) -> None:
        self.bird = bird
        self.path = path
        self.texts = texts
        self.under_lock: list[str] = []

    def judge(self, pair: Pair) -> Verdict:
        if held(self.path):
            self.under_lock.append(pair.old)
        elif self.texts:
            with Bowerbird.open(self.path, project="shop") as other:
                other.remember(self.texts.pop(0))
        return RULES.judge(pair)


def test_judges_are_asked_without_the_lock(bird: Bowerbird, tmp_path: Path) -> None:
    bird.remember(TIMEOUT)
    # The other one could not write while this one held the lock.
    judge = Meanwhile(bird, tmp_path / "memory.db", ["Colours of the payment page are blue"])
    admit(bird, "Payment retries are capped at 5", judge)
    assert judge.texts == []
    assert judge.under_lock == ["Colours of the payment page are blue"]


def test_what_two_say_at_the_same_time_is_kept_once(bird: Bowerbird, tmp_path: Path) -> None:
    bird.remember(TIMEOUT)
    said = "Payment retries are capped at 5"
    judge = Meanwhile(bird, tmp_path / "memory.db", [said])
    decided = admit(bird, said, judge)
    assert decided.decision == "known"
    assert [entry.text for entry in bird.list()].count(said) == 1


def test_what_was_written_meanwhile_is_judged_too(bird: Bowerbird, tmp_path: Path) -> None:
    bird.remember(TIMEOUT)
    judge = Meanwhile(bird, tmp_path / "memory.db", ["Payment retries are capped at 5"])
    decided = admit(bird, "Payment retries are capped at 7", judge)
    assert [match.relation for match in decided.matched][:1] == ["contradicts"]


def test_what_was_forgotten_meanwhile_is_not_replaced(bird: Bowerbird) -> None:
    older = bird.remember("Payment retries are capped at 5")
    with_reason = "Payment retries are capped at 5, because the bank asks for it"

    class Forgets:
        slow = False

        def judge(self, pair: Pair) -> Verdict:
            if bird.get(older.id).state == "active":
                bird.forget(older.id)
            return RULES.judge(pair)

    decided = admit(bird, with_reason, Forgets())
    assert decided.decision == "created"
    assert bird.get(older.id).state == "deleted"


def test_long_texts_of_others_are_never_judged_under_the_lock(
    bird: Bowerbird, tmp_path: Path
) -> None:
    bird.remember(TIMEOUT)
    long = [f"Payment page {name}: " + "very long " * (MOST_UNDER_LOCK // 10) for name in "abcdefg"]
    judge = Meanwhile(bird, tmp_path / "memory.db", list(long))
    decided = admit(bird, "Payment retries are capped at 5", judge)
    assert judge.under_lock == []
    assert decided.decision == "created"
    # One, two and four more are kept while one, three and all of these are judged; at the last attempt
    # it is written all the same, and says what it was not held against.
    assert (len(long), ATTEMPTS) == (1 + 2 + 4, 3)
    assert "not compared with 4 long" in decided.reason


@pytest.mark.skipif(not locks.IN_ORDER, reason="only Linux keeps places in a line")
def test_what_others_wrote_is_judged_by_who_waits_in_line_and_not_under_the_lock(
    bird: Bowerbird, tmp_path: Path
) -> None:
    path = str(tmp_path / "memory.db")
    wiring = bird._wiring
    bird.remember("The payment timeout is 20 seconds")
    store: Any = wiring.writer()
    judged: list[tuple[str, int]] = []
    leaving: list[Thread] = []

    class Waiting:
        slow = False

        def judge(self, pair: Pair) -> Verdict:
            judged.append((pair.old, store.connection.txn_state()))
            if not leaving:
                self.let_others_write()
            return RULES.judge(pair)

        def let_others_write(self) -> None:
            # Between the survey and the lock another one writes, and then one more waits for a moment.
            with Bowerbird.open(path, project="shop") as other:
                other.remember("The payment timeout is 40 seconds")
            handle = os.open(path + ".lock", os.O_RDWR)
            locks.stand_at(handle, monotonic_ns())
            since = monotonic_ns()

            def leave() -> None:
                until = since + writer_queue._WAIT_NS
                while not writer_queue._anyone_before(handle, monotonic_ns(), until):
                    pass
                os.close(handle)

            leaving.append(Thread(target=leave))
            leaving[0].start()

    decided = admit(bird, TIMEOUT, Waiting())
    leaving[0].join()
    assert decided.decision == "created"
    assert "The payment timeout is 40 seconds" in [old for old, _ in judged]
    assert {state for _, state in judged} == {apsw.SQLITE_TXN_NONE}


@pytest.mark.parametrize(("lines", "relation"), [([1], "related_to"), ([9], "contradicts")])
def test_what_two_signals_took_from_the_same_lines_of_a_session_is_no_contradiction(
    bird: Bowerbird, lines: list[int], relation: str
) -> None:
    kept = bird.remember(
        TIMEOUT, session="s", metadata={"learned": {"signal": "instructions", "lines": [1]}}
    )
    learned = {"signal": "corrections", "lines": lines}
    copy = bird.remember(
        "The payment timeout is 60 seconds", session="s", metadata={"learned": learned}
    )
    assert [one.relation for one in copy.matched] == [relation]
    assert bool(bird.get(kept.id).review) == bool(copy.review) == (relation == "contradicts")


def test_two_authors_and_two_users_who_say_the_same_are_two(
    bird: Bowerbird, tmp_path: Path
) -> None:
    said = "Prefers tea without sugar."
    ada = bird.remember(said, author="ada", tags=["user:ada@x.org"])
    bo = bird.remember(said, author="bo", tags=["user:ada.x.org"])
    assert (ada.decision, bo.decision) == ("created", "created")
    assert bird.remember(said, author="bo").id == bo.id
    assert [one.id for one in bird.list(tags=["User:Ada@x.org"])] == [ada.id]

    other = apsw.Connection(str(tmp_path / "memory.db"))
    other.execute("UPDATE tag SET name = 'user-ada-x-org' WHERE name = 'user:ada@x.org'")
    other.close()
    found = bird.list(tags=["user:ada@x.org"])
    assert [one.id for one in found] == [ada.id], "as older versions wrote it"
    assert [one["id"] for one in found.as_dict()["entries"]] == [ada.id]
    assert bird.named(bo.id).as_dict()["count"] == 1
    assert bird.admin.doctor().as_dict()["findings"]
    assert bird.forget_all([bo.id]).as_dict()["forgotten"][0]["id"] == bo.id


STAGING = "Staging is stg-2.petal.internal, redis there listens on 6380."
MOVED = "Ops moved the staging box, redis on staging is 6390 now"


def test_what_an_older_one_says_besides_its_value_is_told_on(bird: Bowerbird) -> None:
    older = bird.remember(STAGING)
    done = bird.remember(MOVED)
    assert bird.get(done.id).text == STAGING.replace("6380", "6390")
    assert [one.id for one in done.matched if one.relation == "supersedes"] == [older.id]
    assert MOVED in done.reason
    assert bird.get(older.id).state == "superseded"
    bird.revert(done.id)
    assert [one.text for one in bird.list()] == [STAGING]


@pytest.mark.parametrize("end", [", ask Lena for the password", ". Ask Lena for the password."])
def test_what_a_newer_one_says_besides_the_value_is_kept(bird: Bowerbird, end: str) -> None:
    bird.remember(STAGING)
    assert bird.get(bird.remember(MOVED + end).id).text == MOVED + end


def test_words_of_somebody_less_trusted_are_taken_over_by_nobody(bird: Bowerbird) -> None:
    bird.remember(STAGING, origin="import")
    assert bird.get(bird.remember(MOVED).id).text == MOVED
