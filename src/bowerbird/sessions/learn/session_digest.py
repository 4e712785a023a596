"""Makes the digest of a session: what was asked, done, decided and left open. Pure.

It is extractive: it quotes what a person typed and what the agent did in the project, never the output
of a tool. Of what followed an external read it quotes only the person's prompts, and names only files
that the session had touched before, so that nobody else's sentence gets into it by way of a commit
message, a to-do item, a file name or a branch.
"""

import re
from collections import Counter
from itertools import pairwise

from bowerbird.core.events import SAID, STOPPED
from bowerbird.core.language import NEGATIONS, content_words
from bowerbird.core.past import asks_of_the_past
from bowerbird.core.text import sentences, words
from bowerbird.core.value import Record
from bowerbird.sessions.digests import SessionDigest
from bowerbird.sessions.learn import quoting
from bowerbird.sessions.learn.commands import EVERYBODYS, checks, cut_short
from bowerbird.sessions.learn.commit_messages import landed_commits
from bowerbird.sessions.learn.corrected_values import corrected_value
from bowerbird.sessions.learn.lasting_features import spelled
from bowerbird.sessions.learn.open_work import OPEN
from bowerbird.sessions.learn.signals import instructions, routines
from bowerbird.sessions.learn.signals.choices import chosen
from bowerbird.sessions.learn.steps import once
from bowerbird.sessions.learn.test_runs import tests_passed
from bowerbird.sessions.learn.turns import LONGEST_ANSWER, turns
from bowerbird.sessions.learn.unmeant import unmeant
from bowerbird.sessions.observe.calls import command, kind_of, undone
from bowerbird.sessions.observe.fingerprint import branch_print
from bowerbird.sessions.substance import substance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.steps import RecordedSession, Step
    from bowerbird.sessions.learn.turns import Turn

# Maximum bytes of one quoted item.
_LONGEST_ITEM = 110
# Items of each part; more are counted.
_MOST_ASKED = 3
_MOST_COMMITS = 3
_MOST_FOLDERS = 3
_MOST_NAMES = 3
_MOST_LEFT = 4
_MOST_ANSWERED = 2
# A prompt with fewer words of substance ("yes, go on", "commit please") asks for nothing new.
_FEWEST_WORDS = 2
# A shorter sentence ("All done.") reports nothing.
_FEWEST_REPORTED = 6
# How much more an edit weighs than another call when turns are ordered by the work in them; and the
# maximum that the words of a prompt weigh, so that a rule that was stated stands before a small task.
_EDIT = 3
_MOST_SUBSTANCE = 6
# Words of substance of a prompt that only has a commit made ("mach bitte einen commit").
_MOST_OF_COMMIT = 3
# Characters of a prompt or message that are read.
_READ = 6_000
_ASKED = "the agent asked: "
# What a person puts off, in one of so many last prompts: what is to be done, and when.
_PUT_OFF = re.compile(
    r"(?i)\b(?:pick (?:it|this|that) up"
    r"|(?:do|fix|finish|handle|tackle|add|write|test) (?:it|this|that|the \w+(?: \w+)?|those|them)"
    r" (?:later|tomorrow|next (?:time|week))"
    r"|(?:leave|keep|park|postpone) [^.?!]{1,60}? (?:for|until|till) (?!now\b)\w+"
    r"|still (?:have|need|want) to)\b"
)
# A time to come, which farewells name, too.
_LATER = re.compile(
    r"(?i)\b(?:tomorrow|next (?:time|session|week)|another (?:day|time)|later on|morgen|sp[äa]ter"
    r"|n[äa]chste[ns]? (?:mal|woche)|demain|plus tard|la prochaine fois|mañana|más tarde|domani"
    r"|(?:la )?pr[oó]xima ve[zs]|prossima volta|più tardi|amanhã|mais tarde|volgende (?:keer|week))\b"
)
_FOR = ("for ", "für ", "pour ", "para ", "per ", "voor ")
_REFERS_BACK = re.compile(
    r"\W*[^\W\d]+ (?:it|that|this|them|those|das|es|sie|die|ça|cela|lo|la|eso|isso|dat|dit|deze|het)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:!()–—]\s*|\s(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|en|maar)\s")
