"""``bower review``: what waits until somebody has looked at it, and why.

On a terminal it shows one memory after the other, the worthiest first and at most five at a time, each
decided by a key: c confirms it, b says that it and what it contradicts are both true, e edits and
confirms it, r rejects it, h holds it back, l leaves it for later, q quits; Ctrl-C leaves a
question without a verdict. Otherwise, and with --limit, it lists those of this project, and options
decide.

Two memories that contradict each other wait as one. --confirm keeps the newer, which then replaces the
other; where only a value of that changed, the rest of its words stay, with the new value. --both keeps
both, and they no longer count as a contradiction; one revert of either takes that back.

One that is pinned stays, and waits with the confirmed one until it is unpinned, confirmed or rejected.
--confirm requires a person on a terminal; so do --both, and --edit, which confirms a memory with the text
of --text: it replaces what it contradicts in these words, and holds beside what it no longer does.
--reject forgets it: the same memory is not learned again, and others from the same signal need more
sessions as evidence. --hold keeps it, but agents do not get it unasked. --later decides nothing: the
memory waits on, listed after all others, as what is held back is.

A contradiction that a later statement settled waits no more. For thirty days it is listed below the
others, with what settled it, when, and the command that takes it back.

Confirmations and rejections determine the project's level: the confidence that a memory needs to be
injected unasked (see bower status). --level N sets it, from 1, the strictest, to 4.
"""

import sys

from bowerbird.core.answers import Entries
from bowerbird.core.errors import BadInput, Denied, NotAPerson
from bowerbird.core.reviewed import REJECTED, Reviewed, waits
from bowerbird.core.states import in_state
from bowerbird.core.types import ALIVE, GLOBAL, beside
from bowerbird.core.value import Advice, Do
from bowerbird.core.who import USER
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import BOTH, REASON, TYPED, Field, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.types import Entry

EXAMPLES = (
    ("bower review", "what waits, and why; on a terminal decided by keys"),
    ('bower review --reject 019a2f6c-81d4 --reason "true of that branch alone"', "reject one"),
    ('bower review --edit 019a2f6c-81d4 --text "Deploy from main"', "confirm it in other words"),
    ("bower review --both 019a2f6c-81d4", "it and what it contradicts are both true"),
    ("bower review --later 019a2f6c-81d4 019a2f6a-07c1", "list these last from now on"),
    ("bower review --level 1", "inject only very certain memories"),
)
VERB = Verb(
    "review",
    "Review memories: confirm, edit, reject them or hold them back",
    (
        Field(
            "confirm", "texts", "confirm these, by id",
            default=(), interfaces=(TYPED,), metavar="ID", apart="verdict",
        ),
        Field(
            "both", "texts", "confirm these and what they contradict: both are true",
            default=(), interfaces=(TYPED,), metavar="ID", apart="verdict",
        ),
        Field(
            "reject", "texts", "forget these, by id",
            default=(), metavar="ID", apart="verdict",
        ),
        Field(
            "hold", "texts", "keep these, but never inject them unasked",
            default=(), metavar="ID", apart="verdict",
        ),
        Field(
            "edit", "text", "confirm this one in other words, those of --text",
            interfaces=(TYPED,), metavar="ID", apart="verdict",
        ),
        Field(
            "later", "texts", "decide on these later: they are listed last",
            default=(), metavar="ID", apart="verdict",
        ),
        Field(
            "text", "text", "the new text of the edited or confirmed memory", interfaces=(TYPED,),
            metavar="TEXT",
        ),
        REASON.replace(interfaces=BOTH),
        Field(
            "level", "whole", "set the level: the confidence needed to inject a memory unasked",
            low=1, high=4, interfaces=(TYPED,), metavar="N",
        ),
        Field(
            "limit", "whole", "maximum number to list (default 5)",
            default=5, low=1, high=200, interfaces=(TYPED,), metavar="N", option=("-n", "--limit"),
        ),
        Field("all_projects", "flag", "list every project", default=False, interfaces=(TYPED,)),
        Field(
            "ids", "texts", "further memories for the same verdict, or the new text after --edit",
            interfaces=(TYPED,), option=("ID",), words="*",
        ),
    ),
    Reviewed,
    "write",
    group="Look after",
    order=2,
    # A token in a file does not show that a person reads it: over HTTP nobody confirms.
    route=("POST", "/review"),
    renderer="review",
)  # fmt: skip
# More at a time are waved through, or not looked at.
_LISTED = 5
_VERDICTS = ("confirm", "both", "edit", "reject", "hold", "later")
# The least confidence in what a person confirmed.
_CONFIRMED = 0.9
_BY_USER: "dict[str, Any]" = {"origin": USER, "verified": True}
_EDITING = "bower review --edit ID --text …"
_DECIDING = "bower review --reject, --hold, --later, --both or --confirm, then one or more ids"
_BY_A_PERSON = "run it yourself, in a terminal of your own"


