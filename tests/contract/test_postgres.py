"""What holds of a store on a server alone; all else the other tests of this folder ask of it too."""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from tests.postgres import CLUSTER

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig, BadInput, StoreError
from bowerbird.surfaces.cli.start import main
from postgres_server import PRIMARY, Replica, Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.postgres import Tenants

BACKENDS = ("postgresql",)
ROOT = Path(__file__).resolve().parents[2]
# Statements of an admission and of a question on an open store, besides those that begin and end their
# transactions.
ADMISSION = 20
# Of a memory that contradicts another one: that is read and marked, and the answer says which is told.
CONTRADICTION = 22
QUESTION = 14
_BOUNDS = ("BEGIN", "COMMIT", "ROLLBACK", "SET LOCAL", "SELECT pg_advisory_xact_lock")
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


def test_tenants_hear_nothing_of_each_other(filled: str, postgres: Tenants) -> None:
    other = filled + "-other"
    with Bowerbird.open(other, project="shop") as bird:
        assert bird.status().total_memories == 0
        bird.remember("The walrus is blue", origin="user")
        assert not bird.query("which port does the gateway listen on")
        with Bowerbird.open(filled, project="shop") as first:
            assert not first.query("which colour has the walrus")
    tenant = filled.rpartition("=")[2]
    with psycopg.connect(postgres.url, autocommit=True) as owner:
        owner.execute("CREATE ROLE reader LOGIN")
        owner.execute("GRANT USAGE ON SCHEMA bowerbird TO reader")
        owner.execute("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA bowerbird TO reader")
        try:
            # The server refuses it too, to whoever is no superuser.
            with psycopg.connect(postgres.url, user="reader") as connection:
                if CLUSTER:
                    connection.execute("SET LOCAL citus.propagate_set_commands = 'local'")
                connection.execute(f"SET LOCAL bowerbird.tenant = '{tenant}'")
                seen = connection.execute("SELECT DISTINCT tenant FROM bowerbird.entry").fetchall()
                assert seen == [(tenant,)]
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute("INSERT INTO bowerbird.word VALUES ('another', 'x', 1)")
                connection.rollback()
        finally:
            owner.execute("DROP OWNED BY reader")
            owner.execute("DROP ROLE reader")


