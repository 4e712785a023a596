"""What a person says lastingly in a prompt is told from requests for the task at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.steps import asked, call, recorded

from bowerbird.models.registry import contextual
from bowerbird.sessions.learn.lasting_statements import (
    Statement,
    holds_everywhere,
    lasting,
    plain,
    statements,
)
from bowerbird.sessions.learn.promote import PROPOSED, REPEATED, digest, judged, named, withdrawn
from bowerbird.sessions.learn.prompt_sentences import as_sentence, typed_sentences
from bowerbird.sessions.learn.session_types import SORTS, TERMINAL
from bowerbird.sessions.learn.signals import instructions

if TYPE_CHECKING:
    from bowerbird.sessions.learn.lasting_statements import Encode
    from bowerbird.sessions.learn.steps import RecordedSession, Step

PROMPTS = Path(__file__).parents[1] / "data" / "prompts.tsv"
# The author whose prompts are in no fit (benchmarks/said.py).
LEFT_OUT = "fourth"


@pytest.fixture(scope="module")
def encode() -> Encode:
    return contextual()


def session(encode: Encode | None, *steps: Step) -> RecordedSession:
    made = recorded("s", *steps)
    made.encode = encode
    return made


def texts(prompt: str, encode: Encode | None) -> list[str]:
    return [one.text for one in statements(prompt, encode) if not one.tentative]


def test_statements_of_an_author_that_was_left_out_are_recognised(encode: Encode) -> None:
    rows = [line.split("\t") for line in PROMPTS.read_text().splitlines()]
    own = [(sign, raw.replace("\\n", "\n")) for sign, author, _, raw in rows if author == LEFT_OUT]
    taken = [sign for sign, text in own if texts(text, encode)]
    wanted = sum(sign == "+" for sign, _ in own)
    assert taken.count("+") >= 0.6 * wanted
    assert taken.count("+") >= 0.57 * len(taken)


@pytest.mark.parametrize(
    ("prompt", "wanted", "kind"),
    [
        (
            "ok, please never push to main without asking me",
            "never push to main without asking me",
            "preference",
        ),
        (
            "why does the jam burn? From now on always run make check before you commit.",
            "From now on always run make check before you commit.",
            "requirement",
        ),
        ("no, we use pnpm here", "we use pnpm here", "requirement"),
        (
            "fix the typo. I prefer short answers without bullet lists",
            "I prefer short answers without bullet lists",
            "preference",
        ),
    ],
)
def test_a_statement_keeps_the_words_of_its_author(
    prompt: str, wanted: str, kind: str, encode: Encode
) -> None:
    (found,) = statements(prompt, encode)
    assert (found.text, found.kind) == (wanted, kind)


@pytest.mark.parametrize(
    "prompt",
    [
        "keep your answers short, no bullet lists",
        "Our staging host is stage-3.internal, port 2222.",
        "we use pnpm here",
        "from now on use tabs",
        "We deploy on Thursdays only.",
    ],
)
def test_a_statement_without_any_task_is_recognised(prompt: str, encode: Encode) -> None:
    assert len(statements(prompt, encode)) == 1


@pytest.mark.parametrize(
    "prompt",
    [
        "keep answers short, no summary at the end. applies to all my projects",
        "nutze immer ruff, nie flake8. das gilt für alle meine repos",
        "antwoord kort aub, geen samenvatting aan t eind. geldt voor al mn projecten",
        "réponds toujours en français. ça vaut pour tous mes projets",
        "in all my repos: answer briefly",
        "in al mijn projecten: antwoord kort",
    ],
)
def test_of_which_projects_a_rule_is_belongs_to_it(prompt: str, encode: Encode) -> None:
    (found,) = texts(prompt, encode)
    assert holds_everywhere(found, prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "nooit op vrijdag deployen",
        "altijd squash mergen",
        "gebruik altijd snake_case in sql",
        "mai fare push su main",
        "usa sempre snake_case in sql",
    ],
)
def test_a_short_rule_is_recognised_in_each_language(prompt: str, encode: Encode) -> None:
    assert texts(prompt, encode) == [prompt]


@pytest.mark.parametrize(
    "prompt",
    [
        "op welke poort zit prod",
        "wie vraag ik over kafka",
        "ff iets anders: wat is de hoofdstad van peru",
        "auf welchem port läuft prod",
        "dove sta il file di log",
        "which port is prod on",
    ],
)
def test_a_question_without_its_mark_is_none(prompt: str, encode: Encode) -> None:
    assert statements(prompt, encode) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "ja lekker, altijd alles meteen op prod testen zeker haha",
        "Mai passt leider nicht, nimm Juni",
        "sure thing, always push straight to main hahaha",
        "nu ff geen tests draaien, de ci is stuk",
        "even geen tests draaien",
        "erstmal keine tests laufen lassen, die CI ist kaputt",
    ],
)
def test_what_is_said_in_jest_or_for_the_moment_is_none(prompt: str, encode: Encode) -> None:
    assert texts(prompt, encode) == []


@pytest.mark.parametrize(
    "prompt",
    ["run the tests", "The button must be red.", "use the second one", "no, the first file"],
)
def test_a_short_request_is_none(prompt: str, encode: Encode) -> None:
    assert texts(prompt, encode) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "remove underscore, we dropped it everywhere last year",
        "split the nightly job, we've got a rule that no job runs longer than an hour",
        "There's a convention for branch names: type/ticket. Name this one that way.",
        "let's call it basket in the api and never cart. rename the field",
        "ajoute un test. on a choisi pnpm pour tout le dépôt, laisse tomber npm",
        "Bau den Test um. Wir haben uns auf Vitest geeinigt, Jest fliegt raus.",
        "Globals sind verboten, wie oft noch",
        "wir sind jetzt auf Go 1.23",
        "Fix the export. Wildcard imports are a no-go here. Then push.",
    ],
)
def test_a_custom_that_a_task_names_is_kept(prompt: str, encode: Encode) -> None:
    assert texts(prompt, encode)


@pytest.mark.parametrize(
    "prompt",
    [
        "guest carts expire after 45 minutes",
        "Der Port der API ist 8407",
        "la file accepte 200 messages",
        "The queue limit is 500 messages",
    ],
)
def test_a_number_that_is_told_alone_is_kept(prompt: str, encode: Encode) -> None:
    assert [one.text for one in statements(prompt, encode)] == [prompt]


@pytest.mark.parametrize(
    "prompt",
    [
        "we dropped the table by accident, restore it",
        "we decided nothing yet, show me both",
        "we've got a rule violation in the lint output, fix it",
        "the server must be running or the test fails, start it",
        "the test ran 14 seconds",
        "the page has 3 errors",
        "il manque 2 fichiers dans le zip",
        "what time is it in Lima when it is 9 here",
    ],
)
def test_what_looks_like_a_custom_or_a_fact_is_none(prompt: str, encode: Encode) -> None:
    assert statements(prompt, encode) == []


def test_what_follows_the_taking_back_is_recognised(encode: Encode) -> None:
    prompt = "We deploy on Mondays only. No, scratch that. We deploy on Thursdays only."
    assert texts(prompt, encode) == ["We deploy on Thursdays only."]


def test_a_question_for_assent_leaves_a_statement_and_one_for_the_fact_does_not(
    encode: Encode,
) -> None:
    assert texts("We never push to main, got it?", encode) == ["We never push to main."]
    assert texts("Prices are integer cents, never floats, ok?", encode) == [
        "Prices are integer cents, never floats."
    ]
    assert texts("We never push to main, right?", encode) == []
    assert typed_sentences("Is the build ok?") == ["Is the build ok?"]


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("The wiki of the harbour runs at https://wiki.harbour.example:8090, login by LDAP", 1),
        ("Das Lager ist umgezogen, jetzt https://lager.example:9443", 1),
        ("please always look at https://wiki.harbour.example/howto before you answer", 0),
        ("start mal den Server", 0),
        ("Wer prüft die Rechnungen, und an welchen Tagen liefern wir immer?", 0),
        ("who approves invoices, and by which rule do we always name branches?", 0),
        ("Kannst du bitte künftig die Tests vor jedem Commit laufen lassen?", 1),
        ("could you run the linter before each commit from now on?", 1),
    ],
)
def test_what_states_something_is_kept_and_what_wants_an_answer_or_something_now_is_not(
    prompt: str, kept: int, encode: Encode
) -> None:
    assert len(statements(prompt, encode)) == kept


def test_what_is_denied_in_a_few_words_is_kept_with_what_holds_in_its_place(encode: Encode) -> None:
    prompt = "no, not print. it goes through get_logger() from src/log.py, print breaks the output"
    rule = "not print: it goes through get_logger() from src/log.py, print breaks the output"
    assert [one.text for one in statements(prompt, encode)] == [rule]


@pytest.mark.parametrize("file", ["tidepool/render.py", "tidepool/auth.py", "src/main.go"])
def test_whether_a_sentence_is_kept_does_not_depend_on_the_name_of_a_file(
    encode: Encode, file: str
) -> None:
    (kept,) = statements(f"Lines in {file} stay under 80 characters.", encode)
    assert file in kept.text


def test_what_says_how_far_the_work_is_becomes_no_rule(encode: Encode) -> None:
    said = "Quick note: we're halfway through the cache, put() and expiry are still to do."
    assert statements(said, encode) == []


def test_contractions_without_an_apostrophe_are_the_same_words(encode: Encode) -> None:
    hurried, careful = "we dont deploy on fridays", "we don't deploy on fridays"
    assert next(iter(lasting([hurried], hurried, encode))).odds == pytest.approx(
        next(iter(lasting([careful], careful, encode))).odds, abs=0.05
    )


def test_rules_that_are_listed_line_by_line_are_all_recognised(encode: Encode) -> None:
    rules = ["Always run the tests before you commit.", "Never edit generated files by hand."]
    prompt = "\n".join(["Some notes on how we work:", "", *(f"- {one}" for one in rules)])
    assert {*rules} <= {*texts(prompt, encode)}


@pytest.mark.parametrize(
    "prompt",
    [
        "“Never share a key. Always ask first. We rotate them.” is what the page says, make it shorter",
        "From now on we always ask first... ah no, forget that, just finish the rename",
        "Here is the review:\n> Always close the file before you return.",
        "```\nnever call this from tests\n```\nwhat does that comment mean",
        "Always check it before you push.",
        "Always use tabs. " * 200,
        "Write the system prompt of our bot: always answer in German, never promise a refund. Thanks.",
        "Übersetze den Text. Niemals die Abdeckung öffnen.",
        "From the chat:\n[10:02] ann: never restart the broker without telling us\nWho did?",
        "just this once leave out the linter and commit what is there",
        "Can you compare the two parsers for any gaps in functionality and for code that is duplicated",
        "I can't see any use of the cache so we are not really caching anything",
    ],
)
def test_what_is_quoted_or_of_one_moment_or_leans_on_something_else_is_none(
    prompt: str, encode: Encode
) -> None:
    assert texts(prompt, encode) == []


@pytest.mark.parametrize(
    ("prompt", "text", "file"),
    [
        (
            "never edit migrations/0042.py, it already ran in prod. what does it do?",
            "never edit migrations/0042.py, it already ran in prod.",
            "migrations/0042.py",
        ),
        ("why is it red? our CI runners have only 2 cores", "our CI runners have only 2 cores", ""),
        (
            "commit this, pinned because 2.0 breaks the excel export",
            "commit this, pinned because 2.0 breaks the excel export",
            "",
        ),
    ],
)
def test_what_is_said_beside_a_question_or_a_request_is_kept(
    prompt: str, text: str, file: str, encode: Encode
) -> None:
    (found,) = (one for one in statements(prompt, encode) if not one.tentative)
    assert (found.text, "".join(found.about)) == (text, file)
    assert found.trap == bool(file)


def test_what_is_agreed_on_in_a_request_is_kept(encode: Encode) -> None:
    prompt = "let's write this down: money is stored in cents, never as floats. fix the cart"
    assert texts(prompt, encode) == ["money is stored in cents, never as floats."]
    assert texts("let's see: the cart page is broken again, fix it", encode) == []


def test_what_may_be_lasting_is_tentative_and_a_request_is_nothing(encode: Encode) -> None:
    (found,) = statements("the payment provider only allows 3 requests per second", encode)
    assert found.tentative
    # Nothing else is said in that prompt, and it asks for nothing.
    (found,) = statements("A trial ends after 14 days.", encode)
    assert not found.tentative
    assert statements("run the payment tests 3 times per second this once", encode) == []
    # It states nothing: it rather asks for something now.
    (found,) = statements(
        "Handle single rows exceeding BatchSize (error or split) in batching.go:31 - A single row larger"
        " than BatchSize passes through without validation or error",
        encode,
    )
    assert found.tentative


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("A trial ends after 14 days.", "A trial ends after 14 days."),
        (
            "What does the job do? Invoices are kept for 10 years.",
            "Invoices are kept for 10 years.",
        ),
        ("the export takes 14 seconds again", ""),
        ("I'm working from home this week", ""),
        ("We need a new column for the street.", ""),
    ],
)
def test_a_plain_fact_is_tentative_and_a_symptom_or_a_task_is_nothing(
    prompt: str, kept: str, encode: Encode
) -> None:
    assert "".join(one.text for one in statements(prompt, encode)) == kept


def test_a_sentence_that_leans_on_the_one_before_it_is_kept_with_it(encode: Encode) -> None:
    prompt = "The folder legacy/ is frozen since March. Never change it again without asking me."
    assert texts(prompt, encode)[-1].startswith("The folder legacy/ is frozen")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Verwende niemals `print` zum Loggen.", True),
        ("Bitte in Zukunft keine neuen Abhängigkeiten hinzufügen", True),
        ("Ne modifie jamais les fichiers de src/gen.", True),
        ("De ahora en adelante ejecuta `make test` antes de cada commit", True),
        ("Nein, wir nehmen hier pnpm, nicht npm.", True),
        ("Nous utilisons Mailjet, pas Sendgrid.", True),
        ("nous avons vu ça hier soir, pas avant", False),
        ("warum schlägt der Test immer fehl?", False),
        ("das passiert nie auf meinem Rechner", False),
        ("ne change pas ce fichier pour l'instant", False),
        ("usa la segunda opción", False),
    ],
)
def test_other_languages_say_it_in_their_words(text: str, holds: bool, encode: Encode) -> None:
    assert bool(texts(text, encode)) == holds


ASKED = (
    ("Please remember that staging listens on port 5433.", "staging listens on port 5433."),
    ("fix it. Don't forget that the tests need redis", "the tests need redis"),
    ("Remember: the key rotates on Mondays, please", "the key rotates on Mondays"),
    ("make a note that we deploy on Tuesdays", "we deploy on Tuesdays"),
    ("save this to memory: deploys happen on Tuesdays only", "deploys happen on Tuesdays only"),
    ("Merk dir, dass die Datenbank auf Port 5433 läuft", "die Datenbank auf Port 5433 läuft"),
    ("记住：数据库在5433端口上", "数据库在5433端口上"),
    (
        "Deploys go out from the release branch only, never from main. Please remember that.",
        "Deploys go out from the release branch only, never from main.",
    ),
    ("Save this to your notes for later sessions: the key is rotated", "the key is rotated"),
    ("Keep in mind for later that the key is rotated", "the key is rotated"),
    ("Merk dir bitte: der Port ist immer 5433", "der Port ist immer 5433"),
    ("Could you please remember that the key is rotated?", "the key is rotated"),
    ("could you remember where the key is kept?", ""),
    ("Is the port in the config? Remember that.", ""),
    ("Keep that.", ""),
    ("do you remember where the port was set?", ""),
    ("Keep in mind that the second window is open when you fix this", ""),
    ("I don't remember which error it was", ""),
    ("Remember to fix it", ""),
    ("> remember that staging listens on port 5433", ""),
)


@pytest.mark.parametrize(("text", "wanted"), ASKED)
def test_what_a_person_asks_to_remember_needs_no_model(text: str, wanted: str) -> None:
    found = statements(text, None)
    assert [(one.text, one.asked) for one in found] == [(wanted, True)] * bool(wanted)


def stored(text: str) -> Step:
    return call("mcp__bowerbird__memory_store", {"content": text})


def test_what_only_leads_to_a_statement_or_asks_for_it_politely_is_left_out() -> None:
    for said in (
        "A few house rules first: no tabs",
        "That's wrong, no tabs!",
        "two rules: no tabs",
    ):
        assert as_sentence(plain(said)).rstrip(".!") == "No tabs"
    said = "Can we please use snake_case in all test names?"
    assert as_sentence(plain(said)) == "Use snake_case in all test names."
    assert as_sentence("never floats;") == "Never floats."
    said = "My notes are in docs/: keep them."
    assert as_sentence(plain(said)) == said


def test_what_the_agent_stored_in_the_same_turn_is_not_stored_again() -> None:
    prompt = asked("Please remember that staging listens on port 5433.", 1)
    (lesson,) = instructions.lessons(session(None, prompt), [])
    assert (lesson.asked, lesson.source, lesson.kind) == (True, "user_taught", "fact")
    same = session(None, prompt, stored("Staging listens on port 5433 since the move"))
    assert instructions.lessons(same, []) == []
    other = session(None, prompt, stored("The invoice job needs two workers"))
    assert instructions.lessons(other, []) == [lesson]


def test_what_its_author_takes_back_is_withdrawn(encode: Encode) -> None:
    rule = asked("From now on format everything with a line length of 120.")
    kept = session(encode, rule, asked("how many branches are there?"))
    (lesson,) = instructions.lessons(kept, [])
    assert not withdrawn(kept)
    back = session(encode, rule, asked("hm no, forget that, the formatting stays as it is"))
    assert instructions.lessons(back, []) == []
    assert withdrawn(back) == {named(lesson)}
    for words in ("ah sorry, scrap that, thats the other one", "oops wrong repo. put it back"):
        assert withdrawn(session(encode, rule, asked(words))) == {named(lesson)}
    reminded = session(encode, rule, asked("Don't forget that the tests need redis to be up."))
    assert not withdrawn(reminded)


@pytest.mark.parametrize(
    "wish",
    [
        "don't touch docker-compose.yml in this session pls, I have it half edited",
        "bitte in dieser Sitzung nie nach main pushen",
    ],
)
def test_what_is_wished_for_a_session_ends_with_it(encode: Encode, wish: str) -> None:
    assert instructions.lessons(session(encode, asked(wish)), []) == []


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        (
            "It's Parquet for anything over a gigabyte; anything smaller is CSV.",
            "It's Parquet for anything over a gigabyte; anything smaller is CSV.",
        ),
        (
            "Should you not ask before dropping a table? Please do so in future, even in dev.",
            "Should you not ask before dropping a table? do so in future, even in dev.",
        ),
    ],
)
def test_what_leans_on_what_stands_before_is_kept_with_it(
    encode: Encode, prompt: str, kept: str
) -> None:
    assert texts(prompt, encode) == [kept]


def test_what_is_taken_back_by_name_is_that_and_not_what_was_said_last(encode: Encode) -> None:
    length = asked("From now on format everything with a line length of 120.")
    tags = asked("Releases are always tagged v2.x, never v3.")
    kept = {one.text: named(one) for one in instructions.lessons(session(encode, length, tags), [])}
    by_length = next(key for text, key in kept.items() if "120" in text)
    for words, taken in (
        ("forget what I said about the line length", {by_length}),
        ("forget what I said about the lunch order", set()),
        # What asks for something is not what was said of going without it.
        ("forget what I said about skipping release tags", set()),
    ):
        back = session(encode, length, tags, asked(words))
        assert withdrawn(back) == taken
        left = {named(one) for one in instructions.lessons(back, [])}
        assert {*kept.values()} - taken <= left


def test_a_session_gives_all_that_a_person_typed_and_none_twice(encode: Encode) -> None:
    rules = [f"Remember that the {word} queue must never be drained by hand." for word in WORDS]
    found = judged(session(encode, *(asked(one) for one in rules)), [])
    own = [one for one in found if one.lesson.signal == instructions.NAME]
    assert [one.decision for one in own] == [PROPOSED] * len(rules)
    assert len(rules) > SORTS[TERMINAL].most
    kept = digest(recorded("a"), "p", [named(own[0].lesson)])
    again = judged(session(encode, asked(own[0].lesson.text)), [kept])
    assert {one.decision for one in again if named(one.lesson) == named(own[0].lesson)} <= {
        REPEATED
    }


WORDS = ("mail", "invoice", "label", "refund")


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        # What leans on the sentence before it is kept with that, and what denies a fact is one.
        (
            "10.0.0.7 is the production database. Never run migrations against it.",
            ["10.0.0.7 is the production database. Never run migrations against it."],
        ),
        (
            "don't touch the Makefile until Tom is back",
            ["don't touch the Makefile until Tom is back"],
        ),
        ("don't run anything yet, wait until the build is done", []),
        ("add a settings module with the staging database on port 6432", []),
    ],
)
def test_a_rule_is_kept_with_its_subject_and_its_condition(
    prompt: str, kept: list[str], encode: Encode
) -> None:
    assert [one.text for one in statements(prompt, encode)] == kept


def test_a_path_keeps_its_case_at_the_beginning_of_a_sentence() -> None:
    assert as_sentence("src/rates.py is generated") == "src/rates.py is generated."
    assert as_sentence("rates are in cents") == "Rates are in cents."


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        # Wishes put as questions, that last; and what is asked of the task at hand.
        (
            "any chance you'd keep the migrations reversible from now on?",
            "keep the migrations reversible from now on.",
        ),
        (
            "would you mind not touching the lockfile when you fix something else?",
            "don't touch the lockfile when you fix something else.",
        ),
        (
            "is it possible to have the commit subject in lower case whenever you commit?",
            "have the commit subject in lower case whenever you commit.",
        ),
        ("would you mind always writing a down migration?", "always write a down migration."),
        ("could you please use tabs here and never spaces?", "use tabs here and never spaces."),
        (
            "when you write an endpoint, would it be possible to add it to requests.http too?",
            "when you write an endpoint, add it to requests.http too.",
        ),
        ("could you rerun it after you rebase?", ""),
        ("can you add a log line before each request?", ""),
        ("can you explain what happens when you click save?", ""),
        # Praise of how it was done, that is to go on; and of what was done.
        (
            "Works. Love that you wrote the failing test first, keep at it.",
            "Love that you wrote the failing test first, keep at it",
        ),
        (
            "Great that you linked the ticket. Keep doing it, and now fix the specs.",
            "Great that you linked the ticket. Keep doing it.",
        ),
        ("the login works now, great. keep at it", ""),
        ("perfect, keep going", ""),
        (
            "great that you wrote the failing test first, do it like this with every bug",
            "great that you wrote the failing test first, do it like this with every bug",
        ),
        # Scolding that says the rule again, and a rule behind a request.
        (
            "you pushed again!! how often do I have to say it: never push to main yourself",
            "never push to main yourself",
        ),
        (
            "commit it please, and btw commit messages start with the ticket",
            "commit messages start with the ticket",
        ),
        ("no not like that, with date-fns. we don't use moment anywhere", "we don't use moment anywhere"),
        # What only says that something is said.
        ("Bit of news, Priya took over billing", "Priya took over billing"),
        ("One last thing: never squash the release branch", "never squash the release branch"),
        ("I'll say it plainly: no sidecar gets added to farebox.", "no sidecar gets added to farebox."),
        ("Release notes: always in German", "Release notes: always in German"),
    ],
)  # fmt: skip
def test_wishes_praise_and_news_are_kept_as_what_they_ask_for(
    prompt: str, kept: str, encode: Encode
) -> None:
    assert texts(prompt, encode) == [kept] * bool(kept)


def test_short_items_are_read_with_their_heading_and_those_of_a_question_are_not() -> None:
    entries = "our setup:\nDatabase: postgres 15\n- Queue: redis\n\nwhich of them is slow?"
    assert typed_sentences(entries) == [
        "our setup: Database: postgres 15, Queue: redis",
        "which of them is slow?",
    ]
    asks = (
        "which belongs in the readme?\n- postgres 15 runs on db1\n- we never squash\nthanks a lot"
    )
    assert typed_sentences(asks) == ["which belongs in the readme?", "thanks a lot"]
    told = "please note:\n- postgres 15 runs on db1\n- we never squash commits"
    assert typed_sentences(told)[1:] == ["- postgres 15 runs on db1", "- we never squash commits"]


def test_what_names_a_folder_is_a_trap_only_where_that_is_there(
    encode: Encode, tmp_path: Path
) -> None:
    made = session(encode, asked("heads up: we run the specs with bin/rspec, not with bare rspec"))
    made.folder = str(tmp_path)
    (found,) = instructions.lessons(made, [])
    assert (found.kind, found.files) == ("fact", ())
    (tmp_path / "bin" / "rspec").mkdir(parents=True)
    (found,) = instructions.lessons(made, [])
    assert (found.kind, found.files) == ("gotcha", ("bin/rspec/",))


def test_a_rule_that_begins_with_its_file_is_of_that_and_stays_a_rule(encode: Encode) -> None:
    prompt = "From now on write the changelog in English. Also in docs/mail.html never use inline styles."
    rule = statements(prompt, encode)[-1]
    assert (rule.about, rule.kind, rule.tentative) == (("docs/mail.html",), "requirement", False)


@pytest.mark.parametrize(
    ("prompt", "kept", "about"),
    [
        ("dont touch build/", "dont touch build/", ("build/",)),
        ("please don't change the vendored folder", "", ()),
        ("don't edit src/parser.py", "don't edit src/parser.py", ("src/parser.py",)),
        (
            "don't edit dist/. It's generated by make",
            "Don't edit dist/. It's generated by make",
            ("dist/",),
        ),
        # Of this moment.
        ("don't touch build/ for now", "", ()),
        ("don't run the tests in src/ yet", "", ()),
    ],
)
def test_what_is_not_to_be_done_in_a_folder_comes_back_with_it(
    prompt: str, kept: str, about: tuple[str, ...], encode: Encode
) -> None:
    found = statements(prompt, encode)
    assert [(one.text, one.about) for one in found] == [(kept, about)] * bool(kept)


def test_both_halves_of_a_correction_are_told_together(encode: Encode) -> None:
    (found,) = statements("no, tabs! not spaces", encode)
    assert (found.text, found.tentative) == ("tabs, not spaces", False)


@pytest.mark.parametrize(
    "prompt",
    [
        "lass die tests laufen",
        "so jetzt router.py, zieh die logik raus",
        "wo wir stehen: GET /users fehlt noch, danach erst die Seite weiter",
        "Der Titel muss fett sein",
        "can we add a test for each of them?",
    ],
)
def test_what_is_to_be_done_now_is_none(prompt: str, encode: Encode) -> None:
    assert statements(prompt, encode) == []


@pytest.mark.parametrize(
    ("prompt", "sentences"),
    [
        (
            "Mika is away from 7.12. until 18.12., Ola has the pager then",
            ["Mika is away from 7.12. until 18.12., Ola has the pager then"],
        ),
        ("ab dem 3. märz läuft der Export nachts", ["ab dem 3. märz läuft der Export nachts"]),
        (
            "keep answers short. in all my projects please",
            ["keep answers short, in all my projects please"],
        ),
        (
            "keine globalen Variablen. gilt überall hier",
            ["keine globalen Variablen: gilt überall hier"],
        ),
        (
            "zeig immer erst den plan. gilt für alle meine projekte",
            ["zeig immer erst den plan, gilt für alle meine projekte"],
        ),
        (
            "Die Abnahme mit Dr. Ebner ist am 15. Januar um 10 Uhr",
            ["Die Abnahme mit Dr. Ebner ist am 15. Januar um 10 Uhr"],
        ),
        (
            "the archive moves to Leipzig. must be done by 4. oktober",
            ["the archive moves to Leipzig; must be done by 4. oktober"],
        ),
        (
            "remember: the quota is approx. 40 calls, see Abs. 3, until Dec. 24 at St. Ives",
            ["remember: the quota is approx. 40 calls, see Abs. 3, until Dec. 24 at St. Ives"],
        ),
        ("wartung am 1. und 15. des Monats", ["wartung am 1. und 15. des Monats"]),
        ("is it green? must be green by noon", ["is it green?", "must be green by noon"]),
        ("the limit is 300. use it", ["the limit is 300.", "use it"]),
    ],
)
def test_what_has_no_meaning_alone_stays_with_its_sentence(
    prompt: str, sentences: list[str]
) -> None:
    assert typed_sentences(prompt) == sentences


def test_an_order_about_what_was_named_before_is_kept_with_that(encode: Encode) -> None:
    prompt = "der Zugang zur Kasse liegt bei Ines. leg das bloß nicht ins Wiki"
    assert [one for one in texts(prompt, encode) if "Wiki" in one] == [
        "Der Zugang zur Kasse liegt bei Ines. leg das bloß nicht ins Wiki"
    ]


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        # Where it is so, and what there is for it.
        (
            "no, not Math.random() - it's crypto.randomUUID everywhere in this codebase",
            "not Math.random() - it's crypto.randomUUID everywhere in this codebase",
        ),
        ("huh, curl? we have fetchJson for that", "Curl? we have fetchJson for that"),
        # A topic or a warning before it.
        (
            "and fixtures: never change one that another suite reads, add a new one",
            "fixtures: never change one that another suite reads, add a new one",
        ),
        (
            "careful here: if the tenant is archived, the invoices come from cold storage",
            "careful here: if the tenant is archived, the invoices come from cold storage",
        ),
        # The exception belongs to the rule.
        (
            "queries always go through the repository. except reports, those are raw sql and stay so",
            "queries always go through the repository, except reports, those are raw sql and stay so",
        ),
        # Neither the scolding nor what the agent did is part of it.
        ("third time i'm telling you, forms are server rendered here", "forms are server rendered here"),
        ("arrow functions only pls, you just wrote a plain one", "arrow functions only pls"),
        # Who "her" is.
    ],
)  # fmt: skip
def test_a_rule_is_told_with_what_belongs_to_it_and_without_the_rest(
    prompt: str, wanted: str, encode: Encode
) -> None:
    assert texts(prompt, encode) == [wanted]


@pytest.mark.parametrize(
    "prompt",
    [
        "B... no wait, A. less code and we don't need the plugins",
        "the sum is 12, not 10",
        "it crashes on save. no error, no log",
    ],
)
def test_an_option_by_its_letter_and_a_report_of_a_fault_are_no_rules(
    prompt: str, encode: Encode
) -> None:
    assert statements(prompt, encode) == []


def test_a_value_with_the_wrong_one_beside_it_is_kept_with_the_reason(encode: Encode) -> None:
    prompt = (
        "the api on my machine is http://localhost:8020, not 8000. 8000 is taken by the docs server"
    )
    assert "http://localhost:8020" in " ".join(one.text for one in statements(prompt, encode))


def test_what_the_next_prompt_contradicts_does_not_stand_beside_it(encode: Encode) -> None:
    said = Statement("format src with prettier: single quotes, no semicolons", "requirement")
    prompt = "hmm no, semicolons stay, eslint complains otherwise"
    (found,) = statements(prompt, encode, just_said=[said])
    assert found.instead == said.text


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        (
            "house rules, before we start:\n1. names in kebab-case\n2. docs first\n\nnow fix the login",
            ["names in kebab-case", "docs first"],
        ),
        (
            "unsere Regeln hier:\n- Commits auf Englisch\n- keine Mocks in Tests",
            ["Commits auf Englisch", "keine Mocks in Tests"],
        ),
        (
            "our commit conventions:\n* imperative mood\n* scope in brackets",
            [
                "our commit conventions: imperative mood",
                "our commit conventions: scope in brackets",
            ],
        ),
        (
            "rules for all my projects:\n- no force push\n- tabs",
            ["rules for all my projects: no force push", "rules for all my projects: tabs"],
        ),
    ],
)
def test_items_of_an_own_list_of_rules_are_kept_one_by_one(
    encode: Encode, prompt: str, wanted: list[str]
) -> None:
    assert texts(prompt, encode) == wanted
    assert all(holds_everywhere(one, prompt) is ("all my" in prompt) for one in wanted)


@pytest.mark.parametrize(
    "prompt",
    [
        "please do:\n- add a changelog line\n- money as cents",
        "rules for this release:\n- one commit\n- no renames",
        "add the discount. rules:\n- at most 20%\n- not on books",
        "add these eslint rules:\n- no-var\n- eqeqeq",
        "requirements for the export:\n- one row per user\n- dates in UTC",
        "the rules at my old company:\n- tabs only\n- no tests",
    ],
)
def test_items_of_a_list_of_tasks_are_none(encode: Encode, prompt: str) -> None:
    assert texts(prompt, encode) == []


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("don't use lodash, use plain JS", "don't use lodash, use plain JS"),
        ("no, Clock.now(). everywhere in this project", "Clock.now(), everywhere in this project"),
        ("retries are fine for reads but never for payments", None),
        ("docs are at https://wiki.corp.example/till, ask there first", None),
        ("note to self and to you: the old export needs utf-16", "the old export needs utf-16"),
        (
            "yep that was it, two jobs took the same number. a lock in next_id fixed it. good to know",
            "That was it, two jobs took the same number. a lock in next_id fixed it.",
        ),
    ],
)
def test_addresses_corrections_and_reasons_are_kept(
    prompt: str, wanted: str | None, encode: Encode
) -> None:
    assert texts(prompt, encode) == [wanted or prompt]


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        (
            "logging ids is fine in dev but they must never reach the log in prod",
            ["logging ids is fine in dev but they must never reach the log in prod"],
        ),
        (
            "love it, exactly how i want commits: one topic, imperative subject",
            ["exactly how i want commits: one topic, imperative subject"],
        ),
    ],
)
def test_a_rule_with_its_exception_is_told_in_its_own_words(
    encode: Encode, prompt: str, wanted: list[str]
) -> None:
    assert texts(prompt, encode) == wanted


@pytest.mark.parametrize(
    "prompt",
    [
        "explain why one should never use goto",
        "today i want each answer as a table",
        "yes please, and like that in all modules from now on",
        "Use names a b c in this snippet, it's for a puzzle.",
    ],
)
def test_what_asks_or_is_of_today_or_refers_is_no_rule(prompt: str, encode: Encode) -> None:
    assert texts(prompt, encode) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "You always write such great commit messages!",
        "explain why a test must never sleep",
        "use one-letter names in this example, it is for a slide",
        "today i want short answers only",
        "never let me merge before coffee again haha, what a mess",
        "the list always shows the same page, no matter what i click. can you check?",
        "the layout is ok but not what i asked for",
    ],
)
def test_praise_and_what_is_of_today_or_this_example_is_no_rule(
    encode: Encode, prompt: str
) -> None:
    assert statements(prompt, encode) == []


@pytest.mark.parametrize("said", ["e2e tests run on firefox", "order_id is a string", "iOS first"])
def test_a_name_keeps_its_case(said: str) -> None:
    assert as_sentence(said) == f"{said}."
