"""Decides which part of a prompt a person typed, and whether the rest is somebody else's words. Pure.

An agent's record of a prompt holds more than was typed: files that were mentioned, pasted and piped text,
instructions that the program adds, messages of a chat. Nobody marks all of it, so the rule is by what is
known: typed is the beginning of a prompt up to the first sign of something else, and nothing of a prompt
that begins with one. What quotes is worth what it quotes: quoted lines and blocks of code are left out.
"""

import re2

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Texts of this many lines or characters were not typed in one go.
_MOST_LINES = 25
_MOST_CHARS = 2_500
_LEAD_LINES = 3
_LEAD_CHARS = 400
_LETTER_LINES = 3
# Marks that programs put in place of what a person added by a key.
_PLACED = re2.compile(r"(?i)\[(?:Image|Pasted text|Image source)[^\]\n]{0,200}\]")
# Texts that programs write in a person's name.
_WRITTEN = re2.compile(
    r"(?:Caveat:|This session is being continued|Implement the following plan:"
    r"|Base directory for this skill|\[Request interrupted"
    r"|# AGENTS\.md\b|Warmup$|Unknown (?:slash )?command)"
)
# A block of a program, a channel's prefix, or a separator before the content of a file.
_BLOCK = re2.compile(
    r"<[A-Za-z_!/?][^\n]*|-{3,}(?:\s|$)|={3,}|\*{3,}$|_{3,}$|-{2}\s*$|\+{3,}|@{2} |#{1,6} AGENTS"
    r"|diff --git |commit [0-9a-f]{7,40}$|Index: "
)
# A heading of Markdown: what stands below one is a document.
_HEADING = re2.compile(r"#{1,6} \S")
# The prefix of a chat's message, with the channel and who wrote.
_CHANNEL = re2.compile(r"\[[A-Z]\w*[ :@#+][^\]\n]*\]\s")
# What introduces the words of somebody else: headers, bylines.
_BYLINE = re2.compile(
    r"(?i)(?:>+ ?)?(?:(?:from|to|cc|bcc|subject|sender|sent|reply-to|authors?|date|message-id"
    r"|reported(?:-| )by|reporter|assignees?|labels?|milestone|title|state|url|source"
    r"|posted by|written by"
    r"|betreff|von|an|gesendet)\s*:(?:\s|$)"
    r"|on .{4,80} wrote:|(?:am|le) .{4,80} (?:schrieb|a écrit)\b.*:"
    r"|@?[\pL\pM\pN_.-]+(?: [\pL\pM\pN_.-]+)? (?:wrote|commented|said|writes|says"
    r"|replied|asked|opened|posted)"
    r"(?: (?:on|this|at|\d).{0,60})?:?$"
    r"|-+ ?(?:original|forwarded) message|begin forwarded message)"
)
# A counted repetition of letters of any alphabet is compiled as often as it may repeat: `{0,19}` three
# times made 84,076 instructions, more than the engine's automaton has room for. So their number is
# looked at apart.
_HEADER = re2.compile(
    r"([\pL][\pL\pM\pN_-]+)(?::(?:\t| +)|：\s*)\S|([a-z][\w-]+):\t?$|([a-z-]+):\t"
)
_LONGEST_NAME = 20
# What a program printed: traces, logs, prompts of a shell, compilers' findings.
_PRINTED = re2.compile(
    r"Traceback \(most recent|\s+at \S+ ?\(|\s*File \".+\", line \d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d"
    r"|\[\d\d:\d\d|\d\d:\d\d:\d\d\b|[$%❯➜] \S|[\w./-]+:\d+:\d+|(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL)\b"
    r"|npm (?:ERR|error|warn)|error(?:\[\w+\]|\s+TS\d+)?: |E   |[-+]{3} [ab]/"
    r"|\w+(?:Error|Exception): |--- (?:FAIL|PASS)"
)
_SALUTATION = re2.compile(
    r"(?i)(?:hi|hello|hey|dear|hallo|moin|guten tag|sehr geehrte\w*|bonjour|hola)\b[^.!?\n]{0,40}[,!:]?$"
)
_SIGN_OFF = re2.compile(
    r"(?i)(?:best|regards|best regards|kind regards|cheers|sincerely|yours|thanks|thank you|many thanks"
    r"|thx|best wishes|all the best|viele gr[üu](?:ß|ss)e|mfg|beste gr[üu](?:ß|ss)e|lg|saludos"
    r"|cordialement)"
    r"[,.!]?$"
)
_SIGNED = re2.compile(r"(?:--|—|–|-) ?[\p{Lu}\p{Lo}][\pL\pM]+(?: [\p{Lu}\p{Lo}][\pL\pM]+)?$")
# A line that announces something quoted.
_ANNOUNCES = re2.compile(
    r"(?i)\b(?:issues?|errors?|outputs?|logs?|messages?|mails?|e-?mails?|tickets?|comments?|reviews?"
    r"|reviewers?|says?|said|wrote|writes|got|gets|getting|traces?|tracebacks?|text|readme|docs?|documentation|pages?"
    r"|articles?|snippets?|code|files?|contents?|result|prints?|shows?|reads?|quote|slack|chat|thread|post"
    r"|report|description|body|summari[sz]e|translate|explain|convert|parse|pasted?|below|response"
    r"|feedback|fix this|this|it|these|here(?:'s| is| are)|from|according|wiki|runbook|laut|aus)\b"
)
# In a heading over a list, what says that the list is about the project, or how its author works.
_OWN_HEADING = re2.compile(
    r"(?i)\bthis (?:whole |entire )?(?:repo|repository|project|codebase|service|app|package|team)\b"
    r"|\b(?:this is|here(?:'s| is)) how (?:we|i)\b|\bhow it\b|\bour code\b"
)
# A heading over entries of its author's, such as “our setup:”, and an entry, as short as a person writes
# one: “Queue: redis”.
_OWN_LIST = re2.compile(
    r"(?i)(?:our|my|unsere?|meine?|notre|nos|mon|mes|nuestr[oa]s?|mis?)(?: [\pL\pM\pN_/-]+){1,3} ?:?$"
)
_ENTRY = re2.compile(r"[\pL\pN][^:：]*[:：]\s*\S+(?:\s+\S+){0,5}$")
_LISTED = re2.compile(r"(?:[-*+•–]|\d{1,3}[.)])\s")
_ASKS_TO_KEEP = re2.compile(
    r"(?i)\b(?:remember|note|keep in mind|rules?|conventions?|guidelines?|from now on|always|never"
    r"|in future|going forward)\b"
)
# A sentence that asks about something there which somebody said or printed: what follows a blank is that.
_ASKS_ABOUT = re2.compile(
    r"(?i)\b(?:what|why|how|look|see|read|check|translate|summari[sz]e|was|warum|wieso|schau|sieh|lies"
    r"|quoi|que|qu['’]est|pourquoi|regarde|qu[ée]|mira|lee)\b"
)
_THERE = re2.compile(
    r"(?i)\b(?:this|that|these|those|here|below|following|dies\w*|hier|da|unten|folgend\w*|ce|cette|ces|ceci|cela|voici"
    r"|ci-dessous|esto|est[ae]|aqu[ií])\b"
)
_UTTERS = re2.compile(
    r"(?i)\b(?:says?|said|writes?|wrote|prints?|printed|wants?|asks?|answers?|replies|replied|shows?"
    r"|outputs?|reports?|claims?|tells?|sent|posted|schreib\w*|sag\w{1,2}|meint|will|antwortet\w*|ausgibt"
    r"|schick\w*|dit|écrit|veut|dice|escribe|quiere)\b"
)
# A closing word behind a blank line, which is nobody else's.
_CLOSING_WORDS = 3
# A line of a conversation: who speaks, in up to three words, and what.
_SPEAKER = re2.compile(r"([\p{Lu}\p{Lo}][\pL\pM\pN_-]*(?: [\pL\pM\pN_-]+){0,2})(?::[ \t]+|：\s*)\S")
# What others write, announced in the same line: the rest of it is theirs.
_OTHERS = re2.compile(
    r"(?i)\b(?:this|the|a|an|my|his|her|their|our|following|of|from|by|in|on)\b[^:\n]{0,40}\b(?:issue"
    r"|comment|message|e-?mail|mail|review|ticket|readme|page|article|post|thread|description|snippet|text|reply"
    r"|note|letter|says|said|wrote|writes)s?\s*:\s+\S"
)
# A longer quotation, with its marks.
_SHORTEST_QUOTATION = 22
_QUOTATION = re2.compile(r"[\"“„«]([^\"“”„«»\n]{20,})[\"”“»]")
_QUOTED_WORDS = 5
_OPENS_MARK = "["
_COLON = ":"
_COLONS = re2.compile("[:：]")
_SENTENCE_END = re2.compile(r"[.!?]\s+")
_FENCE = ("```", "~~~", '"""')


