"""How the evidence of a memory reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.surface.test_learn import RULE, Talk

from bowerbird import Bowerbird
from bowerbird.core.history import Shown
from bowerbird.surfaces.cli.page import Page
from bowerbird.surfaces.cli.render import entries

if TYPE_CHECKING:
    from pathlib import Path


def test_a_long_line_is_cut_at_a_word_and_says_so(tmp_path: Path) -> None:
    said = f"Remember: {RULE}. {'The gate stays as it is. ' * 40}"
    Talk("one", tmp_path).say(said).put(tmp_path / "talks")
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        (lesson, *_) = bird.admin.learn(tmp_path / "talks").lessons
        found, entry = bird.admin.evidence(lesson.id), bird.get(lesson.id)
    (line,) = found.lines
    kept, mark = line.text[:-1], line.text[-1]
    assert (mark, said[len(kept)]) == ("…", " ")
    assert said.startswith(kept)
    assert len(line.text) <= 600
    for shown in (entries.text, entries.markdown):
        with_evidence = shown(Shown(entry, None, found), Page())
        assert "instructions" in with_evidence
        assert "metadata" not in with_evidence
        assert '"learned"' in shown(Shown(entry), Page())


def test_what_was_learned_before_others_came_keeps_its_evidence(tmp_path: Path) -> None:
    Talk("one", tmp_path).say(f"Remember: {RULE}.").put(tmp_path / "talks")
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as bird:
        (lesson, *_) = bird.admin.learn(tmp_path / "talks").lessons
        before = bird.admin.evidence(lesson.id)
        bird.admin.add_member("mia")
        assert bird.get(lesson.id).audience == "personal"
        assert bird.admin.evidence(lesson.id) == before
        assert before.lines
