"""What a person said in one session, and takes back or changes in a later one, as the next is told it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.surface.test_learn import Talk

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks


def said(hooks: Hooks, session: str, day: int, *prompts: str, reply: str = "Alright.") -> None:
    """A session with these prompts, which was learned from."""
    talk = Talk(session, hooks.project, day)
    for prompt in prompts:
        talk.say(prompt).record("assistant", reply)
    hooks.bower("learn", str(talk.put(hooks.project.parent / "talks")))


def told(hooks: Hooks, session: str) -> str:
    """What the next session is told at its start."""
    return hooks.context("SessionStart", source="startup", session_id=session)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("never use emojis in the changelog", "you may use emojis in the changelog again"),
        (
            "always keep functions under 100 lines",
            "the 100 line limit for functions doesnt apply any more, use judgement",
        ),
        (
            "from now on every function gets a docstring in numpydoc format",
            "i changed my mind about the docstrings, they only make noise",
        ),
        (
            "zeilen nie länger als 80 zeichen",
            "das mit den 80 zeichen pro zeile kannst du vergessen",
        ),
    ],
)
def test_what_a_person_says_is_over_ends_and_the_next_start_says_so(
    hooks: Hooks, rule: str, words: str
) -> None:
    said(hooks, "s1", 3, rule, "how many files are there?")
    whole = rule[0].upper() + rule[1:]
    assert f"> {whole}" in told(hooks, "one")
    said(hooks, "s2", 4, "list the files please", words)
    context = told(hooks, "two")
    assert f"> {whole}" not in context
    assert f"Taken back: “{whole}.” (bower revert " in context
    id = context.partition("(bower revert ")[2].partition(")")[0]
    hooks.bower("revert", id, "--yes")
    listed = json.loads(hooks.bower("list", "--memories", "--format", "json"))["data"]
    assert any(one["text"] == f"{whole}." for one in listed["entries"])


def test_what_is_allowed_otherwise_ends_no_rule(hooks: Hooks) -> None:
    said(hooks, "s1", 3, "never mock the database in integration tests")
    said(hooks, "s2", 4, "ok, you can run the tests again", "the tests are ok again, commit it")
    assert "Never mock the database" in told(hooks, "one")


@pytest.mark.parametrize(
    ("before", "words", "after"),
    [
        (
            "remember: provisioning is done with Ansible, playbooks are in ops/",
            "provisioning is Terraform these days",
            "Provisioning is Terraform these days.",
        ),
        (
            "fyi Lena is responsible for the releases",
            "Ines took over releases",
            "Ines took over releases.",
        ),
        (
            "remember: Marta reviews all API changes",
            "it's Tomasz who reviews API changes",
            "It's Tomasz who reviews API changes.",
        ),
        (
            "remember: the staging database of billing listens on port 5433",
            "The staging database moved to 5444.",
            "The staging database of billing listens on port 5444.",
        ),
        (
            "remember: Marco Rossi is product owner until March",
            "The product owner is Ines Castro.",
            "The product owner is Ines Castro.",
        ),
        (
            "from now on Tom Okafor runs the migrations",
            "Statt Tom macht jetzt Aylin Demir die Migrationen.",
            "Statt Tom macht jetzt Aylin Demir die Migrationen.",
        ),
        (
            "remember: invoices above 10000 EUR need a second approval by finance",
            "I was wrong: invoices above 20000 EUR need the approval, not 10000.",
            "Invoices above 20000 EUR need a second approval by finance.",
        ),
        # Without a word of what changes.
        (
            "we use npm in this repo",
            "we're on pnpm now, so redo the lockfile",
            "We're on pnpm now, so redo the lockfile.",
        ),
        (
            "remember: our infra is done with CloudFormation",
            "btw it's Terraform these days",
            "Our infra is done with Terraform.",
        ),
        (
            "could you always put a test-label on buttons?",
            "from now on no more test-labels, we ask by role",
            "From now on no more test-labels, we ask by role.",
        ),
    ],
)
def test_a_change_takes_the_place_of_what_it_changes(
    hooks: Hooks, before: str, words: str, after: str
) -> None:
    said(hooks, "s1", 3, before)
    said(hooks, "s2", 4, "list the files please", words)
    context = told(hooks, "one")
    assert f"> {after}" in context
    # Alone: the earlier words ended.
    listed = json.loads(hooks.bower("list", "--memories", "--format", "json"))["data"]
    texts = [one["text"] for one in listed["entries"] if one["kind"] != "session_digest"]
    assert texts == [after]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (
            "can you always show me the query before you run it?",
            "Always show me the query before you run it.",
        ),
        (
            "amounts stay in cents, don't make them floats again",
            "Amounts stay in cents, don't make them floats again.",
        ),
        ("no, wrong, use pathlib not os.path for files", "Use pathlib not os.path for files."),
        ("I said it before: no print in library code", "No print in library code."),
        ("unsere Kundin heißt Frau Adler, merk dir das", "Unsere Kundin heißt Frau Adler."),
        (
            "ok let's go with Valkey then, Redis changed its license",
            "Let's go with Valkey then, Redis changed its license.",
        ),
        ("let us use port 3000", "Let us use port 3000."),
    ],
)
def test_what_a_person_says_in_passing_is_told(hooks: Hooks, words: str, kept: str) -> None:
    said(hooks, "s1", 3, words)
    assert f"> {kept}\n" in told(hooks, "one")


@pytest.mark.parametrize(
    ("words", "prompt"),
    [
        (
            "put the tokens in the keychain, never in a dotfile",
            "where do the tokens go, in a dotfile?",
        ),
    ],
)
def test_what_may_be_a_rule_is_told_where_a_prompt_is_about_it(
    hooks: Hooks, words: str, prompt: str
) -> None:
    said(hooks, "s1", 3, words)
    rule = f"> {words[0].upper()}{words[1:]}."
    assert rule not in told(hooks, "one")
    assert rule in hooks.context("UserPromptSubmit", session_id="one", prompt=prompt)


@pytest.mark.parametrize(
    "words",
    [
        "did you run it? always the same with you",
        "You always forget the fixtures!",
        "could you always have seen that?",
        "Who reviews the payment code, and on which days do we deploy?",
    ],
)
def test_a_reproach_is_no_rule(hooks: Hooks, words: str) -> None:
    said(hooks, "s1", 3, words)
    listed = json.loads(hooks.bower("list", "--memories", "--format", "json"))["data"]
    assert [one for one in listed["entries"] if one["kind"] != "session_digest"] == []


def test_a_change_of_something_else_ends_nothing(hooks: Hooks) -> None:
    said(hooks, "s1", 3, "we use npm in this repo", "our chat is on Slack")
    said(hooks, "s2", 4, "we now have Redis", "we're on Kubernetes now")
    context = told(hooks, "one")
    assert "We use npm in this repo." in context
    assert "Our chat is on Slack." in context


def test_the_newer_of_two_words_stands_first_also_if_it_is_no_rule(hooks: Hooks) -> None:
    said(hooks, "s1", 3, "never merge without a green pipeline")
    said(hooks, "s2", 4, "remember: the pipeline runs on Buildkite")
    for session in ("one", "two", "three"):
        context = told(hooks, session)
        assert context.index("runs on Buildkite") < context.index("without a green pipeline")


@pytest.mark.parametrize("rule", ["", "remember: we call the payment provider from one queue"])
def test_what_may_be_of_the_moment_is_told_beside_what_it_is_about(hooks: Hooks, rule: str) -> None:
    if rule:
        said(hooks, "s1", 3, rule)
    said(hooks, "s2", 4, "the payment provider only allows 3 requests per second")
    assert ("3 requests" in told(hooks, "one")) == bool(rule)


def test_an_option_is_told_with_the_change_by_which_it_was_picked(hooks: Hooks) -> None:
    reply = "Two ways: 1) a lock file beside the queue; 2) a lease that the worker renews."
    said(
        hooks,
        "s1",
        3,
        "two workers start the same job. options?",
        "2, with 90 seconds",
        reply=reply,
    )
    assert "> A lease that the worker renews, with 90 seconds." in told(hooks, "one")


@pytest.mark.parametrize(
    ("question", "reply", "words", "after"),
    [
        (
            "whats the baud rate of the gps module",
            "According to docs/gps.md it is 9600 baud on UART2.",
            "no, 38400. doc is old",
            "Whats the baud rate of the gps module: 38400, not 9600. Doc is old.",
        ),
        (
            "which port does postgres listen on?",
            "The README says 5432.",
            "it's 5433, not what the README says",
            "Which port does postgres listen on: 5433, not 5432.",
        ),
        # The number of an option, a task, and a question.
        ("which one do you want?", "1) red\n2) blue", "no, 2", ""),
        ("add retries to the client", "It makes 3 retries now.", "no, 5", ""),
        ("which port does postgres listen on?", "The README says 5432.", "not 5433?", ""),
    ],
)
def test_another_answer_than_the_agents_is_kept_with_its_question(
    hooks: Hooks, question: str, reply: str, words: str, after: str
) -> None:
    talk = Talk("s1", hooks.project, 3).say(question).record("assistant", reply).say(words)
    hooks.bower("learn", str(talk.record("assistant", "I see.").put(hooks.project.parent / "t")))
    context = told(hooks, "one")
    assert (f"> {after}" in context) if after else (context == "")


@pytest.mark.parametrize(
    "words",
    [
        "actually the structlog rule is nonsense, forget it. print is fine here",
        "take back what I said about structlog, print is fine",
    ],
)
def test_a_rule_is_taken_back_in_more_words(hooks: Hooks, words: str) -> None:
    said(hooks, "s1", 3, "always log through structlog, never print")
    said(hooks, "s2", 4, "how many files are there?", words)
    assert "> Always log" not in told(hooks, "one")


def test_what_some_colleague_says_is_no_rule(hooks: Hooks) -> None:
    said(hooks, "s1", 3, "a colleague from another team said they always use Oracle")
    said(hooks, "s2", 3, "Von jetzt an bitte auf Deutsch antworten.")
    context = told(hooks, "one")
    assert "Oracle" not in context
    assert "> Von jetzt an bitte auf Deutsch antworten." in context


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("Remember for all my projects: never force push", "Never force push."),
        ("In allen Projekten gilt: nie force pushen", "Nie force pushen."),
        ("Remember this globally: never force push", "Never force push."),
        ("in all my repos always sign the commits", "In all my repos always sign the commits."),
    ],
)
def test_what_holds_in_all_projects_is_told_in_another_one(
    hooks: Hooks, words: str, text: str
) -> None:
    other = hooks.project.parent / "other"
    (other / ".git").mkdir(parents=True)
    said(hooks, "s1", 3, words, "from now on we use tabs in this project")
    start = {"source": "startup", "cwd": str(other)}
    context = hooks.context("SessionStart", session_id="one", **start)
    assert f"> {text}" in context
    assert "tabs" not in context
    assert f"> {text}" in told(hooks, "two")


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("always run make lint before committing", "run make lint before you commit, always"),
        ("never push directly to main", "don't ever push to main directly"),
    ],
)
def test_a_rule_that_is_said_again_in_like_words_is_one_memory(
    hooks: Hooks, first: str, again: str
) -> None:
    said(hooks, "s1", 3, first)
    said(hooks, "s2", 4, "list the files please", again)
    listed = json.loads(hooks.bower("list", "--memories", "--format", "json"))["data"]
    texts = [one["text"] for one in listed["entries"] if one["kind"] != "session_digest"]
    assert texts == [f"{first[0].upper()}{first[1:]}."]


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("always run the tests before the build", "always run the build before the tests"),
        ("never deploy to production by hand", "never deploy to production by hand on weekends"),
    ],
)
def test_nearly_the_same_words_are_another_rule(hooks: Hooks, first: str, other: str) -> None:
    said(hooks, "s1", 3, first)
    said(hooks, "s2", 4, other)
    listed = json.loads(hooks.bower("list", "--memories", "--format", "json"))["data"]
    assert len([one for one in listed["entries"] if one["kind"] != "session_digest"]) > 1


@pytest.mark.parametrize(
    "rule",
    [
        "In this folder we always name files in kebab-case.",
        "Functions must never be longer than 100 lines.",
    ],
)
def test_a_rule_of_this_folder_is_told(hooks: Hooks, rule: str) -> None:
    said(hooks, "s1", 3, rule)
    assert f"> {rule}" in told(hooks, "one")


def test_what_never_happened_is_no_rule(hooks: Hooks) -> None:
    said(hooks, "s1", 3, "We never got around to fixing the bounce handler.")
    assert "bounce" not in told(hooks, "one")


def test_what_is_said_again_later_outlives_the_session_that_took_it_back(hooks: Hooks) -> None:
    said(hooks, "s1", 3, "never use emojis in the changelog")
    over = "you can use emojis in the changelog again"
    said(hooks, "s2", 4, "list the files please", over)
    assert "> Never use emojis" not in told(hooks, "one")
    said(hooks, "s3", 5, "from now on never use emojis in the changelog")
    # The session of the 4th goes on, and is read again.
    said(hooks, "s2", 4, "list the files please", over, "and how many are there?")
    assert "never use emojis" in told(hooks, "two")


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("Sprint planning starts at 10:00.", "Sprint-Planning beginnt jetzt um 9:30."),
        (
            "Our API rate limit is 100 requests per minute.",
            "Das API-Limit liegt jetzt bei 250 Requests pro Minute.",
        ),
        ("The session timeout is 30 minutes.", "El timeout de sesión ahora es de 45 minutos."),
    ],
)
def test_another_value_in_another_language_takes_the_place_of_the_first(
    hooks: Hooks, before: str, words: str
) -> None:
    said(hooks, "s1", 3, before)
    said(hooks, "s2", 4, words)
    assert f"> {words}" in told(hooks, "one")
    assert _kept(hooks) == [words]


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (
            "The staging database listens on port 5432.",
            "Die Produktionsdatenbank hört jetzt auf Port 6432.",
        ),
        ("The retro is on Thursdays.", "Das Refinement ist jetzt freitags."),
        ("The download limit is 20 MB.", "Das Upload-Limit ist jetzt 50 MB."),
        ("The upload limit is 20 MB.", "Das Upload-Limit für Admins ist jetzt 50 MB."),
    ],
)
def test_a_value_of_something_else_in_another_language_ends_nothing(
    hooks: Hooks, before: str, words: str
) -> None:
    said(hooks, "s1", 3, f"remember: {before}")
    said(hooks, "s2", 4, f"remember: {words}")
    assert {before, words} <= {*_kept(hooks)}


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (
            "I upgraded staging to Postgres 17 yesterday",
            "I upgraded staging to Postgres 17 yesterday.",
        ),
        ("I switched CI over to Buildkite yesterday", "I switched CI over to Buildkite yesterday."),
        ("I moved my lunch to 1pm today", ""),
        ("I renamed the helper to load_all yesterday, update the tests please", ""),
        ("I changed the button color yesterday, check whether it looks ok", ""),
    ],
)
def test_what_a_person_changed_to_something_with_a_name_is_told(
    hooks: Hooks, words: str, kept: str
) -> None:
    said(hooks, "s1", 3, words)
    context = told(hooks, "one")
    assert f"> {kept}" in context if kept else words[:20] not in context.partition("Session of")[0]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (
            "TLS immer prüfen. timeout 20s. max 3 redirects.",
            "TLS immer prüfen. Timeout 20s. Max 3 redirects.",
        ),
        ("always run make lint. then push 3 commits.", "Always run make lint."),
    ],
)
def test_values_beside_a_rule_are_kept_with_it(hooks: Hooks, words: str, kept: str) -> None:
    said(hooks, "s1", 3, "add retries to the client", words)
    assert f"> {kept}\n" in told(hooks, "one")


@pytest.mark.parametrize(
    ("before", "words", "kept"),
    [
        ("from now on use ruff format", "dimentica quello che ho detto su ruff format", []),
        ("bitte immer Polars nutzen", "vergiss mal das mit Polars", []),
        ("geen emojis in commit messages", "vergeet die regel over emojis", []),
        ("geen emojis in commit messages", "de regel over emojis vervalt", []),
        (
            "pnpm hier, nooit npm of yarn",
            "toch geen pnpm meer, we gaan over op bun",
            ["Toch geen pnpm meer, we gaan over op bun. Nooit npm of yarn."],
        ),
    ],
)
def test_what_is_over_is_understood_in_other_languages(
    hooks: Hooks, before: str, words: str, kept: list[str]
) -> None:
    said(hooks, "s1", 3, before)
    said(hooks, "s2", 4, words)
    assert _kept(hooks) == kept


@pytest.mark.parametrize(
    ("before", "words", "kept"),
    [
        (
            "fyi the staging db is on port 5433, the local one on 5432 as usual",
            "correction: staging db moved yesterday, its port 5434 now",
            ["The staging db is on port 5434, the local one on 5432 as usual."],
        ),
        (
            "We agreed with Lena from ops that webhooks are retried 5 times",
            "make that 8 retries, Lena called: 5 was too few for the pharmacy",
            ["We agreed with Lena from ops that webhooks are retried 8 times."],
        ),
        (
            "never use raw SQL, we had an injection last year",
            "raw SQL is fine in reports",
            [
                "Never use raw SQL, we had an injection last year, except: raw SQL is fine in reports."
            ],
        ),
    ],
)
def test_what_is_changed_or_excepted_is_told_in_the_older_words(
    hooks: Hooks, before: str, words: str, kept: list[str]
) -> None:
    said(hooks, "s1", 3, before)
    said(hooks, "s2", 4, words)
    assert _kept(hooks) == kept


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("nooit op main pushen", ["Nooit op main pushen."]),
        ("sempre usare snake_case nelle query", ["Sempre usare snake_case nelle query."]),
        (
            "besluit met marta: refund nooit als voucher, altijd terug via stripe. wettelijk verplicht",
            ["Besluit met marta: refund nooit als voucher, altijd terug via stripe."],
        ),
        ("op welke poort zit prod", []),
        ("wie vraag ik over kafka", []),
        ("welchen port hat staging", []),
    ],
)
def test_rules_are_kept_in_other_languages_and_questions_without_a_mark_are_not(
    hooks: Hooks, words: str, kept: list[str]
) -> None:
    said(hooks, "s1", 3, words)
    assert _kept(hooks) == kept


@pytest.mark.parametrize(
    "words",
    [
        "maybe we should always use polars, not sure",
        "im not sure if we should always use duckdb from now on",
        "ich überlege ob wir ab jetzt immer squashen sollten",
        "stel dat we altijd utc gebruiken, wat breekt er dan",
        "misschien moeten we altijd polars gebruiken, weet niet",
        "marco said: from now on always use yarn and never write tests",
        "Lena meint, wir sollen immer squashen",
        "the tests never fail locally, only in ci",
        "de tests falen nooit lokaal, alleen in ci",
    ],
)
def test_a_doubt_hearsay_or_fault_is_told_as_no_rule(hooks: Hooks, words: str) -> None:
    said(hooks, "s1", 3, words)
    assert "> " not in told(hooks, "one").partition("Session of")[0].replace("with >.", "")


@pytest.mark.parametrize(
    "words",
    [
        "Never commit to main, maybe somebody else is on it.",
        "If you are not sure, always ask first.",
        "Never write maybe in the docs.",
    ],
)
def test_a_rule_that_only_names_a_doubt_or_fault_is_told(hooks: Hooks, words: str) -> None:
    said(hooks, "s1", 3, words)
    assert f"> {words}" in told(hooks, "one")


def _kept(hooks: Hooks) -> list[str]:
    listed = json.loads(hooks.bower("list", "--memories", "--format", "json"))["data"]
    return [one["text"] for one in listed["entries"] if one["kind"] != "session_digest"]


@pytest.mark.parametrize(
    ("rule", "words", "left", "reason"),
    [
        (
            (
                "commit messages are always in the imperative, and with the Linear ticket in front, like"
                " LAR-123: Add thing"
            ),
            "forget the thing about the Linear ticket in front of commits, we've dropped Linear",
            "Commit messages are always in the imperative.",
            "We've dropped Linear",
        ),
        (
            "always write docstrings in numpydoc format, with an example for each public function",
            "forget the thing about the example for each function",
            "Always write docstrings in numpydoc format.",
            "",
        ),
    ],
)
def test_a_part_of_a_rule_is_taken_back_and_the_rest_is_told(
    hooks: Hooks, rule: str, words: str, left: str, reason: str
) -> None:
    said(hooks, "s1", 3, rule, "how many files are there?")
    said(hooks, "s2", 4, "list the files please", words)
    context = told(hooks, "two")
    assert f"but for “{left}”" in context
    said(hooks, "s2", 4, "list the files please", words, "thanks")  # it went on
    assert f"> {left}" in told(hooks, "three")
    assert "(before:" not in context
    listed = json.loads(hooks.bower("list", "--memories", "--format", "json"))["data"]
    texts = [one["text"] for one in listed["entries"] if one["kind"] != "session_digest"]
    assert left in texts
    assert any(one.startswith(reason) for one in texts)
    id = context.partition("(bower revert ")[2].partition(")")[0]
    hooks.bower("revert", id, "--yes")
    assert f"> {rule[0].upper()}{rule[1:]}" in told(hooks, "four")


def test_what_is_over_is_taken_out_of_what_says_more(hooks: Hooks) -> None:
    said(hooks, "s1", 3, "state bucket is larder-tfstate in eu-west-2, lock table is tf-locks")
    said(
        hooks,
        "s2",
        4,
        "the lock table is gone btw, we use s3 native locking now, use_lockfile = true",
    )
    context = told(hooks, "two")
    assert "State bucket is larder-tfstate in eu-west-2." in context
    assert "native locking" in context
    assert "tf-locks" not in context


@pytest.mark.parametrize(
    ("rule", "words", "left"),
    [
        (
            "modules in modules/legacy are frozen, don't touch them, except modules/legacy/vpc",
            "modules/legacy/vpc is frozen too now, no exceptions any more",
            "Modules in modules/legacy are frozen, don't touch them",
        ),
        (
            "never deploy on fridays, except hotfixes",
            "hotfixes wait till monday as well now, no more exceptions",
            "Never deploy on fridays",
        ),
    ],
)
def test_the_end_of_an_exception_leaves_its_rule(
    hooks: Hooks, rule: str, words: str, left: str
) -> None:
    said(hooks, "s1", 3, rule, "how many files are there?")
    said(hooks, "s2", 4, "list the files please", words)
    said(hooks, "s2", 4, "list the files please", words, "thanks")  # it went on
    listed = json.loads(hooks.bower("list", "--memories", "--format", "json"))["data"]
    texts = [one["text"] for one in listed["entries"] if one["kind"] != "session_digest"]
    assert any(one.startswith(left) for one in texts)
    assert not any("except " in one for one in texts)
    assert f"> {left}" in told(hooks, "two")
