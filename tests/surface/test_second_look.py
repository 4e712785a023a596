"""What is asked for in other words is found: memories are read a second time, as whole sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

REFUND = "Refunds are issued from the Stripe dashboard."
MEMORIES = (REFUND, "Archived bills go to the S3 bucket.", "Compilation takes nine minutes.")
VOUCHERS = "Can we bring voucher codes back for the summer sale? Last year people guessed them.\n"
OTHERS = (
    "The storefront renders its pages on the server.\n",
    "An abandoned cart is deleted after thirty days.\n",
    "Customers paid their order two times in March.\n",
    "Rules of the house: no sleep in a test.\n",
)
# It shares no word with its answer.
ASKED = "how does a customer get money back?"


@pytest.fixture
def keep(bower: Bower) -> Callable[[], None]:
    def keep() -> None:
        for text in MEMORIES:
            assert bower("curate", text).code == 0

    return keep


def stages(answer: dict[str, Any]) -> dict[str, Any]:
    return {stage["name"]: stage for stage in answer["trace"]["stages"]}


def test_a_memory_is_found_by_other_words(bower: Bower, keep: Callable[[], None]) -> None:
    keep()
    found = bower("query", ASKED).data["results"]
    # What is much less relevant is no answer beside it.
    assert [hit["text"] for hit in found] == [REFUND]
    pack = bower("context", "give a customer the money back", "--format", "json").data
    assert [item["text"] for item in pack["items"]][:1] == [REFUND]


def test_asked_in_another_language_a_memory_is_found_by_what_the_words_mean(
    bower: Bower, keep: Callable[[], None]
) -> None:
    keep()
    asked = bower("query", "comment est-ce que les clients sont remboursés de leur argent ?").data
    assert asked["results"][0]["text"] == REFUND
    assert not any("language" in why for why in asked["degraded"])


def test_asked_in_a_language_that_is_not_read_the_answer_says_what_was_not_done(
    bower: Bower, keep: Callable[[], None]
) -> None:
    keep()
    asked = bower("query", "как клиентам возвращают их деньги?").data
    assert any("it does not read this language" in why for why in asked["degraded"])
    assert not any("language" in why for why in bower("query", ASKED).data["degraded"])


def test_a_passage_that_answers_comes_before_a_memory_that_hardly_does(
    bower: Bower, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "talk.md").write_text(VOUCHERS)
    for number, text in enumerate(OTHERS):
        (notes / f"{number}.md").write_text(text)
    bower("index", str(notes))
    bower("curate", "The trade discount is 12 % and ends on 31 December 2024.")
    bower("curate", "Redis must be up before the auth tests start.")
    first, *rest = bower("query", "what are the rules for voucher codes?").data["results"]
    assert first["text"].startswith("Can we bring voucher codes back")
    assert all(one["kind"] != "fact" for one in rest)


def test_by_words_alone_it_is_not(bower: Bower, keep: Callable[[], None]) -> None:
    keep()
    assert REFUND not in [hit["text"] for hit in bower("query", ASKED, "--fast").data["results"]]


def test_what_has_nothing_to_do_with_it_gets_no_context(
    bower: Bower, keep: Callable[[], None]
) -> None:
    keep()
    assert (
        bower("context", "who painted the ceiling of the chapel?", "--format", "json").data["items"]
        == []
    )


def test_a_store_of_before_says_what_waits_and_warm_reads_it(
    bower: Bower, keep: Callable[[], None], store_path: str
) -> None:
    keep()
    connection = apsw.Connection(store_path)
    connection.execute("DELETE FROM contextual")
    connection.execute("DELETE FROM meta WHERE key = 'contextual'")
    connection.close()
    waiting = bower("query", ASKED)
    assert "bower warm" in waiting.out
    assert bower("warm").data["newly_cached"] == len(MEMORIES)
    assert bower("query", ASKED).data["results"][0]["text"] == REFUND
    assert bower("warm").data["newly_cached"] == 0


def test_what_another_model_read_is_never_compared(
    bower: Bower, keep: Callable[[], None], store_path: str
) -> None:
    keep()
    connection = apsw.Connection(store_path)
    connection.execute("UPDATE meta SET value = 'builtin/another@1' WHERE key = 'contextual'")
    connection.close()
    assert "has read no memory" in bower("query", ASKED).out
    assert bower("curate", "The office closes at six in the evening.").code == 0
    assert bower("warm").data["newly_cached"] == len(MEMORIES) + 1
    assert bower("query", ASKED).data["results"][0]["text"] == REFUND


def test_a_name_is_found_in_memories_of_another_language_than_the_question(
    bower: Bower, keep: Callable[[], None]
) -> None:
    keep()
    order = "Bäckerei Lindner bestellt jeden Freitag 40 kg Roggenmehl und 15 kg Dinkelmehl."
    assert bower("curate", order).code == 0
    found = bower("query", "what does Bäckerei Lindner order?").data["results"]
    assert found[0]["text"] == order
    assert found[0]["relevance"] >= 0.3


def test_another_project_is_not_looked_at(bower: Bower, store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember(REFUND)
    with Bowerbird.open(store_path, project="farm") as bird:
        bird.remember("The goats are fed at six.")
        assert REFUND not in [hit.text for hit in bird.query(ASKED)]
        assert REFUND in [hit.text for hit in bird.query(ASKED, all_projects=True)]


@pytest.mark.parametrize("resident", [False, True])
def test_a_sure_answer_needs_no_second_look(store_path: str, resident: bool) -> None:
    with Bowerbird.open(store_path, resident=resident) as bird:
        for text in MEMORIES:
            bird.remember(text)
        sure = bird.query("compilation takes nine minutes")
        unsure = bird.query(ASKED)
    assert "second look" not in {stage.name for stage in sure.trace.stages}
    assert "second look" in {stage.name for stage in unsure.trace.stages}


def test_a_tag_counts_in_a_question_that_names_it(store_path: str) -> None:
    asked = "what did we agree about lantern?"
    found: list[float] = []
    for tags in (("lantern",), ("harbour",)):
        with Bowerbird.open(f"{store_path}.{tags[0]}", project="shop") as bird:
            bird.remember(REFUND, tags=tags)
            bird.remember(MEMORIES[2])
            found += [hit.relevance for hit in bird.query(asked) if hit.text == REFUND] or [0.0]
    named, plain = found
    assert named > 0.1 > plain


def test_a_forgotten_memory_is_not_found_and_comes_back(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        kept = [bird.remember(text) for text in MEMORIES]
        bird.forget(kept[0].id)
        assert REFUND not in [hit.text for hit in bird.query(ASKED)]
        bird.revert(kept[0].id)
        assert bird.query(ASKED)[0].text == REFUND


def test_the_same_model_can_read_everything(
    bower: Bower, keep: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep()
    monkeypatch.setenv("BOWER_EMBED_PROVIDER", "contextual")
    assert bower("reindex").code == 0
    found = bower("query", ASKED, "--explain").data
    assert found["results"][0]["text"] == REFUND
    # It looks a second time also at what another model, or itself, has found.
    assert stages(found)["second look"]["count"] == len(MEMORIES)
