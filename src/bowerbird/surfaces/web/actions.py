"""What the forms do: each calls a verb, remembers how to take it back, and says where to go on."""

from bowerbird.core.clock import system_clock
from bowerbird.core.errors import BadInput
from bowerbird.core.memories import EVERYWHERE
from bowerbird.core.reviewed import CONFIRMED
from bowerbird.core.text import summarise
from bowerbird.core.types import FORGOTTEN, GLOBAL, TRUSTS
from bowerbird.core.word_difference import differing
from bowerbird.daemon.birds import WRITE
from bowerbird.surfaces.fields import module, run
from bowerbird.surfaces.web.pages.activity import LINKED
from bowerbird.surfaces.web.pages.review import MOST_AT_ONCE, at_once, may_be
from bowerbird.surfaces.web.pages.teach import within
from bowerbird.surfaces.web.visits import MOST_DONE, Done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.reviewed import LeftBehind
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.web.desk import Call
    from bowerbird.surfaces.web.visits import Step

    Act = Callable[[Call], Awaitable[str | None]]

REASON = "dashboard"
# How many operations each verdict makes on a memory; `later` makes none.
_STEPS = {"confirm": 1, "edit": 1, "reject": 1, "hold": 1, "later": 0}
# What is said of a memory by choosing it: as verbs say it, so that each page can translate it.
_WRONG = {
    "over": "it is no longer true",
    "never": "it never was true",
    "elsewhere": "it holds only elsewhere",
}
# Forms about what a page showed, which somebody may have changed since.
ABOUT_SEEN = frozenset({"review", "bulk", "learned", "flag", "edit"})
# Changes since a page was made that are searched for those of its memories.
_SINCE = 1_000
# Characters of a memory that a notice quotes.
_QUOTED = 60


async def as_seen(call: "Call") -> None:
    """Raises BadInput where a memory of the form says something else than when its page was made.

    Another process may have changed it since: nobody confirms, or writes over, what they have not seen.
    """
    seen, ids = call.form.get("seen", ""), {call.form.get("id", ""), call.form.get("other", "")}
    ids |= {
        name.partition("-")[2]
        for name, value in call.form.items()
        if value and name.startswith(("pick-", "verdict-"))
    }
    if not seen.isdecimal():
        return

    def read(bird: "Bowerbird") -> "Entry | None":
        since = bird.admin.change() - int(seen)
        events = bird.activity(limit=min(since, _SINCE)).events if since > 0 else ()
        changed = (one for one in events if one.seq > int(seen) and one.entry in ids)
        id = next((one.entry for one in changed if one.action != LINKED), "")
        return next(iter(bird.named(id)), None) if id else None

    entry = await call.work(read)
    if entry is not None:
        raise BadInput(
            f"it was changed meanwhile, and says now: {entry.text}", "look at it, and save again"
        )


def _decided(verdict: str, ids: "list[str]", text: str = "") -> "Callable[[Bowerbird], Any]":
    """A verdict on memories, as the verb `review` does it, which would also say what level follows."""
    # A rejection without a reason says that it is one, so that its memory can. So does holding back.
    given: dict[str, Any] = {} if verdict in {"reject", "hold"} else {"reason": REASON}
    given |= {"edit": ids[0], "text": text} if verdict == "edit" else {verdict: ids}
    return lambda bird: module("review").decide(bird, given)


async def review(call: "Call") -> str | None:
    """One verdict; then the next memory that waits."""
    verdict, id = call.form.get("verdict", ""), call.form.get("id", "")
    if verdict in _OF_TWO:
        return await _OF_TWO[verdict](call)
    if verdict not in _STEPS:
        raise BadInput("no verdict was given", "choose one")
    text = call.form.get("text", "").strip()
    before = await call.work(lambda bird: bird.get(id))
    if verdict == "edit" and text in {"", before.text}:
        raise BadInput("the text is as it was", "change it, or confirm it as it is")

    def decide(bird: "Bowerbird") -> "list[LeftBehind]":
        ends = verdict in {"confirm", "edit"}
        left = bird.admin.left_behind(before.id, text or None) if ends else []
        _decided(verdict, [before.id], text)(bird)
        return left

    left = await call.work(decide, WRITE)
    _tell(
        call, f"notice.{verdict}", [(before.id, _STEPS[verdict], verdict)], before.text, left=left
    )
    return call.form.get("then") or None


