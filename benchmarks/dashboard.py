"""How fast the dashboard's pages are over a store of many memories, beside what they may take.

    python benchmarks/dashboard.py FOLDER [--memories 100000] [--rounds 20] [--out benchmarks/results]

FOLDER is filled by dashboard_store.py unless it is already. Each page is asked over HTTP, each time about
something else where it is about something, and again right after another process taught or edited a
memory, when nothing of it is kept.
Then Chromium opens it, if there is one. Wall times depend on what else runs: the load stands beside them,
and the server's CPU time.
"""

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from math import ceil
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote, urlencode

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.surface.web.browser import BINARY, DRIVER, Browser

from bowerbird import Bowerbird
from bowerbird.bench.record import circumstances, load, write
from bowerbird.bench.target import Target
from bowerbird.core.who import USER, Who
from bowerbird.daemon.links import Links
from dashboard_store import Years
from serve import processor_s

# Milliseconds that a page may take in 95 of 100 cases: one person, the whole store.
MAY_TAKE = {
    "health": 80, "ask": 120, "memories": 60, "older": 60, "searched": 60, "by confidence": 60,
    "stale": 60, "memory": 60, "modules": 80, "review": 60, "sessions": 60, "session": 60,
    "teach": 60, "graph": 150, "groups": 150, "fading": 80, "experiment": 80, "activity": 60,
    "settings": 150,
}  # fmt: skip
VERDICT_MS, FIRST_EVENT_MS, FIRST_PAINT_MS, SESSION_MB = 150, 100, 300, 15
# Kilobytes of HTML that a page may be.
PAGE_KB = 40
# How often each page is asked after a write.
WRITES = 4
# Seconds without work after which a server is idle.
_IDLE_S = 1.5
# Seconds after which it should be.
_BUSY_S = 60
# Verdicts and browser loads that are timed, and sessions that look at each page.
VERDICTS, LOADS, SESSIONS = 20, 5, 4


class Visitor:
    """A signed-in session; each request has a connection of its own."""

    def __init__(self, years: Years, port: int) -> None:
        record = json.loads(
            next((years.folder / "state").glob("bowerbird/serve-*/address.json")).read_text()
        )
        self.host = record["dashboard"]
        self.port = port
        self.cookie = ""
        key = Links(years.store).mint(person=True, project=years.uid)
        _, headers, _ = self.ask("POST", "/ui/enter", urlencode({"key": key}))
        self.cookie = next(one.partition(";")[0] for one in headers if one.startswith("bower="))

    def ask(self, method: str, path: str, body: str | None = None) -> tuple[int, list[str], str]:
        """Status, cookies and text."""
        sent = {"Host": self.host, "Sec-Fetch-Site": "same-origin", "Cookie": self.cookie}
        if body is not None:
            sent |= {
                "Origin": f"http://{self.host}",
                "Content-Type": "application/x-www-form-urlencoded",
            }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            cookies = [value for name, value in answer.getheaders() if name.lower() == "set-cookie"]
            return answer.status, cookies, answer.read().decode()
        finally:
            connection.close()

    def page(self, path: str) -> str:
        """A page that is there."""
        status, _, text = self.ask("GET", path)
        if status != 200:  # noqa: PLR2004
            raise RuntimeError(f"{path}: {status} {text[-300:]}")
        return text

    def first_event(self, path: str) -> float:
        """Milliseconds until the first byte of the live stream."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        begun = time.perf_counter()
        connection.request("GET", path, headers={"Host": self.host, "Cookie": self.cookie})
        connection.getresponse().read(1)
        took = (time.perf_counter() - begun) * 1000
        connection.close()
        return took


@contextmanager
def serving(years: Years) -> Iterator[tuple[int, int]]:
    """A server of the store: its port and its process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bowerbird", "serve", "--port", "0"], env=years.environment,
        cwd=years.project, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        stderr: Any = process.stderr
        port = next(
            int(one[1]) for line in stderr if (one := re.search(r"127\.0\.0\.1:(\d+)", line))
        )
        Thread(target=stderr.read, daemon=True).start()
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def idle(pid: int) -> None:
    """Waits until a process computes nothing: what pages count beside themselves is done.

    Raises RuntimeError if it goes on, as a server does that reads memories for the first time.
    """
    before, since = -1.0, time.monotonic()
    while (now := processor_s(pid)) > before:
        if time.monotonic() - since > _BUSY_S:
            raise RuntimeError(f"the server computes since {_BUSY_S} s, so no page can be timed")
        before = now
        time.sleep(_IDLE_S)


