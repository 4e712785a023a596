"""GGUF files, run by llama.cpp in this process: tiny ones that embed and score, and ones that cannot."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.remote import tiny_gguf
from tests.remote.language import tiers

from bowerbird import Bowerbird
from bowerbird.core.errors import ModelError
from bowerbird.core.thinking import FAST, Task, list_of, object_of, one_of, text_of, whole_from
from bowerbird.models.embed.centred import STRANGERS
from bowerbird.models.gguf_header import header
from bowerbird.models.model_folder import model_files

if TYPE_CHECKING:
    from pathlib import Path

# A question to which no text is clearly the best.
UNSURE = "how is the service monitored"
TEXTS = (
    "Tests of the beach service need a seal image.",
    "Deploys of the gate service happen at nine.",
    "Ice machines are billed per service call.",
)
ANIMALS = ("walrus", "seal")
ANIMAL = Task("animal", FAST, "Name the animal.", object_of(animal=one_of(*ANIMALS)), 300)
BOUNDED = object_of(marks=list_of(whole_from(1, 5), 3, 3), names=list_of(text_of(4), 2))
LISTS = Task("lists", FAST, "Name and mark them.", BOUNDED, 300)

pytest.importorskip("xllamacpp", reason="the extra `gguf` is not installed")


@pytest.mark.parametrize("pooling", [tiny_gguf.MEAN, None])
def test_a_store_is_embedded_by_a_file(
    tmp_path: Path, store_path: str, pooling: int | None
) -> None:
    path = tiny_gguf.write(tmp_path / "tiny.gguf", pooling)
    settings = {"embed.provider": "gguf", "embed.model": str(path)}
    with Bowerbird.open(store_path, settings=settings) as bird:
        bird.remember("the walrus on the ice")
        bird.remember("deploy on friday")
        # Longer than it reads: the text is cut.
        bird.remember(" ".join(f"seal {i} on the ice" for i in range(300)))
        hits = bird.query("walrus", min_score=0.0)
        assert hits.trace.degraded == []
        assert hits[0].text == "the walrus on the ice"
        assert f"({tiny_gguf.DIMS} dims)" in hits.model
        assert bird.admin.cache_state().vectors == 3 + len(STRANGERS)


def test_a_task_is_done_by_a_file(tmp_path: Path) -> None:
    path = tiny_gguf.write_writer(tmp_path / "writes.gguf")
    settings = {"provider": "gguf", "model": str(path), "context": tiny_gguf.WRITER_TOKENS}
    asked = tiers(tmp_path, lambda: 0, **settings)
    # What it writes is chance; that it has the shape of the schema is not.
    assert asked.ask(ANIMAL, "a walrus on the ice")["animal"] in ANIMALS
    assert not asked.models[FAST].remote
    with pytest.raises(ModelError, match=r"writes.gguf answers 400: .*context size") as raised:
        asked.ask(ANIMAL, "ice " * tiny_gguf.WRITER_TOKENS)
    assert "llm.context" in raised.value.remedy
    asked.close()


def test_a_model_of_this_machine_comes_to_an_end(tmp_path: Path) -> None:
    path = tiny_gguf.write_writer(tmp_path / "writes.gguf")
    settings = {"provider": "gguf", "model": str(path), "context": tiny_gguf.WRITER_TOKENS}
    asked = tiers(tmp_path, lambda: 0, **settings)
    # What it writes is chance: without bounds it would write on until it is cut off.
    said = asked.ask(LISTS, "walruses")
    assert len(said["marks"]) == 3
    assert all(1 <= one <= 5 for one in said["marks"])
    assert len(said["names"]) <= 2
    assert all(len(one) <= 4 for one in said["names"])
    asked.close()


# A process that asks for an answer that takes a minute at least (its schema holds it to 20,000
# letters), waits for it shortly, and ends.
IMPATIENT = """
import sys
from bowerbird.core.errors import ModelError
from bowerbird.core.thinking import Prompt, object_of, one_of
from bowerbird.models.llm.gguf import GgufModel

model = GgufModel(sys.argv[1], 100_000)
try:
    model.answer(Prompt("Write.", "Much.", object_of(text=one_of("x" * 20_000)), "much", 90_000), 0.3)
except ModelError as error:
    print(error.message, end="")
"""


def test_a_process_that_waits_no_longer_ends_as_it_should(tmp_path: Path) -> None:
    path = tiny_gguf.write_writer(tmp_path / "writes.gguf")
    command = [sys.executable, "-c", IMPATIENT, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "writes.gguf did not answer within 0.3 s")


# The same for a question in other words: its answer holds 20,000 letters, and it has half a second.
QUESTION = """
import sys
from bowerbird import Bowerbird
from bowerbird.core.thinking import Task, object_of, one_of
from bowerbird.models.llm import expanding