async def both(call: "Call") -> str | None:
    """A memory and the one that it seems to contradict hold, side by side."""
    ids = [call.form.get("id", ""), call.form.get("other", "")]
    before = await call.work(lambda bird: bird.get(ids[0]))
    await call.work(_decided("both", ids[:1]), WRITE)
    # One operation confirmed both sides.
    _tell(call, "notice.both", [(ids[0], 1, "confirm"), (ids[1], 0, "confirm")], before.text)
    return call.form.get("then") or None


async def replace(call: "Call") -> str | None:
    """A memory holds, and replaces the one that it contradicts, whoever said that."""
    id, other = call.form.get("id", ""), call.form.get("other", "")
    before = await call.work(lambda bird: bird.get(id))

    def decide(bird: "Bowerbird") -> "tuple[list[LeftBehind], list[Step]]":
        left = bird.admin.left_behind(id)
        _decided("confirm", [id])(bird)
        return left, [*_supersede(bird, id, other), (id, 1, "confirm")]

    left, steps = await call.work(decide, WRITE)
    _tell(call, "notice.replace", steps, before.text, left=left)
    return call.form.get("then") or None


def _supersede(bird: "Bowerbird", id: str, other: str) -> "list[Step]":
    """Lets a memory take the place of another one that holds still; returns the way back.

    That is to the other one's version: taking back the change would ask which of the two holds.
    """
    if bird.get(other).state != "active":
        return []
    before = bird.history(other).versions[-1].id
    bird.link(id, other, "supersedes")
    return [(other, before, "change")]


async def join(call: "Call") -> str | None:
    """Two say the same: the one that is trusted less, else the later one, goes into the other."""
    ids = [call.form.get("id", ""), call.form.get("other", "")]

    def decide(bird: "Bowerbird") -> "tuple[Entry, list[Step]]":
        gone, kept = (bird.get(one) for one in ids)
        if TRUSTS.index(gone.trust) > TRUSTS.index(kept.trust):
            gone, kept = kept, gone
        before = bird.history(kept.id).versions[-1].id
        bird.merge(gone.id, kept.id, reason=REASON)
        steps: list[Step] = [(gone.id, 1, "change")]
        verdict = "confirm" if bird.get(kept.id).review else "change"
        if verdict == "confirm":
            _decided(verdict, [kept.id])(bird)
        # What the one gained is not taken back with the other.
        if bird.history(kept.id).versions[-1].id != before:
            steps.append((kept.id, before, verdict))
        return kept, steps

    kept, steps = await call.work(decide, WRITE)
    _tell(call, "notice.join", steps, kept.text)
    return call.form.get("then") or None


_OF_TWO = {"both": both, "replace": replace, "join": join}


async def bulk(call: "Call") -> str | None:
    """The verdicts on those that were chosen of what waits: one each, or one on all that are ticked."""
    found = await call.verb("waiting", limit=MOST_AT_ONCE)
    several: dict[str, str] = {}
    for case in at_once(found.cases):
        verdict = call.form.get(f"pick-{case.entry.id}", "")
        verdict = call.form.get("verdict", "") if verdict == "yes" else verdict
        if verdict in may_be(case):
            several[case.entry.id] = verdict
    if not several:
        raise BadInput("none was chosen that still waits", "look again, and choose some")

    def decide(bird: "Bowerbird") -> "list[Step]":
        done: list[Step] = []
        for id, verdict in several.items():
            # A verdict on one side of a contradiction may settle the other.
            if bird.get(id).state in {"active", "quarantined"}:
                _decided(verdict, [id])(bird)
                done.append((id, 1, verdict))
        return done

    done = await call.work(decide, WRITE)
    verdicts = {verdict for *_, verdict in done}
    key = f"notice.{verdicts.pop()}_all" if len(verdicts) == 1 else "notice.saved"
    _tell(call, key, done, n=len(done))
    return call.form.get("then") or None


async def learned(call: "Call") -> str | None:
    """The verdicts on what a session learned, all at once."""
    chosen = [
        (name.removeprefix("verdict-"), verdict)
        for name, verdict in call.form.items()
        if name.startswith("verdict-") and verdict in {"confirm", "edit", "reject"}
    ]

    def decide(bird: "Bowerbird") -> "list[Step]":
        done: list[Step] = []
        for id, verdict in chosen:
            text = call.form.get(f"text-{id}", "").strip()
            changed = verdict == "edit" and text not in {"", bird.get(id).text}
            as_said = "confirm" if verdict == "edit" and not changed else verdict
            _decided(as_said, [id], text)(bird)
            done.append((id, _STEPS[as_said], as_said))
        return done

    done = await call.work(decide, WRITE)
    _tell(call, "notice.saved", done, n=len(done))
    return None