def run(bird: "Bowerbird", given: "dict[str, Any]") -> Reviewed:
    """Do what was decided; what was decided about, or what still waits."""
    edited, text = given.get("edit"), given.get("text")
    confirmed = [*(given.get("confirm") or ()), *([edited] if edited else ())]
    rejected, held, both = (given.get(name) or () for name in ("reject", "hold", "both"))
    if (text is not None and len(confirmed) != 1) or (edited and text is None):
        raise BadInput("--edit and --text go together, for one memory", _EDITING)
    if (chosen := given.get("level")) is not None:
        bird.admin.level(chosen)
    if given.get("later"):
        left, _ = decide(bird, given)
        return Reviewed(Entries(left), bird.admin.level().as_dict(), {}, left=len(left))
    if not (confirmed or both or rejected or held):
        wide = _wide(bird, given)
        listed = bird.named(*bird.admin.queue(all_projects=wide)[: given.get("limit", _LISTED)])
        shown = [_beside_its_opponent(bird, one) for one in listed]
        more = bird.admin.to_review(all_projects=wide) - len(shown)
        settled = bird.admin.settled(_LISTED, all_projects=wide)
        level = bird.admin.level().as_dict()
        return Reviewed(Entries(shown), level, {}, more=more, settled=(*settled,))
    left_behind = [one for id in confirmed for one in bird.admin.left_behind(id, text)]
    done, replaced = decide(bird, given)
    open_still = _open_still(bird, done[: len(confirmed)]) if confirmed else []
    verdict = "edited" if text is not None else "confirmed" if confirmed or both else ""
    verdict = verdict or ("rejected" if rejected else "held")
    return Reviewed(
        Entries([*done, *open_still]),
        bird.admin.level().as_dict(),
        {verdict: len(done)},
        left=len(open_still),
        replaced=tuple(dict.fromkeys(replaced)),
        left_behind=tuple(left_behind),
    )


def decide(bird: "Bowerbird", given: "dict[str, Any]") -> "tuple[list[Entry], list[str]]":
    """Do what was decided, and nothing else: what it was about, and the ids that nothing replaces now."""
    if later := given.get("later"):
        return _postponed(bird, [bird.get(id) for id in later]), []
    edited, text, reason = given.get("edit"), given.get("text"), given.get("reason", "")
    confirmed = [*(given.get("confirm") or ()), *([edited] if edited else ())]
    done = [_confirmed(bird, bird.get(id), text, reason) for id in confirmed]
    done += [side for id in given.get("both") or () for side in _both(bird, bird.get(id))]
    done += [_held(bird, bird.get(id), reason) for id in given.get("hold") or ()]
    rejected = given.get("reject") or ()
    replaced = _rejected(bird, [bird.get(id) for id in rejected], reason) if rejected else []
    return [*done, *(bird.get(id) for id in rejected)], replaced


def _beside_its_opponent(bird: "Bowerbird", entry: "Entry") -> "Entry":
    """An entry that waits, with what it contradicts: nobody decides between a text and an id."""
    return entry.replace(linked=bird.get(entry.id).linked) if entry.review else entry


def _wide(bird: "Bowerbird", given: "dict[str, Any]") -> bool:
    return bool(given.get("all_projects")) or bird.outside


def _confirmed(bird: "Bowerbird", entry: "Entry", text: str | None, reason: str) -> "Entry":
    """Confirm a memory, maybe in other words; a superseded one holds beside what superseded it."""
    if beside(entry.project) not in (GLOBAL.uid, bird.project.uid):
        bird = bird.within(entry.project)
    if entry.state not in (*ALIVE, "superseded"):
        raise in_state(entry.id, entry.state)
    if entry.state == "superseded":
        active = [one for one in bird.history(entry.id).versions if one.fields.state == "active"]
        if active:
            bird.revert(entry.id, active[-1].id)
    said = entry.details.fields.confidence if entry.details is not None else 0.0
    sure, wide = max(said, _CONFIRMED), beside(entry.project) == GLOBAL.uid
    audience = entry.details.fields.audience if entry.details is not None else None
    id = entry.id
    words = bird.admin.with_its_value(id) if text is None else text
    try:
        if words is not None:
            bird.admin.confirm_as(id, words, reason, confidence=sure, **_BY_USER)
        else:
            id = bird.remember(
                entry.text, confidence=sure, everywhere=wide, audience=audience, **_BY_USER
            ).id
    except NotAPerson as error:
        raise BadInput("only a person can confirm a memory", _BY_A_PERSON) from error
    bird.admin.judged(entry, "confirmed" if text is None else "edited")
    return bird.get(id)


