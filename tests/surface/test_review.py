"""What waits, decided by keys on a real terminal and by arguments; and what that teaches."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, Denied, UnknownName
from bowerbird.core.who import Who, agent
from bowerbird.storage.outcomes import Outcomes
from bowerbird.surfaces.verbs import review, status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TEXTS = (
    "The queue is drained by hand on Mondays.",
    "Invoices are numbered by the warehouse.",
    "The cache must be warmed before a release.",
    "Deploys wait for the database dump.",
    "The old importer still runs at night.",
)
# Signs of agents, in whose shells no person types.
SIGNS = ("CLAUDECODE", "AI_AGENT", "AGENT", "CODEX_CI", "GEMINI_CLI", "CURSOR_AGENT")


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    os.chdir(project)
    with Bowerbird.open(tmp_path / "memory.db") as opened:
        yield opened


def waiting(bird: Bowerbird, text: str, signal: str = "cures") -> str:
    learned = {"learned": {"signal": signal, "sessions": ["one", "two"]}}
    about: dict[str, Any] = {"review": "seen by nobody yet", "metadata": learned}
    return bird.remember(text, confidence=0.8, **about).id


def outcomes(bird: Bowerbird) -> list[dict[str, Any]]:
    return [*Outcomes(bird.path).of()]


class Terminal:
    """``bower review`` on a terminal of its own, with a person's hands."""

    def __init__(self, store: str) -> None:
        self._ours, theirs = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name not in SIGNS}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bowerbird", "--store", store, "review"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment | {"TERM": "xterm", "COLUMNS": "100"},
            start_new_session=True,
            # Ctrl-C reaches only whom the terminal controls.
            preexec_fn=partial(fcntl.ioctl, 0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 no threads here
        )
        os.close(theirs)
        self.shown = ""
        self._seen = 0

    def until(self, text: str) -> None:
        """Wait for what it shows next."""
        while text not in self.shown[self._seen :]:
            assert select.select([self._ours], [], [], 120)[0], self.shown
            try:
                data = os.read(self._ours, 4096)
            except OSError:
                data = b""
            assert data, f"{text!r} never came: {self.shown}"
            self.shown += data.decode()
        self._seen = self.shown.index(text, self._seen) + len(text)

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def end(self) -> int:
        while select.select([self._ours], [], [], 120)[0]:
            try:
                data = os.read(self._ours, 4096)
            except OSError:
                break
            if not data:
                break
            self.shown += data.decode()
        os.close(self._ours)
        return self._process.wait(timeout=120)


def test_what_waits_is_decided_by_single_keys(bird: Bowerbird) -> None:
    for text in TEXTS:
        waiting(bird, text)
    bird.close()
    terminal = Terminal(bird.path)
    # The newest first: importer, deploys, cache, invoices, drained. x means nothing, and it waits on.
    for number, (key, asks, typed) in enumerate(
        (
            ("c", "", ""),
            (
                "e",
                "instead (Ctrl-C: back): ",
                "\x15Deploys wait for the dump of the database server.",
            ),
            ("xl", "", ""),
            ("r", "why (Enter: no reason, Ctrl-C: back): ", "not since May"),
            ("h", "why (Enter: no reason, Ctrl-C: back): ", ""),
        ),
        1,
    ):
        terminal.until(f"{number} of 5")
        terminal.until("[q]uit")
        if key == "r":
            # An edit that changes nothing decides nothing, nor does a question that was left.
            for pressed, typed_there in (
                ("e", "\n"),
                ("e", "\x15\n"),
                ("e", "x\x03"),
                ("r", "d\x03"),
            ):
                terminal.press(pressed)
                terminal.until("back): ")
                if pressed == "e":
                    terminal.until(TEXTS[1])
                terminal.press(typed_there)
                terminal.until("nothing is changed")
                terminal.until("[q]uit")
        terminal.press(key)
        if asks:
            terminal.until(asks)
            terminal.press(typed + "\n")
    assert terminal.end() == 0
    assert "learned" not in terminal.shown
    assert "seen by nobody yet" in terminal.shown
    assert "1 memory waiting still" in terminal.shown
    kept = {one.text: one for one in bird.list()}
    # What a person vouches for takes the place of what an agent said.
    for text in (TEXTS[4], "Deploys wait for the dump of the database server."):
        details = kept[text].details
        assert details is not None
        assert (details.fields.verified, details.fields.confidence) == (True, 0.9)
    assert kept[TEXTS[2]].review == "seen by nobody yet"
    assert kept[TEXTS[0]].review == "held back"
    assert len(kept) == 4
    verdicts = [one["what"] for one in outcomes(bird)]
    assert verdicts == ["confirmed", "edited", "later", "rejected", "held"]
    # What was left for later or held back is listed last.
    assert [one.text for one in review.run(bird, {}).entries] == [TEXTS[2], TEXTS[0]]