async def flag(call: "Call") -> str | None:
    """What is wrong with a memory, and what follows from that."""
    id, what = call.form.get("id", ""), call.form.get("what", "")
    session, why = call.form.get("session", ""), call.form.get("why", "").strip()
    entry = await call.work(lambda bird: bird.get(id))
    if what == "right" and call.visit.person:
        return await _corrected(call, entry)
    if what in {"edit", "erase"} and call.visit.may(what):
        return f"/ui/m/{entry.id}/{what}"
    if what == "forget" and call.visit.may(what):
        return await forget(call)
    if what == "never" and call.visit.person:
        await call.work(_decided("reject", [entry.id]), WRITE)
        _tell(call, "notice.reject", [(entry.id, 1, "reject")], entry.text)
        return None
    if what == "quiet" and call.visit.may("quiet"):
        call.form["where"] = "here" if call.project != GLOBAL.name else "everywhere"
        call.form["project"] = call.project
        return await quiet(call)
    if what not in _WRONG:
        raise BadInput("it was not said what is wrong", "choose one of the reasons")
    told = f"{_WRONG[what]}: {why}" if why else _WRONG[what]
    done = await call.verb("flag", id=entry.id, wrong=told, session=session)
    # A person who says that it is over has decided: it waits for nobody.
    over = what == "over" and call.visit.person
    if over:
        await call.work(lambda bird: bird.deprecate([entry.id], reason=told), WRITE)
    key = "notice.over" if over else "notice.flagged"
    _tell(call, key, [(entry.id, 1 + over, "flag")], entry.text)
    if call.visit.notice is not None and done.back:
        call.visit.notice["back"] = done.level - 1
    return None


async def _corrected(call: "Call", entry: "Entry") -> str | None:
    """What is right goes in with the fields of a memory, which it replaces."""
    right = call.form.get("right", "").strip()
    if right in {"", entry.text}:
        raise BadInput("what is right says the same", "change it, or choose what is wrong")
    fields = entry.details.fields if entry.details is not None else None
    about: Any = {"kind": entry.kind, "pinned": entry.pinned, "verified": True}
    for name in ("modules", "tags", "files", "audience"):
        about[name] = getattr(fields, name, None)

    def correct(bird: "Bowerbird") -> "tuple[str, list[Step]]":
        given = {name: value for name, value in about.items() if value}
        # What was known already stays what it is.
        if bird.remember(right, dry_run=True, **given).decision == "known":
            del given["kind"]
        done = bird.remember(right, **given)
        steps = _supersede(bird, done.id, entry.id)
        return done.id, [*steps, (done.id, int(done.decision != "known"), "change")]

    id, steps = await call.work(correct, WRITE)
    _tell(call, "notice.corrected", steps, _around_change(entry.text, right))
    return None if call.form.get("stay") else f"/ui/m/{id}"


async def edit(call: "Call") -> str | None:
    """Another text, or other fields."""
    id, text = call.form.get("id", ""), call.form.get("text", "").strip()
    fields = await within(call)
    for name in ("modules", "tags", "files"):
        fields.setdefault(name, ())
    before = await call.work(lambda bird: bird.get(id))
    # Who writes it anew has seen it, as one who confirms it has. What waits is decided in review: a
    # verdict may end another memory.
    decides = call.visit.person and text != before.text and not before.review
    if decides and before.details is not None:
        sure = max(before.details.fields.confidence, CONFIRMED)
        fields |= {"verified": True, "confidence": sure}
    done = await call.work(lambda bird: bird.edit(id, text, reason=REASON, **fields), WRITE)
    if not done.changed:
        raise BadInput("nothing was changed", "change the text or a field")
    if "text" in done.changed:
        _tell(call, "notice.edited", [(done.id, 1, "change")], _around_change(before.text, text))
    else:
        changed = call.language.fields(one for one in done.changed if one != "needs_review")
        _tell(call, "notice.edited_fields", [(done.id, 1, "change")], changed)
    return f"/ui/m/{done.id}"


