"""A language model that orders hits: it rates each, is asked once, and changes the order alone."""

from __future__ import annotations

import json

import pytest
from tests.remote.language import KEY, LanguageServer

from bowerbird import Bowerbird

UNSURE = "how is the service monitored"
TEXTS = (
    "Tests of the beach service need a seal image.",
    "Deploys of the gate service happen at nine.",
    "Ice machines are billed per service call.",
)


def settings(server: LanguageServer) -> dict[str, object]:
    return {
        "llm.provider": "openai",
        "llm.model": "m",
        "llm.endpoint": server.address,
        "llm.key": KEY,
        "rerank.provider": "llm",
    }


def test_it_is_asked_once_and_orders_by_its_ratings(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        for text in TEXTS:
            bird.remember(text)
        plain = bird.query(UNSURE, min_score=0.0)
    with LanguageServer() as server, Bowerbird.open(store_path, settings=settings(server)) as bird:
        server.says = [json.dumps({"scores": [1, 5, 3]})]
        hits = bird.query(UNSURE, min_score=0.0)
        assert hits.trace.degraded == []
        order = [plain[at].text for at in (1, 2, 0)]
        assert [hit.text for hit in hits] == order
        assert [hit.text for hit in bird.query(UNSURE, min_score=0.0)] == order
        assert len(server.asked) == 1
        (role,) = (one for one in bird.status().models if one.role.startswith("llm"))
        assert role.requests == 1


@pytest.mark.parametrize("scores", [[1, 5], [1, 5, 9], []])
def test_ratings_that_are_none_keep_the_order(store_path: str, scores: list[int]) -> None:
    with LanguageServer() as server, Bowerbird.open(store_path, settings=settings(server)) as bird:
        for text in TEXTS:
            bird.remember(text)
        server.says = [json.dumps({"scores": scores})]
        hits = bird.query(UNSURE, min_score=0.0)
        assert len(hits) == len(TEXTS)
        assert any("did not rate every text" in one for one in hits.trace.degraded)


def test_without_a_language_model_the_answer_says_so(store_path: str) -> None:
    with Bowerbird.open(store_path, settings={"rerank.provider": "llm"}) as bird:
        bird.remember(TEXTS[0])
        assert any("set llm.provider" in one for one in bird.query("service").trace.degraded)
