"""What an agent proposed for good and a person accepted is told from a yes to a single step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.steps import asked, only, recorded, said

from bowerbird.models.registry import contextual
from bowerbird.sessions.learn.accepted_proposals import accepted
from bowerbird.sessions.learn.lasting_statements import statements
from bowerbird.sessions.learn.prompt_sentences import as_sentence
from bowerbird.sessions.learn.signals import instructions

if TYPE_CHECKING:
    from bowerbird.sessions.learn.lasting_statements import Encode

EXCHANGES = Path(__file__).parents[1] / "data" / "accepted.jsonl"
PROPOSED = "Two-space indentation is rare here. I'd suggest we use tabs in every Go file. Okay?"


@pytest.fixture(scope="module")
def encode() -> Encode:
    return contextual()


def test_most_acceptances_of_something_lasting_are_recognised_and_hardly_any_other_yes(
    encode: Encode,
) -> None:
    right = wrong = wanted = 0
    for one in map(json.loads, EXCHANGES.read_text().splitlines()):
        found = accepted(one["agent"], one["person"], encode)
        wanted += bool(one["kept"])
        right += bool(one["kept"] and found and one["kept"].lower() in found.text.lower())
        wrong += bool(found and not one["kept"])
    assert right >= 0.85 * wanted
    assert wrong <= 0.1 * right


def test_a_proposal_is_kept_in_the_words_of_the_agent_with_both_lines(encode: Encode) -> None:
    session = recorded(
        "s", asked("how do we indent?", 1), said(PROPOSED, 2), asked("agreed, always", 3)
    )
    session.encode = encode
    lesson = only(instructions.lessons(session, []))
    assert lesson.text == "Use tabs in every Go file."
    assert (lesson.lines, lesson.accepted) == ((2, 3), True)


@pytest.mark.parametrize(
    "answer", ["yes, but only in cmd/", "agreed? what about Makefiles?", "no", "later"]
)
def test_an_answer_that_changes_or_refuses_accepts_nothing(answer: str, encode: Encode) -> None:
    assert accepted(PROPOSED, answer, encode) is None


@pytest.mark.parametrize(
    ("answer", "picked"),
    [
        ("the second one, everywhere", "Kebab-case, as in the URLs."),
        ("1 please, as a rule", "snake_case, as in the tables."),
        ("kebab-case, from now on", "Kebab-case, as in the URLs."),
    ],
)
def test_an_option_is_picked_by_place_number_or_name(
    answer: str, picked: str, encode: Encode
) -> None:
    message = (
        "Two ways:\n\n1. snake_case, as in the tables\n2. kebab-case, as in the URLs\n\nWhich?"
    )
    found = accepted(message, answer, encode)
    assert found is not None
    assert found.text == picked


@pytest.mark.parametrize(
    ("answer", "picked"),
    [
        (
            "b, with a limit of 40 MB. c is more than we need",
            "Keep it in memory, with a limit of 40 MB.",
        ),
        ("c but without the password", "A Redis of its own, but without the password."),
        ("let's take (a), at 5 MB", "A file per user, at 5 MB."),
        ("b for today", ""),
        ("hmm, with a cache?", ""),
        ("b, with what limit?", ""),
    ],
)
def test_an_option_is_picked_with_a_change(answer: str, picked: str, encode: Encode) -> None:
    message = (
        "Three ways: a) a file per user; b) keep it in memory or c) a Redis of its own. Which?"
    )
    found = accepted(message, answer, encode)
    assert (found.text if found is not None and not found.tentative else "") == picked


@pytest.mark.parametrize(
    ("message", "answer", "kept"),
    [
        (
            "Es fehlt eine Sperre. Ich würde vor jedem Lauf die Tabelle sperren. Soll ich?",
            "ja, immer so machen",
            "Vor jedem Lauf die Tabelle sperren.",
        ),
        (
            "On pourrait écrire toutes les dates en UTC. Ça te va ?",
            "oui, partout",
            "Écrire toutes les dates en UTC.",
        ),
        (
            "Potremmo salvare i prezzi in centesimi. Va bene?",
            "sì, sempre così",
            "Salvare i prezzi in centesimi.",
        ),
        (
            "We zouden alle logs in JSON schrijven. Goed?",
            "prima, altijd doen",
            "Alle logs in JSON schrijven.",
        ),
    ],
)
def test_a_proposal_is_recognised_in_other_languages(
    message: str, answer: str, kept: str, encode: Encode
) -> None:
    found = accepted(message, answer, encode)
    assert found is not None
    assert found.text == kept


@pytest.mark.parametrize(
    "answer", ["exit", "Now run the tests", "A kiln is part of 1 or more shops"]
)
def test_an_answer_that_names_no_item_of_a_long_list_picks_none(
    answer: str, encode: Encode
) -> None:
    items = ("glaze", "kiln", "wheel", "clay", "sieve")
    rules = "\n".join(f"- Always use the {one} fixture in every new test" for one in items)
    assert accepted(f"CLAUDE.md says:\n\n{rules}", answer, encode) is None


def test_what_was_accepted_may_be_taken_back(encode: Encode) -> None:
    steps = (asked("how?"), said(PROPOSED), asked("yes"), said("Done."), asked("forget that"))
    session = recorded("s", *steps)
    session.encode = encode
    assert instructions.lessons(session, []) == []
    assert instructions.taken_back(session)


FOUND = "The pump trips the fuse. With the soft start set to 3 s it stays on."


@pytest.mark.parametrize(
    "answer",
    [
        "wow. good to know for the next boards too",
        "gut zu wissen!",
        "remember that, it cost me a day",
    ],
)
def test_what_the_agent_found_out_is_kept_where_a_person_calls_it_good_to_know(
    answer: str, encode: Encode
) -> None:
    found = accepted(FOUND, answer, encode)
    assert found is not None
    assert (found.text, found.kind, found.tentative) == (FOUND, "fact", False)


@pytest.mark.parametrize("answer", ["good to know?", "nice", "good to know, just kidding"])
def test_what_a_person_only_reads_is_not_kept(answer: str, encode: Encode) -> None:
    assert accepted(FOUND, answer, encode) is None


@pytest.mark.parametrize("answer", ["ja, immer so machen", "yes, always like that"])
def test_a_yes_that_lasts_is_of_what_the_agent_did_and_says_nothing_alone(
    answer: str, encode: Encode
) -> None:
    did = "Fixed. Register access goes through hal_write() now, so that host tests can fake it."
    found = accepted(did, answer, encode)
    assert found is not None
    assert found.text.startswith("Register access goes through hal_write()")
    assert statements(answer, encode) == []


WAYS = (
    "Two ways to publish events:\n1. An outbox table in Postgres, polled by a worker\n"
    "2. Kafka with the Debezium connector\nWhich one?"
)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (
            "take the outbox one, Kafka is too heavy for us",
            "An outbox table in Postgres, polled by a worker: Kafka is too heavy for us.",
        ),
        (
            "1 please, kafka is overkill",
            "An outbox table in Postgres, polled by a worker: kafka is overkill.",
        ),
        ("Kafka, because we run it anyway", "Kafka with the Debezium connector: we run it anyway."),
        (
            "lieber die Outbox, Kafka ist uns zu schwer",
            "An outbox table in Postgres, polled by a worker: Kafka ist uns zu schwer.",
        ),
        ("show me the outbox first, then we see", ""),
        ("run the tests first, the outbox is red", ""),
        ("explain Kafka, I don't know it", ""),
        ("neither, wait until tomorrow", ""),
        ("is the outbox safe, or can rows get lost?", ""),
        ("just try Kafka today, we can throw it away", ""),
    ],
)
def test_an_option_is_kept_with_the_reason_for_it(encode: Encode, answer: str, wanted: str) -> None:
    found = accepted(WAYS, answer, encode)
    assert (found.text if found else "") == wanted
    assert found is None or (found.kind == "decision" and not found.tentative)


@pytest.mark.parametrize(
    ("message", "answer", "wanted"),
    [
        ("1. mocha\n2. ava", "the second", "Ava (chosen, not mocha)."),
        ("1. mocha\n2. ava", "the last one", "Ava (chosen, not mocha)."),
        (
            "Kafka: keeps the history. NATS: lighter.",
            "let's take the lighter one",
            "NATS: lighter (chosen, not Kafka).",
        ),
        (
            "Kafka: keeps the history. NATS: lighter.",
            "nats then, light is good",
            "NATS: lighter: light is good.",
        ),
        (
            "A) vite: fast, few options\nB) webpack: many plugins\nC) parcel: no config",
            "C... no wait, A. faster builds and we don't need plugins",
            "Vite: fast, few options: faster builds and we don't need plugins.",
        ),
    ],
)
def test_a_picked_option_is_a_decision_that_is_understood_alone(
    encode: Encode, message: str, answer: str, wanted: str
) -> None:
    found = accepted(message, answer, encode)
    assert found is not None
    assert (found.kind, as_sentence(found.text)) == ("decision", wanted)


def stated(encode: Encode, question: str, reply: str, answer: str) -> list[tuple[str, str]]:
    """What a session of two prompts teaches at its second one: kinds and texts."""
    session = recorded("s", asked(question, 1), said(reply, 2), asked(answer, 3))
    session.encode = encode
    lessons = instructions.lessons(session, [])
    return [(one.kind, one.text) for one in lessons if not one.tentative and 3 in one.lines]


@pytest.mark.parametrize(
    ("question", "reply", "answer", "of", "chosen"),
    [
        (
            "do thumbnails get their size on upload or on first request? what would you do",
            "Both work. Resizing early costs storage, late costs the first visitor. I'd lean to early.",
            "yeah do it on upload, nobody waits then",
            "Do thumbnails get their size on upload or on first request",
            "do it on upload, nobody waits then.",
        ),
        (
            "redis or memcached for the sessions?",
            "Either is fine. I'd go with the first.",
            "ok go with redis, we already run it for the queue",
            "Redis or memcached for the sessions",
            "go with redis, we already run it for the queue.",
        ),
        (
            "hm, what's better, one transaction per file or one per row?",
            "Per file is faster; per row survives a bad line.",
            "per row for bank files, per file else. We never want to lose one again",
            "What's better, one transaction per file or one per row",
            "per row for bank files, per file else. We never want to lose one again.",
        ),
        (
            "nehmen wir für den Versand einen Cronjob oder eine Queue?",
            "Beides geht. Ich würde eher zur Queue tendieren.",
            "ja, nimm die Queue, die können wir jederzeit neu starten",
            "Nehmen wir für den Versand einen Cronjob oder eine Queue",
            "nimm die Queue, die können wir jederzeit neu starten.",
        ),
    ],
)
def test_a_choice_is_kept_with_what_it_is_of_and_with_its_reason(
    encode: Encode, question: str, reply: str, answer: str, of: str, chosen: str
) -> None:
    assert stated(encode, question, reply, answer) == [("decision", f"{of}: {chosen}")]


@pytest.mark.parametrize(
    ("question", "reply", "answer"),
    [
        # An order out of a cut sentence is none.
        ("look at the export", "I'd lean to the job.", "yeah go with the job"),
        (
            "rake task or sidekiq job for the export?",
            "I'd go with the job.",
            "ok go with the job, then write the spec for it",
        ),
        ("rake task or sidekiq job for the export?", "I'd lean to the job.", "the job please"),
        (
            "commit now or run the specs first?",
            "I'd run them first.",
            "run the specs first, I don't trust the last change",
        ),
        (
            "was it the proxy or the cache yesterday?",
            "The logs name the cache.",
            "the cache, I saw it in the logs too",
        ),
        (
            "if the job or the worker dies the lock stays, right?",
            "Yes, until it expires.",
            "the lock is the problem, the job holds it for an hour",
        ),
        (
            "fix the importer",
            "Fixed. Want me to look for other importers with this, or would you prefer to stop here?",
            "look at the other importers, they were written in the same week",
        ),
        (
            "redis or memcached for the sessions?",
            "I'd lean to redis.",
            "redis for now, we can change it later",
        ),
    ],
)
def test_a_choice_for_the_moment_or_one_without_a_reason_is_no_decision(
    encode: Encode, question: str, reply: str, answer: str
) -> None:
    assert stated(encode, question, reply, answer) == []


def test_an_answer_to_a_question_of_the_agent_names_what_that_was_of(encode: Encode) -> None:
    reply = "The importer is ready. Should it retry a failed upload three times or give up at once?"
    answer = "retry in prod, give up in the tests. We never want a slow test run again"
    session = recorded("s", asked("write the importer", 1), said(reply, 2), asked(answer, 3))
    session.encode = encode
    lesson = only(instructions.lessons(session, []))
    assert lesson.text == (
        "Should it retry a failed upload three times or give up at once: retry in prod, give up in the"
        " tests. We never want a slow test run again."
    )
    assert (lesson.lines, lesson.kind, lesson.accepted) == ((2, 3), "decision", True)
