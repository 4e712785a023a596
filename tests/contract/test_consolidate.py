"""Memories that say the like become examples of a pattern, and one revert takes that back."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, ModelError
from bowerbird.core.kinds import Kinds
from bowerbird.core.life import DAY
from bowerbird.core.types import SHORT_ID, STATES
from bowerbird.lifecycle.consolidate import FEWEST, Consolidation, clusters
from bowerbird.models.embed.static import StaticEmbedder
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.contract.conftest import Hands

    from bowerbird.core.consolidated import Consolidated
    from bowerbird.core.memories import Fields

FAILED = "The payment service returned HTTP 502 on node {} because the upstream pool was exhausted"
NODES = ("web-8081", "web-8082", "web-8083", "web-8090")
ROLLED = "A rollout of the search service stops when the index of {} is being rebuilt"
SHARDS = ("shard-1", "shard-2", "shard-7")


def noted(bird: Bowerbird, text: str = FAILED, names: Sequence[str] = NODES) -> list[str]:
    about = [(text.format(name), name) for name in names]
    return [bird.remember(said, kind="error_pattern", files=[name]).id for said, name in about]


def everything(bird: Bowerbird) -> dict[str, tuple[str, Fields]]:
    entries = bird.list(states=STATES, all_projects=True, memories_only=True, limit=200)
    found = {}
    for entry in entries:
        assert entry.details is not None
        found[entry.id] = (entry.text, entry.details.fields)
    return found


def test_the_like_become_a_pattern_that_their_own_words_find(bird: Bowerbird) -> None:
    ids = noted(bird)
    other = bird.remember("Redis must be up before the auth tests").id
    done = bird.consolidate()
    (pattern,) = done.patterns
    assert (set(pattern.examples), done.compressed) == (set(ids), len(ids))
    assert all(name in pattern.text for name in NODES)
    entry = bird.get(pattern.id)
    assert (entry.kind, entry.state, entry.trust) == ("pattern", "active", "normal")
    assert entry.details is not None
    assert set(entry.details.fields.files) == set(NODES)
    assert {bird.get(id).state for id in ids} == {"compressed"}
    assert {entry.id for entry in bird.list()} == {pattern.id, other}
    for name in NODES:
        assert bird.query(f"exhausted {name}")[0].id == pattern.id
    below = bird.history(pattern.id).relations
    assert {(one.source, one.kind) for one in below} == {(id, "example_of") for id in ids}
    assert bird.consolidate().patterns == ()


def test_a_pattern_is_trusted_and_lasts_as_what_it_sums_up(bird: Bowerbird) -> None:
    """A person's own words stay a person's in it, and what was used for long fades no sooner."""
    texts = [FAILED.format(name) for name in NODES]
    ids = [bird.remember(one, origin="user", source="user_taught").id for one in texts]
    bird.used(ids[:1], session="s1")
    bird.remember("Redis must be up before the auth tests")  # counts what was used
    (planned,) = bird.consolidate(dry_run=True).patterns
    (pattern,) = bird.consolidate().patterns
    assert planned.trust == pattern.trust == "full"
    entry, *examples = (bird.get(id) for id in (pattern.id, *ids))
    assert entry.trust == "full"
    details = [one.details for one in (entry, *examples)]
    rates = [one.decay_rate for one in details if one is not None]
    assert rates[0] == min(rates[1:]) < max(rates[1:])
    assert details[0] is not None
    assert (details[0].origin, details[0].source) == ("user", "user_taught")


def test_a_word_that_the_pattern_leaves_out_finds_it(bird: Bowerbird) -> None:
    names = [f"host{number}" for number in range(30)]
    noted(bird, names=names)
    (pattern,) = bird.consolidate().patterns
    hidden = [name for name in names if name not in pattern.text]
    assert hidden
    for name in hidden:
        assert [hit.id for hit in bird.query(name)] == [pattern.id]


def test_one_revert_brings_them_all_back(bird: Bowerbird, hands: Hands) -> None:
    ids = noted(bird)
    noted(bird, ROLLED, SHARDS)
    before = everything(bird)
    dry = bird.consolidate(dry_run=True)
    assert len(dry.patterns) == 2
    assert (dry.dry_run, {one.id for one in dry.patterns}) == (True, {""})
    assert everything(bird) == before
    hands.days(1)
    done = bird.consolidate()
    assert [one.text for one in done.patterns] == [one.text for one in dry.patterns]
    first = next(one for one in done.patterns if ids[0] in one.examples)
    hands.days(1)
    reverted = bird.revert(first.id)
    assert {*first.examples} < {*reverted.memories}
    assert {bird.get(id).state for id in ids} == {"active"}
    (other,) = [one for one in done.patterns if one.id != first.id]
    assert bird.get(other.id).state == "active"
    bird.revert(other.id)
    after = everything(bird)
    assert {id: after[id] for id in before} == before
    assert {bird.get(one.id).state for one in done.patterns} == {"deleted"}
    # What held the day before is still told as it was.
    assert {one.id for one in bird.list(as_of=hands.now - 2 * DAY)} == {*before}


def test_what_a_revert_brought_back_is_summed_up_by_hand_alone_until_it_is_changed(
    bird: Bowerbird,
) -> None:
    """A server sums up every week, and would undo what a person did."""
    ids = noted(bird, ROLLED, SHARDS)
    (pattern,) = bird.consolidate(again=False).patterns
    bird.revert(pattern.id)
    assert bird.consolidate(again=False).patterns == ()
    (pattern,) = bird.consolidate().patterns
    bird.revert(pattern.id)
    for id in ids:
        bird.edit(id, tags=("search",))
    assert len(bird.consolidate(again=False).patterns) == 1


def test_what_became_of_an_example_meanwhile_stays_when_the_pattern_is_taken_back(
    bird: Bowerbird,
) -> None:
    ids = noted(bird)
    (pattern,) = bird.consolidate().patterns
    bird.forget(ids[1])
    done = bird.revert(pattern.id)
    assert done.others[0][:18] == ids[1][:18]
    assert "stays deleted" in done.others[0]
    assert bird.get(pattern.id).state == bird.get(ids[1]).state == "deleted"
    assert {bird.get(id).state for id in ids if id != ids[1]} == {"active"}


def test_a_pattern_says_no_more_what_was_forgotten(bird: Bowerbird) -> None:
    ids = noted(bird)
    (pattern,) = bird.consolidate().patterns
    before = bird.get(pattern.id)
    bird.forget(ids[1])
    bird.forget(ids[3])
    said = bird.get(pattern.id)
    assert (NODES[1] in said.text, NODES[3] in said.text, NODES[0] in said.text) == (
        False,
        False,
        True,
    )
    for id in (ids[1], ids[3]):
        bird.revert(id)
    again = bird.get(pattern.id)
    assert (again.text, again.state, again.review) == (before.text, "active", "")
    # Where fewer than two are left, a person decides.
    for id in ids[:3]:
        bird.forget(id)
    assert "which left it" in bird.get(pattern.id).review
    bird.revert(pattern.id)
    assert bird.get(ids[3]).state == "active"
    with pytest.raises(BadInput, match="hold by themselves again"):
        bird.revert(pattern.id)
    assert {one.id for one in bird.list()} == {ids[3]}
    bird.revert(ids[0])
    assert bird.get(ids[0]).state != "deleted"


def supersede(bird: Bowerbird, pattern: str) -> None:
    newer = bird.remember("The payment service is gone, with all of its nodes", kind="pattern")
    bird.link(newer.id, pattern, "supersedes")


def merge(bird: Bowerbird, pattern: str) -> None:
    bird.merge(pattern, into=bird.remember("Nodes fail at times", kind="pattern").id)


@pytest.mark.parametrize(
    "leave", [Bowerbird.forget, Bowerbird.deprecate, supersede, merge], ids=lambda one: one.__name__
)
def test_the_examples_hold_again_when_their_pattern_is_removed(
    bird: Bowerbird, leave: Callable[[Bowerbird, str], object]
) -> None:
    """Below a pattern that no search finds, they would be found by nothing."""
    ids = noted(bird)
    (pattern,) = bird.consolidate().patterns
    before = bird.get(pattern.id).text
    leave(bird, pattern.id)
    assert bird.get(pattern.id).state not in {"active", "compressed"}
    assert {bird.get(id).state for id in ids} == {"active"}
    assert {one.id for one in bird.query(f"exhausted {NODES[1]}")} & {*ids}
    # A server sums up every week, and would undo it.
    assert bird.consolidate(again=False).patterns == ()
    with pytest.raises(BadInput, match="since its pattern was removed"):
        bird.revert(ids[0])
    bird.revert(pattern.id)
    assert (bird.get(pattern.id).state, bird.get(pattern.id).text) == ("active", before)
    assert {bird.get(id).state for id in ids} == {"compressed"}


def test_the_examples_hold_again_when_their_pattern_fades(bird: Bowerbird, hands: Hands) -> None:
    ids = noted(bird)
    (pattern,) = bird.consolidate().patterns
    bird.edit(pattern.id, expires="1d")
    hands.days(2)
    bird.prune()
    assert bird.get(pattern.id).state == "expired"
    assert {bird.get(id).state for id in ids} == {"active"}
    bird.revert(pattern.id)
    assert {bird.get(id).state for id in ids} == {"compressed"}
    bird.prune()
    hands.days(31)
    bird.prune()
    assert bird.history(pattern.id).versions == ()
    assert {bird.get(id).state for id in ids} == {"active"}


def test_the_examples_hold_again_when_their_pattern_is_erased(bird: Bowerbird) -> None:
    ids = noted(bird)
    (pattern,) = bird.consolidate().patterns
    bird.admin.erase([pattern.id])
    assert {one.id for one in bird.list()} == {*ids}
    history = bird.history(ids[0])
    assert not any("…" in one.reason for one in history.versions)
    with pytest.raises(BadInput, match="since its pattern was removed"):
        bird.revert(ids[0])
    (below,) = [one.id for one in history.versions if one.fields.state == "compressed"]
    with pytest.raises(BadInput, match="no pattern sums up"):
        bird.revert(ids[0], below)


def test_an_example_does_not_hold_again_that_what_replaced_its_pattern_contradicts(
    bird: Bowerbird,
) -> None:
    said = "Das Feld kunde darf in Tabelle {} leer sein"
    ids = [bird.remember(said.format(name), kind="fact").id for name in ("A1", "A2", "A4")]
    (pattern,) = bird.consolidate().patterns
    newer = bird.remember("Das Feld kunde darf in Tabelle A1 nicht leer sein", kind="fact")
    assert newer.needs_review
    bird.edit(newer.id, verified=True, origin="user")
    bird.link(newer.id, pattern.id, "supersedes")
    assert bird.get(pattern.id).state == "superseded"
    assert [bird.get(id).state for id in ids] == ["compressed", "active", "active"]


def test_an_example_stays_below_another_pattern_or_beside_its_own_text(bird: Bowerbird) -> None:
    ids = noted(bird)
    (pattern,) = bird.consolidate().patterns
    other = bird.remember("Nodes fail at times", kind="pattern").id
    bird.link(ids[0], other, "example_of")
    bird.forget(pattern.id)
    assert [bird.get(id).state for id in ids] == ["compressed", *["active"] * 3]
    bird.forget(other)
    assert bird.get(ids[0]).state == "active"


def test_one_example_is_taken_out_alone(bird: Bowerbird) -> None:
    ids = noted(bird)
    (pattern,) = bird.consolidate().patterns
    bird.revert(ids[2])
    assert bird.get(ids[2]).state == bird.get(pattern.id).state == "active"
    assert NODES[2] not in bird.get(pattern.id).text
    assert bird.get(ids[0]).state == "compressed"


@pytest.mark.parametrize(
    "apart",
    [
        {"pinned": True},
        {"verified": True, "origin": "user"},
        {"kind": "decision"},
        {"expires": "30d"},
        {"scope": "module"},
    ],
    ids=str,
)
def test_what_stands_apart_is_left_alone(bird: Bowerbird, apart: dict[str, object]) -> None:
    noted(bird, names=NODES[: FEWEST - 1])
    about: dict[str, object] = {"kind": "error_pattern"} | apart
    bird.remember(FAILED.format("web-17"), **about)  # type: ignore[arg-type]
    assert bird.consolidate().patterns == ()


def test_what_contradicts_is_not_summed_up(bird: Bowerbird) -> None:
    for port in (5432, 6432, 7432):
        bird.remember(f"The replica of the orders database listens on port {port}", kind="fact")
    assert bird.consolidate().patterns == ()


@pytest.mark.parametrize("personal_first", [True, False])
def test_what_is_for_one_audience_is_not_summed_up_with_what_is_for_another(
    bird: Bowerbird, *, personal_first: bool
) -> None:
    """A pattern for the team would tell what is personal, and a personal one would hide the team's."""
    audiences = ["team", "team", "personal"]
    for name, audience in zip(NODES, sorted(audiences, reverse=not personal_first), strict=False):
        bird.remember(FAILED.format(name), kind="error_pattern", audience=audience)
    assert bird.consolidate().patterns == ()
    bird.remember(FAILED.format("web-17"), kind="error_pattern", audience="team")
    (pattern,) = bird.consolidate().patterns
    entry = bird.get(pattern.id)
    assert entry.details is not None
    assert entry.details.fields.audience == "team"
    (own,) = [one for one in bird.list() if one.id != pattern.id]
    assert own.text not in pattern.text