def test_q_leaves_all_that_follows(bird: Bowerbird) -> None:
    waiting(bird, TEXTS[0])
    bird.close()
    terminal = Terminal(bird.path)
    terminal.until("[q]uit")
    terminal.press("q")
    assert terminal.end() == 0, terminal.shown
    assert len(review.run(bird, {}).entries) == 1


@pytest.mark.parametrize(
    ("key", "left"), [("r\n", ["6379"]), ("c", ["6380"]), ("b", ["6379", "6380"])]
)
def test_a_contradiction_is_settled_by_one_key(bird: Bowerbird, key: str, left: list[str]) -> None:
    for port in (6379, 6380):
        bird.remember(f"Redis runs on port {port}", origin="user")
    bird.close()
    terminal = Terminal(bird.path)
    terminal.until("1 of 1")
    terminal.until("port 6379")
    terminal.until("[q]uit")
    terminal.press(key)
    assert terminal.end() == 0, terminal.shown
    assert "waiting still" not in terminal.shown
    assert sorted(one.text.split()[-1] for one in bird.list()) == left


def test_what_a_verdict_took_away_is_not_asked_about(bird: Bowerbird) -> None:
    for port in (6379, 6380):
        bird.remember(f"Redis runs on port {port}")
    (kept,) = [one for one in bird.list() if "6379" in one.text]
    bird.close()
    terminal = Terminal(bird.path)
    terminal.until("[q]uit")
    bird.forget(kept.id)
    bird.close()
    terminal.press("c")
    assert terminal.end() == 0, terminal.shown
    assert "2 of 2" not in terminal.shown
    assert "waiting still" not in terminal.shown


def test_arguments_decide_and_are_counted(bird: Bowerbird) -> None:
    first, second, third = (waiting(bird, one) for one in TEXTS[:3])
    assert review.run(bird, {"reject": [first]}).verdicts == {"rejected": 1}
    done = review.run(bird, {"hold": [second], "reason": "only of May"})
    assert done.entries[0].review == "held back: only of May"
    done = review.run(bird, {"confirm": [third]})
    assert (done.level["decided"], done.level["confirmed"]) == (3, 1)
    assert [one.id for one in review.run(bird, {}).entries] == [second]
    assert {one["signal"] for one in outcomes(bird)} == {"cures"}


def test_whoever_rejects_what_replaced_another_hears_that_nothing_holds(
    bird: Bowerbird, bower: Callable[..., Any]
) -> None:
    old, new = (bird.remember(f"The lift code is {code}").id for code in (880015, 990017))
    review.run(bird, {"confirm": [new]})
    assert bird.get(old).state == "superseded"
    assert review.run(bird, {"reject": [new]}).replaced == (old,)
    bird.revert(new)
    told = bower("--store", bird.path, "forget", new, "--format", "text")
    assert f"it had replaced {old[:18]}, which does not hold either" in told.out
    bird.revert(old)
    assert bird.forget(old).replaced == ()


def test_confirming_another_value_keeps_what_else_the_older_one_says(bird: Bowerbird) -> None:
    older = "Staging is stg-2.petal.internal, redis there listens on 6380."
    newer = "Ops moved the staging box, redis on staging is 6390 now"
    old = bird.remember(older).id
    new = bird.remember("The staging box has moved.", review="not sure").id
    bird.edit(new, newer)
    bird.link(new, old, "contradicts")
    review.run(bird, {"confirm": [new]})
    assert bird.get(old).state == "superseded"
    kept = bird.get(new)
    assert (kept.text, kept.review) == (older.replace("6380", "6390"), "")
    assert {one["what"] for one in outcomes(bird)} == {"confirmed"}
    bird.revert(new)
    assert [bird.get(id).text for id in (old, new)] == [older, newer]
    assert bird.get(old).state == "active"


def test_what_is_left_for_later_is_listed_last(bird: Bowerbird) -> None:
    first, second, third = (waiting(bird, one) for one in TEXTS[:3])
    done = review.run(bird, {"later": [third, first]})
    assert (done.verdicts, done.left, [one.id for one in done.entries]) == ({}, 2, [third, first])
    assert [one.id for one in review.run(bird, {}).entries] == [second, third, first]
    assert [one.id for one in review.run(bird, {"limit": 1}).entries] == [second]
    assert done.level["decided"] == 0
    with pytest.raises(BadInput, match="does not wait"):
        review.run(bird, {"later": [bird.remember(TEXTS[4]).id]})


