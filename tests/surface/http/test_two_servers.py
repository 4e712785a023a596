"""Two servers over one store, both with a folder to take in and a pruning to do, and others beside."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.core.clock import system_clock
from bowerbird.core.life import DAY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.http.conftest import Server

FADED = 12
FILES = 8
EACH = 10
# A one-shot process that keeps one memory after the other, and says each when it is kept.
WRITER = """
import sys
from bowerbird import Bowerbird

for number in range(int(sys.argv[3])):
    with Bowerbird.open(sys.argv[1], project="shop") as bird:
        kept = bird.remember(f"Writer {sys.argv[2]} keeps crate {number} on shelf {number * 7}")
    print(kept.id, flush=True)
"""


def long_ago() -> int:
    return system_clock() - 100 * DAY


def last_week() -> int:
    return system_clock() - 8 * DAY


class Scene:
    """A store, a folder and two servers that look after both."""

    def __init__(self, folder: Path, serve: Callable[..., Server]) -> None:
        self.folder = folder
        self.store = str(folder / "memory.db")
        self.notes = folder / "notes"
        self.notes.mkdir()
        for number in range(FILES):
            self.write(number, "painters")
        self.faded: set[str] = set()
        with Bowerbird.open(self.store, project="attic", clock=last_week) as bird:
            bird.remember("The attic is swept on Mondays")
            bird.admin.prune_if_due(0.0)  # what fades waits for a week from the first time on
        self.fade(0)
        self.kept: set[str] = set()
        options = ["--index", str(self.notes), "--index-interval", "1s", "--project", "shop"]
        self.servers = [serve(*options, "--prune-interval", "1s") for _ in range(2)]
        for server in self.servers:
            server.wait_for('"event": "index"')

    def write(self, number: int, word: str) -> None:
        """A note, there as a whole or not at all: a round may pass at any moment."""
        made = self.folder / "next.md"
        made.write_text(f"# Note {number}\n\nRoom {number} is for the {word}.\n")
        made.rename(self.notes / f"n{number}.md")

    def fade(self, start: int) -> None:
        """Memories that nobody has touched for a hundred days, where no question touches them."""
        with Bowerbird.open(self.store, project="attic", clock=long_ago) as bird:
            for number in range(start, start + FADED):
                self.faded.add(bird.remember(f"Door {number} has colour {number * 3}").id)

    def writer(self, name: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", WRITER, self.store, name, str(EACH)],
            env=self.servers[0].environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def keep_and_ask(self, number: int) -> None:
        """What one server has kept or forgotten, both answer at once."""
        here, there = self.servers[number % 2], self.servers[1 - number % 2]
        word = f"quagga{number}"
        said = here.post("curate", content=f"The {word} eats hay in stall {number}", project="shop")
        assert said.status == 200, said.body
        id = said.data["id"]

        def found(server: Server) -> bool:
            question = f"where does the {word} eat?"
            answer = server.post("query", query=question, project="shop", fuzzy=False)
            return id in {hit["id"] for hit in answer.data["results"]}

        assert found(there)
        assert found(here)
        if number % 2:
            assert there.post("forget", ids=[id], project="shop").status == 200
            assert not found(here)
            assert not found(there)
        else:
            self.kept.add(id)

    def events(self, name: str) -> list[dict[str, Any]]:
        lines = [line for server in self.servers for line in server.lines if line[:1] == "{"]
        return [one for one in map(json.loads, lines) if one["event"] == name]

    def come_to_rest(self) -> None:
        """Every server has looked at the folder since, and everything that faded is gone."""
        for server in self.servers:
            while (said := server.post("index")).status == 409:
                server.get("index", wait=25)
            assert said.status == 200, said.body
            met = [said.data[name] for name in ("added", "changed", "unchanged")]
            assert sum(met) == FILES + 3
        with Bowerbird.open(self.store, project="attic") as bird:
            while self.faded - {one.id for one in bird.list(states=["deprecated"], limit=200)}:
                self.servers[0].wait_for_news()


def test_nothing_is_lost_done_twice_or_answered_stale(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    scene = Scene(tmp_path, serve)
    writers = [scene.writer(name) for name in ("one", "two")]
    for number in range(EACH):
        scene.keep_and_ask(number)
        if number == EACH // 2:
            scene.fade(FADED)
            for file in range(FILES, FILES + 4):
                scene.write(file, "okapis")
            scene.write(0, "gardeners")
            (scene.notes / "n1.md").unlink()
    for writer in writers:
        out, error = writer.communicate()
        assert not error
        assert len(out.split()) == EACH
        scene.kept |= set(out.split())
    scene.come_to_rest()
    for server in scene.servers:
        assert server.end() == 0
    with Bowerbird.open(scene.store, project="shop") as bird:
        assert {one.id for one in bird.list(memories_only=True, limit=500)} == scene.kept
        # Each went once, by one of the two.
        done = [event.action for id in scene.faded for event in bird.history(id).events]
        assert done.count("pruned") == len(scene.faded)
        texts = [one.text for one in bird.list(limit=500) if one.family == "passage"]
        assert len(texts) == len(set(texts)) == FILES + 3
        assert "Room 0 is for the gardeners." in " ".join(texts)
        assert bird.status().total_documents == FILES + 3
        assert all(finding.level != "problem" for finding in bird.admin.doctor())
    pruned, rounds = scene.events("prune"), scene.events("index")
    assert sum(one.get("deprecated", 0) for one in pruned) == len(scene.faded)
    # What was added was added once: by the one or by the other.
    totals = {name: sum(one[name] for one in rounds) for name in ("added", "changed", "removed")}
    assert totals == {"added": FILES + 4, "changed": 1, "removed": 1}
    assert not [one for one in rounds + pruned if "error" in one]
    assert not scene.events("fault")
