"""How the work stands is no decision: that it goes on, or that a part of it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird.models.registry import contextual
from bowerbird.sessions.learn.lasting_statements import plain, statements

if TYPE_CHECKING:
    from bowerbird.sessions.learn.lasting_statements import Encode


@pytest.fixture(scope="module")
def encode() -> Encode:
    return contextual()


@pytest.mark.parametrize(
    "prompt",
    [
        "carry on with the redis module",
        "go on with the invoice importer please",
        "let's continue with the search page",
        "ok pick up where we left off with the importer",
        "weiter mit dem Importer",
        "on continue avec le module de facturation",
        "done with redis, it's wired up, subnet group and the alarm both in",
        "finished the importer, tests are green and it's merged",
        "the search page is done, both filters work",
        "we're through with the migration, all nine tables are over",
        "fertig mit dem Importer, Tests sind grün und gemergt",
        "j'ai fini le module de facturation, tout est branché",
        "terminado el importador, los tests pasan",
    ],
)
def test_how_the_work_stands_is_kept_by_its_digest_alone(prompt: str, encode: Encode) -> None:
    assert [one.text for one in statements(prompt, encode) if not one.tentative] == []


@pytest.mark.parametrize(
    "prompt",
    [
        "we're done with Jenkins, everything is built on GitHub Actions now",
        "a ticket is done when it is deployed and Mira has seen it, never before",
        "always finish with make lint",
        "from now on we carry on with one branch per customer",
        "wir sind durch mit Jenkins, gebaut wird jetzt nur noch mit GitLab CI",
    ],
)
def test_what_is_given_up_or_holds_each_time_is_kept(prompt: str, encode: Encode) -> None:
    assert [one for one in statements(prompt, encode) if not one.tentative]


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("raw SQL in reports is ok", "raw SQL in reports is ok"),
        (
            "you may skip the hooks in a rebase, that's ok.",
            "you may skip the hooks in a rebase, that's ok.",
        ),
        ("never push on Fridays, ok", "never push on Fridays"),
        ("use tabs please", "use tabs"),
    ],
)
def test_what_is_fine_is_kept_whole(sentence: str, kept: str) -> None:
    assert plain(sentence) == kept
