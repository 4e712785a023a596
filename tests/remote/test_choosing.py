"""Which models there are, which `auto` takes, and a store that is embedded anew while it answers."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.remote import tiny_gguf
from tests.remote.conftest import EmbeddingServer
from tests.remote.language import KEY, LanguageServer

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig, BadInput, ModelError, UnknownName
from bowerbird.core.model_choice import EMBED, RERANK, WRITE, ModelChoice
from bowerbird.models.automatic import chosen, free_memory, writer
from bowerbird.models.fetch import KNOWN, fetched

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = ("Redis must be up before the tests.", "Deploy on friday.", "The walrus is on the ice.")
FILE = bytes(range(256)) * 9_000
SUM = hashlib.sha256(FILE).hexdigest()
GIGABYTE = 1 << 30
ROLES = (EMBED, RERANK, WRITE)


class Host:
    """Serves files and an Ollama's lists; paths that end in ``half`` end too early."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        ours = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                ours.asked.append(self.path)
                if self.path == "/api/tags":
                    names = ("gpt-oss:120b-cloud", "nomic-embed-text:latest", "qwen3:1.7b")
                    models = [{"name": name, "size": 274_302_450} for name in names]
                    self._answer(json.dumps({"models": models}).encode())
                elif self.path.startswith("/away/"):
                    self.send_response(302)
                    self.send_header("Location", "http://example.com/model.gguf")
                    self.end_headers()
                elif self.path.startswith("/moved/"):
                    self.send_response(302)
                    self.send_header("Location", f"{ours.address}/files/model.gguf")
                    self.end_headers()
                elif self.path.startswith("/files/"):
                    self._answer(FILE)
                elif self.path.startswith("/half/"):
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(FILE)))
                    self.end_headers()
                    self.wfile.write(FILE[:1000])
                else:
                    self.send_error(404)

            def do_POST(self) -> None:
                size = int(self.headers["content-length"])
                name = json.loads(self.rfile.read(size))["model"]
                embeds = "embed" in name
                info = {"general.architecture": "bert", "bert.embedding_length": 768}
                said = {
                    "capabilities": ["embedding" if embeds else "completion"],
                    "model_info": info,
                }
                self._answer(json.dumps(said).encode())

            def _answer(self, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_arguments: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def host() -> Iterator[Host]:
    found = Host()
    yield found
    found.close()


@pytest.fixture
def folder() -> Path:
    """The models folder of this test's home."""
    found = Path(os.environ["XDG_DATA_HOME"]) / "bowerbird" / "models"
    found.mkdir(parents=True)
    return found


def settings_file() -> str:
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "bowerbird" / "config.toml"
    return path.read_text() if path.exists() else ""


def test_a_file_is_fetched_by_its_checksum(host: Host, tmp_path: Path) -> None:
    into = str(tmp_path / "models")
    for path in ("files", "moved"):
        got = fetched(f"{host.address}/{path}/model.gguf", SUM.upper(), into)
        assert Path(got.path).read_bytes() == FILE
        assert (got.size_bytes, got.sha256, got.was_there) == (len(FILE), SUM, path == "moved")
    assert len(host.asked) == 1
    Path(got.path).write_bytes(b"damaged")
    assert not fetched(f"{host.address}/moved/model.gguf", SUM, into).was_there
    assert Path(got.path).read_bytes() == FILE
    assert os.listdir(into) == ["model.gguf"]


@pytest.mark.parametrize(
    ("path", "sum", "error", "said"),
    [
        ("/files/model.gguf", "0" * 64, ModelError, f"its checksum is {SUM}"),
        ("/half/model.gguf", SUM, ModelError, "ended before the file did"),
        ("/none/model.gguf", SUM, ModelError, "cannot be fetched from 127.0.0.1:.* not found"),
        ("/away/model.gguf", SUM, BadInput, "no one of https|is not one of https"),
        ("/files/model.gguf", "", BadInput, "needs the checksum"),
        ("/files/model.bin", SUM, BadInput, "is no GGUF file"),
    ],
)
def test_a_download_that_fails_leaves_nothing(
    host: Host, tmp_path: Path, path: str, sum: str, error: type[Exception], said: str
) -> None:
    into = tmp_path / "models"
    with pytest.raises(error, match=said):
        fetched(host.address + path, sum, str(into))
    assert not into.exists() or os.listdir(into) == []


def test_what_has_no_address_is_one_of_a_list(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no model that can be fetched") as caught:
        fetched("gpt-6", "", str(tmp_path))
    assert all(name in caught.value.remedy for name in KNOWN)
    with pytest.raises(BadInput, match="is not one of https"):
        fetched("http://example.com/model.gguf", SUM, str(tmp_path))
    for known in KNOWN.values():
        assert known.url.startswith("https://")
        assert len(known.sha256) == 64


def test_the_list_has_files_ollama_and_what_the_settings_name(
    host: Host, folder: Path, store_path: str
) -> None:
    tiny_gguf.write(folder / "tiny.gguf", tiny_gguf.MEAN)
    tiny_gguf.write(folder / "ranks.gguf", tiny_gguf.RANK)
    (folder / "broken.gguf").write_bytes(b"PK")
    (folder / "notes.txt").write_text("nothing")
    settings = {
        "embed.provider": "ollama",
        "embed.model": "nomic-embed-text",
        "embed.endpoint": host.address,
        "rerank.provider": "gguf",
        "rerank.model": str(folder / "ranks.gguf"),
        "llm.provider": "openai",
        "llm.model": "gpt-6-luna",
    }
    with Bowerbird.open(store_path, settings=settings) as bird:
        found = {one.name: one for one in bird.admin.models().models}
    assert {name: (one.role, one.local, one.dims, one.used) for name, one in found.items()} == {
        "ollama/nomic-embed-text:latest": ("embed", True, 768, True),
        "gguf/ranks.gguf": ("rerank", True, 0, True),
        "openai/gpt-6-luna": ("write", False, 0, True),
        "builtin": ("embed", True, 256, False),
        "contextual": ("embed", True, 384, False),
        "gguf/tiny.gguf": ("embed", True, tiny_gguf.DIMS, False),
        "gguf/broken.gguf": ("embed", True, 0, False),
        "ollama/gpt-oss:120b-cloud": ("write", False, 0, False),
        "ollama/qwen3:1.7b": ("write", True, 0, False),
    }
    assert "damaged" in found["gguf/broken.gguf"].note
    for name in ("tiny.gguf", "ranks.gguf"):
        assert found[f"gguf/{name}"].size_bytes == (folder / name).stat().st_size
    assert found["contextual"].size_bytes > found["builtin"].size_bytes > 8_000_000


def test_speed_and_quality_are_measured_and_kept(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        assert [one.found for one in bird.admin.models().models] == [None, None]
        rows = {one.name: one for one in bird.admin.models(measure=True).models}
        again = {one.name: one for one in bird.admin.models().models}
    assert again == rows
    builtin, contextual = rows["builtin"], rows["contextual"]
    assert builtin.found is not None
    assert contextual.found is not None
    assert 0.4 < builtin.found < contextual.found < 1
    assert builtin.ms_per_text is not None
    assert contextual.ms_per_text is not None
    assert builtin.ms_per_text < contextual.ms_per_text


class Watching:
    """Asks the store, and lets another process warm it, while it is embedded anew."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.models: set[str] = set()
        self.embedded = 0
        self._waits = False

    def start(self, _what: str, total: int) -> None:
        self._waits = not total
        if self._waits:
            return
        with Bowerbird.open(self._path) as other:
            hits = other.query("redis")
            assert hits.trace.degraded == []
            self.models.add(hits.model)
            other.admin.warm()

    def advance(self, units: int, _label: str = "") -> None:
        self.embedded += units

    def finish(self) -> None:
        if self._waits:
            return
        with Bowerbird.open(self._path) as other:
            self.models.add(other.query("redis").model)
            other.remember("Written while the store was embedded anew.")
            other.admin.warm()


def test_the_former_model_answers_until_the_new_one_is_whole(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        for text in TEXTS:
            bird.remember(text)
        former = bird.query("redis").model
        watching = Watching(store_path)
        found = bird.admin.use_model("contextual", wait=True, progress=watching)
    # What was written meanwhile is embedded by whoever comes first.
    assert watching.embedded == len(TEXTS)
    assert former in watching.models
    assert [one.name for one in found.models if one.used] == ["contextual"]
    assert found.change is None
    assert settings_file() == '[embed]\nprovider = "contextual"\n'
    with Bowerbird.open(store_path) as bird:
        hits = bird.query("what has to run before the tests?")
        assert hits.trace.degraded == []
        assert "384 dims" in hits.model
        assert hits[0].text == TEXTS[0]
        findings = [one for one in bird.admin.doctor() if one.check == "model"]
        assert [one.level for one in findings] == ["ok"]
        assert f"{len(TEXTS) + 1} vectors" in findings[0].found


class Interrupting(Watching):
    """Ends the run after the first batch."""

    def advance(self, units: int, label: str = "") -> None:
        super().advance(units, label)
        raise KeyboardInterrupt

    def finish(self) -> None:
        """Leave things as they are."""


def test_who_still_has_the_former_model_drops_nothing_of_the_new_one(store_path: str) -> None:
    with Bowerbird.open(store_path) as late, Bowerbird.open(store_path) as bird:
        for text in TEXTS:
            bird.remember(text)
        # As the upkeep of a server that began before the change, and ends after it.
        assert late.admin.warm().total == len(TEXTS)
        bird.admin.use_model("contextual", wait=True)
        late.admin.warm()
    with Bowerbird.open(store_path) as bird:
        hits = bird.query("where is the walrus")
        assert hits.trace.degraded == []
        assert "384 dims" in hits.model
        assert bird.admin.warm().newly_cached == 0


def test_an_interrupted_change_leaves_the_former_model_and_goes_on(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        for text in TEXTS:
            bird.remember(text)
        with pytest.raises(KeyboardInterrupt):
            bird.admin.use_model("contextual", wait=True, progress=Interrupting(store_path))
        assert settings_file() == ""
        found = bird.admin.models()
        assert found.change is not None
        assert (found.change.name, found.change.running) == ("contextual", False)
        assert (found.change.done, found.change.total) == (len(TEXTS), len(TEXTS))
        assert any("bower model use contextual" in one for one in found.notes)
        # Who takes another model since hears no more of it.
        other = {"embed.provider": "contextual"}
        with Bowerbird.open(store_path, settings=other) as changed:
            since = changed.admin.models()
            assert (since.change, since.notes) == (None, ())
        watching = Watching(store_path)
        bird.admin.use_model("contextual", wait=True, progress=watching)
        assert bird.admin.models().change is None
    with Bowerbird.open(store_path) as bird:
        assert "384 dims" in bird.query("redis").model


def test_what_cannot_be_used_changes_nothing(
    host: Host, folder: Path, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tiny_gguf.write(folder / "half.gguf", tiny_gguf.MEAN)
    path.write_bytes(path.read_bytes()[:-2_000])
    (folder / "broken.gguf").write_bytes(b"PK")
    with Bowerbird.open(store_path) as bird:
        bird.remember(TEXTS[0])
        for name, error, said in (
            ("contextul", UnknownName, "contextul"),
            ("gguf/broken.gguf", ModelError, "damaged"),
            ("half.gguf", ModelError, "its end is missing"),
        ):
            with pytest.raises(error, match=said):
                bird.admin.use_model(name, wait=True)
    settings = {"embed.endpoint": host.address, "embed.provider": "compatible", "embed.model": "m"}
    with monkeypatch.context() as changed:
        changed.setenv("BOWER_EMBED_KEY", "one-of-the-first-server")
        with (
            Bowerbird.open(store_path, settings=settings) as bird,
            pytest.raises(BadConfig, match="BOWER_EMBED_KEY is compatible's, not voyage's"),
        ):
            bird.admin.use_model("voyage/voyage-4", wait=True)
    settings |= {"embed.provider": "ollama", "embed.endpoint": "http://127.0.0.1:9"}
    with (
        Bowerbird.open(store_path, settings=settings) as bird,
        pytest.raises(ModelError, match=r"no Ollama answers at 127\.0\.0\.1:9") as raised,
    ):
        bird.admin.use_model("ollama/nomic-embed-text", wait=True)
    assert "ollama pull nomic-embed-text" in raised.value.remedy
    monkeypatch.setenv("BOWER_EMBED_PROVIDER", "builtin")
    with (
        Bowerbird.open(store_path) as bird,
        pytest.raises(BadConfig, match="BOWER_EMBED_PROVIDER is set"),
    ):
        bird.admin.use_model("contextual", wait=True)
    assert settings_file() == ""


def test_the_former_server_keeps_its_address_and_key(store_path: str) -> None:
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "bowerbird" / "config.toml"
    path.parent.mkdir(parents=True)
    server = 'provider = "compatible"\nmodel = "m"\nendpoint = "http://127.0.0.1:9"\nkey = "k"\n'
    path.write_text(f"[embed]\n{server}timeout = 9\n")
    with Bowerbird.open(store_path) as bird:
        bird.remember(TEXTS[0])
        found = bird.admin.use_model("builtin", wait=True)
        assert [one.name for one in found.models if one.used] == ["builtin"]
    assert tomllib.loads(settings_file()) == {"embed": {"provider": "builtin", "timeout": 9}}


def test_a_server_and_its_model_are_named_together(store_path: str) -> None:
    with EmbeddingServer() as server:
        path = Path(os.environ["XDG_CONFIG_HOME"]) / "bowerbird" / "config.toml"
        path.parent.mkdir(parents=True)
        path.write_text('[embed]\nprovider = "tei"\nendpoint = "http://127.0.0.1:9"\n')
        with Bowerbird.open(store_path) as bird:
            # A store whose model is gone keeps and finds: by words.
            bird.remember(TEXTS[0])
            bird.admin.use_model("compatible/m", "embed", server.address, wait=True)
            with pytest.raises(BadInput, match="has no server"):
                bird.admin.use_model("builtin", "", server.address)
    wanted = {"provider": "compatible", "model": "m", "endpoint": server.address}
    assert tomllib.loads(settings_file()) == {"embed": wanted}


def test_settings_that_name_no_whole_model_leave_words(store_path: str) -> None:
    for lacking in (
        {"embed.provider": "compatible", "embed.model": "m"},
        {"embed.provider": "compatible", "embed.endpoint": "http://127.0.0.1:9"},
    ):
        with Bowerbird.open(store_path, settings=lacking) as bird:
            kept = bird.remember(TEXTS[0])
            hits = bird.query("redis")
            assert [hit.id for hit in hits] == [kept.id]
            assert any("is not set" in one for one in hits.trace.degraded)
            assert any("is not set" in str(one) for one in bird.status().notes)


def halved(answer: dict[str, Any]) -> object:
    for one in answer["data"]:
        one["embedding"] = one["embedding"][:128]
    return answer


def test_a_model_that_answers_with_other_dimensions_embeds_anew(store_path: str) -> None:
    with EmbeddingServer() as server:
        settings = {
            "embed.provider": "compatible",
            "embed.model": "m",
            "embed.endpoint": server.address,
        }
        with Bowerbird.open(store_path, settings=settings) as bird:
            bird.remember(TEXTS[0])
        server.changed = halved
        with Bowerbird.open(store_path, settings=settings) as bird:
            (lacks,) = bird.query("walrus").trace.degraded
            assert "bower model use compatible/m" in lacks
            bird.admin.use_model("compatible/m", wait=True)
        with Bowerbird.open(store_path, settings=settings) as bird:
            hits = bird.query("redis before the tests")
            assert (hits.trace.degraded, "128 dims" in hits.model) == ([], True)


def test_auto_stays_with_a_server_of_this_machine_and_refuses_another(store_path: str) -> None:
    with EmbeddingServer() as server:
        address = {"embed.endpoint": server.address}
        named = {"embed.provider": "compatible", "embed.model": "m"}
        with Bowerbird.open(store_path, settings=address | named) as bird:
            bird.remember(TEXTS[0])
        with Bowerbird.open(store_path, settings=address) as bird:
            bird.admin.use_model("auto")
        with Bowerbird.open(store_path, settings=address) as bird:
            assert bird.query("redis").model.startswith("compatible/m")
            # What `auto` has taken has the address, and the next one does not get it.
            with pytest.raises(ModelError, match=r"api\.openai\.com wants a key"):
                bird.admin.use_model("openai/text-embedding-3-small", wait=True)
        with Bowerbird.open(store_path, settings={"embed.endpoint": "http://127.0.0.1:9"}) as bird:
            assert any("embedded with compatible/m" in one for one in bird.admin.models().notes)
            with pytest.raises(ModelError, match="embedded with compatible/m"):
                bird.admin.use_model("auto")
            bird.admin.use_model("builtin", wait=True)
        with Bowerbird.open(store_path) as bird:
            assert "builtin/bower-static" in bird.query("redis").model


def test_a_reranker_and_a_writer_are_set_as_an_embedder_is(folder: Path, store_path: str) -> None:
    tiny_gguf.write_writer(folder / "writes.gguf")
    tiny_gguf.write(folder / "ranks.gguf", tiny_gguf.RANK)
    with Bowerbird.open(store_path) as bird:
        bird.remember(TEXTS[0])
        found = bird.admin.use_model("writes.gguf")
        assert [one.name for one in found.models if one.used] == ["builtin", "gguf/writes.gguf"]
        assert "does what a language model does from now on" in found.notes[0]
        found = bird.admin.use_model("gguf/ranks.gguf")
        assert found.change is None
    written = tomllib.loads(settings_file())
    assert written == {
        "llm": {"provider": "gguf", "model": str(folder / "writes.gguf")},
        "rerank": {"provider": "gguf", "model": str(folder / "ranks.gguf")},
    }
    with Bowerbird.open(store_path) as bird:
        assert {one.role for one in bird.admin.models().models if one.used} == set(ROLES)
        # What it was made for is no law.
        bird.admin.use_model("writes.gguf", "embed", wait=True)
    with Bowerbird.open(store_path) as bird:
        assert f"{tiny_gguf.DIMS} dims" in bird.query("redis").model


def test_a_service_is_named_with_its_model_and_what_it_is_for(store_path: str) -> None:
    with LanguageServer() as server, Bowerbird.open(store_path) as bird:
        server.says = [(401, '{"error": {"message": "bad key"}}'), '{"ready": "yes"}']
        address = {"llm.endpoint": f"{server.address}/v1", "llm.key": KEY}
        with Bowerbird.open(store_path, settings=address) as mine:
            with pytest.raises(ModelError, match="answers 401: bad key") as raised:
                mine.admin.use_model("anthropic/claude-haiku-5-5")
            assert "llm.key" in raised.value.remedy
            assert not settings_file()
            mine.admin.use_model("anthropic/claude-haiku-5-5")
        for name, role, error, said in (
            ("openai/gpt-6-luna", "", BadInput, "several things"),
            ("voyage/voyage-4", "write", BadInput, "no models to write"),
            ("compatible/m", "write", BadConfig, "llm.endpoint is not set"),
        ):
            with pytest.raises(error, match=said):
                bird.admin.use_model(name, role)
    assert tomllib.loads(settings_file()) == {
        "llm": {"provider": "anthropic", "model": "claude-haiku-5-5"}
    }


@pytest.mark.parametrize(
    ("gigabytes", "name"), [(64, "qwen3:8b"), (16, "qwen3:4b"), (4, "qwen3:0.6b")]
)
def test_ollama_writes_by_what_fits_this_machine_if_no_model_is_named(
    gigabytes: int, name: str, store_path: str
) -> None:
    assert writer(gigabytes * GIGABYTE) == name
    with LanguageServer() as server:
        server.says = ['{"phrases": []}', '{"passage": "Redis."}']
        settings = {"llm.provider": "ollama", "llm.endpoint": server.address}
        with Bowerbird.open(store_path, settings=settings) as bird:
            bird.remember(TEXTS[0])
            bird.query("what hangs?", expand=True)
            (used,) = (one.name for one in bird.admin.models().models if one.role == WRITE)
        assert used == f"ollama/{server.bodies[0]['model']}"
        assert used.startswith("ollama/qwen3:")


def test_other_settings_stay_as_they_were_written(store_path: str) -> None:
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "bowerbird" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("# mine\nquery.limit = 3  # few\n\n[embed]\ndims = 64\ntimeout = 9\n")
    with Bowerbird.open(store_path) as bird:
        bird.admin.use_model("contextual")
    assert path.read_text() == (
        '# mine\nquery.limit = 3  # few\n\n[embed]\ntimeout = 9\nprovider = "contextual"\n'
    )


def test_auto_stays_with_the_model_of_the_store(folder: Path, store_path: str) -> None:
    settings = {"embed.provider": "auto"}
    with Bowerbird.open(store_path, settings=settings) as bird:
        bird.remember(TEXTS[0])
        assert "builtin/bower-static" in bird.query("redis").model
        (why,) = (note for note in bird.status().notes if note.kind == "model")
        assert "no other on this machine" in why or "embedded with it" in why
    # A file that comes later does not replace it.
    path = tiny_gguf.write(folder / "tiny.gguf", tiny_gguf.MEAN)
    with Bowerbird.open(store_path, settings=settings) as bird:
        assert "builtin/bower-static" in bird.query("redis").model
    with Bowerbird.open(store_path + ".new", settings=settings) as bird:
        bird.remember(TEXTS[0])
        assert "gguf/tiny.gguf" in bird.query("redis").model
        assert bird.query("redis").trace.degraded == []
    path.unlink()
    with Bowerbird.open(store_path + ".new", settings=settings) as bird:
        hits = bird.query("redis")
        # By words alone: no other model's vectors stand in.
        assert [hit.text for hit in hits] == [TEXTS[0]]
        assert any("does not hold it" in one for one in hits.trace.degraded)
        kept = bird.remember("Redis listens on port 6379.")
        assert bird.get(kept.id).text
        assert any("does not hold it" in note for note in bird.status().notes)


def _model(name: str, **more: Any) -> ModelChoice:
    return ModelChoice(name, EMBED, name.partition("/")[0], **more)


@pytest.mark.parametrize(
    ("files", "served", "free", "taken"),
    [
        ((), (), 8, "builtin"),
        (("gguf/x.gguf", "onnx/gte-small", "onnx/bge-small-en"), ("ollama/m",), 8, "onnx/bge-small-en"),
        (("onnx/zeta", "onnx/eta"), (), 8, "onnx/zeta"),
        ((), ("ollama/a", "ollama/qwen3-embedding:8b", "ollama/qwen3-embedding:0.6b"), 64, ":8b"),
        ((), ("ollama/a", "ollama/qwen3-embedding:8b", "ollama/qwen3-embedding:0.6b"), 4, ":0.6b"),
        ((), ("ollama/a", "ollama/b"), 4, "ollama/a"),
    ],
)  # fmt: skip
def test_auto_prefers_files_then_ollama_then_the_builtin_one(
    files: tuple[str, ...], served: tuple[str, ...], free: int, taken: str
) -> None:
    found, why = chosen(map(_model, files), lambda: map(_model, served), free * GIGABYTE)
    assert found.name.endswith(taken)
    assert why


def test_auto_takes_nothing_that_is_elsewhere_or_unusable() -> None:
    files = [_model("gguf/a.gguf", note="it needs a package")]
    found, _ = chosen(files, lambda: [_model("ollama/x:cloud", local=False)], GIGABYTE)
    assert found.name == "builtin"
    assert free_memory() > 0
