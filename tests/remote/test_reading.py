"""A store read by a model behind a server: what is sent, kept, and done without it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.models.cache import LIFETIME_SECONDS, CachedEmbedder
from bowerbird.models.embed.centred import STRANGERS
from bowerbird.models.embed.remote import RemoteEmbedder
from bowerbird.models.http import Endpoint
from bowerbird.storage.question_vectors import QuestionVectors
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.remote.conftest import EmbeddingServer

    from bowerbird.models.cache import Embeddings

    Open = Callable[..., Bowerbird]

NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "sea.md").write_text("The walrus sleeps on the ice all day.\n")
    (folder / "ops.md").write_text("Releases go out on Tuesday after review.\n")
    return folder


@pytest.fixture
def open_bird(store_path: str, server: EmbeddingServer) -> Iterator[Open]:
    opened = []

    def make(**settings: Any) -> Bowerbird:
        named = {
            "embed.provider": "compatible",
            "embed.endpoint": server.address,
            "embed.model": "tiny",
        }
        named |= {key.replace("_", ".", 1): value for key, value in settings.items()}
        opened.append(Bowerbird.open(store_path, settings=named))
        return opened[-1]

    yield make
    for bird in opened:
        bird.close()


def test_texts_are_sent_once_and_questions_as_they_were_asked(
    open_bird: Open, server: EmbeddingServer, notes: Path
) -> None:
    bird = open_bird()
    assert bird.index(notes).embedded == 2
    assert bird.index(notes).embedded == 0
    hits = bird.query("Where do the walruses sleep?")
    assert hits[0].path == str(notes / "sea.md")
    assert hits.model == f"compatible/tiny@{server.address[7:]}, centred (256 dims)"
    assert hits.trace.degraded == []
    assert [asked["input"] for asked in server.asked[1:]] == [["Where do the walruses sleep?"]]
    # The same question, in the same process: it is known.
    bird.query("Where do the walruses sleep?")
    assert len(server.asked) == 2


@pytest.mark.parametrize("corner", [0.5, 1.0, 2.0])
def test_a_model_that_reads_everything_alike_is_no_surer_than_another(
    open_bird: Open, server: EmbeddingServer, notes: Path, tmp_path: Path, corner: float
) -> None:
    """Two texts that have nothing to do with each other get a cosine of .2, .5 or .8."""

    def crowded(answer: dict[str, Any]) -> object:
        for one in answer["data"]:
            numbers = one["embedding"]
            length = sum(number * number for number in numbers) ** 0.5 or 1.0
            shift = [corner * (-1) ** (place // 3) / 16 for place in range(256)]
            one["embedding"] = [
                number / length + apart for number, apart in zip(numbers, shift, strict=True)
            ]
        return answer

    (notes / "cat.md").write_text("The cat next door hunts at night.\n")
    asked = ("where do walruses sleep", "when do releases go out", "who repairs the bicycles")

    def reported(bird: Bowerbird) -> list[list[tuple[str | None, float]]]:
        return [[(hit.path, hit.relevance) for hit in bird.query(text)] for text in asked]

    plain = open_bird()
    plain.index(notes)
    server.changed = crowded
    with Bowerbird.open(
        tmp_path / "crowded.db",
        settings={
            "embed.provider": "compatible",
            "embed.endpoint": server.address,
            "embed.model": "tiny",
        },
    ) as crowd:
        crowd.index(notes)
        there = reported(crowd)
    server.changed = None
    for usual, unusual in zip(reported(plain), there, strict=True):
        assert [path for path, _ in unusual[:1]] == [path for path, _ in usual[:1]]
        sure = [relevance for _, relevance in usual[:1]]
        assert [relevance for _, relevance in unusual[:1]] == pytest.approx(sure, abs=0.1)


def test_nothing_is_sent_before_there_is_something_to_compare_with(
    open_bird: Open, server: EmbeddingServer, store_path: str, notes: Path
) -> None:
    with Bowerbird.open(store_path) as plain:
        plain.index(notes)
    bird = open_bird()
    degraded = bird.query("walrus").trace.degraded
    assert degraded == ["dense: compatible/tiny has read nothing here yet; run: bower reindex"]
    assert "read nothing here" in " ".join(bird.status().notes)
    assert any("read nothing here" in finding.found for finding in bird.admin.doctor())
    assert server.asked == []


def test_a_key_in_the_environment_alone_sends_nothing(
    server: EmbeddingServer, store_path: str, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_EMBED_KEY", "k")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("BOWER_EMBED_ENDPOINT", server.address)
    monkeypatch.setenv("BOWER_EMBED_MODEL", "tiny")
    with Bowerbird.open(store_path) as bird:
        bird.index(notes)
        assert bird.query("walrus").model.startswith("builtin/")
    assert server.asked == []


def test_a_projects_own_file_cannot_name_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".bowerbird.toml").write_text('[embed]\nprovider = "openai"\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadConfig, match=r"sets embed\.provider"):
        Bowerbird.open(tmp_path / "memory.db")


def test_what_cannot_be_read_now_is_kept_found_by_words_and_read_later(
    open_bird: Open, server: EmbeddingServer, notes: Path
) -> None:
    with open_bird(embed_endpoint=NOWHERE) as down:
        report = down.index(notes)
        assert (report.added, report.embedded) == (2, 0)
        assert "cannot be reached" in report.unread
        kept = down.remember("We use npm for packages")
        assert kept.decision == "created"
        assert "not read by the model yet" in kept.reason
        assert down.remember("We use npm for packages").decision == "known"
        hits = down.query("walrus")
        assert [hit.path for hit in hits] == [str(notes / "sea.md")]
        assert hits.trace.degraded
    up = open_bird()
    report = up.index(notes)
    assert (report.unchanged, report.embedded, report.unread) == (2, 3, "")
    assert up.query("walrus").trace.degraded == []
    assert up.query("npm packages")[0].id == kept.id


def test_who_asked_before_anything_was_read_notices_that_another_has_read_it(
    open_bird: Open, server: EmbeddingServer, store_path: str, notes: Path
) -> None:
    with Bowerbird.open(store_path) as plain:
        plain.index(notes)
    stays = open_bird()
    assert "read nothing here" in stays.query("walrus").trace.degraded[0]
    done = open_bird().admin.warm()
    assert (done.newly_cached, done.total) == (2, 2)
    assert stays.query("walrus").trace.degraded == []
    assert stays.admin.warm().newly_cached == 0


def test_a_question_is_answered_by_words_while_the_server_fails(
    open_bird: Open, server: EmbeddingServer, notes: Path
) -> None:
    bird = open_bird()
    bird.index(notes)
    server.fail(401, b'{"error": {"message": "no such key"}}')
    hits = bird.query("walrus")
    assert len(hits) == 1
    assert "answers 401: no such key" in hits.trace.degraded[0]
    assert "embed.key" in hits.trace.degraded[0]
    # It was asked once for this question, and is asked again for the next.
    assert len(server.asked) == 2
    assert bird.query("walrus").trace.degraded == []


def test_another_model_reads_everything_again_and_the_first_is_not_paid_twice(
    open_bird: Open, server: EmbeddingServer, store_path: str, notes: Path
) -> None:
    open_bird().index(notes)
    with Bowerbird.open(store_path) as plain:
        assert plain.index(notes).embedded == 2
        assert plain.query("walrus").model.startswith("builtin/")
    sent = len(server.texts)
    back = open_bird()
    assert back.index(notes).embedded == 2
    assert server.texts[sent:] == ["ready"]
    assert back.query("walrus").model.startswith("compatible/")


def test_a_text_that_comes_again_is_not_sent_again(
    open_bird: Open, server: EmbeddingServer, notes: Path
) -> None:
    open_bird().index(notes)
    text = (notes / "ops.md").read_text()
    (notes / "ops.md").unlink()
    open_bird().index(notes)
    (notes / "ops.md").write_text(text)
    bird = open_bird()
    assert bird.index(notes).added == 1
    assert len(server.asked) == 1
    state = bird.admin.cache_state()
    # Two texts and the strangers; one came again, and the strangers in the third run.
    kept, again = 2 + len(STRANGERS), 1 + len(STRANGERS)
    assert (state.vectors, state.hits, state.size_bytes) == (kept, again, 256 * kept)
    assert state.models == {f"compatible/tiny@{server.address[7:]} (256 dims)": kept}
    assert server.strangers == 1


def test_what_is_kept_can_be_pruned_cleared_and_bounded(
    open_bird: Open, server: EmbeddingServer, notes: Path
) -> None:
    bird = open_bird()
    bird.index(notes)
    assert bird.admin.prune_cache(older_than="1d") == 0
    assert bird.admin.prune_cache() == 2 + len(STRANGERS)
    assert bird.admin.cache_state().vectors == 0
    few = open_bird(cache_max_entries=1)
    for name in ("one", "two"):
        (notes / f"{name}.md").write_text(f"Number {name}.\n")
        few.index(notes)
        assert few.admin.cache_state().vectors == 1


def test_what_is_not_used_goes_first(store_path: str, clock: Callable[[], int]) -> None:
    store = Store.open(store_path, clock, write=True)
    with Bowerbird.open(store_path) as bird:
        vectors = bird.admin.embed(["one", "two", "three"])
    kept = store.embeddings(2)
    with store.transaction():
        kept.keep("m", {b"1": vectors[0], b"2": vectors[1]}, ())
        kept.keep("m", {}, [b"1"])
        kept.keep("m", {b"3": vectors[2]}, ())
    assert set(kept.known("m", [b"1", b"2", b"3"])) == {b"1", b"3"}
    assert kept.known("m", [b"1"])[b"1"] == vectors[0]
    assert kept.known("other", [b"1"]) == {}
    with store.transaction():
        assert kept.prune(clock() + 1) == 2
    store.close()


def test_in_memory_a_vector_lasts_a_day(server: EmbeddingServer, no_store: Embeddings) -> None:
    now = [0.0]
    inner = RemoteEmbedder("compatible", "tiny", Endpoint(server.address))
    model = CachedEmbedder(inner, no_store, lambda: now[0])
    first = model.embed_query("walrus")
    assert model.embed(["walrus", "walrus"]) == [first, first]
    now[0] = LIFETIME_SECONDS - 1
    model.embed(["walrus"])
    model.embed_query("walrus")
    assert len(server.asked) == 2
    now[0] = LIFETIME_SECONDS + 1
    model.embed_query("walrus")
    assert len(server.asked) == 3
    assert model.identity == ModelIdentity("compatible", "tiny", 256, server.address[7:])
    inner.close()


class Prompted(RemoteEmbedder):
    """A model that is told when it reads a question, as many are."""

    def embed_query(self, text: str, word_weight: Callable[[str], float] | None = None) -> Vector:
        return super().embed_query(f"penguin {text}", word_weight)


def test_a_question_is_no_text_of_the_same_words(
    server: EmbeddingServer, no_store: Embeddings
) -> None:
    inner = Prompted("compatible", "tiny", Endpoint(server.address))
    model = CachedEmbedder(inner, no_store)
    asked, read = model.embed_query("walrus"), model.embed(["walrus"])[0]
    assert asked != read
    assert (model.embed_query("walrus"), model.embed(["walrus"])[0]) == (asked, read)
    assert len(server.asked) == 2
    inner.close()


def test_a_folder_without_a_model_is_told_and_words_alone_answer(
    store_path: str, tmp_path: Path, notes: Path
) -> None:
    settings = {"embed.provider": "onnx", "embed.model": str(tmp_path / "nowhere")}
    with Bowerbird.open(store_path, settings=settings) as bird:
        report = bird.index(notes)
        assert report.added == 2
        assert "holds no model.onnx" in report.unread
        assert bird.remember("We use npm").decision == "created"
        assert "holds no model.onnx" in bird.query("walrus").trace.degraded[0]
        assert "holds no model.onnx" in " ".join(bird.status().notes)


def test_pruning_takes_what_is_kept_and_not_used_along(store_path: str) -> None:
    days = 86_400_000
    now = 1_767_225_600_000
    with Bowerbird.open(store_path, clock=lambda: now) as bird:
        bird.remember("The walrus sleeps on the ice")
        vectors = bird.admin.embed(["one", "two"])
    for moment, vector in ((now - 31 * days, vectors[0]), (now - 29 * days, vectors[1])):
        store = Store.open(store_path, iter([moment] * 9).__next__, write=True)
        with store.transaction():
            store.embeddings(9).keep("m", {str(moment).encode(): vector}, ())
        store.close()
    with Bowerbird.open(store_path, clock=lambda: now) as bird:
        assert bird.prune(dry_run=True).unused_vectors == 1
        assert bird.prune(remove=False).unused_vectors == 0
        assert bird.prune(dry_run=True, remove=False).unused_vectors == 0
        assert bird.admin.cache_state().vectors == 2
        done = bird.prune()
        assert (done.unused_vectors, done.leaving) == (1, ())
        assert bird.admin.cache_state().vectors == 1
        assert bird.prune().unused_vectors == 0


def test_a_question_that_comes_again_is_not_sent_again_by_another_process(
    open_bird: Open, server: EmbeddingServer, notes: Path, store_path: str
) -> None:
    question = "Where do the walruses sleep?"
    open_bird().index(notes)
    sent = len(server.texts)
    strangers = server.strangers
    hits = [open_bird().query(question) for _ in range(3)]
    assert server.texts[sent:] == [question]
    assert server.strangers == strangers
    assert len({(hit[0].id, hit[0].score) for hit in hits}) == 1
    assert question not in Path(store_path + ".asked").read_text("latin-1")
    assert Path(store_path + ".asked").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("most", [0, 10_000])
def test_what_all_texts_share_is_asked_for_once_when_nothing_is_kept(
    open_bird: Open, server: EmbeddingServer, notes: Path, most: int
) -> None:
    open_bird(cache_max_entries=most).index(notes)
    open_bird(cache_max_entries=most).admin.prune_cache()
    sent, strangers = len(server.texts), server.strangers
    for question in ("Where do the walruses sleep?", "When do releases go out?", "Is there ice?"):
        open_bird(cache_max_entries=most).query(question)
    assert len(server.texts) == sent + 3
    assert server.strangers == strangers + 1


def test_a_torn_file_of_questions_costs_a_question(
    open_bird: Open, server: EmbeddingServer, notes: Path, store_path: str
) -> None:
    question = "Where do the walruses sleep?"
    open_bird().index(notes)
    open_bird().query(question)
    beside = Path(store_path + ".asked")
    beside.write_bytes(beside.read_bytes()[:-3])
    open_bird().query(question)
    open_bird().query(question)
    assert server.texts.count(question) == 2


def test_the_older_half_of_many_questions_goes(store_path: str) -> None:
    kept = QuestionVectors(store_path, 1_000)
    hashes = [bytes([number]) * 32 for number in range(40)]
    for hash in hashes:
        kept.keep("m", {hash: Vector(b"x" * 50, 1.5)})
    known = kept.known("m", {*hashes})
    assert Path(store_path + ".asked").stat().st_size <= 1_000
    assert hashes[-1] in known
    assert hashes[0] not in known
    assert known[hashes[-1]] == Vector(b"x" * 50, 1.5)
    assert kept.known("another", {*hashes}) == {}
    kept.clear()
    assert kept.known("m", {*hashes}) == {}
