"""What holds of a store on a server alone; all else the other tests of this folder ask of it too."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig, BadInput, StoreError
from bowerbird.surfaces.cli.start import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.postgres import Server

BACKENDS = ("postgresql",)
# Statements of an admission and of a question on an open store, besides those that begin and end their
# transactions.
ADMISSION = 20
QUESTION = 14
_BOUNDS = ("BEGIN", "COMMIT", "ROLLBACK")
TEXTS = (
    "The deploy needs a green build first",
    "Redis must be up before the auth tests start",
    "The team eats lunch at noon on Fridays",
    "The gateway listens on port 8080",
)
NOTES = """# Deploy

The deploy needs a green build first. Then the release is tagged, and Ana approves it.

# Ports

The gateway listens on port 8080, and Redis on port 6379. Nobody listens on 9090.

# Sign-in

Tokens are kept in a cookie; wi-fi guests sign in once a day. Über den Proxy geht es nicht.
"""
QUESTIONS = (
    "which port does the gateway listen on",
    "what must be running before the auth tests",
    "who approves the release",
    "wi-fi guests",
    "gatway",
    "über Proxy",
    "when is there something to eat",
    '"green build" NOT lunch',
    "gate*",
)


@pytest.fixture
def filled(store_path: str) -> str:
    with Bowerbird.open(store_path, project="shop") as bird:
        for text in TEXTS:
            bird.remember(text, origin="user")
    return store_path


@contextmanager
def counted(patch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """Gives a function that tells how often the server was asked since the last look."""
    ran = 0
    execute, many = psycopg.Connection.execute, psycopg.Cursor.executemany

    def asked(self: Any, *arguments: Any, **named: Any) -> Any:
        nonlocal ran
        ran += not str(arguments[0]).startswith(_BOUNDS)
        return execute(self, *arguments, **named)

    def asked_many(self: Any, *arguments: Any, **named: Any) -> None:
        nonlocal ran
        ran += 1
        many(self, *arguments, **named)

    def reported() -> int:
        nonlocal ran
        count, ran = ran, 0
        return count

    patch.setattr(psycopg.Connection, "execute", asked)
    patch.setattr(psycopg.Cursor, "executemany", asked_many)
    yield reported


def test_answers_are_those_of_a_file(store_path: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(NOTES)
    answers = []
    for store in (store_path, str(tmp_path / "memory.db")):
        with Bowerbird.open(store, project="shop") as bird:
            for text in TEXTS:
                bird.remember(text, origin="user", tags=["seen"])
            bird.index(str(notes))
        with Bowerbird.open(store, project="shop") as bird:
            found = [
                bird.query(one, limit=10, operators='"' in one or "*" in one) for one in QUESTIONS
            ]
            answers.append([[(hit.text, round(hit.relevance, 6)) for hit in one] for one in found])
    assert answers[0] == answers[1]
    assert sum(map(bool, answers[0])) >= len(QUESTIONS) - 2


def test_tenants_hear_nothing_of_each_other(filled: str, postgres: Server) -> None:
    other = filled + "-other"
    with Bowerbird.open(other, project="shop") as bird:
        assert bird.status().total_memories == 0
        bird.remember("The walrus is blue", origin="user")
        assert not bird.query("which port does the gateway listen on")
        with Bowerbird.open(filled, project="shop") as first:
            assert not first.query("which colour has the walrus")
    tenant = filled.rpartition("=")[2]
    with psycopg.connect(postgres.url) as connection:
        # The server refuses it too, to whoever is no superuser.
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader")
        connection.execute("GRANT USAGE ON SCHEMA bowerbird TO reader")
        connection.execute("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA bowerbird TO reader")
        connection.execute("SET ROLE reader")
        connection.execute("SELECT set_config('bowerbird.tenant', %s, false)", (tenant,))
        seen = connection.execute("SELECT DISTINCT tenant FROM bowerbird.entry").fetchall()
        assert seen == [(tenant,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO bowerbird.word VALUES ('another', 'x', 1)")
        connection.rollback()


def test_few_statements(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Bowerbird.open(filled, project="shop") as bird, counted(monkeypatch) as statements:
        bird.remember("The office has two floors", origin="user")  # it is open
        for text in (
            "Logs go to Loki",
            "The gateway listens on port 9090",
            "The CI runs on Ubuntu",
        ):
            statements()
            bird.remember(text, origin="user")
            assert statements() <= ADMISSION, text
    with Bowerbird.open(filled, project="shop") as bird, counted(monkeypatch) as statements:
        bird.query("lunch")
        for question in ("The gateway listens on port 9090", "what do we eat", "gatway"):
            statements()
            bird.query(question)
            assert statements() <= QUESTION, question


def test_after_the_server_was_killed_the_next_call_works(filled: str, postgres: Server) -> None:
    with Bowerbird.open(filled, project="shop") as bird:
        kept = bird.remember("What was acknowledged stays", origin="user").id
        postgres.stop()
        try:
            with pytest.raises(StoreError, match="does not answer"):
                bird.remember("This one is lost, and said to be", origin="user")
            with pytest.raises(StoreError, match="does not answer"):
                bird.query("anything")
        finally:
            postgres.start()
        assert bird.get(kept).text == "What was acknowledged stays"
        assert bird.remember("And it goes on", origin="user").decision == "created"


def test_what_the_server_does_itself_is_said(
    filled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Bowerbird.open(filled, project="shop") as bird:
        assert bird.admin.verify().sound
        assert bird.admin.verify(sample=2).entries == len(TEXTS)
        with pytest.raises(BadInput) as raised:
            bird.admin.backup()
        assert "pg_dump" in str(raised.value.remedy)
    assert main(["--store", filled, "--format", "text", "doctor"]) == 0
    assert "PostgreSQL" in capsys.readouterr().out


def test_memories_move_between_a_file_and_a_server(filled: str, tmp_path: Path) -> None:
    line, file = tmp_path / "memories.jsonl", tmp_path / "memory.db"
    with Bowerbird.open(filled, project="shop") as bird:
        edited, forgotten = (bird.remember(text).id for text in ("Logs go to Loki", "Tea is green"))
        bird.edit(edited, "Logs go to a bucket", tags=["logs"])
        bird.forget(forgotten)
        bird.admin.export(line)
        before = {one.id: one.text for one in bird.list()}
    with Bowerbird.open(str(file), project="shop") as bird:
        assert bird.admin.import_from(line).added == len(TEXTS) + 2
        assert {one.id: one.text for one in bird.list()} == before
        assert bird.admin.import_from(filled).known == len(TEXTS) + 2
        bird.remember("The walrus is blue", origin="user")
    with Bowerbird.open(filled, project="shop") as bird:
        assert bird.admin.import_from(file).added == 1
        assert bird.query("which colour has the walrus")[0].text == "The walrus is blue"
        assert bird.get(forgotten).state == "deleted"
        assert bird.admin.verify().sound
        # A part, then all of it.
        assert len(bird.admin.erase(origin="user").erased) == len(TEXTS) + 1
        assert [one.id for one in bird.list()] == [edited]
        bird.admin.erase(everything=True)
    with Bowerbird.open(filled, project="shop") as bird:
        assert not bird.list()


def test_words_are_indexed_anew(filled: str) -> None:
    with Bowerbird.open(filled, project="shop") as bird:
        before = [(hit.id, round(hit.score, 6)) for hit in bird.query("gateway port")]
        bird.admin.reindex_words()
        assert [(hit.id, round(hit.score, 6)) for hit in bird.query("gateway port")] == before
        assert bird.admin.verify().sound


def test_a_question_makes_no_store(store_path: str, postgres: Server) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        assert not bird.query("anything")
        assert not bird.list()
    tenant = store_path.rpartition("=")[2]
    with psycopg.connect(postgres.url) as connection:
        made = connection.execute("SELECT FROM bowerbird.meta WHERE tenant = %s", (tenant,))
        assert made.fetchone() is None


def test_a_password_is_never_shown(capsys: pytest.CaptureFixture[str]) -> None:
    url = "postgresql://ana:swordfish@127.0.0.1:1/none"
    assert main(["--store", url, "--format", "text", "query", "anything"]) == 1
    told = capsys.readouterr()
    assert "does not answer" in told.err
    assert "swordfish" not in told.out + told.err


def test_a_tenant_has_a_plain_name() -> None:
    with pytest.raises(BadConfig, match="tenant"):
        Bowerbird.open("postgresql://localhost/none?tenant=a'b")
