"""The digest of a session as a value, its text, and what of earlier ones is still open. Pure."""

from bowerbird.core.clock import day
from bowerbird.core.pattern import late
from bowerbird.core.text import count_tokens
from bowerbird.core.types import DIGEST
from bowerbird.core.value import Record
from bowerbird.sessions.substance import shared, substance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bowerbird.core.types import Entry

# Maximum tokens of the text.
LONGEST = 150
# "The notices come next, leave that for tomorrow": one clause says what, another when.
_CLAUSE = late(r"[,;:]\s|\s[–—-]\s")
_MINUTE = 60_000
_HOUR = 60
# The stems that an open item and what was done later must share: so many, and this share of the item's.
_FEWEST_SHARED = 2
_SHARED = 0.5


class SessionDigest(Record):
    """What a session was about.

    `branch` is the last one, or empty if it may not be named, and `ended_on` its print. Times are UTC
    milliseconds. `asked`, `decided` and `refuted` quote, `done` and `left` state; `edits` counts;
    `withdrawn` are what the person had told earlier and took back, each with its id; `put_off` is what
    of `left` the person themselves put off;
    `files` are the edited ones that may be named, relative to the project; `checks` the commands of
    general use that built, tested or linted successfully, each behind its purpose and a space;
    `answered` are the last questions to which `done` has the answers.
    """

    session: str
    branch: str
    ended_on: str
    began: int
    ended: int
    asked: tuple[str, ...]
    done: tuple[str, ...]
    decided: tuple[str, ...]
    refuted: tuple[str, ...]
    withdrawn: tuple[str, ...]
    left: tuple[str, ...]
    put_off: tuple[str, ...]
    edits: int
    files: tuple[str, ...]
    checks: tuple[str, ...]
    answered: tuple[str, ...]

    @property
    def payload(self) -> "dict[str, Any]":
        """The structure of the memory: every field that is not empty."""
        given = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in given.items() if value or name == "session"}

    @property
    def gist(self) -> str:
        """What it was about, in a few words."""
        return (*self.asked, *self.done)[0].strip("“”")

    @property
    def text(self) -> str:
        """The digest in words, at most LONGEST tokens."""
        return self.within(LONGEST)

    def within(self, tokens: int) -> str:
        """Return the digest in so many tokens: what matters most to the next session first.

        That is what was left open, whatever else there is; then one item of each part in turn.
        """
        parts = {"Left open": self.left, "Asked": self.asked, "Decided": self.decided}
        parts |= {"Taken back": self.withdrawn, "Objected": self.refuted, "Done": self.done}
        return self._filled(parts, tokens)

    def recap(self, tokens: int) -> str:
        """What was done and decided, within so many tokens: of one session among several."""
        parts = {"Done": self.done, "Decided": self.decided}
        return self._filled(parts if any(parts.values()) else {"Asked": self.asked}, tokens)

    def _filled(self, parts: "dict[str, tuple[str, ...]]", tokens: int) -> str:
        """The first of some parts as far as it fits, and of the others one item in turn."""
        order = sorted(
            (at * bool(rank), rank, at, name)
            for rank, name in enumerate(parts)
            for at in range(len(parts[name]))
        )
        shown: dict[str, int] = {}
        text = self._shown(parts, shown)
        for _, _, at, name in order:
            more = self._shown(parts, {**shown, name: at + 1})
            # An item that does not fit ends its part: the later ones would seem to be all.
            if shown.get(name, 0) == at and count_tokens(more) <= tokens:
                shown[name], text = at + 1, more
        return text

    def _shown(self, parts: "dict[str, tuple[str, ...]]", shown: "dict[str, int]") -> str:
        minutes = round((self.ended - self.began) / _MINUTE)
        text = f"Session of {day(self.ended)}" if self.ended else "Session"
        text += f" on {self.branch}" if self.branch else ""
        text += f" ({_lasting(minutes)})" if minutes else ""
        for name, items in parts.items():
            if shown.get(name):
                text += f". {name}: {'; '.join(items[: shown[name]])}"
        return text + "."


def recapped(entry: "Entry", tokens: int) -> "Entry":
    """Return a digest that is longer than so many tokens with what was done and decided alone."""
    if entry.kind != DIGEST or count_tokens(entry.text) <= tokens:
        return entry
    payload = entry.details.fields.payload if entry.details is not None else None
    digest = digest_in(payload or {})
    return entry if digest is None else entry.replace(text=digest.recap(tokens))


def digest_in(payload: "Mapping[str, Any]") -> SessionDigest | None:
    """Return the digest that a payload holds; None if it is none."""
    given = {}
    for name, empty in _EMPTY.items():
        value = payload.get(name, empty)
        if isinstance(empty, tuple) and isinstance(value, (list, tuple)):
            value = tuple(value)
        if type(value) is not type(empty):
            return None
        given[name] = value
    return SessionDigest(**given) if given["asked"] or given["done"] else None


_EMPTY: "dict[str, Any]" = {
    "session": "",
    "branch": "",
    "ended_on": "",
    "began": 0,
    "ended": 0,
    "asked": (),
    "done": (),
    "decided": (),
    "refuted": (),
    "withdrawn": (),
    "left": (),
    "put_off": (),
    "edits": 0,
    "files": (),
    "checks": (),
    "answered": (),
}


def still_open(
    digest: "Mapping[str, Any]", later: "Sequence[Mapping[str, Any]]"
) -> tuple[str, ...]:
    """Return what a digest left open and no later one did, on whatever branch; both as payloads.

    A later session did it if it worked on the same files of the same branch, unless a person put it off,
    or asked for it and did something, in words that say most of the item.
    """
    files, put_off = {*digest.get("files", ())}, {*digest.get("put_off", ())}
    left = tuple(digest.get("left", ()))
    for one in later:
        if not one.get("done"):
            continue
        same = one.get("ended_on", "") == digest.get("ended_on", "")
        if same and not files.isdisjoint(one.get("files", ())):
            left = tuple(item for item in left if item in put_off)
        said = " ".join((*one.get("asked", ()), *one["done"], one.get("branch", "")))
        told = substance(said.replace("/", " "))
        left = tuple(
            item
            for item in left
            if not any(
                _did(told, substance(part))
                for part in (_CLAUSE.split(item) if item in put_off else (item,))
            )
        )
    return left


def _did(told: "frozenset[str]", item: "frozenset[str]") -> bool:
    return shared(item, told) >= max(_FEWEST_SHARED, _SHARED * len(item))


def _lasting(minutes: int) -> str:
    hours, rest = divmod(minutes, _HOUR)
    return f"{hours} h {rest} min" if hours and rest else f"{hours} h" if hours else f"{rest} min"
