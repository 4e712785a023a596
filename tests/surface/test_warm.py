"""``bower warm`` as a user runs it, with the built-in model and with one behind a server."""

from __future__ import annotations

import signal
import subprocess
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from tests.forked import COMMAND
from tests.remote.conftest import EmbeddingServer

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """A server, named by the environment."""
    with EmbeddingServer() as running:
        for name, value in names(running).items():
            monkeypatch.setenv(name, value)
        yield running


def names(model: EmbeddingServer) -> dict[str, str]:
    """The settings that name it."""
    expected = {"PROVIDER": "compatible", "MODEL": "tiny", "ENDPOINT": model.address}
    return {f"BOWER_EMBED_{name}": value for name, value in expected.items()}


def keep(store_path: str, count: int) -> None:
    """Memories that the built-in model has read."""
    with Bowerbird.open(store_path, settings={"embed.provider": "builtin"}) as bird:
        for number in range(count):
            bird.remember(f"Crate {number} stands on shelf {number * 7}")


def test_the_built_in_model_has_read_everything(bower: Bower, store_path: str) -> None:
    missing = bower("warm")
    assert (missing.code, "no store" in missing.data["error"]) == (1, True)
    assert bower("curate", "Redis runs on port 6379").code == 0
    assert bower("warm").data == {"newly_cached": 0, "total": 1}
    assert bower("warm", "--all").data == {"newly_cached": 0, "total": 1}
    output = bower("warm", "--recent", "5", "--format", "text").out
    assert output.startswith("0 texts newly read, of 1, by builtin/")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--all", "--recent", "3"), "contradict each other"),
        (("--recent", "0"), "recent cannot be 0"),
        (("--recent", "-3"), "recent cannot be -3"),
        (("--recent", "few"), "few"),
    ],
)
def test_a_wrong_call_is_reported(bower: Bower, words: tuple[str, ...], expected: str) -> None:
    bower("curate", "Redis runs on port 6379")
    ran = bower("warm", *words)
    assert ran.code == 2
    assert expected in ran.data["error"]


def test_python_refuses_what_is_no_number_of_entries(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.remember("Redis runs on port 6379")
        with pytest.raises(BadInput, match="recent cannot be 0"):
            bird.admin.warm(recent=0)


def test_the_newest_first_then_the_rest(
    bower: Bower, store_path: str, model: EmbeddingServer
) -> None:
    keep(store_path, 5)
    assert bower("warm", "--recent", "2").data == {"newly_cached": 2, "total": 5}
    assert [text for text in model.texts if "Crate" in text] == [
        f"Crate {number} stands on shelf {number * 7}" for number in (3, 4)
    ]
    assert bower("warm", "--recent", "2").data["newly_cached"] == 0
    assert bower("warm").data == {"newly_cached": 3, "total": 5}
    assert bower("query", "crate on a shelf").data["degraded"] == []
    assert bower("warm", "--format", "text").out.startswith("0 texts newly read, of 5, by compat")


def test_an_empty_store_asks_no_model(
    bower: Bower, store_path: str, model: EmbeddingServer, tmp_path: Path
) -> None:
    with Bowerbird.open(store_path, settings={"embed.provider": "builtin"}) as bird:
        empty = tmp_path / "empty"
        empty.mkdir()
        bird.index(empty)
    assert bower("warm").data == {"newly_cached": 0, "total": 0}
    assert model.asked == []


def test_a_model_that_is_away_is_told(
    bower: Bower, store_path: str, model: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(store_path, 2)
    monkeypatch.setenv("BOWER_EMBED_ENDPOINT", "http://127.0.0.1:9/v1")
    ran = bower("warm")
    assert ran.code == 1
    assert "cannot be reached" in ran.data["error"]
    monkeypatch.setenv("BOWER_EMBED_ENDPOINT", model.address)
    assert bower("warm").data == {"newly_cached": 2, "total": 2}


class Halting(EmbeddingServer):
    """Answers what it is asked about the third document when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go_on = Event(), Event()

    def answer(self, asked: dict[str, Any]) -> object:
        if any("Crate c" in text for text in asked["input"]):
            self.reached.set()
            self.go_on.wait()
        return super().answer(asked)


def test_stopped_by_ctrl_c_it_goes_on_where_it_was(
    bower: Bower, store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three documents of 600 pieces: two make a batch, the third is under way when it stops."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in "abc":
        parts = (f"# Part {name}{i}\n\n" + f"Crate {name}{i} is full. " * 2 for i in range(600))
        (folder / f"{name}.md").write_text("\n\n".join(parts))
    with Bowerbird.open(store_path, settings={"embed.provider": "builtin"}) as bird:
        total = bird.index(folder).passages
    assert total >= 3 * 600
    with Halting() as model:
        for name, value in names(model).items():
            monkeypatch.setenv(name, value)
        running = subprocess.Popen([*COMMAND, "warm"], stdout=subprocess.PIPE, text=True)
        while not model.reached.wait(0.1):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        model.go_on.set()
        running.communicate()
        assert running.returncode == 130
        sent = sum("Crate" in text for text in model.texts)
        assert bower("warm").data == {"newly_cached": total // 3, "total": total}
        assert sum("Crate" in text for text in model.texts) - sent <= total // 3
        assert bower("warm").data == {"newly_cached": 0, "total": total}
