"""``bower demo``: see it work.

Indexes the notes of a small fictional project, stores three memories and asks six questions, in a
temporary store; your own is not touched.
"""

import os
import shutil
import sys
import tempfile
from time import perf_counter

from bowerbird.bird import Bowerbird
from bowerbird.core.shaped import Answer
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.page import emit
from bowerbird.surfaces.cli.render.index import text as index_text
from bowerbird.surfaces.cli.render.query import text as hits_text
from bowerbird.surfaces.demo.script import BELIEFS, DATA, NEXT, PROJECT, QUESTIONS
from bowerbird.surfaces.fields import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.surfaces.cli.page import Page
    from bowerbird.surfaces.demo.script import Asked

EXAMPLES = (("bower demo", "about a second"), ("bower demo --format json", "the same, as data"))


VERB = Verb("demo", "Run a demonstration in a temporary store", group="Try", order=1, prose=True)


def command(call: Call) -> Outcome:
    """Play the demo; as text it is printed as it happens."""
    silent = call.options.format == "json"
    begin = perf_counter()
    with tempfile.TemporaryDirectory(prefix="bower-demo-") as temporary:
        folder = os.path.realpath(temporary)
        notes = os.path.join(folder, PROJECT)
        shutil.copytree(os.path.join(DATA, PROJECT), notes)
        # Paths are shown as they would be to somebody who stands inside the project.
        page = call.page
        page.cwd, page.quiet = notes, True
        play = _Play(page, (lambda _: None) if silent else _emit)
        with Bowerbird.open(os.path.join(folder, "demo.db"), project=PROJECT) as bird:
            data = play.all(bird, notes, call)
    data["took_ms"] = round((perf_counter() - begin) * 1000, 1)
    if not silent:
        play.close(data["took_ms"])
    return Outcome(data, "")


def _emit(text: str) -> None:
    emit(sys.stdout, text + "\n")


class _Play:
    """The acts of the demo, each told and each kept as data."""

    def __init__(self, page: "Page", emit: "Callable[[str], None]") -> None:
        self._page = page
        self._emit = emit

    def _command(self, line: str, remark: str = "") -> None:
        sign = self._page.style("$ bower ", "dim") + self._page.style(line, "bold")
        self._emit("\n" + sign + (self._page.style(f"   # {remark}", "dim") if remark else ""))

    def all(self, bird: Bowerbird, notes: str, call: Call) -> "dict[str, Any]":
        """Index, remember, ask."""
        self._emit("A shop's notes, decisions, incidents, and a talk with an assistant.")
        self._command(f"index {PROJECT}/")
        report = bird.index(notes, progress=call.progress())
        self._emit(index_text(report, self._page))
        kept = []
        for belief in BELIEFS:
            tags = ",".join(belief.tags)
            self._command(f'remember "{belief.text}" --kind {belief.kind} --tags {tags}')
            kept.append(
                bird.remember(belief.text, kind=belief.kind, tags=belief.tags, origin="user").id
            )
        answers = [self._ask(bird, asked) for asked in QUESTIONS]
        return {
            "indexed": report.as_dict() | {"skipped": [], "cut": []},
            "remembered": kept,
            "answers": answers,
        }

    def _ask(self, bird: Bowerbird, asked: "Asked") -> "dict[str, Any]":
        flag = f" --min-score {asked.min_score}" if asked.min_score is not None else ""
        self._command(f'query "{asked.text}"{flag}', asked.watch)
        hits = bird.query(asked.text, limit=asked.shown, min_score=asked.min_score)
        self._emit(hits_text(Answer(hits), self._page))
        return {"query": asked.text, "results": [hit.as_dict() for hit in hits]}

    def close(self, took_ms: float) -> None:
        """What to type next."""
        closing = f"That took {took_ms / 1000:.1f} s, without a network, a key or a server."
        self._emit("\n" + self._page.style(closing, "bold") + " Now yours:\n")
        for line, what in NEXT:
            self._emit(f"  {self._page.style(f'{line:<44}', 'cyan')} {what}")