expanding.TASK = Task("expand", "lite", "Write.", object_of(phrases=one_of("x" * 20_000)), 90_000)
expanding.ModelExpander.budget_s = 0.5
settings = {"llm.provider": "gguf", "llm.model": sys.argv[1], "llm.context": 100_000}
with Bowerbird.open(sys.argv[2], settings=settings) as bird:
    bird.remember("the walrus on the ice")
    hits = bird.query("walrus", expand=True)
print(hits[0].text, *hits.trace.degraded, sep="; ", end="")
"""


def test_a_question_does_not_wait_for_other_words_from_a_file(
    tmp_path: Path, store_path: str
) -> None:
    path = tiny_gguf.write_writer(tmp_path / "writes.gguf")
    command = [sys.executable, "-c", QUESTION, str(path), store_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("the walrus on the ice; ")
    assert "did not answer within" in done.stdout


def test_hits_are_ordered_by_a_file(tmp_path: Path, store_path: str) -> None:
    path = tiny_gguf.write(tmp_path / "ranks.gguf", tiny_gguf.RANK)
    with Bowerbird.open(store_path) as bird:
        for text in TEXTS:
            bird.remember(text)
        plain = bird.query(UNSURE, explain=True, min_score=0.0)
    settings = {"rerank.provider": "gguf", "rerank.model": str(path)}
    with Bowerbird.open(store_path, settings=settings) as bird:
        hits = bird.query(UNSURE, explain=True, min_score=0.0)
        assert hits.trace.degraded == []
        (stage,) = (one for one in hits.trace.stages if one.name == "rerank")
        assert stage.count == len(TEXTS)
        assert sorted(one.text for one in hits) == sorted(TEXTS)
        assert [one.score for one in hits] == pytest.approx([one.score for one in plain])
        # Its scores are kept: another process asks nothing, and has the same order.
        assert [one.text for one in bird.query(UNSURE, min_score=0.0)] == [one.text for one in hits]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda path: tiny_gguf.write(path, tiny_gguf.MEAN), "is no reranking model"),
        (lambda path: path.write_bytes(b"GGUF" + bytes(9)), "no GGUF file, or a damaged one"),
        (lambda path: path.write_bytes(b"PK"), "no GGUF file, or a damaged one"),
        (lambda _path: None, "cannot read the model"),
    ],
)
def test_a_file_that_cannot_score_keeps_the_order_and_says_so(
    tmp_path: Path, store_path: str, made: object, said: str
) -> None:
    assert callable(made)
    made(tmp_path / "x.gguf")
    settings = {"rerank.provider": "gguf", "rerank.model": str(tmp_path / "x.gguf")}
    with Bowerbird.open(store_path, settings=settings) as bird:
        for text in TEXTS:
            bird.remember(text)
        hits = bird.query(UNSURE, min_score=0.0)
        assert len(hits) == len(TEXTS)
        assert any(said in one and "rerank.model" in one for one in hits.trace.degraded)


def test_weights_that_end_too_early_are_reported(tmp_path: Path, store_path: str) -> None:
    path = tiny_gguf.write(tmp_path / "half.gguf", tiny_gguf.MEAN)
    path.write_bytes(path.read_bytes()[:-2_000])
    settings = {"embed.provider": "gguf", "embed.model": str(path)}
    with Bowerbird.open(store_path, settings=settings) as bird:
        with pytest.raises(ModelError, match="cannot be loaded"):
            bird.admin.embed(["tea"])
        kept = bird.remember("tea with milk")
        assert [hit.id for hit in bird.query("tea")] == [kept.id]


def test_a_file_whose_end_is_missing_is_listed_as_such(tmp_path: Path) -> None:
    whole = tiny_gguf.write(tmp_path / "whole.gguf", tiny_gguf.MEAN)
    size = whole.stat().st_size
    for number, left in enumerate((size // 2, size - 20_000, 400, 30)):
        (tmp_path / f"cut{number}.gguf").write_bytes(whole.read_bytes()[: max(left, 30)])
    (tmp_path / "none.gguf").write_text("a page")
    notes = {one.name: one.note for one in model_files(str(tmp_path))}
    cut = {f"gguf/cut{number}.gguf": "its end is missing: fetch it again" for number in range(4)}
    assert notes == cut | {
        "gguf/none.gguf": "no GGUF file, or a damaged one",
        "gguf/whole.gguf": "",
    }


def test_a_header_says_what_a_file_is_for(tmp_path: Path) -> None:
    embeds = header(str(tiny_gguf.write(tmp_path / "a.gguf", tiny_gguf.MEAN)))
    ranks = header(str(tiny_gguf.write(tmp_path / "b.gguf", tiny_gguf.RANK)))
    neither = header(str(tiny_gguf.write(tmp_path / "c.gguf", None)))
    assert embeds is not None
    assert ranks is not None
    assert neither is not None
    assert (embeds.embeds, embeds.reranks, embeds.dims, embeds.tokens) == (True, False, 32, 64)
    assert (ranks.embeds, ranks.reranks) == (False, True)
    assert (neither.embeds, neither.reranks) == (False, False)
