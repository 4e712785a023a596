"""The built-in embedder: both paths, text it does not know, and the file it reads."""

import json
import math
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from bowerbird.core.errors import ModelError
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.models.embed import shared_map, static
from bowerbird.models.embed.static import WEIGHTS, StaticEmbedder
from bowerbird.models.embed.tokentable import TokenTable

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from model_files import write_table

TINY = {
    "cat": [3.0, 0.0, 0.5, 0.0],
    "kitten": [2.5, 0.5, 0.5, 0.0],
    "tax": [0.0, 4.0, 0.0, 1.0],
    "##es": [0.0, 0.25, 0.0, 0.25],
    "##s": [0.1, 0.1, 0.1, 0.1],
    "the": [0.01, 0.02, 0.0, 0.01],
}
TEXTS = [
    "The cat sleeps on the warm roof all afternoon.",
    "",
    "Quarterly tax returns are due at the end of April; keep the receipts.",
    "def read_header(path):\n    return openFile(path).readBytes(64)",
    "日本語だけの文章です",
    "!!! ... ???",
    "Straße, über, façade: words of other languages that share letters.",
    "one two three " * 4000,
    "a1b2c3d4e5f6" * 40,
]


def signed(vector: Vector) -> list[int]:
    return list(memoryview(vector.values).cast("b"))


def cosine(one: Vector, other: Vector) -> float:
    left, right = signed(one), signed(other)
    dot = sum(a * b for a, b in zip(left, right, strict=True))
    return dot / math.sqrt(sum(a * a for a in left) * sum(b * b for b in right))


@pytest.fixture(scope="module")
def builtin() -> StaticEmbedder:
    return StaticEmbedder.builtin()


@pytest.fixture
def tiny(tmp_path: Path) -> StaticEmbedder:
    write_table(tmp_path / "tiny.bin", "tiny", TINY)
    return StaticEmbedder(tmp_path / "tiny.bin")


def test_identity_is_the_one_in_the_file(builtin: StaticEmbedder) -> None:
    table = TokenTable(WEIGHTS)
    assert builtin.identity == ModelIdentity("builtin", table.name, 256, table.revision)
    assert len(table.revision) == 12


def test_revision_follows_the_content(tmp_path: Path) -> None:
    first = write_table(tmp_path / "a.bin", "tiny", TINY)
    again = write_table(tmp_path / "b.bin", "tiny", TINY)
    other = write_table(tmp_path / "c.bin", "tiny", {**TINY, "cat": [3.0, 0.0, 0.6, 0.0]})
    assert first == again != other
    assert TokenTable(tmp_path / "a.bin").revision == first


def test_vectors_fill_the_int8_range(builtin: StaticEmbedder) -> None:
    for text, vector in zip(TEXTS, builtin.embed(TEXTS), strict=True):
        assert len(vector.values) == 256
        known = vector.norm > 0
        assert max(map(abs, signed(vector))) == (127 if known else 0), text


def test_batch_is_deterministic_and_keeps_order(builtin: StaticEmbedder) -> None:
    together = builtin.embed(TEXTS)
    assert together == builtin.embed(TEXTS)
    # In whatever company a text is read, to the last bit: files may come in any order.
    assert together == [builtin.embed([text])[0] for text in TEXTS]
    assert builtin.embed([]) == []