class Typed(Value):
    """What a person typed of a prompt, and the `rest`, whose author is unknown.

    `others`: the rest begins with somebody else's words.
    """

    __slots__ = ("others", "rest", "text")

    def __init__(self, text: str, rest: str = "", *, others: bool = False) -> None:
        self.text = text
        self.rest = rest
        self.others = others


def typed(text: str, *, one_line: bool = False) -> Typed:
    """The part of a prompt that a person typed; empty if none is known to be.

    `one_line`: the agent was started with the prompt, to which it appends what is piped into it.
    """
    # Most lines have no bracket or colon, and to look for one takes a fiftieth of what a pattern takes.
    text = (_PLACED.sub("", text) if _OPENS_MARK in text else text).strip()
    if not text or _BLOCK.match(text + "\n") or _WRITTEN.match(text):
        return Typed("", text)
    if text.startswith(_OPENS_MARK) and _CHANNEL.match(text):
        return Typed("", text, others=True)
    lines = text.split("\n")
    kept, others = _up_to_foreign(lines)
    if _is_letter(kept):
        return Typed("", text, others=True)
    if len(kept) > _MOST_LINES or sum(map(len, kept)) > _MOST_CHARS:
        kept = _lead(kept)
    if one_line and len(lines) > 1:
        kept, others = kept[:1] if kept[:1] == lines[:1] else [], True
    bare = [_without_quotation(line) for line in kept]
    return Typed("\n".join(bare).strip(), _rest(lines, kept, bare), others=others)


