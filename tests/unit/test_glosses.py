"""Texts of other languages word by word in English."""

import runpy
from pathlib import Path

import pytest

from bowerbird.core.errors import ModelError
from bowerbird.core.language import GLOSSED, STOP_WORDS
from bowerbird.models.embed.glosses import REVISION, WEIGHTS, Glosses, GlossList
from bowerbird.models.embed.wordpiece import LONGEST_WORD

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "build_glosses.py"))
LINES = "brot bread\nnicht not\nschlussel key\nturen doors\nwerkstatt workshop\n"


@pytest.fixture
def german(tmp_path: Path) -> GlossList:
    path = tmp_path / "glosses-de.txt"
    path.write_text(LINES, encoding="utf-8")
    return GlossList(str(path), "de")


@pytest.mark.parametrize(
    ("word", "gloss"),
    [
        ("brot", "bread"),  # the first line
        ("werkstatt", "workshop"),  # the last
        ("schlussels", "key"),  # a form of it
        ("turschlussel", ""),  # "tur" is too short a part
        ("brotschlussel", "bread key"),
        ("werkstattschlussel", "workshop key"),
        ("aal", ""),  # before the first
        ("zebra", ""),  # behind the last
        ("brotundbutter", ""),  # a part that no list holds
        ("5433", ""),
    ],
)
def test_a_word_is_found_by_itself_its_parts_or_its_beginning(
    german: GlossList, word: str, gloss: str
) -> None:
    assert german.gloss(word) == gloss


def test_a_word_that_the_model_does_not_read_is_not_taken_apart(tmp_path: Path) -> None:
    path = tmp_path / "glosses-de.txt"
    part = "x" * (LONGEST_WORD - len("brot"))
    path.write_text(f"brot bread\n{part} end\n{part}x end\n", encoding="utf-8")
    german = GlossList(str(path), "de")
    assert german.gloss("brot" + part) == "bread end"
    assert german.gloss("brot" + part + "x") == ""


def test_what_carries_grammar_alone_is_left_out(german: GlossList) -> None:
    words = "der schlussel fur die werkstatt ist nicht bei k8s".split()
    assert german.read(words) == "key workshop not k8s"
    assert german.read(["der", "die"]) == "der die"


@pytest.mark.parametrize("code", GLOSSED)
def test_every_word_of_a_list_is_found(code: str) -> None:
    path = Path(WEIGHTS) / f"glosses-{code}.txt"
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert lines == sorted(lines)
    listed = GlossList(str(path), code)
    for line in (lines[0], *lines[:: len(lines) // 50], lines[-1]):
        word, _, gloss = line.decode().partition(" ")
        assert listed.gloss(word) == gloss
    assert code in STOP_WORDS


def test_english_and_unlisted_languages_stay_as_they_are() -> None:
    glosses = Glosses(str.isnumeric)
    for text in ("The spare key is behind the notice board.", "Где находится запасной ключ?", ""):
        assert glosses.read(text) == text
    assert "key" in glosses.read("Der Schlüssel ist nicht in der Werkstatt.").split()
    assert "key" in glosses.read("La clé n'est pas dans la voiture.").split()


@pytest.mark.parametrize(
    "text",
    ["van rental invoices", "Los Angeles office", "OS version 14", "bin folder layout"],
)
def test_one_word_of_another_language_makes_no_english_text_foreign(text: str) -> None:
    glosses = Glosses(set(text.lower().split()).__contains__)
    assert glosses.read(text).lower().split() == text.lower().split()


def test_what_the_model_has_no_word_for_is_read_by_a_single_stop_word() -> None:
    assert Glosses({"der"}.__contains__).read("Adresse der Datei") == "address der file"


def test_the_model_s_identity_names_the_lists() -> None:
    assert SCRIPT["revision"]() == REVISION


def test_a_list_that_is_missing_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="glosses"):
        GlossList(str(tmp_path / "none.txt"), "de")


def test_forms_that_say_the_same_are_kept_once() -> None:
    found = {"kabel": "cable", "kabels": "cable", "kabine": "cabin", "kabinen": "cabins"}
    assert SCRIPT["pruned"](found) == {"kabel": "cable", "kabine": "cabin", "kabinen": "cabins"}
