"""``bower model``: the list, a change in the background, and what is refused, as a user runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def test_a_store_is_embedded_anew_in_the_background(bower: Bower) -> None:
    bower("curate", "Redis must be up before the tests.")
    assert bower("model").data["models"][0]["name"] == "builtin"
    begun = bower("model", "use", "contextual")
    assert begun.code == 0
    assert "is being embedded by contextual" in begun.data["notes"][0]
    # Each look takes a process. One that began just before the change may answer by words.
    for _ in range(300):
        answer = bower("query", "redis")
        assert answer.data["total_found"] == 1
        if "384 dims" in bower("status").data["model_used"]:
            break
    else:
        pytest.fail("the store was not embedded in the time of 300 commands")
    text = bower("model", "--format", "text").out
    assert "*  embed" in text
    assert "contextual" in bower("config", "--changed").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("use",), "use which model"),
        (("list", "x"), "list takes no name"),
        (("use", "x"), "unknown model"),
        (("use", "x", "--fetch", "y"), "--fetch downloads"),
        (("--sha256", "00"), "is for --fetch"),
        (("--fetch", "y"), "no model that can be fetched"),
    ],
)
def test_what_is_refused(bower: Bower, words: tuple[str, ...], said: str) -> None:
    ran = bower("model", *words)
    assert ran.code in {1, 2}
    assert said in ran.data["error"]
    assert ran.data["remedy"]