def _rest(lines: list[str], kept: list[str], bare: list[str]) -> str:
    """The lines that were not kept, and those of which only a part was."""
    rest: list[str] = []
    at = 0
    for line in lines:
        if at < len(kept) and line == kept[at]:
            rest += [line] if bare[at] != line else []
            at += 1
        else:
            rest.append(line)
    return "\n".join(rest).strip()


def _up_to_foreign(lines: list[str]) -> tuple[list[str], bool]:
    """The lines before the first that is not typed, without code and quotations.

    And whether that line is somebody else's, rather than a program's.
    """
    kept: list[str] = []
    fence = ""
    announced = others = points = entries = False
    for at, line in enumerate(lines):
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) else fence
            continue
        if bare.startswith(_FENCE):
            fence = bare[:3]
            continue
        if bare.startswith(">"):
            continue
        if announced and bare:
            break
        if bare and points and len(" ".join(lines[at:]).split()) > _CLOSING_WORDS:
            break
        following = lines[at + 1].strip() if at + 1 < len(lines) else ""
        entries = bool(entries and bare and _ENTRY.match(bare))
        if bare and _is_somebodys(bare, following, first=not any(kept), entries=entries):
            others = True
            break
        if bare and _is_documents(line, bare, lines[at + 1 :]):
            break
        kept.append(line)
        points = (not following and _asks_about(bare)) if bare else points
        entries = entries or bool(_OWN_LIST.match(bare))
        if bare.endswith(":") and at + 1 < len(lines):
            announced = _announces(bare, lines[at + 1 :])
    return kept, others


def _announces(heading: str, below: list[str]) -> bool:
    """Whether a line that ends with a colon announces something quoted.

    “this repo” over a list points at the project, and not at the list.
    """
    first = next(filter(None, map(str.strip, below)), "")
    if _LISTED.match(first):
        heading = _OWN_HEADING.sub("", heading)
    return bool(_ANNOUNCES.search(heading)) and not _ASKS_TO_KEEP.search(heading)


def _is_documents(line: str, bare: str, below: list[str]) -> bool:
    """Whether a line begins what a program printed, or a document: a heading with something below."""
    if _BLOCK.match(bare + "\n") or _PRINTED.match(line):
        return True
    return bool(_HEADING.match(bare)) and any(map(str.strip, below))


def _is_somebodys(bare: str, following: str, *, first: bool, entries: bool = False) -> bool:
    """Whether a line begins what another person wrote: a header, a byline, a greeting.

    `entries`: it is one of a list of its author's, in which a name and a colon are no header.
    """
    if _BYLINE.match(bare) or (bare.startswith(_OPENS_MARK) and _CHANNEL.match(bare)):
        return True
    both = not entries and _COLONS.search(bare) and _COLONS.search(following)
    if both and any(_begins(one, bare) and _begins(one, following) for one in (_HEADER, _SPEAKER)):
        return True
    return not first and bool(_SALUTATION.match(bare))


def _begins(known: "Any", line: str) -> bool:
    """Whether a line begins with a name and a colon, and no word of the name is too long for one."""
    found = known.match(line)
    return found is not None and max(map(len, found[found.lastindex].split(" "))) <= _LONGEST_NAME


def _asks_about(line: str) -> bool:
    """Whether the last sentence of a line asks about what somebody said or printed there."""
    said = [one for one in _SENTENCE_END.split(line.rstrip(".!?… ")) if one]
    last = said[-1] if said else ""
    return all(one.search(last) for one in (_ASKS_ABOUT, _THERE, _UTTERS))


def _is_letter(lines: list[str]) -> bool:
    """Whether lines end like a message to a person."""
    said = [one.strip() for one in lines if one.strip()]
    if len(said) < _LETTER_LINES:
        return False
    signed = _SIGN_OFF.match(said[-2]) or _SIGNED.match(said[-1])
    return bool(signed or (_SALUTATION.match(said[0]) and _SIGN_OFF.match(said[-1])))


def _without_quotation(line: str) -> str:
    """A line without the longer words of others in it."""
    found = _OTHERS.search(line) if _COLON in line else None
    if found and not _ASKS_TO_KEEP.search(line[: found.end()]):
        line = line[: found.end() - 1].rstrip()
    if len(line) < _SHORTEST_QUOTATION:
        return line
    bare: str = _QUOTATION.sub(
        lambda one: '"…"' if len(one[1].split()) >= _QUOTED_WORDS else one[0], line
    )
    return bare


def _lead(lines: list[str]) -> list[str]:
    """The first paragraph of a long text, if it is as short as what a person writes before it."""
    kept = []
    for line in lines:
        if not line.strip():
            break
        kept.append(line)
    short = len(kept) <= _LEAD_LINES and sum(map(len, kept)) <= _LEAD_CHARS
    return kept if short and len(kept) < len(lines) else []
