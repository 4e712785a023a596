"""Finding is a unit test: a small corpus of our own, questions in bands, a floor on each band."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from bowerbird import Bowerbird

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from quality.no_answer import auroc, best

HERE = Path(__file__).parent
BANDS = json.loads((HERE / "questions.json").read_text(encoding="utf-8"))
# The share of a band's questions whose answer stands first, and among the first three.
LANGUAGES = json.loads((HERE / "languages.json").read_text(encoding="utf-8"))
FLOORS = {
    "easy": (0.85, 1.0),
    "medium": (0.85, 1.0),
    "hard": (0.8, 1.0),
    "fusion": (0.8, 1.0),
    "conversation": (0.6, 1.0),
    "identifier": (1.0, 1.0),
    "typo": (0.75, 1.0),
    "language": (1.0, 1.0),
}


@pytest.fixture(scope="module")
def bird(tmp_path_factory: pytest.TempPathFactory) -> Bowerbird:
    bird = Bowerbird.open(tmp_path_factory.mktemp("golden") / "memory.db", project="golden")
    report = bird.index(HERE / "corpus")
    assert report.added == len(list((HERE / "corpus").iterdir()))
    return bird


@pytest.mark.parametrize("band", FLOORS)
def test_a_band_keeps_its_floor(bird: Bowerbird, band: str) -> None:
    ranks = {}
    for text, name, shown in BANDS[band]:
        hits = bird.query(text, limit=10)
        right = [
            rank
            for rank, hit in enumerate(hits, 1)
            if hit.path is not None and Path(hit.path).name == name and shown in hit.text
        ]
        ranks[text] = right[0] if right else 99
    first, third = FLOORS[band]
    assert sum(rank == 1 for rank in ranks.values()) / len(ranks) >= first, ranks
    assert sum(rank <= 3 for rank in ranks.values()) / len(ranks) >= third, ranks


def test_the_folders_above_do_not_count(bird: Bowerbird, tmp_path: Path) -> None:
    """Were they words of each file, they would be worth nothing in a question."""
    above = tmp_path / "work" / "lunch" / "index" / "payment"
    shutil.copytree(HERE / "corpus", above)
    with Bowerbird.open(tmp_path / "memory.db", project="golden") as moved:
        moved.index(above)
        for text, *_ in BANDS["fusion"]:
            here, there = bird.query(text), moved.query(text)
            assert [hit.score for hit in there] == pytest.approx([hit.score for hit in here])


def test_words_and_meaning_together_find_no_less_than_either_alone(bird: Bowerbird) -> None:
    def first(**way: object) -> float:
        found = 0
        for text, name, shown in (one for band in FLOORS for one in BANDS[band]):
            hits = bird.query(text, limit=1, **way)  # type: ignore[arg-type]
            found += bool(hits and name in str(hits[0].path) and shown in hits[0].text)
        return found

    together = first()
    assert together >= first(fast=True)
    assert together > first(without=["lexical", "document", "held"])


@pytest.fixture(scope="module")
def abroad(tmp_path_factory: pytest.TempPathFactory) -> Bowerbird:
    """One handbook in ten languages, all in one store."""
    bird = Bowerbird.open(tmp_path_factory.mktemp("abroad") / "memory.db", project="golden")
    bird.index(HERE / "languages")
    return bird


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_languages_are_found_by_other_forms_of_their_words(
    abroad: Bowerbird, language: str
) -> None:
    best = {text: next(iter(abroad.query(text)), None) for text, _ in LANGUAGES[language]}
    wrong = [
        text for text, shown in LANGUAGES[language] if shown not in getattr(best[text], "text", "")
    ]
    # In Turkish one question in six shares no word's beginning with its answer.
    assert len(wrong) <= (language == "tr"), wrong
    sure = [hit.relevance for hit in best.values() if hit is not None]
    assert sum(sure) / len(sure) >= 0.25  # .14 in Arabic and .16 in Greek where a mark ends a word


def test_what_nobody_wrote_is_not_found(bird: Bowerbird) -> None:
    answered = {text: [hit.snippet for hit in bird.query(text)] for text in BANDS["nothing"]}
    assert {text for text, hits in answered.items() if hits} == set()


def test_a_floor_keeps_out_what_shares_no_more_than_a_word(bird: Bowerbird) -> None:
    asked = [*BANDS["nothing"], *BANDS["nearly"]]
    assert {text for text in asked if bird.query(text, min_score=0.3)} == set()


def test_what_nobody_wrote_is_handed_to_no_prompt(bird: Bowerbird) -> None:
    asked = [*BANDS["nothing"], *BANDS["nearly"]]
    assert {text for text in asked if len(bird.context(text, min_trust="imported"))} == set()


def test_what_is_handed_to_a_prompt_holds_the_answer(bird: Bowerbird) -> None:
    for text, name, shown in BANDS["easy"]:
        pack = bird.context(text, min_trust="imported")
        assert any(shown in item.text and name in item.citation for item in pack), text


def test_relevance_tells_right_from_wrong(bird: Bowerbird) -> None:
    sure = [bird.query(text)[0].relevance for text, *_ in BANDS["easy"]]
    assert min(sure) > 0.4


@pytest.mark.parametrize("fast", [False, True])
def test_relevance_tells_answers_from_none(bird: Bowerbird, fast: bool) -> None:
    asked = [question for band in FLOORS for question in BANDS[band]]
    answers = [(bird.query(text, fast=fast), shown) for text, _, shown in asked]
    true = [best(hits) for hits, shown in answers if any(shown in hit.text for hit in hits)]
    false = [best(bird.query(text, fast=fast)) for text in BANDS["unanswerable"]]
    assert auroc(true, false) >= 0.88


def test_of_the_same_matters_little_is_handed_to_a_prompt_without_an_answer(
    bird: Bowerbird,
) -> None:
    packs = {text: bird.context(text, min_trust="imported") for text in BANDS["unanswerable"]}
    assert sum(len(pack) > 0 for pack in packs.values()) <= 0.15 * len(packs)


def test_contributions_sum_to_the_score(bird: Bowerbird) -> None:
    asked = [question[0] for band in FLOORS for question in BANDS[band]]
    for text in asked:
        hits = bird.query(text, explain=True)
        for hit in hits:
            parts = hits.trace.contributions(hit.entry.row)
            assert sum(parts.values()) == pytest.approx(hit.score, abs=1e-9)
            assert 0 <= hit.score <= 1


def test_words_alone_still_answer(bird: Bowerbird) -> None:
    hits = bird.query("how often is a failed payment tried again", fast=True)
    assert "seven days" in hits[0].text
    assert hits.trace.degraded == ["dense: asked for words alone"]


def test_an_identifier_is_found_as_it_is_written(bird: Bowerbird) -> None:
    for asked in ("retryDelay", "parse_job", "where is parse_job defined", "max_connections"):
        best = bird.query(asked)[0]
        assert asked.split()[-2 if "defined" in asked else -1] in best.text
        assert best.relevance > 0.5
