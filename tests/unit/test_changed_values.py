"""What a later sentence puts in place of what an earlier one asks for."""

from __future__ import annotations

import pytest

from bowerbird.core.types import Entry
from bowerbird.sessions.learn.changed_values import changed_value, says_all_of, with_exception

RULES = (
    "Tests immer mit `make test` laufen lassen, nie pytest direkt, sonst fehlt TZ.",
    "We use yarn here.",
    "Release notes go to the wiki.",
    "Logs go to stderr, not to files.",
    "Wir haben beschlossen: Rechnungen gehen als pdf raus.",
)


@pytest.mark.parametrize(
    ("sentence", "ended", "text"),
    [
        (
            "ab jetzt bitte `make check` statt make test, mit mypy",
            0,
            "ab jetzt bitte `make check` statt make test, mit mypy. Nie pytest direkt, sonst fehlt TZ.",
        ),
        ("bitte bun statt yarn ab jetzt", 1, "bitte bun statt yarn ab jetzt"),
        (
            "release notes now in CHANGELOG.md instead of the wiki",
            2,
            "release notes now in CHANGELOG.md instead of the wiki",
        ),
        (
            "doch nicht pdf, Rechnungen gehen als html raus",
            4,
            "doch nicht pdf, Rechnungen gehen als html raus",
        ),
        # Not what is said for once, nor what the rule itself denies.
        ("nimm für dieses Skript npm statt yarn", None, ""),
        ("from now on journald instead of files", None, ""),
        ("der Test ruft jetzt `make test` auf", None, ""),
    ],
)
def test_what_is_used_in_place_of_what_a_rule_asks_for(
    sentence: str, ended: int | None, text: str
) -> None:
    kept = [Entry(1, one, "memory", "fact", one, "", "normal", "active", 0) for one in RULES]
    found = changed_value(sentence, kept)
    wanted = None if ended is None else (RULES[ended], text)
    assert (None if found is None else (found[0].text, found[1])) == wanted


NUMBERED = (
    "The staging db is on port 5433, the local one on 5432 as usual.",
    "We agreed with Lena that webhooks are retried 5 times, then they go to the dead letter table.",
    "Guest sessions expire after 30 minutes, those of users after 90.",
)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("staging db moved yesterday, its port 5434 now", NUMBERED[0].replace("5433", "5434")),
        ("8 retries, Lena called: 5 was too few", NUMBERED[1].replace("5", "8")),
        ("sessions of users expire after 60 minutes now", NUMBERED[2].replace("90", "60")),
        ("the staging db has 3 tables now", ""),
        ("8 retries for the mails, they are sent 3 times", ""),
        ("sessions expire after 60 minutes now", ""),
    ],
)
def test_a_number_is_put_in_the_part_of_a_text_that_it_is_of(sentence: str, text: str) -> None:
    kept = [Entry(1, one, "memory", "fact", one, "", "normal", "active", 0) for one in NUMBERED]
    found = changed_value(sentence, kept)
    assert ("" if found is None else found[1]) == text


def test_what_was_put_in_place_of_a_rule_is_not_put_in_place_of_itself() -> None:
    said = "ab jetzt bitte `make check` statt make test"
    kept = [Entry(1, said, "memory", "fact", said, "", "normal", "active", 0)]
    assert changed_value(said, kept) is None


def test_what_only_says_that_something_is_over_puts_nothing_in_its_place() -> None:
    text = "Refunds go out as vouchers, not cash."
    kept = Entry(1, text, "memory", "fact", text, "", "normal", "active", 0)
    assert changed_value("keine vouchers mehr", [kept]) is None


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        (
            "change of plan on line length btw, team voted for 100",
            "Keep lines under 100, ruff is strict.",
        ),
        (
            "oh, ops moved the staging box, redis on staging is 6390 now",
            "Staging is stg-2.corp.internal, redis there listens on 6390.",
        ),
        ("we changed line 40 of the config", ""),
        ("standup is at 10 now, Jonas has kids", "standup is at 10 now, Jonas has kids"),
        # Nobody said on which weekday that is.
        ("the demo got moved to the 20th", "The demo for the investors is on the 20th."),
        # What else the text says still holds.
        (
            "Luis left the company, Aisha does the designs now",
            "Aisha does the designs, tokens live in Figma.",
        ),
    ],
)
def test_another_clause_than_the_first_may_give_the_other_value(sentence: str, text: str) -> None:
    said = (
        "Keep lines under 88, ruff is strict.",
        "Staging is stg-2.corp.internal, redis there listens on 6380.",
        "Luis does the designs, tokens live in Figma.",
        "Standup is at 9:30.",
        "The demo for the investors is on Thursday the 12th.",
    )
    kept = [Entry(1, one, "memory", "fact", one, "", "normal", "active", 0) for one in said]
    found = changed_value(sentence, kept)
    assert (found[1] if found else "") == text


@pytest.mark.parametrize(
    ("sentence", "ends"),
    [
        ("we deploy every day except friday now", True),
        ("we deploy every day, and on sundays now", True),
        ("we deploy every day at noon", False),
        ("we deploy the docs every week now", False),
    ],
)
def test_what_says_all_of_an_earlier_text_with_more_takes_its_place(
    sentence: str, ends: bool
) -> None:
    text = "We deploy every day."
    kept = [Entry(1, text, "memory", "fact", text, "", "normal", "active", 0)]
    assert (says_all_of(sentence, kept) is not None) == ends


def test_what_is_allowed_in_a_case_is_an_exception_of_what_is_forbidden() -> None:
    texts = ("Never use raw SQL.", "Raw SQL needs a review.")
    kept = [Entry(1, one, "memory", "fact", one, "", "normal", "active", 0) for one in texts]
    found = with_exception("raw SQL is fine in the reports folder", kept)
    assert found == (kept[0], "Never use raw SQL, except: raw SQL is fine in the reports folder")
    assert with_exception("raw SQL is fine", kept) is None
    assert with_exception("tabs are fine in the reports folder", kept) is None