_LAST_PROMPTS = 3
# Words that deny; contractions end in a "t".
_DENYING = NEGATIONS | {"t"}
_ITEM = re.compile(r"^\s*(?:[-*•+]|\d+[.)]|\[ \])\s+(?:\[ \]\s+)?")
_DONE_ITEM = re.compile(r"^\s*(?:[-*•+]\s+)?(?:\[x\]|✅|☑)", re.IGNORECASE)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s+|\*\*)|:\s*(?:\*\*)?\s*$")
_LONGEST_HEADING = 60
_NUMBER = re.compile(r"\d[\d.,:]*(?<!\D)")
# In words: a prompt that gives a number alone is about the one before it.
_SHORT_PROMPT = 6
_FENCE = re.compile(r"(?ms)^\s*```.*?(?:^\s*```\s*$|\Z)")
# Marks of Markdown, but not those inside of names (`max_steps`, `a > b`).
_MARKS = re.compile(r"`|\*\*|^\s*(?:#{1,6}|>)\s+|(?<!\w)[*_]+(?=\w)|(?<=\w)[*_]+(?!\w)")
# How the purposes of commands read.
_BUILDS = ("build", "types")
_CHECKED = {"test": "tests", "lint": "lint", "types": "type check", "build": "build"}


def digest_of(session: "RecordedSession", withdrawn: "Sequence[str]" = ()) -> SessionDigest | None:
    """Return the digest of a session; None if nothing was asked or done in it.

    `withdrawn` is what its author took back of what they had told in earlier ones.
    """
    asked = _asked(session)
    files = _edited(session)
    answered = _answered(session)
    told = (f"answered “{answer}”" for _, answer in answered)
    done = (*_commits(session), *told, *_passed(session), *_folders(files))
    if not any(not one.step.outside for one in landed_commits(session)):
        done = tuple(dict.fromkeys((*_reported(session), *done)))
    if not (asked or done):
        return None
    decided, refuted, left = (tuple(some(session)) for some in (_decided, _refuted, _left))
    if not (decided or refuted or withdrawn or files) and _only_asks(session, (*done, *left)):
        return None
    times = [step.at for step in session.steps if step.at]
    return SessionDigest(
        session.id,
        session.branch if session.branch == session.ended_on else "",
        branch_print(session.ended_on),
        min(times, default=0),
        max(times, default=0),
        asked,
        done,
        decided,
        tuple(one for one in refuted if one not in asked),
        tuple(withdrawn),
        left,
        tuple(one for one in _deferred(session, _worked(session)) if one in left),
        sum(one.edits for one in turns(session)),
        tuple(files),
        _checks(session),
        tuple(question for question, _ in answered),
    )


def _only_asks(session: "RecordedSession", told: "Sequence[str]") -> bool:
    """Return whether a session only asks what earlier ones did, or asks and nothing was found.

    The same question again would find the question, and not what answers it.
    """
    prompts = [turn.steps[0].event.text[:_READ] for turn in turns(session)]
    asking = [one for one in prompts if _has_content(one) or asks_of_the_past(one)]
    if any(checks(command(one.event.given)) for one in session.steps if one.event.tool):
        return False
    of_the_past = all(map(asks_of_the_past, asking)) and not landed_commits(session)
    return of_the_past or (not told and all(one.rstrip().endswith("?") for one in asking))


def _asked(session: "RecordedSession") -> tuple[str, ...]:
    """Return the prompts that say or began most, the first one with work among them, in order.

    Not what was for that moment alone, nor what only had a commit made: that is told as done.
    """
    found = []
    committed = {id(one.step) for one in landed_commits(session)}
    for turn in turns(session):
        text = _gist(turn.steps[0].event.text)
        only_committed = not turn.edits and any(id(one) in committed for one in turn.steps)
        # One command may edit and commit: then the prompt says what.
        only_committed = only_committed and len(substance(text)) <= _MOST_OF_COMMIT
        # "Just this once, …" may cancel a sentence before it: both say that it is for once.
        for_once = bool(unmeant(["", text]))
        if _has_content(text) and not only_committed and not for_once:
            found.append((turn.calls, _weight(turn, text), text))
    # The first task is what the session was for.
    task = next((at for at, one in enumerate(found) if one[0]), 0)
    chosen = sorted(range(len(found)), key=lambda at: (at != task, -found[at][1]))[:_MOST_ASKED]
    return tuple(dict.fromkeys(f"“{found[at][2]}”" for at in sorted(chosen)))


def _weight(turn: "Turn", text: str) -> int:
    return _EDIT * turn.edits + turn.calls + min(len(substance(text)), _MOST_SUBSTANCE)


def _has_content(text: str) -> bool:
    return len(substance(text)) >= _FEWEST_WORDS and len(text.split()) > 1