def test_chunks_do_not_change_a_batch(
    builtin: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = builtin.embed(TEXTS)
    monkeypatch.setattr(static, "CHUNK_CHARACTERS", 60)
    assert builtin.embed(TEXTS) == whole
    monkeypatch.setattr(static, "GATHERED_ROWS", 5)
    for one, other in zip(whole, builtin.embed(TEXTS), strict=True):
        assert one.norm == pytest.approx(other.norm, rel=1e-3)
        assert one.norm == 0 or cosine(one, other) > 0.999


def test_question_path_equals_batch_path(builtin: StaticEmbedder) -> None:
    for text, vector in zip(TEXTS, builtin.embed(TEXTS), strict=True):
        question = builtin.embed_query(text)
        assert question.norm == pytest.approx(vector.norm, rel=1e-3)
        assert vector.norm == 0 or cosine(question, vector) > 0.99


def test_many_different_words_have_the_pieces_of_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of words all pieces are read into memory; the rows are those of the file."""
    words = [
        *(f"n{number}x" for number in range(300)),
        "x" * 90,
        "\u4f1a\u8bae7",
        "internationalizations",
    ]
    one_by_one = StaticEmbedder.builtin()
    expected = [one_by_one.rows_of(word) for word in words]
    monkeypatch.setattr(static, "LOOKED_UP", 10)
    embedder = StaticEmbedder.builtin()
    assert [embedder.rows_of(word) for word in words] == expected
    assert embedder._pieces is not None


@pytest.mark.parametrize("text", ["", "   ", "?!…", "日本語だけ", "Привет мир", "שלום", "🙂🙂"])
def test_unknown_text_says_nothing(builtin: StaticEmbedder, text: str) -> None:
    assert builtin.embed_query(text) == Vector(bytes(256), 0.0)
    assert builtin.embed([text, "known words", text])[::2] == [Vector(bytes(256), 0.0)] * 2


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        (
            "how do I make the tests run faster?",
            "Speed up the test suite by running it in parallel.",
            "She painted the kitchen door blue last summer.",
        ),
        (
            "Which pet does Anna have?",
            "Anna: my puppy chewed my shoes again this morning!",
            "The server listens on port 8080 behind a proxy.",
        ),
        (
            "read a JSON file in Python",
            "def load(path):\n    with open(path) as file:\n        return json.load(file)",
            "def area(radius):\n    return math.pi * radius ** 2",
        ),
    ],
)
def test_meaning_is_nearer_than_anything_else(
    builtin: StaticEmbedder, question: str, near: str, far: str
) -> None:
    asked = builtin.embed_query(question)
    close, distant = builtin.embed([near, far])
    assert cosine(asked, close) > cosine(asked, distant) + 0.1


def test_word_weight_moves_the_question(builtin: StaticEmbedder) -> None:
    text = "the history of bread"
    bread = builtin.embed_query("bread")
    plain = builtin.embed_query(text)
    weighted = builtin.embed_query(text, lambda word: 1.0 if word == "bread" else 0.05)
    assert cosine(bread, weighted) > cosine(bread, plain)
    assert builtin.embed_query(text, lambda word: 0.0) == Vector(bytes(256), 0.0)


def test_a_question_has_one_vector_with_numpy_and_without(
    builtin: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> list[Vector]:
        return [builtin.embed_query(text, lambda word: 1 / (3 + len(word))) for text in TEXTS]

    builtin.embed(["a batch loads it"])
    assert "numpy" in sys.modules
    loaded = asked()
    monkeypatch.delitem(sys.modules, "numpy")
    assert asked() == loaded


def test_norms_let_texts_be_added(builtin: StaticEmbedder) -> None:
    left, right = "The ferry leaves at nine.", "Tickets are sold on board."
    one, two, both = builtin.embed([left, right, f"{left} {right}"])
    total = [0.0] * 256
    for vector in (one, two):
        values = signed(vector)
        length = math.sqrt(sum(value * value for value in values))
        total = [
            sum_ + vector.norm * value / length for sum_, value in zip(total, values, strict=True)
        ]
    window = math.sqrt(sum(value * value for value in total))
    assert window == pytest.approx(both.norm, rel=0.02)
    dot = sum(a * b for a, b in zip(total, signed(both), strict=True))
    assert dot / window / math.sqrt(sum(value**2 for value in signed(both))) > 0.99


def test_words_are_cut_greedily(tiny: StaticEmbedder) -> None:
    rows = list(TINY)
    assert [rows[row] for row in tiny.rows_of("taxes")] == ["tax", "##es"]
    assert [rows[row] for row in tiny.rows_of("cats")] == ["cat", "##s"]
    assert [rows[row] for row in tiny.rows_of("жcats")] == ["##s"]
    assert tiny.rows_of("qqq") == ()


def test_a_tiny_model_adds_its_rows(tiny: StaticEmbedder) -> None:
    vector = tiny.embed_query("Taxes")
    assert vector.norm == pytest.approx(math.hypot(4.25, 1.25), rel=0.01)
    assert signed(vector) == [0, 127, 0, 38]
    (batch,) = tiny.embed(["taxes"])
    assert signed(batch) == [0, 127, 0, 38]
    asked = tiny.embed_query("the kitten")
    cat, tax = tiny.embed(["cats", "taxes"])
    assert cosine(asked, cat) > 0.9 > cosine(asked, tax)


def test_file_can_be_read_back(tmp_path: Path) -> None:
    write_table(tmp_path / "tiny.bin", "tiny", TINY)
    table = TokenTable(tmp_path / "tiny.bin")
    assert (table.name, table.dims, table.rows) == ("tiny", 4, len(TINY))
    for number, (piece, row) in enumerate(TINY.items()):
        assert table.find(piece.encode()) == number
        assert table.piece(number) == piece
        values = table.table[4 * number : 4 * number + 4]
        scale = table.scales[number]
        assert [value * scale for value in values] == pytest.approx(row, abs=scale)
    assert table.find(b"dog") == -1


def test_shipped_vocabulary_is_folded_words() -> None:
    table = TokenTable(WEIGHTS)
    pieces = [table.piece(row) for row in range(table.rows)]
    assert len(set(pieces)) == table.rows > 20_000
    assert all(piece == piece.lower() and not piece.startswith("[") for piece in pieces)
    assert all(table.find(piece.encode()) == row for row, piece in enumerate(pieces))
    assert Path(WEIGHTS).stat().st_size < 12_000_000


def test_other_files_are_refused(tmp_path: Path) -> None:
    good = tmp_path / "good.bin"
    write_table(good, "tiny", TINY)
    data = good.read_bytes()
    bad = tmp_path / "bad.bin"
    for broken in (b"", b"PK\x03\x04 something else", data[:1060]):
        bad.write_bytes(broken)
        with pytest.raises(ModelError):
            StaticEmbedder(bad)
    with pytest.raises(ModelError):
        StaticEmbedder(tmp_path / "missing.bin")


def test_header_is_what_the_layout_says() -> None:
    data = Path(WEIGHTS).read_bytes()
    (size,) = struct.unpack_from("<I", data, 8)
    header = json.loads(data[12 : 12 + size])
    offset, length = header["sections"]["table"]
    assert length == header["rows"] * header["dims"]
    assert offset % 64 == 0


def test_a_question_loads_no_numpy() -> None:
    code = (
        "import sys; from bowerbird.models.embed.static import StaticEmbedder;"
        "assert StaticEmbedder.builtin().embed_query('a cold question').norm > 0;"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("size", [0, 4, 8, 11, 40, 5_000])
def test_a_file_that_was_cut_short_is_reported(size: int, tmp_path: Path) -> None:
    path = tmp_path / "cut.bin"
    path.write_bytes(Path(WEIGHTS).read_bytes()[:size])
    with pytest.raises(ModelError) as raised:
        TokenTable(path)
    assert raised.value.remedy


def test_common_words_are_known_and_rare_names_are_not(builtin: StaticEmbedder) -> None:
    assert all(map(builtin.knows, ("serve", "passed", "server")))
    assert not any(map(builtin.knows, ("srever", "maia", "")))


def test_a_file_is_mapped_once_a_process(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(b"first")
    one = shared_map(path)
    assert shared_map(path) is one
    path.unlink()
    path.write_bytes(b"another")
    assert shared_map(path)[:] == b"another"
    assert one[:] == b"first"
