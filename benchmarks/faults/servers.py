"""A PostgreSQL server that is killed, cuts connections, has none left, or gives way to its replica."""

import random
from collections.abc import Callable
from threading import Timer

import psycopg

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError, StoreBusy, StoreError
from faults.found import Found
from faults.process import Child
from postgres_server import PRIMARY, Replica, Server

# When it happens, in seconds after a writer began: at any point of some admissions.
WITHIN = 0.4
# After so many, everything that was ever acknowledged is read again.
LOOKED = 10
CONNECTIONS = 12
# A replica is made for each: one to so many kills.
FAILED_OVER = 5
_CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE application_name = 'bowerbird' AND pid <> pg_backend_pid()"
)


def servers(folder: str, count: int, seed: int) -> Found:  # noqa: ARG001 the server has its own
    """Kills of the server, then as many connections cut in the middle of statements, then none left."""
    found = Found("servers", seed)
    with Server({"max_connections": str(CONNECTIONS)}) as server:
        for what, harm in (("killed", server.kill), ("cut", lambda: _cut(server))):
            _harmed(found, server, what, harm, count)
        _without_connections(found, server)
    for number in range(max(count // FAILED_OVER, 1)):
        _failed_over(found, number)
    return found


def _failed_over(found: Found, number: int) -> None:
    """Its replica takes the place of a server that was killed in the middle of writes."""
    where = f"seed {found.seed} failed over {number}"
    draw = random.Random(where)  # noqa: S311
    kept: dict[str, str] = {}
    with (
        Server(PRIMARY) as server,
        Replica(server) as replica,
        Bowerbird.open(f"{replica.both}&tenant=over", project="shop") as bird,
    ):
        kept[bird.remember(_text(kept, f"{where}, before")).id] = _text(kept, f"{where}, before")
        timer = Timer(draw.random() * WITHIN, server.kill)
        timer.start()
        failed = _until_harmed(found, bird, kept, where)
        timer.join()
        replica.promote()
        _again(found, bird, kept, where, failed)
        _all_there(found, bird, kept, where)
    found.count("failed over")


def _harmed(found: Found, server: Server, what: str, harm: Callable[[], None], count: int) -> None:
    """Writes on one open store, which is harmed again and again."""
    kept: dict[str, str] = {}
    draw = random.Random(f"{found.seed} {what}")  # noqa: S311
    with Bowerbird.open(f"{server.url}&tenant={what}", project="shop") as bird:
        for number in range(count):
            where = f"seed {found.seed} {what} {number}"
            timer = Timer(draw.random() * WITHIN, harm)
            timer.start()
            failed = _until_harmed(found, bird, kept, where)
            timer.join()
            if what == "killed":
                server.start()
            found.count(what)
            _again(found, bird, kept, where, failed)
            if number % LOOKED == 0 or number == count - 1:
                _all_there(found, bird, kept, where)
            found.progress(number + 1, count)


def _again(found: Found, bird: Bowerbird, kept: dict[str, str], where: str, text: str) -> None:
    """The call that failed works, whether what it wrote is there already or not."""
    try:
        made = bird.remember(text, origin="user")
    except BowerbirdError as error:
        found.violate(where, f"the next call fails: {error.message}")
        return
    kept[made.id] = text
    found.count("acknowledged")
    found.count("was_there", made.decision != "created")


def _until_harmed(found: Found, bird: Bowerbird, kept: dict[str, str], where: str) -> str:
    """Writes until a call fails, which is the one that is returned."""
    while True:
        text = _text(kept, where)
        try:
            kept[bird.remember(text, origin="user").id] = text
        except StoreError as error:
            if (
                "does not answer" not in error.message
                or "run the command again" not in error.remedy
            ):
                found.violate(where, f"its error says: {error.message} ({error.remedy})")
            return text
        found.count("acknowledged")


def _text(kept: dict[str, str], where: str) -> str:
    return f"Drawer {len(kept)} of {where} holds the key of cupboard {len(kept) * 7}"


def _all_there(found: Found, bird: Bowerbird, kept: dict[str, str], where: str) -> None:
    """Everything that was acknowledged, and a sound store."""
    there = {one.id: one.text for one in bird.list(limit=len(kept) * 2 + 10)}
    for id, text in kept.items():
        if there.get(id) != text:
            found.violate(where, f"{id} was acknowledged and is {there.get(id)!r}")
    if not bird.admin.verify().sound:
        found.violate(where, "it is not sound")
    found.count("verified")


def _cut(server: Server) -> None:
    with psycopg.connect(server.url, application_name="faults") as connection:
        connection.execute(_CUT)


def _without_connections(found: Found, server: Server) -> None:
    """Others hold every connection: an error says so, and once they let go the next call works."""

    def work(report: Callable[[str], None]) -> None:
        try:
            with Bowerbird.open(f"{server.url}&tenant=full", project="shop") as bird:
                bird.remember("The gateway listens on port 8080", origin="user")
        except StoreBusy as error:
            report(f"busy {error.message}")
        else:
            report("kept")

    others: list[psycopg.Connection[tuple[object, ...]]] = []
    try:
        while True:
            others.append(psycopg.connect(server.url))
    except psycopg.OperationalError:
        found.count("connections_held", len(others))
    said = "".join(Child(work).lines())
    if "no connection left" not in said:
        found.violate("connections", f"without one it says {said!r}")
    for one in others:
        one.close()
    if "".join(Child(work).lines()) != "kept":
        found.violate("connections", "the next call fails")