def _open_still(bird: "Bowerbird", confirmed: "list[Entry]") -> "list[Entry]":
    """The pinned memories that contradict some that were confirmed, and wait on."""
    others = [case.other for case in bird.waiting(*(one.id for one in confirmed)).cases]
    return [one for one in others if one is not None and one.pinned and waits(one)]


def _both(bird: "Bowerbird", entry: "Entry") -> "tuple[Entry, Entry]":
    """Confirm a memory and the one that it contradicts: they hold side by side."""
    (case,) = bird.waiting(entry.id).cases
    if case.other is None:
        raise BadInput(f"{entry.id} contradicts no memory that holds", "confirm it alone")
    other = bird.get(case.other.id)
    if beside(entry.project) not in (GLOBAL.uid, bird.project.uid):
        bird = bird.within(entry.project)
    try:
        bird.admin.confirm_both(entry.id, other.id, confidence=_CONFIRMED, **_BY_USER)
    except NotAPerson as error:
        raise BadInput("only a person can confirm a memory", _BY_A_PERSON) from error
    for one in (entry, other):
        bird.admin.judged(one, "confirmed")
    return bird.get(entry.id), bird.get(other.id)


def _postponed(bird: "Bowerbird", entries: "list[Entry]") -> "list[Entry]":
    """Leave memories for later, or none where one of them does not wait."""
    for one in entries:
        if not waits(one):
            raise BadInput(f"{one.id} does not wait for a review", Advice("see: ", Do("review")))
    for one in entries:
        bird.admin.judged(one, "later")
    return entries


def _rejected(bird: "Bowerbird", entries: "list[Entry]", reason: str) -> list[str]:
    """Forget memories, or none where one of them cannot be; returns what nothing replaces any more."""
    gone = bird.forget_all([one.id for one in entries], reason or REJECTED)
    for one in entries:
        bird.admin.judged(one, "rejected")
    return [id for one in gone for id in one.replaced]


def _rejected_alone(bird: "Bowerbird", entry: "Entry", reason: str) -> "Entry":
    _rejected(bird, [entry], reason)
    return bird.get(entry.id)


def _held(bird: "Bowerbird", entry: "Entry", reason: str) -> "Entry":
    """Let a memory wait, whatever it was before."""
    comment = f"held back: {reason}" if reason else "held back"
    try:
        bird.edit(entry.id, review=comment, reason=comment)
    except Denied as error:  # a program that was shown text of less trust, such as what waits here
        raise Denied(error.message, _BY_A_PERSON) from error
    bird.admin.judged(entry, "held")
    return bird.get(entry.id)


_BY_KEYS = {
    "confirmed": lambda bird, entry, _: _confirmed(bird, entry, None, ""),
    "both": lambda bird, entry, _: _both(bird, entry)[0],
    "edited": lambda bird, entry, text: _confirmed(bird, entry, text or None, ""),
    "rejected": _rejected_alone,
    "held": _held,
}


def command(call: Call) -> Outcome:
    """Decide by arguments or, on a terminal, by keys; or list what waits."""
    given = call.given(VERB)
    verdicts = [name for name in _VERDICTS if given.get(name)]
    if len(verdicts) > 1:
        raise BadInput(f"{' and '.join(verdicts)} are two verdicts", "give one at a time")
    if more := given.pop("ids", ()):
        if verdicts == ["edit"] and "text" not in given:
            given["text"], more = " ".join(more), ()
        elif verdicts in ([], ["edit"]):
            raise BadInput(f"no verdict for {' '.join(more)}", _DECIDING)
        if more:
            given[verdicts[0]] += more
    by_keys = not given.keys() - {"all_projects"} and _on_terminal(call)
    with call.open(writes=bool(verdicts) or by_keys or "level" in given) as bird:
        if by_keys:
            wide = _wide(bird, given)
            shown = bird.named(*bird.admin.queue(all_projects=wide)[:_LISTED])
            beyond = bird.admin.to_review(all_projects=wide) - len(shown)
            found = load("cli.keys").decided(bird, call.page, shown, _BY_KEYS)
            found = found.replace(left=found.left + beyond)
        else:
            found = run(bird, given)
        said = call.of_project(bird)
    return Outcome(found, notes=said)


def _on_terminal(call: Call) -> bool:
    streams = (sys.stdin, sys.stdout, sys.stderr)
    # Windows has no termios to read keys by.
    watched = sys.platform != "win32" and all(one is not None and one.isatty() for one in streams)
    return watched and call.options.format in ("auto", "text") and not call.page.quiet