OF_TWO_POLARITIES = [
    (FAILED, FAILED.replace("was exhausted", "was not exhausted")),
    (FAILED, FAILED.replace("returned", "never returned")),
    (
        "Das Feld kunde darf in Tabelle {} leer sein",
        "Das Feld kunde darf in Tabelle {} nicht leer sein",
    ),
    (
        "Le champ client de la table {} peut être vide",
        "Le champ client de la table {} ne peut pas être vide",
    ),
    (
        "El campo cliente de la tabla {} puede estar vacío",
        "El campo cliente de la tabla {} no puede estar vacío",
    ),
]


@pytest.mark.parametrize(("said", "denied"), OF_TWO_POLARITIES)
def test_what_one_denies_and_another_says_is_not_summed_up(
    bird: Bowerbird, said: str, denied: str
) -> None:
    ids = [bird.remember(said.format(name), kind="fact").id for name in ("A1", "A2", "A4")]
    other = bird.remember(denied.format("A3"), kind="fact").id
    (pattern,) = bird.consolidate().patterns
    assert {*pattern.examples} == {*ids}
    assert "A3" not in pattern.text
    assert bird.get(other).state == "active"


def test_another_project_is_neither_counted_nor_touched(bird: Bowerbird) -> None:
    noted(bird, names=NODES[: FEWEST - 1])
    there = bird.within("bakery")
    noted(there, names=NODES[FEWEST - 1 :])
    assert bird.consolidate(all_projects=True).patterns == ()
    ids = noted(there, names=NODES[: FEWEST - 1])
    assert bird.consolidate().patterns == ()
    (pattern,) = bird.consolidate(all_projects=True).patterns
    assert {*ids} < {*pattern.examples}


