"""A server whose questions are answered by processes of their own, and one that begins again in place."""

from __future__ import annotations

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.http.conftest import Said, Server

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc")

FACTS = {
    "Which queue do the invoices use?": "The invoices go through RabbitMQ",
    "Who looks after the vouchers?": "Ines looks after the vouchers",
    "Which port has the search?": "The search listens at port 9411",
    "Where are the labels printed?": "Labels are printed in the Bremen warehouse",
}
ROUNDS = 8


@pytest.fixture
def served(serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server with two readers, in a process that nothing forked: it starts itself again."""
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    server = serve("--workers", "2")
    for fact in FACTS.values():
        assert server.post("curate", content=fact, project="shop").status == 200
    return server


def children(server: Server) -> list[int]:
    """The processes that a server started and that answer questions."""
    pid = server.process.pid
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    shown = {int(one): Path(f"/proc/{one}/cmdline").read_bytes() for one in found}
    return [one for one, command in shown.items() if b"spawn_main" in command]


def lives(process: int) -> bool:
    """Whether a process still runs: one that ended may stay listed where nobody collects it."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in {"Z", "X"}


def asked(server: Server, question: str) -> Said:
    return server.post("query", query=question, project="shop", limit=1)


def require_right(
    server: Server, rounds: int = ROUNDS, between: Callable[[], object] = int
) -> None:
    """Asks from several clients at once; `between` happens while they do."""
    questions = list(FACTS) * rounds
    with ThreadPoolExecutor(8) as clients:
        answers = [clients.submit(asked, server, question) for question in questions]
        between()
        for question, answer in zip(questions, answers, strict=True):
            said = answer.result()
            assert said.status == 200, said.body
            assert FACTS[question] in json.dumps(said.data["results"][0])


def test_readers_answer_and_see_each_write_at_once(served: Server) -> None:
    assert len(children(served)) == 2
    require_right(served)
    for number in range(6):
        text = f"Crate {number} stands in row {number * 7}"
        kept = served.post("curate", content=text, project="shop").data
        found = asked(served, f"In which row does crate {number} stand?").data["results"][0]
        assert found["id"] == kept["id"]
    refused = served.post("query", query="", project="shop")
    assert refused.status == 422
    assert refused.data["remedy"]


def test_what_a_killed_reader_was_asked_is_answered_by_another(served: Server) -> None:
    require_right(served)
    require_right(served, between=lambda: os.kill(children(served)[0], signal.SIGKILL))
    require_right(served)
    assert len(children(served)) == 2


def test_readers_end_with_a_server_that_is_killed(served: Server) -> None:
    readers = children(served)
    require_right(served, 1)
    served.process.kill()
    served.process.wait(600)
    for reader in readers:
        while lives(reader):
            os.sched_yield()


def test_a_server_that_begins_again_answers_every_request(served: Server) -> None:
    before = served.process.pid
    require_right(served, between=lambda: served.process.send_signal(signal.SIGUSR2))
    served.wait_for('"event": "stopped"')
    require_right(served)
    assert served.process.pid == before
    assert sum('"event": "started"' in line for line in served.lines) == 2
    assert served.end() == 0