def test_the_worthiest_are_asked_for_first_and_five_at_a_time(bird: Bowerbird) -> None:
    rooms = "kitchen cellar attic garage garden balcony".split()
    ids = [
        bird.remember(
            f"The {room} has a lamp of its own.",
            confidence=0.9,
            review="seen by nobody yet",
            metadata={"learned": {"signal": "cures", "worth": worth}},
        ).id
        for room, worth in zip(rooms, (0.5, 0.9, 0.6, 0.4, 0.8, 0.7), strict=True)
    ]
    found = review.run(bird, {})
    assert [ids.index(one.id) for one in found.entries] == [1, 4, 5, 2, 0]
    assert found.more == 1
    assert [ids.index(one.entry.id) for one in bird.waiting().cases] == [1, 4, 5, 2, 0, 3]


def test_an_argument_edits(bird: Bowerbird) -> None:
    first = waiting(bird, TEXTS[0])
    done = review.run(bird, {"edit": first, "text": "The queue is drained by hand on Fridays."})
    assert (done.verdicts, done.entries[0].text[-8:]) == ({"edited": 1}, "Fridays.")
    assert not review.run(bird, {}).entries
    for given in ({"edit": first}, {"text": "x"}, {"edit": first, "confirm": [first], "text": "x"}):
        with pytest.raises(BadInput, match="go together"):
            review.run(bird, given)


@pytest.mark.parametrize("verdict", ["reject", "hold", "later"])
def test_several_are_decided_at_once(
    bower: Callable[..., Any], bird: Bowerbird, verdict: str
) -> None:
    ids = [waiting(bird, one) for one in TEXTS[:3]]
    done = bower("--store", bird.path, "review", f"--{verdict}", *ids[:2])
    assert [one["id"] for one in done.data["entries"]] == ids[:2]
    left = bower("--store", bird.path, "review", "-n", "1", "--format", "text")
    assert (left.code, left.out.count("seen by nobody yet")) == (0, 1)
    # A script cannot confirm, so it is not told to.
    assert "Decide with bower review --confirm ID" in left.out


def test_two_that_contradict_each_other_wait_as_one_and_may_both_be_true(bird: Bowerbird) -> None:
    script = bird.acting(Who(actor=agent("script"), origin="agent", may_write=True))
    old, new = (
        script.remember(f"The checkout tests time out after {seconds} seconds without Redis").id
        for seconds in (30, 45)
    )
    assert all(bird.get(id).review for id in (old, new))
    shown = review.run(bird, {})
    assert ([one.id for one in shown.entries], shown.more) == ([new], 0)
    assert [one.id for one in bird.list(waiting=True)] == [new]
    counts = [
        len(bird.admin.queue()), bird.waiting().total, bird.admin.pulse().waiting, bird.score().waiting,
        bird.facets().needs_review, len(bird.list(waiting=True)),
        bird.facets(kinds=["fact"]).needs_review, status.beyond(bird, bird.status(), {}).waiting,
    ]  # fmt: skip
    assert counts == [1] * len(counts)
    assert review.run(bird, {"both": [new]}).verdicts == {"confirmed": 2}
    assert [(bird.get(id).state, bird.get(id).review) for id in (old, new)] == [("active", "")] * 2
    assert (bird.admin.queue(), bird.admin.pulse().waiting) == ([], 0)
    for side in (new, old):  # one revert of either undoes it
        assert {*bird.revert(side).memories} == {old, new}
        assert all(bird.get(id).review for id in (old, new))
        assert review.run(bird, {"both": [new]}).verdicts == {"confirmed": 2}
    alone = bird.remember(TEXTS[0], review="asked").id
    with pytest.raises(BadInput, match="contradicts no memory"):
        review.run(bird, {"both": [alone]})
    later = bird.remember(TEXTS[1], review="asked").id
    review.run(bird, {"hold": [later]})
    assert bird.admin.queue() == [alone, later]
    assert bird.waiting(later).cases[0].code == "held"
    # A dispute is what somebody of a team opens, and another word.
    assert bird.score().disputes == ()


