"""What a person takes back by naming it, and which memory they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird.core.types import Entry
from bowerbird.models.embed.contextual import ContextualEmbedder
from bowerbird.sessions.learn.retractions import (
    beside,
    fulfilled,
    named_by,
    put_instead,
    retracted,
    retracts,
    revoked,
    without_subject,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

# "Commit" alone would name the third or the fourth of these.
KEPT = (
    "From now on max 72 chars per line.",
    "Use tabs for indentation.",
    "Commit messages are in the imperative.",
    "Commit before lunch.",
)


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("scrap what i said about the line length, the formatter does it", KEPT[0]),
        ("forget the tabs rule", KEPT[1]),
        ("ignore what I told you about commit messages", KEPT[2]),
        # Of a rule all words count: another one on commits is not meant.
        ("forget the commit signing rule", ""),
        # Two are meant equally; a linter's rule; what nobody said.
        ("forget what I said about commit times", ""),
        ("drop the tabs rule from the linter", ""),
        ("forget what I said about the holidays", ""),
    ],
)
def test_what_is_taken_back_by_its_subject(prompt: str, wanted: str) -> None:
    kept = [Entry(1, text, "memory", "fact", text, "", "normal", "active", 0) for text in KEPT]
    found = [named_by(subject, kept, in_part=said) for _, subject, said in retracted([prompt])]
    assert [one.text for one in found if one] == [wanted] * bool(wanted)


TOLD = (
    "Always use tabs in Go files.",
    "You can use any in tests, but not in src.",
    "Deploys jetzt auch freitags, aber nur vormittags.",
    "Keine Kommentare im Code.",
    "Run prettier before each commit.",
    "Never log customer emails.",
    "Functions stay below 60 lines.",
)


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("vergiss die Regel mit den Tabs", TOLD[0]),
        ("oublie la règle sur les tabulations", TOLD[0]),
        ("olvida lo que dije sobre los tabuladores", TOLD[0]),
        ("forget the rule about comments", TOLD[3]),
        ("vergiss, was ich dir über prettier gesagt habe", TOLD[4]),
        ("forget the rule about line counts", TOLD[6]),
        # What nobody said, though it looks like what was: log, login; comments, commit.
        ("forget what I said about the login page", ""),
        ("vergiss die Regel mit den Überschriften", ""),
        ("forget the rule about semicolons", ""),
        ("oublie la règle sur les couleurs", ""),
        ("vergiss was ich über den Kalender gesagt habe", ""),
    ],
)
def test_a_subject_in_other_words_or_another_language(prompt: str, wanted: str) -> None:
    model = ContextualEmbedder.builtin()

    def met(subject: str, texts: Sequence[str]) -> list[float]:
        asked, *read = model.embed([subject, *texts])
        found = model.met(asked, {at: one.words for at, one in enumerate(read)})
        return [found[at][0] for at in range(len(texts))]

    kept = [Entry(1, text, "memory", "fact", text, "", "normal", "active", 0) for text in TOLD]
    ((_, subject, said),) = retracted([prompt])
    found = named_by(subject, kept, in_part=said, met=met)
    assert (found.text if found else "") == wanted


@pytest.mark.parametrize(
    ("said", "ended"),
    [
        ("Tom is back", "Don't touch the Makefile until Tom is back."),
        ("good news: Jonas is back", "Leave package.json alone while Jonas is away."),
        ("Emma is back, ask her", "Emma is on holiday until the 14th."),
        ("the release is finally out", "No deploys until the release is out."),
        (
            "The audit's done early, so finance is open again.",
            "Until the audit is finished on the 11th nobody changes models/finance.",
        ),
        ("Tom's report is late", ""),
        ("is Tom back?", ""),
        ("when Tom is back we change the Makefile", ""),
        ("Tom is not back yet", ""),
        ("the tests are done", ""),
    ],
)
def test_what_holds_until_something_is_so_ends_with_it(said: str, ended: str) -> None:
    kept = (
        "Don't touch the Makefile until Tom is back.",
        "Leave package.json alone while Jonas is away.",
        "Emma is on holiday until the 14th.",
        "No deploys until the release is out.",
        "Until the audit is finished on the 11th nobody changes models/finance.",
        "Run the tests before the code is merged.",
    )
    entries = [
        Entry(at, str(at), "memory", "fact", text, "", "full", "active", 0)
        for at, text in enumerate(kept)
    ]
    assert "".join(one.text for _, one in fulfilled([said], entries)) == ended


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("vergiss das mit den Kommentaren komplett", TOLD[3]),
        ("forget the thing about customer emails", TOLD[5]),
        ("das mit prettier gilt nicht mehr", TOLD[4]),
        ("das mit prettier stimmt nicht mehr", TOLD[4]),
        ("streich die Sache mit den Kommentaren", TOLD[3]),
        ("was ich über die Kommentare gesagt habe ist hinfällig", TOLD[3]),
        ("forget about the customer emails", TOLD[5]),
        # What is done, or is not to be forgotten, is not over.
        ("das mit den Kommentaren ist fertig", ""),
        ("forget about the emails", ""),
        ("don't forget the thing about customer emails", ""),
    ],
)
def test_a_thing_that_is_to_be_forgotten(prompt: str, wanted: str) -> None:
    kept = [Entry(1, text, "memory", "fact", text, "", "normal", "active", 0) for text in TOLD]
    found = [named_by(subject, kept, in_part=said) for _, subject, said in retracted([prompt])]
    assert [one.text for one in found if one] == [wanted] * bool(wanted)


DECIDED = (
    "We decided with Marta: refunds go out as vouchers, not cash.",
    "Errors go to Sentry.",
    "Always squash before merging.",
)


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("refunds doch als echtes Geld über Stripe. keine vouchers mehr", DECIDED[0]),
        ("no more squashing, merge commits are fine", DECIDED[2]),
        ("no more errors, thanks", ""),
        ("refunds ohne cash, keine cash Option mehr im Formular", ""),
        ("why are there no more vouchers for refunds?", ""),
    ],
)
def test_what_is_to_be_no_more(prompt: str, wanted: str) -> None:
    kept = [
        Entry(at, text, "memory", "fact", text, "", "normal", "active", 0)
        for at, text in enumerate(DECIDED)
    ]
    assert [one.text for _, one in revoked([prompt], kept)] == [wanted] * bool(wanted)


def test_what_is_said_instead_of_a_rule_is_told_with_that() -> None:
    kept = [Entry(1, text, "memory", "fact", text, "", "normal", "active", 0) for text in KEPT]
    prompt = "forget the rule about tabs, from now on spaces"
    found = put_instead("from now on spaces", [prompt], kept)
    assert found is not None
    assert (found[0].text, found[1]) == (KEPT[1], "tabs")
    assert put_instead("from now on spaces", ["use spaces"], kept) is None


def test_a_mind_that_is_changed_for_a_case_ends_nothing() -> None:
    text = "Short answers are enough."
    answers = Entry(9, text, "memory", "fact", text, "", "normal", "active", 0)
    changed = "I changed my mind about the short answers"
    assert revoked([f"{changed}, they help nobody"], [answers])
    assert not revoked([f"{changed}: when it's about SQL do explain"], [answers])


def test_what_is_to_be_taken_out_of_memory_says_nothing_else() -> None:
    said = "das mit den Gutscheinen stimmt nicht mehr, nimm es bitte aus dem Gedächtnis"
    assert retracts(said)
    assert beside(said) == ""
    assert not retracts("store the price in memory")


def test_what_is_allowed_because_nobody_minds_any_more() -> None:
    text = "No tabs in the seed files please."
    kept = Entry(1, text, "memory", "fact", text, "", "normal", "active", 0)
    ends = "you can use tabs in seed files, i don't care anymore"
    assert [one for _, one in revoked([ends], [kept])] == [kept]
    assert not revoked(["you can skip the tests, i don't care anymore"], [kept])


@pytest.mark.parametrize("said", ["about the deploys btw", "about the deploys, by the way"])
def test_a_changed_mind_is_about_what_is_named_before_by_the_way(said: str) -> None:
    texts = ("Deploys go out on tuesdays and thursdays.", "Priya owns the supplier feed.")
    kept = [
        Entry(at, text, "memory", "fact", text, "", "normal", "active", 0)
        for at, text in enumerate(texts)
    ]
    prompt = f"we've changed our minds {said}, every day except friday now"
    assert [one.text for _, one in revoked([prompt], kept)] == [texts[0]]


def test_the_other_side_of_a_rule_is_no_part_of_its_own() -> None:
    assert without_subject("Use spaces, never tabs.", "tabs") == ""
    assert without_subject("Use spaces, with two for YAML.", "YAML") == "Use spaces."


@pytest.mark.parametrize(
    ("subject", "wanted"),
    [
        ("skipping the down migrations", "In the freeze you may skip the down migrations."),
        ("not using moment", "Don't use moment."),
        ("avoiding semicolons", ""),
    ],
)
def test_going_without_is_never_what_asks_for_it(subject: str, wanted: str) -> None:
    told = (
        "Always write a down migration, we had to roll back in March without one.",
        "In the freeze you may skip the down migrations.",
        "The other one - migrations go to db/migrations, not the prisma folder.",
        "Don't use moment.",
        "Semicolons at every line's end.",
    )
    kept = [Entry(1, text, "memory", "fact", text, "", "normal", "active", 0) for text in told]
    found = named_by(
        subject, kept, in_part=True, met=lambda _, texts: [0.9, *[0.1] * (len(texts) - 1)]
    )
    assert (found.text if found else "") == wanted