@pytest.mark.skipif(CLUSTER, reason="a cluster indexes words by two statements more")
def test_few_statements(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Bowerbird.open(filled, project="shop") as bird, counted(monkeypatch) as statements:
        bird.remember("The office has two floors", origin="user")  # it is open
        for text, most in (
            ("Logs go to Loki", ADMISSION),
            ("The gateway listens on port 9090", CONTRADICTION),
            ("The CI runs on Ubuntu", ADMISSION),
        ):
            statements()
            bird.remember(text, origin="user")
            assert statements() <= most, text
    with Bowerbird.open(filled, project="shop") as bird, counted(monkeypatch) as statements:
        bird.query("lunch")
        for question in ("The gateway listens on port 9090", "what do we eat", "gatway"):
            statements()
            bird.query(question)
            assert statements() <= QUESTION, question


def test_after_the_server_was_killed_the_next_call_works(filled: str, postgres: Tenants) -> None:
    with Bowerbird.open(filled, project="shop") as bird:
        kept = bird.remember("What was acknowledged stays", origin="user").id
        postgres.server.stop()
        try:
            with pytest.raises(StoreError, match="does not answer"):
                bird.remember("This one is lost, and said to be", origin="user")
            with pytest.raises(StoreError, match="does not answer"):
                bird.query("anything")
        finally:
            postgres.server.start()
        assert bird.get(kept).text == "What was acknowledged stays"
        assert bird.remember("And it goes on", origin="user").decision == "created"


@pytest.mark.skipif(CLUSTER, reason="it has servers of its own")
def test_a_replica_takes_over_with_all_that_was_acknowledged(postgres: Tenants) -> None:
    assert postgres.server
    with (
        Server(PRIMARY) as first,
        Replica(first) as second,
        Bowerbird.open(second.both, project="shop") as bird,
    ):
        kept = [bird.remember(text, origin="user").id for text in TEXTS]
        first.kill()
        with pytest.raises(StoreError, match="does not answer"):
            bird.remember("This one is lost, and said to be", origin="user")
        second.promote()
        assert [bird.get(id).text for id in kept] == [*TEXTS]
        assert bird.remember("And it goes on", origin="user").decision == "created"
        assert bird.admin.verify().sound


def test_several_that_open_a_new_database_at_once_wait_for_each_other(postgres: Tenants) -> None:
    server = postgres.server.url
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE fresh")
    url = server.replace("/postgres", "/fresh", 1)

    def kept(number: int) -> str:
        with Bowerbird.open(f"{url}&tenant=t{number}", project="shop") as bird:
            return bird.remember(TEXTS[number], origin="user").decision

    with ThreadPoolExecutor(len(TEXTS)) as pool:
        assert [*pool.map(kept, range(len(TEXTS)))] == ["created"] * len(TEXTS)


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


def test_no_byte_of_what_was_erased_is_in_the_servers_tables(
    store_path: str, postgres: Tenants
) -> None:
    """Once its administrator has run what the receipt says; the log is overwritten in time."""
    folders = postgres.server.data

    def holding() -> list[str]:
        every = (one for folder in folders for one in folder.rglob("*"))
        files = (one for one in every if one.is_file() and "pg_wal" not in one.parts)
        return [str(one) for one in files if b"xylophonist" in one.read_bytes().lower()]

    location = postgres.tenant("erasing")
    with Bowerbird.open(location, project="shop") as bird:
        for number in range(20):
            bird.remember(f"The depot {number} lies behind hall {number * 7}")
        id = bird.remember("The xylophonist keeps the key of the depot", tags=["xylophonist"]).id
        with psycopg.connect(postgres.url, autocommit=True) as server:
            server.execute("ANALYZE")
            server.execute("CHECKPOINT")
            if CLUSTER:
                server.execute("SELECT run_command_on_workers('CHECKPOINT')")
            assert holding()
            done = bird.admin.erase([id])
            for statement in done.statements:
                server.execute(statement)
        assert holding() == []
        assert len(bird.list()) == 20


def test_words_are_indexed_anew(filled: str) -> None:
    with Bowerbird.open(filled, project="shop") as bird:
        before = [(hit.id, round(hit.score, 6)) for hit in bird.query("gateway port")]
        bird.admin.reindex_words()
        assert [(hit.id, round(hit.score, 6)) for hit in bird.query("gateway port")] == before
        assert bird.admin.verify().sound


def test_a_question_makes_no_store(store_path: str, postgres: Tenants) -> None:
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


def test_a_killed_run_of_tests_leaves_no_server() -> None:
    run = "from tests.postgres import served\nfor one in served(): print(one.url, flush=True); input()"
    with Popen(
        [sys.executable, "-c", run], stdin=PIPE, stdout=PIPE, cwd=ROOT, text=True
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        if not url:
            pytest.skip("no server of the package can run here")
        with psycopg.connect(url) as connection:
            process.kill()
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT pg_sleep(60)")


class Ending:
    """Progress that ends its process by SIGKILL after some tables."""

    def __init__(self, after: int) -> None:
        self._left = after

    def start(self, what: str, total: int) -> None:
        pass

    def advance(self, units: int, label: str = "") -> None:
        self._left -= units
        if self._left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def finish(self) -> None:
        pass


def killed(store: str, what: str, goal: str, after: int) -> None:
    """Moves a store in a process of its own, which is killed after so many tables."""
    child = os.fork()
    if not child:
        with suppress(BaseException), Bowerbird.open(store, project="shop") as bird:
            bird.admin.migrate(goal, what, progress=Ending(after))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL


def told(bird: Bowerbird) -> Any:
    """What a store says, in every way that it is asked here."""
    answers = [
        [(hit.id, round(hit.relevance, 6)) for hit in bird.query(one, limit=10)]
        for one in QUESTIONS
    ]
    histories = [bird.history(one.id) for one in bird.list() if one.family == "memory"]
    return (
        answers,
        histories,
        bird.impact("released"),
        [(one.id, one.text, one.tags, one.trust, one.state) for one in bird.list()],
    )


def test_a_store_moves_to_a_server_and_back_row_by_row(store_path: str, tmp_path: Path) -> None:
    notes, code = tmp_path / "notes.md", tmp_path / "shop.py"
    notes.write_text(NOTES)
    code.write_text("def released():\n    pass\n\n\ndef deploy():\n    released()\n")
    first, last = str(tmp_path / "first.db"), str(tmp_path / "last.db")
    with Bowerbird.open(first, project="shop") as bird:
        kept = [bird.remember(text, origin="user", tags=["seen"]).id for text in TEXTS]
        bird.edit(bird.remember("Tea is green").id, "Tea is black")
        bird.forget(kept[2])
        bird.index(str(tmp_path))
        before = told(bird)
    killed(first, "to-postgres", store_path, 5)
    with Bowerbird.open(first, project="shop") as bird:
        # What was changed since then is moved, too.
        bird.forget(bird.remember("The walrus is blue", origin="user").id)
        killed(first, "to-postgres", store_path, 40)
        moved = bird.admin.migrate(store_path, "to-postgres").tables
        assert told(bird) == before
        with pytest.raises(BadInput, match="holds a store already"):
            bird.admin.migrate(store_path, "to-postgres")
    rows = {one.name: one.rows for one in moved}
    assert rows["memory"] == len(TEXTS) + 2
    assert all(rows[name] for name in ("document", "version", "vector", "edge", "audit", "tag"))
    with Bowerbird.open(store_path, project="shop") as bird:
        assert told(bird) == before
        assert bird.admin.verify().sound
    killed(store_path, "to-file", last, 7)
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.admin.migrate(last, "to-file").tables == moved
    with Bowerbird.open(last, project="shop") as bird:
        assert told(bird) == before
        assert bird.admin.verify().sound
        assert bird.remember("And it goes on", origin="user").decision == "created"


def test_a_move_needs_an_address_or_a_path(filled: str, tmp_path: Path) -> None:
    with Bowerbird.open(filled, project="shop") as bird:
        for what, where in (("to-postgres", str(tmp_path / "a.db")), ("to-file", filled)):
            with pytest.raises(BadInput, match="needs"):
                bird.admin.migrate(where, what)
        with pytest.raises(BadInput, match="itself"):
            bird.admin.migrate(filled, "to-postgres")
