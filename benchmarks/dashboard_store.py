"""A store of many memories as a team has after years: 60 modules, their files, sessions, what waits.

    python benchmarks/dashboard_store.py FOLDER [--memories 100000]

Memories are sentences of the bench's corpus (Python's documentation and the demo), each about a file of a
made-up project. FOLDER then holds the project, the store, and the state of its server; a store that
stands there already is kept. Nothing is downloaded; the same number gives the same memories.
"""

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from bowerbird import Bowerbird
from bowerbird.bench.corpus import write_corpus, written
from bowerbird.core.ids import new_id
from bowerbird.core.text import sentences, summarise
from bowerbird.core.value import iso
from bowerbird.core.who import USER, Who
from bowerbird.storage.outcomes import Outcomes

DAY = 86_400_000
AREAS = ("auth", "billing", "cart", "search", "mail", "stock")
PARTS = ("api", "store", "views", "jobs", "rules", "export", "cache", "forms", "tests", "client")
FILES = ("read", "write", "check", "plan")
KINDS = ("fact", "gotcha", "decision", "procedure", "pattern", "preference", "dead_end")
WEIGHTS = (40, 20, 12, 10, 10, 4, 4)
TAGS = ("ci", "slow", "tests", "deploy", "api", "data", "flaky", "windows")
# One memory in this number waits for a person, is tied to a file that has changed since, and is related.
WAITS, CHANGED, RELATED = 250, 500, 10
SESSIONS, RECORDED, OUTCOMES = 150, 12, 2_000
_SOURCE = """def {name}_{part}(given):
    return given


def {name}_all(some):
    return [{name}_{part}(one) for one in some]
"""