def addresses(years: Years) -> dict[str, Iterator[str]]:
    """Addresses of each page, again and again."""
    with Bowerbird.open(years.store, project="shop") as bird:
        ids = [one.id for one in bird.list(limit=200, sort="uses", memories_only=True)]
        queue = [one.entry.id for one in bird.waiting(limit=50).cases]
        older = [
            bird.list(limit=n, total=True, memories_only=True).next for n in range(500, 4_000, 500)
        ]
        sessions = [one.session for one in bird.sessions(limit=20).sessions]
        words = [one.text.split()[1:6] for one in bird.list(limit=200, memories_only=True)]
    plain = ("modules", "sessions", "teach", "fading", "experiment", "activity", "settings")
    found = {name: [f"/ui/{name}"] for name in plain}
    found |= {
        "health": ["/ui/"],
        "ask": [f"/ui/ask?q={quote('how is it with ' + ' '.join(some))}" for some in words],
        "memories": ["/ui/memories"],
        "older": [f"/ui/memories?after={quote(one)}" for one in older if one],
        "searched": [f"/ui/memories?q={quote(' '.join(some[:1]) + ' kind:gotcha')}" for some in words],
        "by confidence": [f"/ui/memories?sort={one}" for one in ("fading", "confidence", "uses")],
        "stale": ["/ui/memories?q=stale%3Ayes"],
        "memory": [f"/ui/m/{one}" for one in ids],
        "review": [f"/ui/review/{one}" for one in queue],
        "session": [f"/ui/s/{one}" for one in sessions],
        "graph": [f"/ui/graph?around={one}&depth=2" for one in ids],
        "groups": ["/ui/graph"],
    }  # fmt: skip
    return {name: cycle(found[name]) for name in MAY_TAKE}


def timed(visitor: Visitor, pid: int, where: Iterator[str], rounds: int) -> dict[str, Any]:
    """A page's times in milliseconds, its size, and the server's CPU a request."""
    times, before, text = [], processor_s(pid), ""
    for _ in range(rounds):
        path = next(where)
        begun = time.perf_counter()
        text = visitor.page(path)
        times.append((time.perf_counter() - begun) * 1000)
    spent = (processor_s(pid) - before) * 1000 / rounds
    return percentiles(times) | {"cpu": round(spent, 1), "kb": round(len(text.encode()) / 1000, 1)}


