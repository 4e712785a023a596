"""The sentences of a session are read by the model once, whichever process reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bowerbird import Bowerbird
from bowerbird.storage.question_vectors import SUFFIX, QuestionVectors
from bowerbird.wiring.sentence_vectors import SentenceVectors

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXTS = ["Always use tabs.", "The port is 8443.", "Always use tabs."]


class Counting:
    """A model that notes what it was asked to read."""

    def __init__(self, name: str = "small") -> None:
        self.identity = name
        self.read: list[str] = []

    def manner(self, texts: Sequence[str]) -> list[list[float]]:
        self.read += texts
        return [[len(text) / 4, 0.5] for text in texts]

    def told(self, sentences: Sequence[str]) -> list[list[float]]:
        self.read += sentences
        return [[len(text) / 4, at] for at, text in enumerate(sentences)]


def vectors(path: Path, model: Counting, *, keep: bool = True) -> SentenceVectors:
    return SentenceVectors(cast("Any", model), QuestionVectors(str(path)), keep=keep)


def test_each_is_read_once(tmp_path: Path) -> None:
    first, second, other = Counting(), Counting(), Counting("other")
    said = vectors(tmp_path / "s", first).manner(TEXTS)
    assert said == [[4.0, 0.5], [4.25, 0.5], [4.0, 0.5]]
    assert first.read == TEXTS[:2]
    again = vectors(tmp_path / "s", second)
    assert again.manner([*TEXTS, "New."]) == [*said, [1.0, 0.5]]
    assert again.manner(TEXTS) == said
    assert second.read == ["New."]
    vectors(tmp_path / "s", other).manner(TEXTS)
    assert other.read == TEXTS[:2]


def test_the_sentences_of_a_text_are_read_together_and_once(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    said = vectors(tmp_path / "s", first).told(TEXTS)
    assert said == [[4.0, 0], [4.25, 1], [4.0, 2]]
    again = vectors(tmp_path / "s", second)
    assert again.told(TEXTS) == said
    assert again.told([]) == []
    assert second.read == []
    # Beside another sentence each of them does something else.
    again.told(TEXTS[:2])
    assert first.read == TEXTS
    assert second.read == TEXTS[:2]


def test_what_is_cut_off_is_read_again(tmp_path: Path) -> None:
    vectors(tmp_path / "s", Counting()).manner(TEXTS)
    file = tmp_path / f"s{SUFFIX}"
    file.write_bytes(file.read_bytes()[:-3])
    model = Counting()
    assert vectors(tmp_path / "s", model).manner(TEXTS)[1] == [4.25, 0.5]
    assert model.read == TEXTS[1:2]


def test_the_turns_of_a_session_keep_them_and_its_end_leaves_nothing(
    tmp_path: Path, store_path: str
) -> None:
    talk = tmp_path / "talk.jsonl"
    said = {"role": "user", "content": "From now on use tabs in all Makefiles."}
    line = {"sessionId": "s1", "cwd": str(tmp_path), "type": "user", "message": said}
    talk.write_text(json.dumps(line) + "\n")
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.admin.learn(str(talk), ended=False)
        (kept,) = Path(f"{store_path}.scratchpad").glob(f"*{SUFFIX}")
        assert kept.stat().st_mode & 0o077 == 0
        bird.admin.learn(str(talk))
        assert not kept.exists()


def test_none_stays_when_a_memory_is_erased(tmp_path: Path, store_path: str) -> None:
    kept = Path(f"{store_path}.scratchpad")
    with Bowerbird.open(store_path, project="shop") as bird:
        kept.mkdir(mode=0o700)
        vectors(kept / "s", Counting()).manner(TEXTS)
        assert [*kept.iterdir()]
        bird.admin.erase([bird.remember("The lift code is 880015").id])
        assert not [*kept.iterdir()]
