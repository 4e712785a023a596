"""A shop in its second month: a repository, what is known about it, and sessions of an agent."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.core.value import iso
from bowerbird.core.who import AGENT, USER, Who

if TYPE_CHECKING:
    from pathlib import Path

    from tests.forked import Forks

DAY = 86_400_000
KEPT = "The checkout tests time out after 30 seconds when Redis is down"
NEW = "The checkout tests time out after 45 seconds when Redis is down"
DEAD_END = "Dead end: mocking Redis in CI hides the reconnect bug"
FILES = {
    "src/auth/session.py": "def sign_in(user):\n    return user.id\n",
    "src/auth/middleware.py": "def guard(request):\n    return request.user\n",
    "src/billing/invoice.py": "def total(lines):\n    return sum(line.price for line in lines)\n",
    "src/billing/tax.py": "RATE = 0.19\n\n\ndef tax(amount):\n    return amount * RATE\n",
    "src/cart/cart.py": "class Cart:\n    def add(self, item):\n        self.items.append(item)\n",
    "src/cart/price.py": "def price(item):\n    return item.price\n",
    "src/search/index.py": "def build(products):\n    return {one.name: one for one in products}\n",
    "docs/notes.md": "# Notes\n\nThe staging database listens on port 5433, production on 5432.\n",
}
# Text and what is said about it: kind, modules, files, days ago, and more.
TOLD: tuple[tuple[str, str, str, int, dict[str, Any]], ...] = (
    (KEPT, "gotcha", "auth", 34, {"files": ["src/auth/session.py"], "tags": ["tests"]}),
    ("Orders stay in PostgreSQL; the cart alone lives in Redis", "decision", "cart", 33,
     {"files": ["src/cart/cart.py"]}),
    (DEAD_END, "dead_end", "auth", 31, {"tags": ["ci"]}),
    ("Sessions are signed tokens: no table of sessions, so that a restart signs nobody out",
     "decision", "auth", 30, {"files": ["src/auth/session.py"]}),
    ("Invoices are numbered by year, without gaps: an accountant checks them", "requirement",
     "billing", 29, {"files": ["src/billing/invoice.py"]}),
    ("The tax rate comes from the country of the delivery, not of the bill", "fact", "billing", 27,
     {"files": ["src/billing/tax.py"]}),
    ("Run make seed before the end-to-end tests, or the catalogue is empty", "procedure", "search",
     26, {}),
    ("The label printer answers only on Mondays until it is restarted", "gotcha", "billing", 25,
     {"half_life": 9.0}),
    ("Prices are whole cents; a float once lost 3 cents on an order of 400 lines", "gotcha", "cart",
     22, {"files": ["src/cart/price.py"]}),
    ("Deploys go out at seven in the morning, never on a Friday", "procedure", "", 21, {}),
    ("Use four spaces, double quotes, and no wildcard imports", "preference", "", 20,
     {"pinned": True}),
    ("The search index is built at night; a new product shows up the next day", "fact", "search",
     18, {"files": ["src/search/index.py"]}),
    ("Staging shares its Redis with the demo shop: flush nothing there", "gotcha", "cart", 15, {}),
    ("The payment provider repeats a webhook up to five times: check its id first", "gotcha",
     "billing", 12, {"confidence": 0.7}),
    ("A cart is emptied after 14 days without a visit", "fact", "cart", 10, {"confidence": 0.62}),
    ("Login links expire after 20 minutes", "fact", "auth", 9,
     {"confidence": 0.75, "files": ["src/auth/session.py"]}),
    ("The guard of the middleware runs before the body is read", "pattern", "auth", 8,
     {"files": ["src/auth/middleware.py"]}),
    ("Refunds are booked as negative invoices", "decision", "billing", 6,
     {"files": ["src/billing/invoice.py"]}),
    ("Product names are matched without accents", "fact", "search", 5,
     {"files": ["src/search/index.py"]}),
    ("The stock count may lag behind by a minute", "fact", "cart", 4, {"half_life": 20.0}),
    ("Ask before you push to main", "preference", "", 3, {}),
    ("Uploads above 10 MB are refused by the proxy, not by the shop", "fact", "search", 2, {}),
)  # fmt: skip
WAITING = (
    "The cart keeps its lines in a list, so that the order of adding stays",
    "make seed needs about two minutes on a laptop",
)
LEARNED = (
    "cart",
    "search",
    "till",
    "mailer",
    "exporter",
    "importer",
    "login",
    "invoice",
    "stock",
    "menu",
)
# The day, counted back, on which a person changes and links some.
_CHANGED = 6
FROM_OUTSIDE = "The forum says that the payment provider drops webhooks at night"
SESSIONS = (
    ("11f8fad5-0000-4000-8000-000000000001", "why do the checkout tests hang?"),
    ("22f8fad5-0000-4000-8000-000000000002", "fix the rounding of prices in the cart"),
)


class Shop:
    """The folder of one machine with such a shop, and its store."""

    def __init__(self, folder: Path, forks: Forks) -> None:
        self._forks = forks
        self.folder = folder
        self.project = folder / "shop"
        self.store = str(folder / "memory.db")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("BOWER_")}
        home = {
            f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("DATA", "CONFIG", "STATE")
        }
        self.environment = clean | home | {"HOME": str(folder), "BOWER_STORE": self.store}
        self.environment["BOWER_HOOK_PATIENCE"] = "100"
        self.ids: dict[str, str] = {}

    def run(self, *words: str, given: str = "") -> str:
        """What a command answers there."""
        done = self._forks.run(words, given.encode(), self.environment, self.project)
        assert done.returncode == 0, (done.stdout + done.stderr).decode()
        return done.stdout.decode()

    def fill(self, now: int) -> Shop:
        """Writes all of it; `now` is the time of its last day."""
        (self.project / ".git").mkdir(parents=True)
        for name, text in FILES.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        moment = [now]
        opened = Bowerbird.open(self.store, clock=lambda: moment[0])
        with contextlib.chdir(self.project), opened as bird:
            person, agent = bird.acting(Who(USER, USER)), bird.acting(Who(AGENT, AGENT))
            moment[0] = now - 35 * DAY
            person.index(self.project)
            for text, kind, module, days, about in TOLD:
                moment[0] = now - days * DAY
                modules = [module] if module else []
                self.ids[text] = person.remember(text, kind=kind, modules=modules, **about).id
                if days == _CHANGED:
                    self._change(person)
            self._settle(person, agent, moment, now)
        for session, prompt in SESSIONS:
            self._work(session, prompt, now)
        return self

    def _change(self, person: Bowerbird) -> None:
        """What a person edits and links."""
        price = next(text for text in self.ids if text.startswith("Prices"))
        person.edit(self.ids[price], price.replace("3 cents", "4 cents"), reason="counted again")
        for source, target, kind in (("The checkout", "Dead end", "related_to"),
                                     ("Orders stay", "Staging shares", "causes"),
                                     ("Sessions are", "Login links", "led_to")):  # fmt: skip
            first, second = (next(id for text, id in self.ids.items() if text.startswith(one))
                             for one in (source, target))  # fmt: skip
            person.link(first, second, kind)

    def _settle(self, person: Bowerbird, agent: Bowerbird, moment: list[int], now: int) -> None:
        """What an agent learned, what of it waits, and what became of what it was told."""
        for number, word in enumerate(LEARNED):
            moment[0] = now - (40 - number) * DAY // 20
            id = agent.remember(f"The {word} of the shop has a test of its own", review="asked").id
            person.edit(id, review="", verified=True)
            person.admin.judged(person.get(id), "confirmed")
        ids = [*self.ids.values()]
        outcomes, project = person._wiring.opened.outcomes, person.project.uid
        for number in range(14):
            told = [ids[(number * 3 + step) % len(ids)] for step in range(3)]
            cited = told[: 1 + number % 2] if number % 3 else []
            at = now - (14 - number) * DAY // 8
            about = {"session": f"earlier-{number}", "given": told, "cited": cited}
            outcomes.add(project, number + 1, "used", at, **about)
        moment[0] = now - DAY // 12
        self.ids[NEW] = agent.remember(NEW, kind="gotcha", modules=["auth"]).id
        for text in WAITING:
            self.ids[text] = agent.remember(text, review="an agent was not sure").id
        outside = agent.remember(FROM_OUTSIDE, origin="tool_external")
        self.ids[FROM_OUTSIDE] = outside.id

    def _work(self, session: str, prompt: str, now: int) -> None:
        base = {"session_id": session, "cwd": str(self.project)}
        for event, fields in (
            ("SessionStart", {"source": "startup"}),
            ("UserPromptSubmit", {"prompt": prompt}),
        ):
            payload = json.dumps(base | {"hook_event_name": event} | fields)
            self.run("hook", "claude-code", event, given=payload)
        lines: list[dict[str, Any]] = [
            {"type": "user", "message": {"role": "user", "content": prompt}},
            {"type": "assistant", "message": {"role": "assistant", "content": [
                {"type": "tool_use", "id": "u1", "name": "Bash",
                 "input": {"command": "pytest -q tests"}}]}},
            {"type": "user", "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "u1", "content": "12 passed in 3.20s"}]}},
            {"type": "user", "message": {"role": "user", "content":
                "remember that prices are compared in cents"}},
            {"type": "assistant", "message": {"role": "assistant", "content":
                f"Done. As memory says: {KEPT}. The tests pass now."}},
        ]  # fmt: skip
        talk = self.folder / ".claude" / "projects" / "shop" / f"{session}.jsonl"
        talk.parent.mkdir(parents=True, exist_ok=True)
        with talk.open("w", encoding="utf-8") as file:
            for number, line in enumerate(lines):
                own = {
                    "sessionId": session,
                    "cwd": str(self.project),
                    "uuid": f"{session}-{number}",
                }
                when = {"timestamp": iso(now - (9 - number) * 60_000)}
                file.write(json.dumps(line | own | when) + "\n")
        ended = {"hook_event_name": "SessionEnd", "transcript_path": str(talk), "reason": "exit"}
        self.run("hook", "claude-code", "SessionEnd", given=json.dumps(base | ended))
        self.run("learn", str(talk.parent))