def _gist(text: str) -> str:
    """Return the first sentence of a text that says something, without its marks.

    With what follows as far as it fits: "The total is off by a cent. Find out why and fix it." Of a text
    that begins with a few words and a colon, the heading that follows; other lines behind a colon are
    more likely pasted than typed.
    """
    lines = [line for line in _FENCE.sub("", text[:_READ]).splitlines() if _plain(line)]
    if not lines:
        return ""
    first = _plain(_ITEM.sub("", lines[0]))
    if first.endswith(":") and len(lines) > 1 and lines[1].lstrip().startswith("#"):
        return _short(_plain(lines[1]))
    said = sentences(first)
    able = (at for at, one in enumerate(said) if len(one.split()) > _FEWEST_WORDS)
    begins = next((at for at in able if _has_content(said[at])), None)
    if begins is None:
        return _short(first)
    # From the longest on: the first that fits whole, or the sentence alone, cut.
    ends = range(len(said), begins + 1, -1)
    wholes = (" ".join(said[begins:end]) for end in ends)
    fits = (one for one in wholes if len(one.rstrip(" .:;,").encode()) <= _LONGEST_ITEM)
    return _short(next(fits, said[begins]))


def _plain(line: str) -> str:
    return " ".join(_MARKS.sub("", line).split())