def test_a_store_that_is_not_there_has_nothing_to_sum_up(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.consolidate().patterns == ()


class Model:
    """Sums up by the first three texts, or fails."""

    def __init__(self, store: Store, said: str | None, error: ModelError | None = None) -> None:
        self.store = store
        self.said = said
        self.error = error

    def pattern(self, texts: Sequence[str]) -> tuple[str, Sequence[int]] | None:
        assert not self.store.connection.in_transaction
        assert len(texts) > FEWEST
        if self.error is not None:
            raise self.error
        return None if self.said is None else (self.said, [0, 1, 2])


def summed_up(
    bird: Bowerbird, path: str, said: str | None, error: ModelError | None
) -> Consolidated:
    assert bird.status().total_memories
    with closing(Store.open(path, write=True, clock=lambda: 1_767_225_700_000)) as store:
        model = Model(store, said, error)
        run = Consolidation(
            store, None, store.clock, Kinds(), StaticEmbedder.builtin(), summariser=model
        )
        ((row,),) = store.connection.execute("SELECT DISTINCT model FROM vector")
        return run.run(row, "tester", dry_run=False)


def test_a_model_says_it_and_on_what_it_rests(bird: Bowerbird, store_path: str) -> None:
    ids = noted(bird)
    secret = "ghp_" + "a1B2" * 9
    said = f"The payment service fails on web nodes; the key is {secret}"
    done = summed_up(bird, store_path, said, None)
    (pattern,) = done.patterns
    assert "fails on web nodes" in pattern.text
    assert secret not in pattern.text
    states = [bird.get(id).state for id in ids]
    assert sorted(states) == ["active", *["compressed"] * 3]


@pytest.mark.parametrize("error", [None, ModelError("the model is not there", "start it")])
def test_without_its_word_the_memories_words_are_used(
    bird: Bowerbird, store_path: str, error: ModelError | None
) -> None:
    noted(bird)
    done = summed_up(bird, store_path, None, error)
    (pattern,) = done.patterns
    assert pattern.text.startswith("The payment service returned HTTP 502 on node …")
    assert [note.kind for note in done.notes] == (["degraded"] if error else [])


def test_a_cluster_is_around_its_middle() -> None:
    pairs = [(1, 2, 0.95), (1, 3, 0.91), (1, 4, 0.92), (4, 5, 0.99), (6, 7, 0.99)]
    assert clusters(pairs) == [[1, 2, 4, 3]]
    assert clusters([]) == []


@pytest.mark.parametrize("audience", ["personal", "team"])
def test_of_what_is_personal_only_one_persons_words_are_summed_up(
    audience: str, bird: Bowerbird
) -> None:
    names = [f"web-80{number}" for number in range(80, 86)]
    authors = ("mia", "sam")
    ids = {
        author: {
            bird.remember(
                FAILED.format(name), kind="error_pattern", audience=audience, author=author
            ).id
            for name in names[at::2]
        }
        for at, author in enumerate(authors)
    }
    made = [set(one.examples) for one in bird.consolidate().patterns]
    every = set().union(*ids.values())
    assert sorted(map(sorted, made)) == sorted(
        map(sorted, ids.values() if audience == "personal" else [every])
    )


# Three that differ in a name, as people write such notes.
IN_OTHER_SCRIPTS = {
    "ru": ("Сборка модуля {} упала из-за нехватки памяти на раннере.", "корзины оплаты поиска"),
    "ja": ("{}のビルドはメモリ不足で失敗しました。", "カート 決済 検索"),
    "zh": ("{}模块的构建因内存不足而失败。", "购物车 支付 搜索"),
    "ar": ("فشل بناء وحدة {} بسبب نقص الذاكرة.", "السلة الدفع البحث"),
    "ko": ("야간 작업 {}이 임대를 잃어 실패했습니다.", "101 102 103"),
    "el": ("Η νυχτερινή εργασία {} απέτυχε επειδή χάθηκε η μίσθωση.", "101 102 103"),
}


@pytest.mark.parametrize("code", IN_OTHER_SCRIPTS)
def test_the_like_in_a_language_that_no_model_reads_becomes_a_pattern(
    bird: Bowerbird, code: str
) -> None:
    form, names = IN_OTHER_SCRIPTS[code]
    noted(bird, form, names.split())
    (pattern,) = bird.consolidate().patterns
    assert len(pattern.examples) == FEWEST
    assert pattern.text == f"{form.format('…')} ({'; '.join(names.split())})"
    asked = bird.query(form.format(names.split()[1]))
    assert asked[0].id == pattern.id


def test_what_shares_only_a_number_in_such_a_language_is_not_summed_up(bird: Bowerbird) -> None:
    for text in (
        "Порт службы корзины — 101.",
        "Ночная задача 101 упала вчера.",
        "В комнате 101 стоит принтер.",
        "Поле клиента в таблице может быть пустым.",
        "Поле адреса в таблице может быть пустым.",
        "Поле оплаты в таблице не может быть пустым.",
    ):
        bird.remember(text)
    assert not bird.consolidate().patterns


def test_what_a_pattern_sums_up_is_known_when_it_is_told_again(bird: Bowerbird) -> None:
    ids = noted(bird)
    (pattern,) = bird.consolidate().patterns
    before = everything(bird)
    again = bird.remember(FAILED.format(NODES[1]))
    assert (again.decision, again.id, again.state) == ("known", ids[1], "compressed")
    assert again.reason.endswith(f"it is an example of {pattern.id[:SHORT_ID]}")
    assert everything(bird) == before
    # In the person's own words it is theirs.
    told = bird.remember(FAILED.format(NODES[2]), origin="user", verified=True)
    assert (told.decision, told.state) == ("created", "active")