def _around_change(before: str, after: str) -> str:
    """The part of a text that says something else than before, with what stands around it."""
    spans = differing(before, after)[1]
    begin, end = spans[0] if spans else (0, 0)
    begin = max(0, begin - max(0, _QUOTED - (end - begin)) // 2)
    begin = after.rfind(" ", 0, begin) + 1 if begin else 0
    return ("…" if begin else "") + after[begin:]


async def pin(call: "Call") -> str | None:
    """Let it never fade, or fade again."""
    id, pinned = call.form.get("id", ""), call.form.get("pinned") == "yes"
    done = await call.work(lambda bird: bird.edit(id, pinned=pinned, reason=REASON), WRITE)
    key = "notice.pinned" if pinned else "notice.unpinned"
    _tell(call, key, [(done.id, 1, "change")] if done.changed else [], done.summary)
    return None


async def move(call: "Call") -> str | None:
    """Into another project, or where all projects see it."""
    id, project = call.form.get("id", ""), call.form.get("project", "")

    def put(bird: "Bowerbird") -> "tuple[Entry, int]":
        entry = bird.get(id)
        return entry, len(bird.admin.move([entry.id], project, reason=REASON).memories)

    entry, moved = await call.work(put, WRITE)
    if not moved:
        raise BadInput("it stays where it is", "another memory says the same there already")
    key = "notice.moved_all" if project == GLOBAL.name else "notice.moved"
    _tell(call, key, [(entry.id, 1, "change")], entry.text)
    return f"/ui/m/{entry.id}"


async def quiet(call: "Call") -> str | None:
    """Not told by itself, in a project or in any; as before; or a person says besides that it is true."""
    id, where = call.form.get("id", ""), call.form.get("where", "")
    here = call.form.get("project", "")
    if where not in {"here", "everywhere", "true", "again"} or (where == "here" and not here):
        raise BadInput("it was not said where to keep it quiet", "choose one")

    def decide(bird: "Bowerbird") -> "tuple[Entry, int]":
        entry = bird.get(id)
        if entry.details is None:
            raise BadInput(
                "a passage of a file is not changed here", "change the file, and index it"
            )
        fields, steps = entry.details.fields, 0
        if where == "true" and not fields.verified:
            _decided("confirm", [entry.id])(bird)
            steps += 1
        named = {"again": (), "here": (*fields.quiet_in, here)}.get(where, (EVERYWHERE,))
        done = bird.edit(entry.id, quiet_in=tuple(dict.fromkeys(named)), reason=REASON)
        return entry, steps + bool(done.changed)

    entry, steps = await call.work(decide, WRITE)
    verdict = "confirm" if where == "true" else "change"
    _tell(call, f"notice.quiet_{where}", [(entry.id, steps, verdict)] if steps else [], entry.text)
    return None


async def forget(call: "Call") -> str | None:
    """Out of every search."""
    ids = [one for one in call.form.get("id", "").split("\n") if one]
    done = await call.work(lambda bird: bird.forget_all(ids, REASON), WRITE)
    _tell(call, "notice.forgotten", [(one.id, 1, "change") for one in done], n=len(done))
    return None


async def revert(call: "Call") -> str | None:
    """Back to a version of a memory, or before its last change."""
    id, version = call.form.get("id", ""), call.form.get("version") or None

    def back(bird: "Bowerbird") -> "tuple[str, str, str]":
        entry = bird.get(id)
        before = bird.history(entry.id).versions[-1].id
        # A change of several memories is taken back with all of them: no version of one restores that.
        alone = version or entry.state == FORGOTTEN
        bird.revert(entry.id, version, reason=REASON)
        return entry.id, before if alone else "", entry.text

    done, before, text = await call.work(back, WRITE)
    _tell(call, "notice.reverted", [(done, before, "change")] if before else [], text)
    return None


async def erase(call: "Call") -> str | None:
    """For good, if the number of memories was typed."""
    id = call.form.get("id", "")
    if call.form.get("count", "").strip() != "1":
        raise BadInput("nothing was erased", "type 1, the number of memories, to erase it")
    await call.work(lambda bird: run(module("erase"), bird, {"ids": [id]}), WRITE)
    _tell(call, "notice.erased", [])
    return "/ui/memories"


async def remember(call: "Call") -> str | None:
    """Keep what was taught."""
    text = call.form.get("text", "").strip()
    done = await call.verb("curate", text=text, **await within(call))
    undo = [] if done.decision == "known" else [(done.id, 1, "change")]
    _tell(call, f"notice.kept_{done.decision}", undo, done.summary, redacted=done.redacted)
    return call.form.get("then") or f"/ui/m/{done.id}"


async def level(call: "Call") -> str | None:
    """Another level of caution, or not."""
    chosen = call.form.get("level", "")
    if call.form.get("refuse"):
        call.visit.settled.add(f"level {chosen}")
        return None
    if not chosen.isdecimal():
        raise BadInput("no level was given", "choose one from 1 to 4")
    await call.work(lambda bird: bird.admin.level(int(chosen)), WRITE)
    _tell(call, "notice.level", [], n=int(chosen))
    return None


async def undo(call: "Call") -> str | None:
    """Take the last action back that was not taken back yet."""
    visit = call.visit
    if not visit.done:
        raise BadInput("there is nothing to take back", "each memory has its versions")
    last = visit.done.pop()
    await call.work(lambda bird: _take_back(bird, last), WRITE)
    # What was done before, on the same memories, is still as this visit left it.
    ids = {id for id, _, _ in last.steps}
    for one in visit.done:
        if not ids.isdisjoint(id for id, _, _ in one.steps):
            one.at = system_clock()
    visit.notice = {"key": "notice.undone", "text": last.text, "n": 1, "error": False}
    # What was done to several has no text, and is said by its name.
    visit.notice["undid"] = last
    id, _, verdict = last.steps[0]
    return f"/ui/review/{id}" if len(last.steps) == 1 and verdict in _STEPS else None


def _take_back(bird: "Bowerbird", done: Done) -> None:
    for id, _, _ in done.steps:
        if bird.history(id).events[-1].at > done.at:
            raise BadInput(f"{id} has been changed since", "each memory has its versions")
    for id, how, verdict in done.steps:
        for version in [how] if isinstance(how, str) else [None] * how:
            bird.revert(id, version, reason=f"{REASON}: undone")
        if verdict != "change":
            bird.admin.judged(bird.get(id), "undone")


async def close(call: "Call") -> str | None:
    """No more of the last action."""
    if call.visit.done:
        call.visit.done[-1].closed = True
    return None


async def say(call: "Call") -> str | None:
    """A line of a dispute's thread; the first one opens it."""
    id, text = call.form.get("id", ""), call.form.get("text", "")
    done = await call.work(lambda bird: bird.dispute(id, text), WRITE)
    _tell(call, "notice.said", [], done.text)
    return None


async def close_dispute(call: "Call") -> str | None:
    """A decision on a dispute."""
    id, verdict = call.form.get("id", ""), call.form.get("verdict", "")
    done = await call.work(lambda bird: bird.close_dispute(id, verdict, REASON), WRITE)
    _tell(call, f"notice.closed_{verdict}", [], done.text)
    return None


async def token(call: "Call") -> str | None:
    """A token for a machine of the member's who signed in: the next page shows it, once."""
    member, label = call.visit.who.person, call.form.get("label", "")
    done = await call.work(lambda bird: bird.admin.new_member_token(member, label=label), WRITE)
    call.visit.made = done.token
    return "/ui/team"


async def language(call: "Call") -> str | None:
    """The language of the pages."""
    call.visit.language = call.form.get("language", "")
    return None


async def keys(call: "Call") -> str | None:
    """Single keys, on or off."""
    call.visit.keys = call.form.get("keys") == "yes"
    return None


def _tell(
    call: "Call",
    key: str,
    undo: "Sequence[Step]",
    text: str = "",
    n: int = 1,
    redacted: "Sequence[str]" = (),
    left: "Sequence[LeftBehind]" = (),
) -> None:
    """What was done, for the next page, what was removed from it, and how it is taken back.

    `left` is what else those said that ended with it.
    """
    visit, text = call.visit, summarise(text, _QUOTED)
    if undo:
        visit.done = [*visit.done, Done(key, text, n, undo)][-MOST_DONE:]
    visit.notice = {"key": key, "text": text, "n": n, "error": False, "undo": bool(undo)}
    visit.notice |= {"redacted": redacted, "left": left}


ACTIONS: "dict[str, Act]" = {
    one.__name__: one
    for one in (
        review, bulk, learned, flag, edit, pin, move, quiet, forget, revert, erase, remember, level, undo,
        close, say, close_dispute, token, language, keys,
    )
}  # fmt: skip