def _short(text: str) -> str:
    """Return the beginning of a text, as long as an item, without secrets, cut at a word."""
    text = " ".join(cut_short(text, _READ).split()).rstrip(" .:;,")
    if len(text.encode()) <= _LONGEST_ITEM:
        return text
    data = text.encode()[: _LONGEST_ITEM - len("…".encode())].decode("utf-8", "ignore")
    at = data.rfind(" ")
    return (data[:at] if at > len(data) // 2 else data).rstrip(" ,;:") + "…"


def _commits(session: "RecordedSession") -> "Iterator[str]":
    """Yield the subjects of the last commits, and how many more there were."""
    landed = landed_commits(session)
    named = [one.subject for one in landed if one.subject and not one.step.outside]
    subjects = [*dict.fromkeys(_short(one) for one in named)]
    for subject in subjects[-_MOST_COMMITS:]:
        yield f"commit “{subject}”"
    more = len(landed) - len(subjects[-_MOST_COMMITS:])
    if more:
        yield f"{more} more commit{'s' * (more > 1)}" if subjects else _counted(more, "commit")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _edits(session: "RecordedSession") -> "Iterator[tuple[Step, str]]":
    """Yield each edit of a file of the project that may be named.

    Its name must be a plain one (`quoting.path`). After an external read these are files that the
    session had touched before it.
    """
    known: set[str] = set()
    for step in session.steps:
        does = kind_of(step.event.tool)
        for path in step.paths if does in ("read", "edit") and step.did else ():
            if not step.outside:
                known.add(path)
            if does == "edit" and path in known and quoting.path(path):
                yield step, path


def _edited(session: "RecordedSession") -> list[str]:
    """Return the edited files, the most often edited first."""
    return [path for path, _ in Counter(path for _, path in _edits(session)).most_common()]


def _folders(files: "Sequence[str]") -> "Iterator[str]":
    """Yield the edited files by folder: the only one of a folder by its name."""
    folders: dict[str, list[str]] = {}
    for path in files:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    most = sorted(folders.items(), key=lambda one: -len(one[1]))
    for folder, inside in most[:_MOST_FOLDERS]:
        names = [path.rpartition("/")[2] for path in inside[:_MOST_NAMES]]
        more = len(inside) - len(names)
        yield (
            f"edited {', '.join(names)}"
            + f" and {more} more" * bool(more)
            + (f" in {folder}" if folder else "")
        )
    if more := sum(len(inside) for _, inside in most[_MOST_FOLDERS:]):
        yield f"edited {_counted(more, 'other file')}"


def _reported(session: "RecordedSession") -> "Iterator[str]":
    """Yield the agent's report on most work; not chat beside it."""
    pieces = turns(session)
    worked = any(one.calls for one in pieces)
    for turn in sorted(pieces, key=lambda one: -_weight(one, one.steps[0].event.text[:_READ])):
        if (turn.calls or not worked) and (best := _report(session, turn)):
            yield "answered " * (not turn.edits) + f"“{_short(best)}”"
            return


def _answered(session: "RecordedSession") -> "list[tuple[str, str]]":
    """Return the last questions of a person with what the agent answered.

    Where it looked nothing up, the answer is one only if it is about the same.
    """
    found = []
    for turn in turns(session):
        text = turn.steps[0].event.text[:_READ].rstrip()
        asks = text.endswith("?") and not asks_of_the_past(text) and _has_content(text)
        best = _report(session, turn) if asks and not turn.edits else ""
        if best and (turn.calls or substance(text) & substance(best)):
            found.append((_short(text), _short(best)))
    return found[-_MOST_ANSWERED:]


def _report(session: "RecordedSession", turn: "Turn") -> str:
    """Return the sentence of a turn's last message that shares most words with the request; may be empty.

    The first one if none does: who asks why hears words that were not in the question. Not what the
    next prompt puts right, nor that checks pass whose last run failed.
    """
    if turn.refused or turn.closing is None or turn.closing.outside:
        return ""
    failed = {_CHECKED[name] for name, (passed, _) in _outcomes(session).items() if not passed}
    untrue = {word.removesuffix("s") for name in failed for word in words(name)}
    pieces = turns(session)
    after = dict(zip(map(id, pieces), pieces[1:], strict=False))
    then = after[id(turn)].steps[0].event.text if id(turn) in after else ""
    asked = {*content_words(tuple(words(turn.steps[0].event.text[:_READ])))}
    said = [*_statements(turn.closing.event.text, items=False)]
    said = said or [*_statements(turn.closing.event.text, items=True)]
    # What is still to do is no report.
    said = [one for one in said if not OPEN.search(one) and not _put_right(one, then)]
    said = [one for one in said if not any(untrue & {word, word[:-1]} for word in words(one))]
    return max(said, key=lambda one: len(asked & {*words(one)}), default="")


def _put_right(sentence: str, prompt: str) -> bool:
    """Return whether a prompt gives another value of a sentence ("no, 6500", "change that to 12")."""
    for one in sentences(prompt[:_READ]):
        if corrected_value(one, sentence, [_Said(sentence)]) is not None:
            return True
        other = {*_NUMBER.findall(one)}
        if len(one.split()) <= _SHORT_PROMPT and other and _NUMBER.search(sentence):
            return other.isdisjoint(_NUMBER.findall(sentence))
    return False


class _Said(Record):
    text: str


def _statements(text: str, *, items: bool) -> "Iterator[str]":
    """Yield the sentences of a message that state something: no headings, tables and questions.

    Those of lists only if `items`: alone they are understood less.
    """
    for line in _FENCE.sub("", text[:_READ]).splitlines():
        bold = line.lstrip().startswith("**")
        if bold or line.lstrip().startswith(("#", "|")) or "REDACTED" in line:
            continue
        if not items and (_ITEM.match(line) or line.startswith((" ", "\t"))):
            continue
        for one in sentences(_plain(_ITEM.sub("", line))):
            if len(one.split()) >= _FEWEST_REPORTED and one[-1:] not in ":?":
                yield one


@once
def _outcomes(session: "RecordedSession") -> "dict[str, tuple[bool, Step]]":
    """Return how the last check of each purpose ended: whether it passed, and its step."""
    found: dict[str, tuple[bool, Step]] = {}
    for step in session.steps:
        if step.event.sub or kind_of(step.event.tool) != "shell":
            continue
        for part in checks(command(step.event.given)):
            if part.purpose in _CHECKED:
                found[part.purpose] = (not step.failed, step)
        passed = tests_passed(step)
        if passed is not None:
            found["test"] = (passed, step)
        if found.get("test", (False, None)) == (True, step):
            # Code that does not compile passes no test.
            found = {name: one for name, one in found.items() if one[0] or name not in _BUILDS}
    return found


def _passed(session: "RecordedSession") -> "Iterator[str]":
    """Yield which checks passed at the end."""
    outcomes = _outcomes(session)
    passed = [name for purpose, name in _CHECKED.items() if outcomes.get(purpose, (False,))[0]]
    if passed:
        yield f"{', '.join(passed)} passed"


def _checks(session: "RecordedSession") -> tuple[str, ...]:
    """Return the commands of general use that succeeded, the most frequent of each purpose.

    Those that anybody would type are left out.
    """
    times = {text: mark.number for text, mark in routines.marks(session).items()}
    found: dict[str, str] = {}
    for text in sorted(times, key=lambda text: -times[text]):
        known = checks(text)
        if known and known[0].purpose in _CHECKED and text not in EVERYBODYS:
            found.setdefault(known[0].purpose, text)
    return tuple(f"{purpose} {text}" for purpose, text in found.items())


def _decided(session: "RecordedSession") -> "Iterator[str]":
    """Yield what a person chose when the agent asked."""
    for step in session.steps:
        if not step.outside:
            for question, answer in chosen(step):
                yield f"{_short(question)} “{_short(answer)}”"


def _refuted(session: "RecordedSession") -> "Iterator[str]":
    """Yield the prompts in which a person rejected what was done before."""
    for before, turn in pairwise(_worked(session)):
        text = turn.steps[0].event.text
        if before.refused and before.calls and len(text) <= LONGEST_ANSWER and _has_content(text):
            gist = _gist(text)
            # Somebody who asks has not rejected it yet.
            if _has_content(gist) and not gist.endswith("?"):
                yield f"“{gist}”"


def _worked(session: "RecordedSession") -> "list[Turn]":
    """Return the turns without those that a program's text began and nothing followed (`/exit`)."""
    return [one for one in turns(session) if len(one.steps) > 1 or one.steps[0].event.text]


def _left(session: "RecordedSession") -> "Iterator[str]":
    """Yield what was left open, the surest sign first."""
    found: list[str] = []
    pieces = _worked(session)
    while len(pieces) > 1 and _only_leaves(pieces[-2], pieces[-1]):
        pieces = pieces[:-1]
    said_open = [*_deferred(session, pieces[-1:]), *_said_to_lack(pieces[-1:])]
    unfinished = pieces and not said_open and _unanswered(pieces[-1])
    if unfinished and _has_content(_request(pieces)):
        found.append(f"“{_request(pieces)}” was not finished")
    for purpose, (passed, step) in _outcomes(session).items():
        if not passed:
            found.append(_failed(purpose, step))
    found += _deferred(session, pieces)
    found += _said_to_lack(pieces)
    found += _todo(session)
    for later, text in enumerate(_last_messages(pieces)):
        # A question has its answer where the person went on.
        found += (one for one in _open_in(text) if not (later and one.startswith(_ASKED)))
    if uncommitted := _uncommitted(session):
        every = [*dict.fromkeys(path.rpartition("/")[2] for path in uncommitted)]
        names, more = every[:_MOST_NAMES], len(every) - len(every[:_MOST_NAMES])
        found.append(f"not committed: {', '.join(names)}" + f" and {more} more" * bool(more))
    yield from [*dict.fromkeys(found)][:_MOST_LEFT]


def _last_messages(pieces: "Sequence[Turn]") -> "Iterator[str]":
    """Yield the agent's last message, and those before it after which it did nothing more.

    What it said is open, still is after a good night.
    """
    for turn in reversed(pieces[-_LAST_PROMPTS:]):
        if turn.closing is not None and not turn.closing.outside:
            yield turn.closing.event.text
        if turn.calls:
            return


def _request(pieces: "Sequence[Turn]") -> str:
    """Return what the last turn was to do; a bare "yes" goes on with the prompt before it."""
    asked = (_gist(one.steps[0].event.text) for one in reversed(pieces[-_LAST_PROMPTS:]))
    return next(filter(_has_content, asked), "")


def _only_leaves(before: "Turn", turn: "Turn") -> bool:
    """Return whether a turn only takes leave, and does not answer a question of the agent."""
    asks = before.closing is None or before.closing.event.text.rstrip(" *_`\n").endswith("?")
    text = turn.steps[0].event.text
    if asks or len(turn.steps) > 1 or len(text) > LONGEST_ANSWER:
        return False
    clauses = [clause for one in sentences(text) for clause in _CLAUSE.split(one)]
    return not any(map(_has_content, clauses)) and not any(map(_puts_off, sentences(text)))


def _deferred(session: "RecordedSession", pieces: "Sequence[Turn]") -> "Iterator[str]":
    """Yield what a person put off in the last prompts; not what they stated for good."""
    stated = {key for keys in instructions.taken(session).values() for key in keys}
    for turn in pieces[-_LAST_PROMPTS:]:
        for one in sentences(_FENCE.sub("", turn.steps[0].event.text[:_READ])):
            if instructions.key(_plain(one)) not in stated and _puts_off(_plain(one)):
                yield f"“{_short(_plain(one))}”"


def _puts_off(sentence: str) -> bool:
    """Return whether a sentence says what is to be done later: "see you tomorrow" does not.

    A clause that ends with the time says it itself, one that begins with it in all that follows.
    """
    if _PUT_OFF.search(sentence):
        return _has_content(sentence)
    start = 0
    for end, then in (*(one.span() for one in _CLAUSE.finditer(sentence)), (len(sentence),) * 2):
        found = _LATER.search(sentence, start, end)
        # "In the demo for tomorrow use fake prices": what the time is of, and not when.
        if found and sentence[: found.start()].lower().endswith(_FOR):
            found = None if sentence[found.end() : end].strip(" .!") else found
        if found is not None:
            begins = not sentence[start : found.start()].strip()
            # What "do that tomorrow" is of was said before it.
            if _REFERS_BACK.match(sentence, start):
                start = 0
            about = substance(sentence[start : None if begins else end])
            if len(about) >= _FEWEST_WORDS:
                return True
        start = then
    return False


def _said_to_lack(pieces: "Sequence[Turn]") -> "Iterator[str]":
    """Yield what a person said last of their own requests, and denies, if nothing was done after it.

    "So the quest log isn't written yet": no words of it are needed but those of the request.
    """
    at = len(pieces)
    while at and not pieces[at - 1].calls:
        at -= 1
    asked = {word for one in pieces[:at] for word in content_words(_words_of(one.steps[0]))}
    for turn in pieces[max(at, len(pieces) - _LAST_PROMPTS) :]:
        for one in sentences(_FENCE.sub("", turn.steps[0].event.text[:_READ])):
            said = tuple(words(spelled(one)))
            about = asked & {*content_words(said)}
            lacks = len(about) >= _FEWEST_WORDS and not _DENYING.isdisjoint(said)
            if (lacks or OPEN.search(one)) and one[-1:] != "?":
                yield f"“{_short(_plain(one))}”"


def _words_of(prompt: "Step") -> "tuple[str, ...]":
    return tuple(words(prompt.event.text[:_READ]))


def _unanswered(turn: "Turn") -> bool:
    """Whether the agent was stopped, or said last what it would do, or nothing after its last call."""
    own = [step for step in turn.steps if not step.event.sub]
    last = own[-1].event
    announces = last.what == SAID and last.text.rstrip().endswith(":")
    return announces or last.what == STOPPED or (last.what != SAID and turn.closing is None)


def _failed(purpose: str, step: "Step") -> str:
    text = next((one.text for one in checks(command(step.event.given))), "")
    named = f" (`{text}`)" if text and not step.outside and len(text) <= _LONGEST_HEADING else ""
    return f"{_CHECKED[purpose]} failed{named}"


def _todo(session: "RecordedSession") -> "Iterator[str]":
    """Yield the open items of the last to-do list."""
    for step in reversed(session.steps):
        items = undone(step.event.given)
        if items is not None and not step.event.sub:
            if step.outside and items:
                yield _counted(len(items), "to-do item")
            elif items:
                yield from (f"to do: {_short(item)}" for item in items)
            return


def _open_in(text: str) -> "Iterator[str]":
    """Yield what an agent's last message says is open, and its question at the end."""
    text = _FENCE.sub("", text)
    below = False
    said: list[str] = []
    for line in text.splitlines():
        bare = _plain(line)
        item = bool(_ITEM.match(line))
        if not bare or _DONE_ITEM.match(line):
            continue
        if not item and _HEADING.search(line) and len(bare) <= _LONGEST_HEADING:
            below = bool(OPEN.search(bare))
            continue
        if item and below:
            said.append(_ITEM.sub("", bare))
        else:
            below = below and item
            said += [_unlabelled(one) for one in sentences(_ITEM.sub("", bare)) if OPEN.search(one)]
    yield from map(_short, said[:_MOST_LEFT])
    last = next(reversed(sentences(text.rstrip(" *_`\n"))), "")
    if last.endswith("?"):
        yield f"{_ASKED}“{_short(_plain(last))}”"


def _unlabelled(sentence: str) -> str:
    """Return what a label announces that says nothing else: "Left open: old carts" is old carts."""
    label, colon, rest = sentence.partition(": ")
    return rest if colon and rest and OPEN.fullmatch(label) else sentence


def _uncommitted(session: "RecordedSession") -> list[str]:
    """Return the files that were edited after the last commit; none if the session made no commit.

    People who commit by hand do so after the session.
    """
    landed = landed_commits(session)
    if not landed:
        return []
    last = landed[-1].step.line
    return [*dict.fromkeys(path for step, path in _edits(session) if step.line > last)]