@pytest.mark.parametrize("typed", ["\x04", "z\x04"])
def test_the_end_of_input_ends_the_review(
    terminal: Callable[..., Any], bird: Bowerbird, typed: str
) -> None:
    id = waiting(bird, TEXTS[0])
    assert terminal("--store", bird.path, "review", typed=typed).code == 0
    assert bird.get(id).review


def test_what_is_forgotten_is_neither_confirmed_nor_replaced(bird: Bowerbird) -> None:
    gone, kept = waiting(bird, TEXTS[0]), bird.remember(TEXTS[1]).id
    bird.forget(gone)
    for verdict in ({"confirm": [gone]}, {"both": [gone]}, {"edit": gone, "text": "Else."}):
        with pytest.raises(BadInput, match=r"forgotten|contradicts no memory"):
            review.run(bird, verdict)
    for ends in ((kept, gone), (gone, kept)):
        with pytest.raises(BadInput, match="is forgotten") as raised:
            bird.link(*ends, "supersedes")
        assert f"revert {gone}" in raised.value.remedy
    bird.revert(gone)
    bird.deprecate([gone])
    with pytest.raises(BadInput, match="what is deprecated cannot become superseded"):
        bird.link(kept, gone, "supersedes")
    assert bird.history(kept).relations == ()


def test_ids_alone_are_no_verdict(bower: Callable[..., Any], bird: Bowerbird) -> None:
    ids = [waiting(bird, one) for one in TEXTS[:2]]
    for words in (ids, ["--edit", *ids, "--text", "Another."], ["--level", "1", *ids]):
        ran = bower("--store", bird.path, "review", *words)
        assert (ran.code, "no verdict for" in ran.data["error"]) == (2, True)
    assert len(bird.list(needs_review=True)) == 2


def test_a_confirmation_says_all_that_it_retires_and_both_retires_none(bird: Bowerbird) -> None:
    script = bird.acting(Who(actor=agent("script"), origin="agent", may_write=True))
    first = bird.remember("The nightly job starts at 2 in the morning").id
    # Why it waits is another reason: what it contradicts is retired nonetheless.
    new = script.remember("The nightly job starts at 4 in the morning", review="not sure").id
    case = bird.waiting(new).cases[0]
    assert (case.other and case.other.id, case.effects[0].code, case.also) == (first, "retires", ())
    review.run(bird, {"confirm": [new]})
    assert bird.get(first).state == "superseded"
    bird.revert(new)
    third = script.remember("The nightly job starts at 5 in the morning").id
    case = bird.waiting(third).cases[0]
    assert case.other is not None
    assert {case.other.id, *case.also} == {first, new}
    review.run(bird, {"both": [third]})
    states = {id: bird.get(id).state for id in (first, new, third)}
    assert set(states.values()) == {"active"}
    (left,) = {first, new, third} - {third, case.other.id}
    assert bird.get(left).review


def test_holding_back_what_came_from_outside_tells_both(bird: Bowerbird) -> None:
    disputed = bird.remember(TEXTS[0], origin="tool_external").id
    script = bird.acting(Who(actor=agent("script"), origin="agent", reader="script"))
    assert len(review.run(script, {}).entries) == 1
    done = review.run(script, {"hold": [disputed], "reason": "only of May"})
    assert done.entries[0].review.startswith("held back: only of May; it came from outside")


def test_who_was_shown_text_from_outside_leaves_holding_back_to_a_person(bird: Bowerbird) -> None:
    bird.remember(TEXTS[0], origin="tool_external")
    disputed = bird.remember(TEXTS[1]).id
    script = bird.acting(Who(actor=agent("script"), origin="agent", reader="script"))
    assert len(review.run(script, {}).entries) == 1
    with pytest.raises(Denied) as denied:
        review.run(script, {"hold": [disputed]})
    assert denied.value.remedy == "run it yourself, in a terminal of your own"
    assert review.run(bird, {"hold": [disputed]}).verdicts == {"held": 1}


def test_who_cannot_vouch_changes_no_words_either(bird: Bowerbird) -> None:
    waits = waiting(bird, TEXTS[0])
    agents = bird.acting(Who(actor=agent("some"), origin="agent", may_write=True))
    with pytest.raises(BadInput, match="only a person"):
        review.run(agents, {"confirm": [waits], "text": "Something else altogether."})
    assert bird.get(waits).text == TEXTS[0]


