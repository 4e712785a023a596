"""Many tenants over a Citus cluster of one, then of two workers: what serving them costs, and their room.

    python benchmarks/tenants.py [--tenants 400] [--entries 500] [--rounds 100] [--workers 1 2]

One tenant is filled through the product and its rows are copied to the others by SQL. Then tenants at
random are asked and written to. The figures are CPU by who spends it: client, coordinator, workers.
All of them share one machine; of which a cluster has too few follows from them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from bowerbird import Bowerbird
from bowerbird.core.exchange import Contents
from bowerbird.core.exchange_lines import lines
from postgres_server import Cluster
from syncing import memories

FIRST = "t0"
WARM = 10


def main() -> None:
    """Measure it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tenants", type=int, default=400)
    parser.add_argument("--entries", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tenants-") as folder:
        for name in ("DATA", "CONFIG", "STATE"):
            os.environ[f"XDG_{name}_HOME"] = os.path.join(folder, name.lower())
        export = os.path.join(folder, "memories.jsonl")
        with open(export, "w", encoding="utf-8") as file:
            file.writelines(lines(Contents(list(memories(asked.entries)), {})))
        for workers in asked.workers:
            with Cluster(workers) as cluster:
                print(json.dumps(measured(cluster, export, asked), indent=1), flush=True)


def measured(cluster: Cluster, export: str, asked: argparse.Namespace) -> dict[str, Any]:
    """What a cluster does."""
    with Bowerbird.open(f"{cluster.url}&tenant={FIRST}", project="shop") as bird:
        bird.remember("The first one makes the tables")
        bare = bird.status().total_size_bytes
        bird.admin.import_from(export)
        texts = [one.text for one in bird.list(limit=200)]
    began = time.perf_counter()
    fill(cluster.url, asked.tenants)
    filled = time.perf_counter() - began
    with Bowerbird.open(f"{cluster.url}&tenant={FIRST}", project="shop") as bird:
        size = bird.status().total_size_bytes
    draw = random.Random(1)  # noqa: S311
    # What every process and every session learns once.
    for _ in range(WARM):
        _ask(cluster, asked.tenants, texts, draw, write=True)
        _ask(cluster, asked.tenants, texts, draw)
    spent: dict[str, dict[str, float]] = {}
    for name in ("question", "write"):
        before = _spent(cluster)
        for _ in range(asked.rounds):
            _ask(cluster, asked.tenants, texts, draw, write=name == "write")
        after = _spent(cluster)
        spent[name] = {
            who: round((after[who] - cpu) * 1_000 / asked.rounds, 1) for who, cpu in before.items()
        }
    return {
        "workers": len(cluster.workers),
        "tenants": asked.tenants,
        "entries": asked.tenants * asked.entries,
        "copied_s": round(filled, 1),
        "bytes_an_entry": round((size - bare) / asked.tenants / asked.entries),
        "bytes_of_no_entry": bare,
        "cpu_ms": spent,
        "load": os.getloadavg()[0],
    }


def _ask(
    cluster: Cluster, tenants: int, texts: list[str], draw: random.Random, *, write: bool = False
) -> None:
    words = draw.choice(texts).split()
    url = f"{cluster.url}&tenant=t{draw.randrange(tenants)}"
    with Bowerbird.open(url, project="shop") as bird:
        if write:
            bird.remember(" ".join(draw.choices(words, k=6)) + f" {draw.randrange(10**9)}")
        else:
            bird.query(" ".join(draw.sample(words, min(4, len(words)))))


def _spent(cluster: Cluster) -> dict[str, float]:
    """Seconds of CPU so far, by who spent them."""
    return {
        "client": time.process_time(),
        "coordinator": _of(cluster.pid),
        "workers": sum(_of(one.pid) for one in cluster.workers),
    }


def _of(server: int) -> float:
    """Those of a server: of its first process, of those it began, and of those that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            told = stat.read_text().rpartition(")")[2].split()
            if stat.parent.name == str(server):
                ticks += sum(map(int, told[11:15]))
            elif told[1] == str(server):
                ticks += sum(map(int, told[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def fill(url: str, tenants: int) -> None:
    """Copies the rows of the first tenant to all others."""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("SET search_path = bowerbird_functions, public")
        names = server.execute(
            "SELECT tablename, (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)"
            " FROM pg_attribute WHERE attrelid = ('bowerbird.' || tablename)::regclass AND attnum > 1"
            " AND NOT attisdropped) FROM pg_tables WHERE schemaname = 'bowerbird'"
        ).fetchall()
        order = ("project", "model", "document", "facet")
        names.sort(key=lambda one: order.index(one[0]) if one[0] in order else len(order))
        for name, columns in names:
            sql = f"SELECT {columns} FROM bowerbird.{name} WHERE tenant = '{FIRST}'"  # noqa: S608
            if server.execute(f"{sql} LIMIT 1").fetchone() is None:
                continue
            others = f"generate_series(1, {tenants - 1}) n"
            read = sql.replace("SELECT", "SELECT 't' || n,").replace(" WHERE", f", {others} WHERE")
            server.execute(f"INSERT INTO bowerbird.{name} (tenant, {columns}) {read}")
        server.execute("ANALYZE")


if __name__ == "__main__":
    main()