class Years:
    """A folder with such a project and its store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.project = self.folder / "shop"
        self.store = str(self.folder / "memory.db")
        names = {
            f"XDG_{one}_HOME": str(self.folder / one.lower()) for one in ("DATA", "CONFIG", "STATE")
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BOWER_")}
        self.environment = kept | names | {"HOME": str(self.folder), "BOWER_STORE": self.store}

    @property
    def uid(self) -> str:
        """The project, as the store names it."""
        return f"path:{self.project}"

    def fill(self, memories: int) -> None:
        """Writes all of it, unless it is there."""
        done = self.folder / "filled"
        if done.exists():
            return
        os.environ.update(self.environment)
        (self.project / ".git").mkdir(parents=True)
        files = [*self._files()]
        now = time.time_ns() // 1_000_000
        with contextlib.chdir(self.project), Bowerbird.open(self.store) as opened:
            bird = opened.acting(Who(USER, USER))
            bird.index(self.project)
            anchors = {}
            for path in files:
                kept = bird.remember(
                    f"{path} is read by the nightly report of its area", files=[path]
                )
                anchors[path] = [list(one.row) for one in bird.get(kept.id).anchors]
            bird.admin.reindex()
            lines = self.folder / "memories.jsonl"
            ids = self._export(lines, memories - len(files), anchors, now)
            bird.admin.import_from(str(lines))
            lines.unlink()
        self._read()
        self._outcomes(ids, now)
        self._sessions(files, now)
        done.touch()

    def _files(self) -> Iterator[str]:
        for area in AREAS:
            for part in PARTS:
                for name in FILES:
                    path = self.project / "src" / area / part / f"{name}.py"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(_SOURCE.format(name=name, part=part), encoding="utf-8")
                    yield str(path.relative_to(self.project))

    def _export(
        self, lines: Path, count: int, anchors: dict[str, list[list[Any]]], now: int
    ) -> list[str]:
        """Writes memories as an export holds them; returns their ids."""
        draw = random.Random(count)  # noqa: S311 a seed is the point
        ids: list[str] = []
        replica = new_id(now)
        with lines.open("w", encoding="utf-8") as file:
            for row in (
                {"bowerbird": "export", "format": 1},
                {"row": "project", "uid": self.uid, "name": "shop", "root": str(self.project)},
            ):
                file.write(json.dumps(row) + "\n")
            for number, said in zip(range(count), self._said(count, draw), strict=False):
                at = now - round(draw.random() ** 2 * 700 * DAY)
                memory = _memory(
                    number, said, draw, at, anchors, f"{at}-{number % 10_000:04d}-{replica}"
                )
                ids.append(memory["id"])
                file.write(json.dumps({"row": "memory", "project": self.uid} | memory) + "\n")
                if number % RELATED == 1:
                    file.write(json.dumps(_relation(ids, draw, at, replica)) + "\n")
        return ids

    def _said(self, count: int, draw: random.Random) -> Iterator[str]:
        """Sentences, each once."""
        corpus = self.folder / "corpus"
        corpus.mkdir()
        write_corpus(str(corpus), count, count, 0)
        for number, passage in enumerate(written(str(corpus))):
            chosen = draw.choice(sentences(passage)).strip("# ")[:280]
            yield f"{chosen} Ticket {number * 7 + 1000} has the run that showed it."

    def _read(self) -> None:
        """Gives each memory a contextual vector: that of one of the files' memories.

        Reading 100,000 takes half an hour, and comparing with any vector as long as with the right one.
        A server would read them meanwhile, and no page could be timed.
        """
        connection = apsw.Connection(self.store)
        with connection:
            read = [row for (row,) in connection.execute("SELECT id FROM contextual")]
            unread = connection.execute(
                "SELECT id FROM facet WHERE family = 'memory' EXCEPT SELECT id FROM contextual"
            ).fetchall()
            for number, (row,) in enumerate(unread):
                values = "SELECT ?, int8, words FROM contextual WHERE id = ?"
                given = (row, read[number % len(read)])
                connection.execute(f"INSERT INTO contextual {values}", given)
        connection.close()

    def _outcomes(self, ids: list[str], now: int) -> None:
        """What was told in earlier sessions, and what of it was cited."""
        outcomes = Outcomes(self.store)
        draw = random.Random(len(ids))  # noqa: S311 a seed is the point
        for number in range(OUTCOMES):
            given = draw.sample(ids, 4)
            about = {"session": f"earlier-{number}", "given": given, "cited": given[: number % 3]}
            outcomes.add(
                self.uid, number + 1, "used", now - (OUTCOMES - number) * DAY // 40, **about
            )

    def _sessions(self, files: list[str], now: int) -> None:
        """Transcripts that are learned from, and some sessions that hooks saw, too."""
        talks = self.folder / ".claude" / "projects" / "shop"
        talks.mkdir(parents=True)
        draw = random.Random(SESSIONS)  # noqa: S311 a seed is the point
        for number in range(SESSIONS):
            session, path = f"{number:08x}-0000-4000-8000-000000000000", draw.choice(files)
            at = now - (SESSIONS - number) * DAY // 5
            talk = talks / f"{session}.jsonl"
            rows = _talk(session, str(self.project), path, at)
            talk.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            if number >= SESSIONS - RECORDED:
                base = {"session_id": session, "cwd": str(self.project), "prompt": f"fix {path}"}
                for event in ("SessionStart", "UserPromptSubmit"):
                    payload = json.dumps(base | {"hook_event_name": event, "source": "startup"})
                    self.bower("hook", "claude-code", event, given=payload)
        self.bower("learn", str(talks))

    def bower(self, *words: str, given: str = "") -> None:
        """Runs a command there."""
        subprocess.run(  # noqa: S603 our own words
            [sys.executable, "-m", "bowerbird", *words], input=given.encode(), env=self.environment,
            cwd=self.project, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip


def _memory(
    number: int,
    said: str,
    draw: random.Random,
    at: int,
    anchors: dict[str, list[list[Any]]],
    stamp: str,
) -> dict[str, Any]:
    path = draw.choice([*anchors])
    tied = [*anchors[path]] if number % 3 == 0 else []
    if tied and number % CHANGED == 0:
        tied = [[*tied[0][:2], "0" * 32, *tied[0][3:]]]
    kind = draw.choices(KINDS, WEIGHTS)[0]
    waits = number % WAITS == 1
    fields: dict[str, Any] = {
        "kind": kind,
        "state": "active",
        "summary": summarise(said),
        "citation": summarise(said, 60),
        "modules": [path.split("/")[1] + "/" + path.split("/")[2]] if number % 2 else [],
        "files": [path] if tied else [],
        "anchors": tied,
        "tags": [draw.choice(TAGS)] if number % 4 == 0 else [],
        "confidence": round(draw.uniform(0.5, 1.0), 2),
        "half_life": 60.0 if kind == "gotcha" else 0.0,
        "verified": number % 5 == 0,
        "review": "an agent was not sure" if waits else "",
        "needs_review": waits,
    }
    id, head = new_id(at), new_id(at)
    version = {
        "id": head, "parents": [], "text": said, "fields": fields, "actor": "agent",
        "reason": "new", "created": at, "stamp": stamp,
    }  # fmt: skip
    replica = stamp.partition("-")[2].partition("-")[2]
    return {
        "id": id, "trust": "normal", "said": at, "origin": "agent", "source": "agent_explicit",
        "agent": "claude-code", "session": "", "tainted": False, "importance": 0.3,
        "decay_rate": 0.01, "half_life": fields["half_life"] or None, "accessed": at, "head": head,
        "tags": [[tag, True, stamp] for tag in fields["tags"]],
        "uses": {replica: draw.randrange(1, 30)} if number % 6 == 0 else {}, "versions": [version],
    }  # fmt: skip


def _relation(ids: list[str], draw: random.Random, at: int, replica: str) -> dict[str, Any]:
    return {
        "row": "relation", "source": ids[-1], "target": draw.choice(ids[-40:-1] or ids),
        "kind": "related_to", "strength": 0.7, "confidence": 0.9, "automatic": True,
        "present": True, "created": at,
        "stamp": f"{at}-{len(ids) % 10_000:04d}-{replica}",
    }  # fmt: skip


def _talk(session: str, folder: str, path: str, at: int) -> Iterator[dict[str, Any]]:
    """A transcript: a wish, an edit, a failing test, its cure, and what the person wants kept."""
    name = path.rpartition("/")[2].removesuffix(".py")
    said: tuple[tuple[str, Any], ...] = (
        ("user", f"make {path} keep the order of what it is given"),
        ("assistant", [{"type": "tool_use", "id": "e", "name": "Edit", "input": {
            "file_path": f"{folder}/{path}", "old_string": "return given",
            "new_string": "return [*given]"}}]),
        ("user", [{"type": "tool_result", "tool_use_id": "e", "content": "The file was updated."}]),
        ("assistant", [{"type": "tool_use", "id": "t", "name": "Bash", "input": {
            "command": f"pytest -q tests/test_{name}.py"}}]),
        ("user", [{"type": "tool_result", "tool_use_id": "t", "content": "4 passed in 0.31s"}]),
        ("user", f"remember that {name} keeps the order in which lines were added, run {session[:8]}"),
        ("assistant", "Done: the order stays, and the tests pass."),
    )  # fmt: skip
    for number, (role, content) in enumerate(said):
        yield {
            "type": role, "message": {"role": role, "content": content}, "sessionId": session,
            "cwd": folder, "uuid": f"{session}-{number}", "timestamp": iso(at + number * 60_000),
        }  # fmt: skip


def main() -> None:
    """Fills the folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--memories", type=int, default=100_000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    Years(given.folder).fill(given.memories)


if __name__ == "__main__":
    main()
