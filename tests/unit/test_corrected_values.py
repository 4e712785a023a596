"""Values that are corrected in so few words that the subject is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.steps import asked, recorded

from bowerbird.core.types import Entry
from bowerbird.models.registry import contextual
from bowerbird.sessions.learn.corrected_values import corrected_value, value_instead
from bowerbird.sessions.learn.lasting_statements import Statement, if_corrected, statements
from bowerbird.sessions.learn.signals import instructions

if TYPE_CHECKING:
    from bowerbird.sessions.learn.lasting_statements import Encode


@pytest.fixture(scope="module")
def encode() -> Encode:
    return contextual()


SAID = (
    "The staging database listens on 6432.",
    "Use npm for installing packages.",
    "The logs are in /var/log/shop.",
    "Uploads are limited to 10 MB.",
    "The dev API listens on 8080.",
)


@pytest.mark.parametrize(
    ("sentence", "reply", "wanted"),
    [
        ("6500", "I connect with psql -p 6432", "The staging database listens on 6500."),
        ("its 6500 not 6432", "", "The staging database listens on 6500."),
        ("it's on 6500 now", "It answers on port 6432.", "The staging database listens on 6500."),
        ("they're under /srv/logs now", "tail /var/log/shop", "The logs are in /srv/logs."),
        ("no wait, zurück auf 6400", "psql -p 6432", "The staging database listens on 6400."),
        ("back to 6400", "psql -p 6432", "The staging database listens on 6400."),
        ("back to line 6400", "psql -p 6432", ""),
        ("pnpm, not npm", "", "Use pnpm for installing packages."),
        ("make them 25 MB instead of 10", "", "Uploads are limited to 25 MB."),
        ("25 MB", "the limit of 10 MB is in config.py", "Uploads are limited to 25 MB."),
        (
            "the port went up, it's 6500 now",
            "psql -p 6432",
            "The staging database listens on 6500.",
        ),
        # Nobody named what it would correct, or two of them were.
        ("6500", "", ""),
        ("6500", "neither 6432 nor 8080 answers", ""),
        # A task, an answer to a choice, and a denial alone.
        ("try 6500", "psql -p 6432", ""),
        ("use 6500", "psql -p 6432", ""),
        ("6500?", "psql -p 6432", ""),
        ("2", "1. keep 6432\n2. take another port", ""),
        ("not 6432", "psql -p 6432", ""),
    ],
)
def test_what_a_person_corrects_keeps_its_subject(sentence: str, reply: str, wanted: str) -> None:
    found = corrected_value(sentence, reply, [_entry(text) for text in SAID])
    assert (found[1] if found else "") == wanted


@pytest.mark.parametrize(
    ("prompt", "reply", "wanted"),
    [
        ("no, 6500", "OK.", "The staging port is 6500"),
        ("sorry, make that 6500", "", "The staging port is 6500"),
        ("oops, typo: 6500", "Noted.", "The staging port is 6500"),
        ("6500, I mean", "It listens on 6400.", "The staging port is 6500"),
        ("wrong, it's 6500", "", "The staging port is 6500"),
        ("6500, sorry", "", "The staging port is 6500"),
        ("no, 6500", "Shall I write it to conf.py?", "The staging port is 6500"),
        # Answers to a question, and tasks.
        ("6500", "Which one shall I check?", ""),
        ("2345", "1. ping 1234\n2. ping 2345", ""),
        ("try 6500", "OK.", ""),
        ("no, 6500 is taken by the mail server", "OK.", ""),
    ],
)
def test_a_value_just_stated_is_corrected_by_a_prompt_that_names_but_another(
    prompt: str, reply: str, wanted: str
) -> None:
    just_said = [Statement("The staging port is 6400", "fact", asked=True)]
    found = statements(prompt, None, None, reply, just_said)
    assert [(one.text, one.instead, one.asked) for one in found] == (
        [(wanted, just_said[0].text, True)] if wanted else []
    )


@pytest.mark.parametrize(
    ("stated", "prompt", "wanted"),
    [
        ("Invoices are kept for 7 years", "make that ten", "Invoices are kept for ten years"),
        ("The line closes at 18:00", "19:00, sorry", "The line closes at 19:00"),
        ("The review is on Tuesday", "Wednesday, sorry", "The review is on Wednesday"),
        ("The port is 6400", "now run it twice", ""),
        ("The release is on Friday", "see you Monday", ""),
    ],
)
def test_numbers_in_words_times_and_days_are_values(stated: str, prompt: str, wanted: str) -> None:
    found = statements(prompt, None, None, "OK.", [Statement(stated, "fact")])
    assert [one.text for one in found] == [wanted] * bool(wanted)


STATED = (
    "Anna signs off the invoices",
    "The office VPN is called blau",
    "The mascot is a fox",
    "Exports go to the accounting team",
    "The templates are in src/mail",
)


@pytest.mark.parametrize(
    ("stated", "prompt", "wanted"),
    [
        (0, "oh wait, it's Bert", "Bert signs off the invoices"),
        (0, "Bert does that now", "Bert signs off the invoices"),
        (1, "no, it's gruen", "The office VPN is called gruen"),
        (2, "it's a badger actually", "The mascot is a badger"),
        (3, "to the audit team, I meant", "Exports go to the audit team"),
        (4, "they moved to templates/mail", "The templates are in templates/mail"),
        (1, "nein, gruen", "The office VPN is called gruen"),
        # Requests, states and what goes on with something else.
        (0, "no, stop", ""),
        (1, "it's fine now", ""),
        (2, "actually skip it", ""),
        (3, "make it faster", ""),
        (3, "now the docs", ""),
        (4, "run the tests", ""),
    ],
)
def test_a_word_takes_the_place_where_it_fits_best(
    stated: int, prompt: str, wanted: str, encode: Encode
) -> None:
    found = statements(prompt, encode, None, "OK.", [Statement(STATED[stated], "fact")])
    assert "".join(one.text for one in found if one.instead) == wanted


def test_no_other_signal_quotes_what_only_corrected_a_statement(encode: Encode) -> None:
    made = recorded("s", asked("The office VPN is called blau"), asked("no, it's gruen"))
    made.encode = encode
    assert [one.text for one in instructions.lessons(made, ())] == [
        "The office VPN is called gruen."
    ]
    assert "no it s gruen" in [key for keys in instructions.taken(made).values() for key in keys]


def _entry(text: str) -> Entry:
    return Entry(1, text, "memory", "fact", text, "", "normal", "active", 0)


@pytest.mark.parametrize(
    ("plainly", "correction", "wanted"),
    [
        (
            "the pump of the boiler takes 9 minutes",
            "no, 11",
            ["The pump of the boiler takes 11 minutes."],
        ),
        ("Ida owns the invoices", "Olaf owns those now", ["Olaf owns the invoices."]),
        # Requests, symptoms, states.
        ("set the boiler to 9 minutes", "no, 11", []),
        ("the test fails at line 9", "no, 11", []),
        ("I'm at 9% battery", "no, 11", []),
        ("the button should be blue", "no, green", []),
    ],
)
def test_what_is_corrected_at_once_is_kept_however_plainly_it_was_said(
    plainly: str, correction: str, wanted: list[str], encode: Encode
) -> None:
    made = recorded("s", asked(plainly), asked(correction))
    made.encode = encode
    assert [one.text for one in instructions.lessons(made, ())] == wanted


@pytest.mark.parametrize(
    ("before", "prompt", "wanted"),
    [
        (
            "max line length is 88",
            "change of plan, it's 100 now, the team voted",
            "max line length is 100",
        ),
        (
            "the retry limit is 3",
            "let's bump that to 5, three was too tight",
            "the retry limit is 5",
        ),
        (
            "indent with 2 spaces in the templates",
            "actually 4 spaces in the templates, 2 looks awful",
            "indent with 4 spaces in the templates",
        ),
        ("the retry limit is 3", "now run the tests, 5 of them fail", ""),
        ("the retry limit is 3", "line 40 is wrong, fix it", ""),
    ],
)
def test_a_number_with_its_reason_corrects_that_of_the_prompt_before(
    before: str, prompt: str, wanted: str, encode: Encode
) -> None:
    found = statements(prompt, encode, None, "Okay.", if_corrected(before, encode), before)
    assert "".join(one.text for one in found if one.instead) == wanted


@pytest.mark.parametrize(
    ("sentence", "message", "text"),
    [
        (
            "no, not t3.micro: cache.t4g.small for the staging one",
            "I set the node type to cache.t3.micro. Shall I plan it?",
            "set the node type to cache.t4g.small: not t3.micro, cache.t4g.small for the staging one",
        ),
        (
            "not 5432, 5433",
            "The tunnel listens on 5432 now.",
            "The tunnel listens on 5433 now: not 5432, 5433",
        ),
        # The agent named no such value, or it is a word, which may be of the task at hand.
        ("no, not t3.micro: cache.t4g.small", "I set the node type.", ""),
        ("not blue, green", "I made the button blue.", ""),
    ],
)
def test_a_value_that_is_denied_takes_its_subject_from_the_agent(
    sentence: str, message: str, text: str
) -> None:
    assert value_instead(sentence, message) == text
