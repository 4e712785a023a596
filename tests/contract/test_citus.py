"""What holds of a cluster alone; all other tests of this folder ask it too (`make citus`).

Of each statement that any of them runs the plan is read: `one_task` in conftest.py.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING

import pytest
from tests.postgres import CLUSTER, Tenants

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError, StoreError
from postgres_server import Cluster

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not CLUSTER, reason="make citus runs it")
BACKENDS = ("postgresql",)
CODE = "def released():\n    pass\n\n\ndef deploy():\n    released()\n"
TEAM = ("ana", "ben", "cleo", "dora", "emil", "finn", "gus", "hana")
# On which node a tenant's rows are.
_NODE = (
    "SELECT nodename FROM pg_dist_shard_placement WHERE shardid ="
    " get_shard_id_for_distribution_column('bowerbird.entry', '{}'::text)"
)
# Statements that are asked at least.
_MANY = 120


@pytest.fixture
def cluster(postgres: Tenants) -> Cluster:
    server = postgres.server
    assert isinstance(server, Cluster)
    return server


def test_every_statement_of_a_tenant_is_one_task_on_one_node(
    store_path: str, tmp_path: Path, one_task: dict[str, str]
) -> None:
    (tmp_path / "shop.py").write_text(CODE)
    (tmp_path / "notes.md").write_text("# Ports\n\nThe gateway listens on port 8080.\n")
    with Bowerbird.open(store_path, project="shop") as bird:
        kept = [
            bird.remember(f"The {name} desk is in hall {at}").id for at, name in enumerate(TEAM)
        ]
        bird.index(str(tmp_path))
        bird.edit(kept[0], "The ana desk is in hall 70", tags=["moved"], pinned=True)
        bird.link(kept[0], kept[1], "causes")
        bird.remember("The gateway listens on port 9090")
        bird.merge(kept[2], kept[3])
        bird.forget(kept[4])
        bird.revert(kept[4])
        bird.dispute(kept[5], "it is in hall 12")
        bird.close_dispute(kept[5], "kept")
        bird.used(kept[:3], session="one")
        for question in ("which port does the gateway listen on", "ana desk", "gatway", "desks"):
            assert bird.query(question)
        bird.query('"hall 70" NOT ben', operators=True)
        bird.query("ana desk", as_of="2020-01-01")
        bird.context("move the desks")
        bird.impact("released")
        bird.references("released")
        bird.map()
        bird.communities()
        bird.around(kept[0])
        bird.history(kept[0])
        bird.thread(kept[5])
        bird.waiting()
        bird.activity()
        bird.onboarding()
        bird.fading()
        bird.facets()
        bird.modules()
        bird.status()
        bird.consolidate()
        bird.prune()
        list(bird.admin.export_lines())
        bird.admin.reindex_words()
        bird.admin.erase([kept[6]])
        (tmp_path / "shop.py").unlink()
        bird.index(str(tmp_path))
        assert bird.admin.verify().sound
        assert not [one for one in bird.admin.doctor() if one.level == "problem"]
    assert len(one_task) > _MANY


def test_a_node_that_is_killed_harms_its_tenants_alone(postgres: Tenants, cluster: Cluster) -> None:
    birds = {name: Bowerbird.open(postgres.tenant(name), project="shop") for name in TEAM}
    kept = {name: bird.remember(f"The {name} desk is in hall 3").id for name, bird in birds.items()}
    first = cluster.workers[0]
    there = {name for name in TEAM if cluster.ask(_NODE.format(name))[0][0] == str(first.folder)}
    assert 0 < len(there) < len(TEAM)
    first.kill()
    try:
        for name, bird in birds.items():
            if name in there:
                with pytest.raises(StoreError, match="does not answer"):
                    bird.remember(f"The {name} lamp is in hall 4")
                with pytest.raises(StoreError, match="does not answer"):
                    bird.query("in which hall is the desk")
            else:
                assert bird.remember(f"The {name} lamp is in hall 4").decision == "created"
                assert bird.query("in which hall is the desk")[0].id == kept[name]
    finally:
        first.start()
    for name, bird in birds.items():
        assert bird.query("in which hall is the desk")[0].id == kept[name]
        assert bird.remember(f"The {name} chair is in hall 5").decision == "created"
        assert bird.admin.verify().sound
        bird.close()


def test_a_node_is_added_and_takes_tenants_while_they_write(
    postgres: Tenants, cluster: Cluster
) -> None:
    ended = Event()

    def writes(name: str) -> dict[str, str]:
        acknowledged = {}
        with Bowerbird.open(postgres.tenant(f"{name}-moves"), project="shop") as bird:
            number = 0
            while not ended.is_set() or not number:
                number += 1
                text = f"Drawer {number} of {name} holds the key of cupboard {number * 7}"
                try:
                    acknowledged[bird.remember(text).id] = text
                except BowerbirdError as error:
                    assert error.remedy  # noqa: PT017 a move may refuse one: the next call works
        return acknowledged

    with ThreadPoolExecutor(len(TEAM)) as pool:
        running = {name: pool.submit(writes, name) for name in TEAM}
        try:
            added = cluster.add()
            cluster.ask("SELECT rebalance_table_shards(shard_transfer_mode => 'force_logical')")
        finally:
            ended.set()
        done = {name: one.result() for name, one in running.items()}
    (moved,) = cluster.ask(
        f"SELECT count(*) FROM pg_dist_shard_placement WHERE nodename = '{added.folder}'"
    )[0]
    assert moved
    for name, acknowledged in done.items():
        with Bowerbird.open(postgres.tenant(f"{name}-moves"), project="shop") as bird:
            there = {one.id: one.text for one in bird.list(limit=10_000)}
            assert acknowledged.items() <= there.items()
            assert bird.admin.verify().sound
