"""What the program needs to know of a learned memory is in its payload: any wording changes no check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.surface.hooks.test_injecting import keep

from bowerbird.bird import Bowerbird
from bowerbird.sessions.experiment.dead_ends import dead_end, re_entered
from bowerbird.sessions.inject.cures import ErrorMatcher, Message, is_record, payload_of
from bowerbird.sessions.inject.momentary import waits
from bowerbird.sessions.inject.validity import outlived
from bowerbird.sessions.inject.waivers import Cured
from bowerbird.sessions.learn import definitions, file_lengths
from bowerbird.sessions.observe.errors import exact_print, general_print

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

    from bowerbird.core.types import Entry

FINDING = "src/till.go:9:2: Error return value of `till.Close` is not checked (errcheck)"
OTHER = "src/cart.go:3:1: Error return value of `cart.Close` is not checked (errcheck)"
KEY = "KeyError: 'REDIS_URL'"
KINDS: dict[str, dict[str, Any]] = {
    "error_pattern": {
        "errors": [exact_print(KEY)],
        "failed_command": "pytest -q",
        "cure_commands": ["make env"],
    },
    "gotcha": {
        "errors": [exact_print(FINDING)],
        "error_forms": [general_print(FINDING)],
        "failed_command": "make lint",
        "changed_file": "src/till.go",
        "removed": "till.Close()",
        "added": "till.Close() //nolint:errcheck",
    },
    "module_insight": definitions.payload("drainQueue", "src/queue.go", "func drainQueue() error"),
    "context_cost": file_lengths.payload("src/long.py", 900),
    "dead_end": {
        "approach_tried": "the old daemon",
        "why_it_failed": "it failed, and was given up",
        "command": "docker compose up -d",
    },
}
TEXTS = (
    "On 3 March 2026 `pytest -q` failed; after `make env` it succeeded.",
    "`drainQueue` is defined in `src/gone.go`: `func drainQueue(limit int)`.",
    "`src/gone.py` is long, more than 7 lines: search it.",
    "`make lint` may say: undefined: x. What cured it in `a.go`: `x` became `y //nolint`.",
    "Somebody wrote this anew, in other words and without any names.",
)


def checked(entry: Entry, root: str) -> tuple[object, ...]:
    """What every check says of a memory."""
    payload = payload_of(entry)
    matcher = ErrorMatcher(entry.text, payload=payload)
    cured = Cured(payload)
    lines = (KEY, FINDING, OTHER, KEY.replace("REDIS", "MAIL"))
    line = {"at": entry.created + 1, "what": "called", "command": "docker compose up -d"}
    return (
        is_record(entry),
        # Of a memory without prints the text is all there is to compare.
        [matcher.of(Message(one)) for one in lines] if payload.get("errors") else None,
        [cured.helps([one, "\tx.Close()"], one, exact_print(one)) for one in lines],
        outlived(entry, root),
        waits(entry, f"what is this?\n{KEY}"),
        re_entered([line], [dead_end(entry)]) if entry.kind == "dead_end" else None,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_editing_the_text_of_a_learned_memory_changes_no_check(hooks: Hooks, kind: str) -> None:
    source = hooks.project / "src"
    source.mkdir()
    (source / "queue.go").write_text("package queue\n\nfunc drainQueue() error {\n")
    (source / "long.py").write_text("x = 1\n" * 901)
    learned = {"learned": {"signal": "any", "key": "k"}}
    about = {"kind": kind, "payload": KINDS[kind], "metadata": learned, "origin": "agent"}
    id = keep(hooks, TEXTS[0], **about)
    found = []
    for text in TEXTS:
        hooks.bower("edit", id, text)
        with Bowerbird.open(hooks.store) as bird:
            entry = bird.get(id)
        assert entry.text == text
        found.append(checked(entry, str(hooks.project)))
    assert found == [found[0]] * len(TEXTS)
    # The checks are no constants: with other files, or without a payload, they say something else.
    (source / "queue.go").unlink()
    (source / "long.py").write_text("")
    with Bowerbird.open(hooks.store) as bird:
        changed = checked(bird.get(id), str(hooks.project))
    assert (changed != found[0]) is (kind in ("module_insight", "context_cost"))