def percentiles(times: list[float]) -> dict[str, float]:
    """The middle of some times, and what 95 of 100 keep below."""
    times.sort()
    return {
        "p50": round(times[len(times) // 2], 1),
        "p95": round(times[ceil(len(times) * 0.95) - 1], 1),
    }


def after_writes(
    years: Years, visitor: Visitor, pid: int, pages: dict[str, Iterator[str]]
) -> dict[str, Any]:
    """Each page once after each write, so that what is kept of it is of before.

    The writes are taken back: those of twenty runs contradicted each other, and were half of what waited.
    """
    times: dict[str, list[float]] = {name: [] for name in pages}
    spent = dict.fromkeys(pages, 0.0)
    with Bowerbird.open(years.store, project="shop", resident=True) as opened:
        bird = opened.acting(Who(USER, USER))
        some = bird.list(limit=2 * WRITES * len(pages), sort="oldest", memories_only=True)
        # As little alike as other memories: the beginning of one with the end of another.
        texts = [one.text.split() for one in some]
        ids, written = cycle([one.id for one in some]), []
        for number in range(WRITES):
            for name, where in pages.items():
                first, last = texts.pop(), texts.pop(0)
                said = " ".join((*first[: len(first) // 2], *last[len(last) // 2 :], f"({name})"))
                done = bird.edit(next(ids), said) if number % 2 else bird.remember(said)
                written.append(done.id)
                path, before, begun = next(where), processor_s(pid), time.perf_counter()
                visitor.page(path)
                times[name].append((time.perf_counter() - begun) * 1000)
                spent[name] += processor_s(pid) - before
        for id in reversed(written):
            bird.revert(id)
    return {
        name: percentiles(some) | {"cpu": round(spent[name] * 1000 / WRITES, 1)}
        for name, some in times.items()
    }


def verdicts(visitor: Visitor, rounds: int) -> dict[str, float]:
    """A verdict until the next memory that waits is shown."""
    times = []
    where = "/ui/review"
    for _ in range(rounds):
        text = visitor.page(where)
        form = text.partition('class="inline v-later"')[2].partition("</form>")[0]
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        begun = time.perf_counter()
        visitor.ask("POST", "/ui/do/review", urlencode(fields | {"verdict": "confirm"}))
        visitor.page(where)
        times.append((time.perf_counter() - begun) * 1000)
        visitor.ask("POST", "/ui/do/undo", urlencode(fields))
    return percentiles(times)


def memory_mb(pid: int) -> float:
    """What a process holds, without what it only mapped of files."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"RssAnon:\s+(\d+)", text)[1]) / 1000  # type: ignore[index]


def painted(years: Years, visitor: Visitor, pages: dict[str, Iterator[str]]) -> dict[str, Any]:
    """Milliseconds until Chromium paints each page first, and what it made of it."""
    browser, found = Browser(), {}
    browser.look()
    key = Links(years.store).mint(person=True, project=years.uid)
    browser.driver.get(f"http://{visitor.host}/ui/enter?to=/ui/settings#{key}")
    while "/ui/settings" not in browser.driver.current_url:
        time.sleep(0.05)
    for name, where in pages.items():
        times = []
        for _ in range(LOADS):
            browser.driver.get(f"http://{visitor.host}{next(where)}")
            times.append(float(browser.run(_PAINT)))
        found[name] = percentiles(times) | {"nodes": browser.run("return document.all.length")}
    browser.end()
    return found


# Waits until it is there: the event comes after the load.
_PAINT = """return new Promise((tell) => {
  const look = () => {
    const one = performance.getEntriesByName('first-contentful-paint')[0];
    one ? tell(one.startTime) : setTimeout(look, 5);
  };
  look();
})"""


def measure(years: Years, memories: int, rounds: int) -> dict[str, Any]:
    """All figures."""
    began = load()
    with serving(years) as (port, pid):
        visitor = Visitor(years, port)
        pages = addresses(years)
        opening = {}
        for name, where in pages.items():
            begun = time.perf_counter()
            visitor.page(next(where))
            opening[name] = round((time.perf_counter() - begun) * 1000, 1)
        idle(pid)
        for where in pages.values():
            visitor.page(next(where))
        idle(pid)
        first = memory_mb(pid)
        kept = {name: timed(visitor, pid, where, rounds) for name, where in pages.items()}
        fresh = after_writes(years, visitor, pid, pages)
        decided = verdicts(visitor, VERDICTS)
        event = percentiles([visitor.first_event("/ui/events?p=shop") for _ in range(rounds)])
        sizes = []
        for _ in range(SESSIONS):
            again = Visitor(years, port)
            for where in pages.values():
                again.page(next(where))
            sizes.append(memory_mb(pid))
        further = (sizes[-1] - sizes[0]) / (SESSIONS - 1)
        paint = painted(years, visitor, pages) if BINARY and DRIVER else {}
    targets = [Target(f"{name} p95, ms", one["p95"], MAY_TAKE[name]) for name, one in kept.items()]
    targets += [
        Target(f"{name} p95 after a write, ms", one["p95"], MAY_TAKE[name])
        for name, one in fresh.items()
    ]
    targets += [
        Target(f"{name} first paint, ms", one["p50"], FIRST_PAINT_MS) for name, one in paint.items()
    ]
    targets += [Target(f"{name}, kB", one["kb"], PAGE_KB) for name, one in kept.items()]
    targets += [
        Target("verdict p95, ms", decided["p95"], VERDICT_MS),
        Target("first event p95, ms", event["p95"], FIRST_EVENT_MS),
        Target("a further session, MB", round(further, 1), SESSION_MB),
    ]
    return {
        "bench": "dashboard", "memories": memories, "rounds": rounds, **circumstances(),
        "load": {"before": began, "after": load()},
        "store_mb": round(os.path.getsize(years.store) / 1e6, 1),
        "server_mb_after_each_page_once": round(first, 1), "first": opening, "kept": kept,
        "after_a_write": fresh,
        "verdict": decided, "first_event": event, "further_session_mb": round(further, 1),
        "first_paint": paint,
        "targets": [one.raw_dict() for one in targets],
    }  # fmt: skip


def main() -> None:
    """Measures, prints a table, and writes the result if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--out")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    years = Years(given.folder)
    years.fill(given.memories)
    os.environ.update(years.environment)
    data = measure(years, given.memories, given.rounds)
    for name, may in MAY_TAKE.items():
        kept, fresh = data["kept"][name], data["after_a_write"][name]
        paint = data["first_paint"].get(name, {}).get("p50", "–")
        print(
            f"{name:14} p95 {kept['p95']:7} (cpu {kept['cpu']:6})  after a write {fresh['p95']:7}"
            f" (cpu {fresh['cpu']:6})  of {may:4}  first paint {paint:7}  {kept['kb']} kB"
        )
    print({name: data[name] for name in ("verdict", "first_event", "further_session_mb", "load")})
    missed = [one for one in data["targets"] if not one["met"]]
    print(
        f"missed {len(missed)} of {len(data['targets'])}:",
        *(one["name"] for one in missed),
        sep="\n  ",
    )
    if given.out:
        print(write(given.out, f"dashboard-{given.memories}", data))


if __name__ == "__main__":
    main()
