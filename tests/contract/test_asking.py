"""What answers stands before what asks, and the number beside a hit agrees with its place."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from bowerbird.bird import Bowerbird

# A person's question, what answers it in the next turn, and the question as it is asked again.
EXCHANGES = [
    (
        "Which Python versions does the pipeline run on?",
        "The matrix holds 3.11, 3.12 and 3.13; the nightly job adds 3.14.",
        "which python versions does the pipeline run on",
    ),
    (
        "Auf welchem Port läuft der Rechnungsdienst?",
        "Er hört auf 8443, hinter dem Proxy.",
        "Auf welchem Port läuft der Rechnungsdienst?",
    ),
    (
        "Où sont stockées les sauvegardes du serveur ?",
        "Dans le compartiment « archive-nuit », chiffrées.",
        "Où sont stockées les sauvegardes du serveur ?",
    ),
    (
        "¿Quién aprueba los cambios del esquema?",
        "Siempre Lucía, con dos días de margen.",
        "¿Quién aprueba los cambios del esquema?",
    ),
    (
        "Chi decide il formato delle fatture?",
        "Lo decide l'amministrazione, ogni gennaio.",
        "Chi decide il formato delle fatture?",
    ),
    ("数据库的密码轮换周期是多久？", "每九十天一次，由脚本完成。", "数据库的密码轮换周期是多久？"),
]
SMALL_TALK = [
    ("user", "Good morning, the garden fence is painted now."),
    ("assistant", "Glad to hear it, green suits the house."),
]


def talk(folder: Path, name: str, *turns: tuple[str, str]) -> None:
    lines = [
        json.dumps({"role": role, "content": text, "timestamp": f"2026-03-02T10:{minute:02}:00Z"})
        for minute, (role, text) in enumerate(turns)
    ]
    (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize(("asked", "answer", "again"), EXCHANGES)
def test_a_turn_that_asks_the_same_comes_after_the_one_that_answers(
    bird: Bowerbird, tmp_path: Path, asked: str, answer: str, again: str
) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    talk(folder, "talk", ("user", asked), ("assistant", answer), *SMALL_TALK)
    talk(folder, "later", *SMALL_TALK, ("user", again))
    bird.index(folder)
    texts = [hit.text for hit in bird.query(again, weak=True)]
    assert texts[0] == answer
    assert all(texts.index(answer) < texts.index(one) for one in {asked, again} & {*texts})


def test_a_memory_that_answers_comes_before_the_turn_that_asks(
    bird: Bowerbird, tmp_path: Path
) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    talk(folder, "talk", *SMALL_TALK, ("user", "Which port does the billing service listen on?"))
    bird.index(folder)
    kept = bird.remember("Billing listens on port 8443, behind the proxy.")
    hits = bird.query("which port does the billing service listen on?", weak=True)
    assert hits[0].id == kept.id


def test_what_a_turn_says_before_it_asks_is_an_answer(bird: Bowerbird, tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    said = "The review meeting with Dana is on 22 March at three, what should I prepare?"
    talk(folder, "talk", *SMALL_TALK, ("user", said), ("assistant", "Bring the draft."))
    bird.index(folder)
    assert bird.query("when is the review meeting with Dana?", weak=True)[0].text == said


def test_an_exchange_ends_where_the_asker_asks_again(bird: Bowerbird, tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    talk(
        folder,
        "talk",
        ("user", "Which linter does the frontend use?"),
        ("assistant", "Biome, since spring."),
        ("user", "And how warm is the server room?"),
        ("assistant", "Twenty-one degrees."),
    )
    bird.index(folder)
    hits = {
        hit.text: hit.relevance
        for hit in bird.query("which linter does the frontend use?", weak=True)
    }
    assert next(iter(hits)) == "Biome, since spring."
    assert hits.get("And how warm is the server room?", 0.0) < 0.3


SHORT = (
    "The team works from Graz and Lyon.", "Ulla prefers tabs.", "Deploys happen on Tuesdays.",
    "The logo is dark green.", "Invoices are numbered by year.", "The staging host is small.",
    "Backups are kept for a month.",
)  # fmt: skip


@pytest.mark.parametrize("word", ["kone", "zebrasummary", "rhinofile"])
@pytest.mark.parametrize("limit", [1, 10])
def test_a_memory_found_by_what_stands_beside_its_text_comes_first(
    bird: Bowerbird, word: str, limit: int
) -> None:
    for text in SHORT:
        bird.remember(text)
    kept = bird.remember(
        "The ledger closes at 18:00 Vienna time. It reopens at six.",
        keywords=["kone"],
        summary="custom zebrasummary",
        files=["src/rhinofile.py"],
    )
    assert bird.query(word, limit=limit)[0].id == kept.id


def test_the_relevance_that_is_shown_never_rises(bird: Bowerbird, tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    talk(folder, "talk", ("user", "The ledger closes at six."), *SMALL_TALK)
    (folder / "notes.md").write_text(
        "# Ledger\n\nThe ledger closes late.\n\n# Tea\n\nTea is at four, before the ledger closes.\n",
        encoding="utf-8",
    )
    bird.index(folder)
    for text in (*SHORT, "The ledger closes at 18:00.", "The ledger closes at 19:00."):
        bird.remember(text)
    for query in ("when does the ledger close?", "ledger", "tea at four", "who prefers tabs"):
        shown = [hit.relevance for hit in bird.query(query, weak=True, limit=10)]
        assert len(shown) > 1
        assert all(first >= second for first, second in pairwise(shown))
        few = [hit.relevance for hit in bird.query(query, weak=True, limit=2)]
        assert few == shown[:2]


@pytest.mark.parametrize(("said", "leads"), [("Let me check.", False), ("By Lucía.", True)])
def test_an_agent_that_says_that_it_will_look_answers_nothing(
    bird: Bowerbird, tmp_path: Path, said: str, leads: bool
) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    asked = "A customer writes that his money was taken twice, what do we do?"
    talk(folder, "now", *SMALL_TALK, ("user", asked), ("assistant", said))
    (folder / "runbook.md").write_text(
        "# Payments\n\nIf money was taken twice from a customer, run tools/reverse.py for the order.\n"
    )
    bird.index(folder)
    hits = bird.query("a customer writes his money was taken twice, what do we do?")
    assert (hits[0].text == said) is leads
    assert any(hit.text == said and hit.relevance > 0.5 for hit in hits) is leads
