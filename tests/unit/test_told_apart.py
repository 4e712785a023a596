"""What a text says is over, or tells another value of, is noticed, and a look-alike mostly is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.memories import Pair
from bowerbird.core.types import SHORT_ID
from bowerbird.lifecycle.judge import RULES
from bowerbird.lifecycle.weighing import weighed
from bowerbird.models.embed.contextual import ContextualEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable

PAIRS = Path(__file__).parents[1] / "data" / "pairs" / "announced.jsonl"
OLD = "Passwords are hashed with bcrypt"
NEW = "Passwords are now hashed with argon2"
DAY = 86_400_000
# Findings of a linter with what cured them.
SAYS = "`make lint` may say: {}. What cured it in `cmd/run.go`: `{}` became `{}`."
LAUNCHED = SAYS.format(
    "G204: Subprocess launched (gosec)", "exec.Run(bin)", "exec.Run(bin) //nolint"
)
UNCHECKED = SAYS.format("G104: Errors unhandled (gosec)", "os.Remove(path)", "_ = os.Remove(path)")
CHAINED = SAYS.format("ifElseChain: rewrite if-else to switch (gocritic)", "if err {", "switch {")
RETURNED = SAYS.format("error is not nil (line 50)", "return nil", "return nil //nolint:nilerr")


@pytest.fixture(scope="module")
def relation() -> Callable[[str, str], str]:
    """What the newer of two texts is to the older one, the contextual model asked."""
    model = ContextualEmbedder.builtin()

    def judged(old: str, new: str) -> str:
        (met,) = model.aligned(new, [old])
        return weighed(old, new, met, understood=0.6).relation

    return judged


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The nightly job of auth takes about 11 minutes and holds a lock meanwhile",
            "auth must answer within 200 ms at the 95th percentile",
        ),
        (
            "Prices are whole cents; a float once lost 4 cents",
            "Prices are rounded half up, per line",
        ),
    ],
)
def test_numbers_of_other_things_are_no_other_value(
    relation: Callable[[str, str], str], one: str, other: str
) -> None:
    assert [relation(one, other), relation(other, one)] == ["", ""]


def test_most_announcements_are_noticed_and_few_look_alikes(
    relation: Callable[[str, str], str],
) -> None:
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    found = {"announces": 0, "look-alike": 0}
    for pair in pairs:
        found[pair["label"]] += bool(relation(pair["old"], pair["new"]))
    assert found["announces"] >= 26
    assert found["look-alike"] <= 7


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # The text says so itself.
        ("The build needs Node 20", "The build needs Node 22 now", "supersedes"),
        ("Maria is our accountant", "Maria is not our accountant anymore", "supersedes"),
        ("El usuario trabaja en Madrid", "El usuario ya no trabaja en Madrid", "supersedes"),
        ("We use Jenkins for CI", "We moved from Jenkins to GitHub Actions", "supersedes"),
        # It is another value, and nothing says that it changed.
        (
            "The broker in the Leipzig rack is ActiveMQ 5.16.",
            "Leipzig's broker: ActiveMQ 6.1, config under /etc/amq, started by systemd.",
            "contradicts",
        ),
        # Both hold, or what was over before is over still.
        ("The kiosk does not take cards", "The kiosk no longer takes cards", ""),
        ("The freezer is in the cellar", "The freezer in the cellar no longer closes", ""),
        ("The heron 0 build fails on ARM", "On ARM the heron 7 build fails", ""),
        ("Room 3 seats fourteen", "Room 4 seats twenty-two", ""),
        ("The demo is on Monday", "The demo lasts no longer than an hour", ""),
        ("Our eggs come from the Turner farm", "The Turner farm also sells soft cheese now", ""),
        ("We host on AWS", "We might move from AWS to Azure", ""),
        ("The API returns JSON", "The API also returns XML from now on", ""),
        ("Is the demo on Monday?", "Is the demo now on Tuesday?", ""),
        # Findings of one tool by their codes, and by what they quote.
        (UNCHECKED, LAUNCHED, ""),
        (UNCHECKED, CHAINED, ""),
        (RETURNED, CHAINED, ""),
    ],
)
def test_what_the_newer_text_is_to_the_older(
    relation: Callable[[str, str], str], old: str, new: str, expected: str
) -> None:
    assert relation(old, new) == expected


def test_without_the_model_words_decide_what_is_plain_and_flag_what_is_likely() -> None:
    plain = weighed("The build needs Node 20", "The build needs Node 22 now", None, understood=0.0)
    assert plain.relation == "supersedes"
    verdict = weighed(
        "The front desk uses a paper register for all guests",
        "The front desk stopped using its paper register, guests sign in on a tablet these days",
        None,
        understood=0.0,
    )
    assert verdict.relation == "contradicts"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # Two properties of one subject hold together, two values of one do not.
        ("Ada is vegetarian", "Ada is tall", ""),
        ("The stand is too small", "The stand is too dark", ""),
        ("Mia is a nurse", "Mia is friendly", ""),
        ("The door is red", "The door is green", "contradicts"),
        ("The room is dirty", "The room is clean", "contradicts"),
        # What takes one place, however unlike.
        ("Logs go to loki", "Logs go to splunk", "contradicts"),
        ("The linter is flake8", "The linter is ruff", "contradicts"),
        # Another label is another subject, but not one of a note, a day or a change.
        ("bo: Is a vegetarian", "cy: Is not a vegetarian any more", ""),
        ("bo: Is a vegetarian", "bo: Is not a vegetarian any more", "supersedes"),
        ("Decision: we use npm", "Update: we no longer use npm", "supersedes"),
    ],
)
def test_only_values_of_one_attribute_exclude_each_other(old: str, new: str, expected: str) -> None:
    (met,) = ContextualEmbedder.builtin().aligned(new, [old])
    pair = Pair(old, new, "fact", "fact", met, met.near, nearest=True)
    assert RULES.judge(pair).relation == expected


def test_an_announced_replacement_takes_the_place_and_can_be_taken_back(tmp_path: Path) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        old = bird.remember(OLD)
        new = bird.remember(NEW)
        assert new.decision == "superseded"
        assert "“bcrypt” before, “argon2” now" in new.reason
        assert bird.get(old.id).state == "superseded"
        assert [one.kind for one in bird.history(old.id).relations] == ["supersedes"]
        bird.revert(old.id)
        assert bird.get(old.id).state == "active"


def test_among_others_only_what_it_replaces_is_told_as_changed(tmp_path: Path) -> None:
    """A store holds more than the one memory that is replaced."""
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        known = [bird.remember(pair["old"]).id for pair in pairs]
        changed, others = 0, 0
        for pair, own in zip(pairs, known, strict=True):
            for match in bird.remember(pair["new"]).matched:
                if match.relation in {"contradicts", "supersedes"}:
                    changed += match.id == own and pair["label"] == "announces"
                    others += match.id != own
    assert changed >= 20
    assert others <= 2


def test_a_pinned_one_stays_and_both_wait(tmp_path: Path) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        old = bird.remember(OLD, pinned=True)
        new = bird.remember(NEW)
        assert bird.get(old.id).state == "active"
        assert new.id[:SHORT_ID] in bird.get(old.id).review
        assert "pinned" in bird.get(new.id).review


@pytest.mark.parametrize(("days", "state"), [(6, "active"), (8, "superseded")])
def test_another_value_waits_within_a_week_and_wins_after_it(
    tmp_path: Path, days: int, state: str
) -> None:
    now = [1_800_000_000_000]
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=lambda: now[0]) as bird:
        old = bird.remember("Redis runs on port 6379")
        now[0] += days * DAY
        new = bird.remember("Redis runs on port 6380")
        assert bird.get(old.id).state == state
        assert bool(bird.get(new.id).review) == (state == "active")
        if state == "superseded":
            assert "newer by more than 7 days" in new.reason


@pytest.mark.parametrize(
    ("old", "new", "state"),
    [
        ("Deploys go out on Tuesdays.", "Since March, deploys go out on Thursdays.", "superseded"),
        ("Die Build-Branch ist main.", "Seit März ist die Build-Branch release.", "superseded"),
        ("Standup is at 9:30.", "As of Monday standup is at 10:00.", "superseded"),
        (
            "The office is in Lyon.",
            "Since March 2026 the office has been in Marseille.",
            "superseded",
        ),
        (
            "Deploys go out on Tuesdays.",
            "Since March, deploys of the shop go out on Thursdays.",
            "active",
        ),
        ("Deploys go out on Tuesdays.", "Since 4.0, deploys go out on Tuesdays.", "active"),
        ("We have run Postgres 15 since March.", "Since March, we have run Postgres 15.", "active"),
    ],
)
def test_what_says_since_when_another_value_holds_wins_at_once(
    tmp_path: Path, old: str, new: str, state: str
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        known = bird.remember(old)
        bird.remember(new)
        assert bird.get(known.id).state == state


def test_what_cured_one_error_says_nothing_of_what_cured_another(tmp_path: Path) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        old = bird.remember(
            "`mise run lint` may say: string `Claude Code` has 3 occurrences, make it a constant"
            " (goconst)."
            ' What cured it in `commit.go`: `name := "Claude Code"` became `name := DefaultName`.',
            kind="error_pattern",
        )
        new = bird.remember(
            "`mise run lint` may say: string `user` has 5 occurrences, but such constant `typeUser`"
            ' already exists (goconst). What cured it in `hooks.go`: `if role == "user" {` became'
            " `if role == typeUser {`.",
            kind="error_pattern",
        )
        assert not new.review
        assert not bird.get(old.id).review


POOL = "Sharing the database pool between threads does not work: the driver crashes."


@pytest.mark.parametrize(
    ("old", "new", "kind", "flagged"),
    [
        (POOL, "Each thread opens its own database connection.", "fact", False),
        (
            "Upgrading the search library to version 9 failed: it drops German stemming.",
            "The search library is pinned to version 8.",
            "fact",
            False,
        ),
        (
            "The payment on the login page does not work: the bank closes the frame.",
            "Changing the payment breaks the login page was tried with a second session and failed.",
            "dead_end",
            False,
        ),
        (
            "Upgrading the search library to version 9 failed: it drops German stemming.",
            "The search library was upgraded to version 9, which has German stemming again.",
            "fact",
            True,
        ),
    ],
)
def test_a_failed_attempt_is_contradicted_by_a_change_alone(
    tmp_path: Path, old: str, new: str, kind: str, *, flagged: bool
) -> None:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        bird.remember(old, kind="dead_end")
        assert bool(bird.remember(new, kind=kind).review) == flagged


@pytest.mark.parametrize("order_first", [False, True])
def test_an_order_of_steps_says_nothing_against_one_of_them(
    tmp_path: Path, *, order_first: bool
) -> None:
    expected = [
        ("Run the tests with `mise run test`.", "procedure"),
        (
            "After a change to the code run `mise run fmt`, then `mise run lint`, then `mise run test`.",
            "workflow_recipe",
        ),
    ]
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        made = [
            bird.remember(text, kind=kind) for text, kind in expected[:: -1 if order_first else 1]
        ]
        assert not any(bird.get(one.id).review for one in made)


def test_what_is_trusted_less_never_takes_the_place_however_new(tmp_path: Path) -> None:
    now = [1_800_000_000_000]
    with Bowerbird.open(tmp_path / "memory.db", project="shop", clock=lambda: now[0]) as bird:
        old = bird.remember("Redis runs on port 6379")
        now[0] += 30 * DAY
        bird.remember("Redis runs on port 6380", origin="import")
        assert bird.get(old.id).state == "active"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Le chauffage du club-house est au gaz.",
            "Le chauffage du club-house n'est plus au gaz, il est passé aux granulés.",
        ),
        (
            "Wir planen unsere Aufgaben in Jira.",
            "Wir sind mit der Planung von Jira auf Linear umgestiegen.",
        ),
    ],
)
def test_what_is_read_by_glosses_is_weighed_by_its_own_words(
    old: str, new: str, tmp_path: Path
) -> None:
    # By its glosses the contextual model took both for no more than related.
    with Bowerbird.open(str(tmp_path / "store.db"), project="p") as bird:
        bird.remember(old)
        (match,) = bird.remember(new).matched
    assert match.relation == "contradicts"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "The staging admin login is admin / {} at https://staging.kestrel.example/admin",
            "Staging DB: postgres://kestrel:{}@db.staging.internal:5432/kestrel",
        ),
        ("Grafana: admin / {}, rotated on Mondays", "Kibana: elastic / {}, rotated on Fridays"),
    ],
)
def test_the_marks_of_redacted_secrets_are_no_words_that_two_texts_share(
    relation: Callable[[str, str], str], old: str, new: str
) -> None:
    marks = "[REDACTED:password]", "[REDACTED:url-password]"
    said = [relation(old.format(one), new.format(other)) for one, other in (("", ""), marks)]
    assert said == ["", ""]


def test_words_of_change_alone_are_nothing_that_two_texts_share() -> None:
    """By the words alone, as while the contextual model has not read them."""
    old, new = "Tom does the releases now", "From now on answer me in short sentences"
    assert weighed(old, new, None, understood=0.0).relation == ""


@pytest.mark.parametrize(
    ("rule", "revocation"),
    [
        # Written for what two strangers typed and saw told beside each other.
        ("Priya must approve every migration", "Migrations don't need Priya's approval any more"),
        ("Priya must approve every migration.", "Migrations don't need Priya's approval any more."),
        ("Keep answers in short sentences", "No need for short sentences any more"),
        ("Lena reviews all SQL changes.", "SQL changes don't need a review by Lena any more."),
    ],
)
def test_a_rule_and_what_takes_it_back_do_not_stand_beside_each_other(
    relation: Callable[[str, str], str], rule: str, revocation: str
) -> None:
    assert relation(rule, revocation) in {"contradicts", "supersedes"}
