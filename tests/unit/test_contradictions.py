"""Statements as people make them: which of two exclude each other, and which only look like it.

Not from the labelled pairs: those measure, these tell what a newcomer would expect.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bowerbird.core.memories import Pair
from bowerbird.lifecycle.contradiction import contradicts, negations
from bowerbird.lifecycle.dated import begins
from bowerbird.lifecycle.duplicates import compare
from bowerbird.lifecycle.judge import RULES, by_words
from bowerbird.lifecycle.weighing import may_change

PAIRS = Path(__file__).parents[1] / "data" / "pairs"

OPPOSED = [
    # With and without a negation, however it is said.
    ("Deploys go out on Fridays", "Deploys never go out on Fridays"),
    ("We never deploy on Fridays", "We always deploy on Fridays"),
    ("You can deploy on Fridays", "You cannot deploy on Fridays"),
    ("The auth tests need Redis", "The auth tests no longer need Redis"),
    ("Do not push directly to main", "You may push directly to main"),
    ("I like dark mode", "I don't like dark mode"),
    # Another number for the same.
    ("Redis runs on port 6379", "Redis runs on port 6380"),
    ("We use Python 3.11", "We use Python 3.12"),
    ("Sessions expire after 30 minutes", "Sessions expire after 2 hours"),
    (
        "The API is limited to 100 requests per minute",
        "The API is limited to 500 requests per minute",
    ),
    ("The API allows 100 requests a minute", "The API allows 60 requests a minute"),
    (
        "The pumps overheat after 30 seconds when the weir is dry",
        "The pumps overheat after 45 seconds when the weir is dry",
    ),
    # One of two that exclude each other.
    ("Indent with tabs", "Indent with spaces"),
    ("We use tabs, not spaces", "We use spaces, not tabs"),
    ("Use single quotes in Python", "Use double quotes in Python"),
    # Two, where there can be one.
    ("Version 2.3 is the latest release", "Version 2.4 is the latest release"),
    ("Ada is the main contact for billing", "Bob is the main contact for billing"),
    # Another one for the same.
    ("We use Jenkins for CI", "We use GitHub Actions for CI"),
    ("The API returns XML", "The API returns JSON"),
    ("The server runs on Ubuntu 22.04", "The server runs on Debian 12"),
    # In another manner.
    ("We work from home", "We work in the office"),
    ("The imports run one by one", "The imports run in parallel"),
    ("Lock the door before leaving", "Lock the door after leaving"),
    # What must be, and need not.
    ("You must sign commits", "You need not sign commits"),
    ("Every release has to have a changelog", "Releases do not need to have a changelog"),
    ("Nobody may deploy without a review", "Anyone may deploy without a review"),
    ("Commits müssen signiert sein", "Commits müssen nicht signiert sein"),
    ("Die Tests brauchen Redis", "Die Tests brauchen kein Redis mehr"),
    # Another day or month.
    ("The demo takes place on Friday", "The demo takes place on Thursday"),
    ("Das Treffen findet am Montag statt", "Das Treffen findet am Dienstag statt"),
    ("Der Bericht kommt im Mai", "Der Bericht kommt im Juni"),
    ("Anna works at Acme", "Anna now works at Globex"),
    ("The API runs on host h48", "The API runs on host h296"),
    ("Deploys use node18", "Deploys use node20"),
    # The same told of the thing, and of who does it.
    ("We host the docs on Netlify", "The docs are hosted on Vercel"),
    ("The office is open from 9 to 5", "The office is open from 10 to 6"),
    ("The release is on 2 March", "The release is on 12 March"),
    # The same sentence with other amounts.
    (
        "The nightly job of the depot takes about 25 minutes and blocks the exports meanwhile",
        "The nightly job of the depot takes about 11 minutes and blocks the exports meanwhile",
    ),
    (
        "A retry of an upload waits 3, 6, then 12 seconds",
        "A retry of an upload waits 2, 4, then 8 seconds",
    ),
    (
        "The labels printer restarts by itself after 5 minutes without a job",
        "The labels printer restarts by itself after 30 minutes without a job",
    ),
]
BESIDE = [
    ("We deploy with npm", "We dropped npm from the docs"),
    ("We test with Jest", "We replaced Jest mocks with plain objects"),
    ("We use Slack for alerts", "We no longer use Slack for standups"),
    ("We deploy to Heroku", "Heroku was removed from the status page"),
    ("Our pages are on Netlify", "Netlify was replaced by Vercel for the blog"),
    ("We used to deploy with npm", "We moved to pnpm"),
    ("We deployed with npm until May", "We moved to pnpm"),
    ("We meet on Zoom", "We switched to Google Meet for interviews"),
    ("Anna writes in Vim", "Ben switched to Emacs"),
    ("Tests run in parallel locally", "Tests run one by one in CI"),
    ("We work from home on Fridays", "We work in the office on Mondays"),
    ("The shop is open after nine", "The shop is open before six"),
    ("Ana is vegetarian", "Ana eats vegetarian sausages"),
    ("Sara is allergic to nuts", "Sara never eats nuts"),
    ("Tom does not drink alcohol", "Tom drinks alcohol-free beer"),
    ("Ana is vegetarian", "Ben eats chicken"),
    ("Tea is at four", "Tea is green"),
    ("The office is in Berlin", "The office is noisy"),
    ("Invoices are sent monthly", "Invoices are sent by mail"),
    ("Step 3 takes 5 minutes", "Step 4 takes 5 minutes"),
    ("The outage lasted 5 minutes in May", "The outage of mail lasted 30 minutes in June"),
    (
        "The job of cart takes about 25 minutes in all",
        "The job of mail takes about 11 minutes in all",
    ),
    ("Tom owns the billing service", "Tom owns the search service"),
    ("Tom leads the web team", "Tom leads the data team"),
    ("The project uses Node 18", "The project uses ruff 0.4"),
    ("The retry limit is 3 in staging", "The retry limit is 5 in production"),
    ("I bought 3 apples", "I bought 5 pears"),
    ("Anna visited Rome in 2019", "Anna visited Paris in 2021"),
    ("The app uses port 80 for HTTP", "The app uses port 443 for HTTPS"),
    ("We use tabs in Makefiles", "We use spaces in YAML"),
    ("Always run the linter", "Always run the tests"),
    ("We moved from Jenkins to GitHub Actions", "We moved from SVN to git"),
    ("The frontend uses React", "The backend switched from React to Vue"),
    ("We use Redis for caching", "We use Redis for queues"),
    ("We dropped Python 2", "We use Python 3"),
    ("Step 1 builds the image", "Step 2 builds the image"),
    ("You should write tests", "You must run tests"),
    ("The user likes tea", "The user likes coffee"),
    ("We use npm", "We moved to TypeScript"),
    ("The frontend uses npm", "The scripts moved to yarn"),
    ("We use npm", "They considered pnpm"),
    ("Redis in production", "Postgres in production"),
    ("Postgres supports JSON", "MySQL supports JSON"),
    ("You may sign commits", "You need not sign commits"),
    ("You must run the linter", "You must run the tests"),
    ("Anna visited Rome in March", "Anna visited Rome in June"),
    ("We met Tom on Monday", "We met Tom on Friday"),
    ("He drinks coffee in the morning", "He drinks tea in the evening"),
    ("The server was in Berlin", "The server moved to Munich"),
    ("Anna lives in Berlin", "Anna went to Munich"),
    ("The user prefers short answers", "The user prefers short answers"),
    (
        "The crawler rejects slow clients on host h48",
        "The crawler rejects slow clients on host h296",
    ),
    ("The code of building A is 4411", "The code of building B is 9920"),
    ("The PIN of locker 3 is 1234", "The PIN of locker 5 is 9911"),
    ("The lock of gate 3 is open", "The lock of gate 5 is open"),
    ("Payroll ran on runner 3 on 2 March", "Payroll ran on runner 5 on 12 March"),
    ("Ada was in hospital on 2 March", "Ada was in hospital on 12 March"),
    ("Frau Kern hat die Rechnung 2207 bezahlt", "Frau Kern hat die Rechnung 2208 nicht bezahlt"),
]


@pytest.mark.parametrize(("one", "other"), OPPOSED)
def test_what_excludes_each_other_is_reported_in_either_order(one: str, other: str) -> None:
    assert contradicts(one, other).relation == "contradicts"
    assert contradicts(other, one).relation == "contradicts"
    assert compare(one, other).relation not in {"same", "covers", "extends"}


@pytest.mark.parametrize(("one", "other"), BESIDE)
def test_what_holds_beside_each_other_is_left_alone(one: str, other: str) -> None:
    assert contradicts(one, other).relation == ""
    assert contradicts(other, one).relation == ""


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        # “Nu” says “now” in Dutch and “not” in Romanian; where nothing tells, it negates.
        ("De server staat aan", "De server staat nu aan", "same"),
        ("De limiet is 100 per minuut", "De limiet is nu 250 per minuut", "supersedes"),
        ("Redis draait op poort 6379", "Redis draait nu op poort 6380", "supersedes"),
        ("Redis draait nu op poort 6380", "Nu draait Redis op poort 6381", "supersedes"),
        ("Serverul este pornit", "Serverul nu este pornit", "contradicts"),
        ("Folosim Redis", "Nu folosim Redis", "contradicts"),
    ],
)
def test_a_word_that_negates_in_one_language_says_now_in_another(
    old: str, new: str, relation: str
) -> None:
    assert RULES.judge(Pair(old, new, "fact", "fact")).relation == relation


@pytest.mark.parametrize(
    ("denied", "said"),
    [
        ("Il n'y a plus de cache devant le service", "Il y a un cache devant le service"),
        ("L’index n’existe plus dans la base archivée", "L’index existe dans la base archivée"),
        ("Elle n'est utile que le lundi", "Rock n'roll is played on Mondays"),
    ],
)
def test_the_french_ne_negates_where_it_has_lost_its_vowel(denied: str, said: str) -> None:
    assert negations(denied) == 1
    assert negations(said) == 0


def test_which_was_said_first_makes_no_contradiction_unless_the_other_says_that_it_changed() -> (
    None
):
    """Of all labelled pairs, whatever their label."""
    lines = [
        line for path in sorted(PAIRS.glob("*.jsonl")) for line in path.read_text().splitlines()
    ]
    pairs = [(one["old"], one["new"]) for one in map(json.loads, lines) if "old" in one]
    plain = [
        (old, new)
        for old, new in pairs
        if not any(begins(one) or may_change(one) for one in (old, new))
    ]
    assert len(plain) > 1_000
    for old, new in plain:
        found, back = by_words(old, new, None), by_words(new, old, None)
        assert (found.relation == "contradicts") == (back.relation == "contradicts"), (old, new)


@pytest.mark.parametrize(
    ("rule", "other", "opposed"),
    [
        ("Tests pass", "Tests pass locally but fail in CI", True),
        ("The endpoint is stable", "It is a myth that the endpoint is stable", True),
        # What is denied is in the case for which the other holds.
        ("Ingrid likes surprises", "Ingrid likes surprises if they don't involve crowds", False),
        ("The children help", "The children help on Saturdays, when there is no match", False),
    ],
)
def test_what_is_added_opposes_in_either_order_unless_it_is_a_case(
    rule: str,
    other: str,
    opposed: bool,
) -> None:
    found = [by_words(rule, other, None), by_words(other, rule, None)]
    assert [one.relation == "contradicts" for one in found] == [opposed, opposed]