def test_a_level_is_chosen_and_told_by_status(bird: Bowerbird) -> None:
    waiting(bird, TEXTS[0])
    os.makedirs(bird.path + ".journal")
    level = bird.status().level
    assert level is not None
    assert (level["level"], level["above"]) == (1, 0.8)
    assert review.run(bird, {"level": 4}).level["level"] == 4
    now = bird.status().level
    assert now is not None
    assert now["above"] == 0.45
    assert [one["what"] for one in Outcomes(bird.path).of(bird.project.uid)] == ["level"]


def test_an_agent_chooses_no_level(bird: Bowerbird) -> None:
    agents = bird.acting(Who(actor=agent("some"), origin="agent", may_write=True))
    with pytest.raises(Denied, match="needs the owner"):
        review.run(agents, {"level": 4})
    assert bird.admin.level().level == 1


def test_a_verdict_has_a_name(bird: Bowerbird) -> None:
    with pytest.raises(UnknownName):
        bird.admin.judged(bird.get(waiting(bird, TEXTS[0])), "good")


def test_an_edit_in_review_is_one_decision(bird: Bowerbird) -> None:
    def stands() -> list[tuple[str, str, bool]]:
        details = [bird.get(id).details for id in (old, new)]
        return [
            (bird.get(id).text, one.fields.state, one.fields.needs_review)
            for id, one in zip((old, new), details, strict=True)
            if one is not None
        ]

    old, new = bird.remember("The port is 6380").id, bird.remember("The port is 6381").id
    before = stands()
    assert [waits for *_, waits in before] == [True, True]
    in_tests = "The port in the tests is 6381"
    done = review.run(bird, {"edit": new, "text": in_tests})
    assert done.verdicts == {"edited": 1}
    # In its new words it contradicts nothing: both hold, and no longer count as a contradiction.
    held = [("The port is 6380", "active", False), (in_tests, "active", False)]
    assert stands() == held
    assert [one.kind for one in bird.history(new).relations] == []
    bird.revert(new)
    assert stands() == before
    # In words that contradict it as before, it replaces the other; either side takes that back whole.
    for side in (old, new):
        review.run(bird, {"edit": new, "text": "The port is 6382"})
        assert stands() == [
            ("The port is 6380", "superseded", False),
            ("The port is 6382", "active", False),
        ]
        bird.revert(side)
        assert stands() == before
    # What another says already cannot be its text, and nothing is decided.
    with pytest.raises(BadInput, match="says that already"):
        review.run(bird, {"edit": new, "text": "The port is 6380"})
    assert stands() == before
    # An edit outside of the review ends the contradiction just so.
    bird.edit(new, in_tests)
    assert stands() == held


def test_words_replace_and_confirm_what_is_trusted_no_more_than_they_are(bird: Bowerbird) -> None:
    """The rule of docs/PYTHON.md, for a program that opens the store."""
    said = bird.remember("The tea house opens at nine.", origin="user").id
    noted = bird.remember("The tea house opens at ten.").id
    other = "The tea house opens at eleven."
    for refused in (
        lambda: bird.edit(said, other),
        lambda: bird.admin.confirm_both(said, noted),
        lambda: bird.admin.confirm_as(said, other, ""),
        lambda: bird.remember(other, verified=True),
    ):
        with pytest.raises((Denied, BadInput)):
            refused()
    assert bird.get(noted).review.startswith("it contradicts")
    bird.admin.confirm_both(said, noted, origin="user")
    assert bird.get(noted).review == ""
    bird.edit(said, other, origin="user")
    for taken, back in (
        (lambda: bird.deprecate(said), said),
        (lambda: bird.forget(said), said),
        (lambda: bird.merge(said, noted), noted),
    ):
        taken()
        bird.revert(back)
        assert bird.get(said).state == "active"
    assert bird.get(said).trust == "full"


def test_what_else_the_replaced_one_said_is_named(bird: Bowerbird) -> None:
    old = bird.remember("We use Jenkins for CI. The runners are in Frankfurt.").id
    new = bird.remember("We no longer use Jenkins for CI, since May it is GitHub Actions").id
    done = review.run(bird, {"confirm": [new]})
    assert bird.get(old).state == "superseded"
    assert [(one.id, one.text) for one in done.left_behind] == [
        (old, "The runners are in Frankfurt.")
    ]


def test_what_is_put_into_the_older_words_leaves_nothing_behind(bird: Bowerbird) -> None:
    bird.remember("The timeout is 30 seconds. It is set in gateway.yml.")
    new = bird.remember("The timeout is now 45 seconds").id
    done = review.run(bird, {"confirm": [new]})
    assert bird.get(new).text == "The timeout is 45 seconds. It is set in gateway.yml."
    assert not done.left_behind
