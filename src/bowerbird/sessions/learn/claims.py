"""Self-contained sentences of agents and commits that state a cause or a decision. Pure."""

import re

from bowerbird.core.value import Record
from bowerbird.guard.privacy import private

_CODE = re.compile(r"(?s)```.*?(?:```|\Z)")
# Headings, tables, quotes and rulers are not sentences.
_ASIDE = re.compile(r"^\s*(?:#|\||>|---|===|\+|//|✓|✗|⎿)")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
# A label in front of a sentence: “**Root cause:** …”, “Key invariant - …”.
_LABEL = re.compile(
    r"^\W*(?!`)[A-Z][\w' /-]{2,40}?(?:\s*\([^)]*\))?\**\s*(?::|\s[—–-])\**\s+(?=[\w`])"
)
# “`name` - Now uses …” is a sentence without its link; “`name` - Added …” describes a change to a file.
_JOINT = re.compile(
    r"^\W*(?P<name>`[^`]{3,60}`)(?:\s*\([^)]*\))?\**\s*(?::|\s[—–-])\**\s+(?P<now>[Nn]ow )?(?P<verb>uses"
    r"|returns|checks"
    r"|takes|reads|writes|calls|requires|accepts|falls back|handles|runs|keeps|stores|skips|fails|loads"
    r"|sets|sends"
    r"|includes|expects|validates|detects|creates|parses|must|does|is|are|has|can|cannot|will|only"
    r"|always|never)\b"
)
_THAT = re.compile(
    r"(?i)^the (?:root cause|actual (?:cause|issue|problem)|real (?:issue|problem)|cause|issue|problem"
    r"|bug|reason"
    r"|key)(?: here)? (?:is|was) (?:that )(?P<rest>.+)$"
)
_ENDS = re.compile(r"(?<=[.!?])[\"')*]*\s+(?=[A-Z`*\"(])")
# An identifier: quoted, a path, or with inner capitals or underscores.
_NAME = re.compile(
    r"`[^`]*[A-Za-z_]{3}[^`]*`|\b[\w-]+/[\w./-]+\w|\b\w+\.(?:go|py|ts|tsx|js|rs|rb|java|json|toml|ya?ml"
    r"|md|sh|c|h"
    r"|cpp|kt|swift|php|sql)\b|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\b[a-z]+_[a-z_]+\b"
)
# “Removed … since …” describes work that was done. “Both …” and “All …” need an identifier close behind
# them that says what is meant.
_DID = re.compile(r"(?i)^[a-z]+ed\b")
_SOME = re.compile(r"(?i)^(?:both|all|every)\b")
# A conditional is a plan, unless it describes a possible failure and its cause.
_WOULD = re.compile(r"(?i)\bwould\b(?!.*\bbecause\b)")
# Words that tie a sentence to the conversation or to the moment.
_LEANS = re.compile(
    r"(?i)\b(?:you|your|you're|i|i'm|i've|i'll|me|my|let'?s|let me|above|below|here|earlier"
    r"|previous(?:ly)?"
    r"|these|this(?! (?:repo|project|package|codebase))|the (?:following|first|second|third|other"
    r"|latter|former|above|two|new test|summary|changes?"
    r"|user(?:'s)? (?:asked|request|wants?|said))|lines? \d+|options? [\da-c]\b|step \d+|phase \d+"
    r"|round \d+"
    r"|todo|comment #?\d+|as requested|could|should|might|maybe|may|probably|likely|perhaps|seems?"
    r"|appears?"
    r"|i think|if you|want me|next steps?|for now|currently|at the moment|yet|today|same (?:thing|issue"
    r"|approach)"
    r"|right now|later|(?:is|are) being|in the tests?"
    r"|users? (?:committed|ran|typed|made)|(?:is|was|are) (?:actually |now |indeed )?(?:correct|fine"
    r"|right|ok)|we (?:need|can|could|should|will|want|just)|we'll|looking at|anyway|is being"
    r"|the fix"
    r"|the comment|new behaviou?r|also|again|too|all tests|tests? (?:now )?pass(?:es|ed)?|lint"
    r"|no longer (?:needed|useful|used)|per the review|in the list|(?:is|are) (?!missing)\w+ing"
    r"|reviewer|copilot|cursor|bugbot)\b"
)
# The imperative: in a message of an agent a plan, in that of a commit what was done. Known by its verb,
# or by what follows: a noun that is the subject is not followed by another one.
_ORDERS = re.compile(
    r"^(?i:(?:\w+ly |(?:also|now|so|then|instead|just|always|never) )?(?:do(?:n't| not)|move|add"
    r"|use|make|keep|extract|replace|change|remove|set|check|run|call|handle|store|pass|return"
    r"|update|ensure|consider|avoid|skip|create|fix|try|read|write|put|rename|revert|delete|wrap"
    r"|disable|enable|adjust|eliminate|include|introduce|exempt|pick|optimi[sz]e|cache|modify"
    r"|switch|invoke|append|send|ignore|open|detect|initiali[sz]e|depend|warn|print|parse|allow"
    r"|require|drop|bump|clarify|refactor|rework|split|merge|prefer|limit|restrict|force|default"
    r"|convert|let|treat|raise|throw|log|document|mark|expose|hide|accept|reject|strip|validate"
    r"|support|implement|improve|simplify|restore|reset|load|fall|guard|stop|start|reuse|share|cap"
    r"|clamp|defer|retry|catch|release|close|lock|pin|upgrade|install|build|generate|sort"
    r"|normali[sz]e|escape|quote|record|report|mention|note|omit|prevent|preserve|propagate|refuse"
    r"|rely|render|resolve|respect|rewrite|save|select|show|track|translate|trim|turn|unify|verify"
    r"|wait|choose|emit|export|import|fetch|flush|give|join|leave|look|compile|define|dump|bring|format|arrange|match|order"
    r"|override)\b)"
    r"|^(?:(?i:\w+ly|also|now|so|then|always|never) )?(?!(?i:the|a|an|our|its|in|on|at|by|for|of"
    r"|with|from|to|as|if|when|while"
    r"|since|after|before|until|unless|because|once|under|over|per|via|than|without|despite|unlike|like"
    r"|given|although|though|whereas"
    r"|most|some|many|such|what|not|both|only|even|all|no|any|each|every|is|are|was|were|does|did|has|had"
    r"|can|but|and|or|during|within|outside|inside)\b)"
    r"[A-Za-z][a-z]*(?:[a-rt-z]|ss)(?<!ed)(?<!ing) (?:(?:up|out|off|for|down) )?"
    r"(?:(?:the|a|an|all|any|each|every|its|their|our|no|both)\b|`|(?!v?\d)[a-z]\w*[_/.(]\w|%)"
)
_CONDITION = re.compile(r"(?i)^(?:if|when|on|in|for|once|after|before|until)\b[^,]*, ")
# A reason that is said in so many words.
_EXPLICIT = re.compile(
    r"(?i)\b(?:because|since|so that|so (?:the|it|a|an|we|they|no)|otherwise|due to"
    r"|as (?:the|it|this|that|we|they)|in order to|to (?:avoid|prevent|ensure)"
    r"|which (?:would|is|are|was|does|can|means))\b"
)
_OPENS = re.compile(
    r"(?i)^(?:(?:always|never|already|silently) \w+s\b|it|this|that|these|those|they|he|she|both"
    r"|each|either|neither|now|so|but|and|or|then|thus|hence"
    r"|however|otherwise|instead|also|which|yes|no|great|good|perfect|done|ok(?:ay)?|here|there|all|one"
    r"|another"
    r"|for example|e\.g|i\.e|see|let|what|why|how|where|who|to|in (?:this|that|these) |same|only|just|not"
    r"|uses?|using|returns?|checks?|calls?|reads?|writes?|sets?|handles?"
    r"|ensures?|verif(?:y|ies)|tests?|made|kept|keeps?|passes|adds?|removes?"
    r"|creates?|replaces?|skips?|avoids?|prevents?|allows?|supports?|shows?|gets?|works?|runs?|takes?"
    r"|the (?:fix|value|name|file|line"
    r"|issue|problem|bug|code|function|test|change|logic|flow|method|approach|result|answer|old|new"
    r"|existing"
    r"|original|current|reason|difference|error|output|build|solution|implementation|root cause|cause))\b"
)
# A fault that is present now: unless something was changed already, it will be fixed soon.
_FAULT = re.compile(
    r"(?i)\b(?:never|does(?:n't| not)|is(?:n't| not)|are(?:n't| not)|fails?|dropped|missing|silently"
    r"|broken|bug"
    r"|lost|ignored|incorrect(?:ly)?|wrong(?:ly)?|swallowed|leaks?|crash(?:es)?|issue|problem|undetected"
    r"|false (?:negative|positive)s?)\b"
)
# Evidence that a fault is gone: the earlier and the present behaviour.
_MENDED = re.compile(
    r"(?i)^(?!if\b).*\b(?:was|were|wasn't|weren't|would|did|didn't|had|got|failed|caused|missed|broke"
    r"|now)\b|^[a-z]+ed\b"
)
# A cause; and a choice between alternatives.
_CAUSE = re.compile(
    r"(?i)\b(?:because|caused by|due to|as a result of|root cause|led to|leads? to|results? in|causes?"
    r"|causing"
    r"|breaks? (?:when|if)|fails? (?:when|if|with|to|on|because)|failed (?:when|because|to)"
    r"|panics? (?:when|if)"
    r"|only works?|does(?:n't| not) (?:support|work|handle|respect|include|follow|honou?r|know|see"
    r"|expand|match)"
    r"|cannot|can't|requires|must|is (?:not|never) (?:set|called|available|checked|loaded|created)"
    r"|unless|even (?:when|if|though)|silently|by design|since|only (?:when|if|for|after|in|on)|always"
    r"|never"
    r"|by default|regardless of|depends on|relies on|so .{3,40} (?:fails?|breaks?|is lost))\b"
)
_CHOICE = re.compile(
    r"(?i)\b(?:instead of|rather than|in favou?r of|over the|so that|to avoid|to prevent|to ensure"
    r"|on purpose"
    r"|deliberately|intentionally)\b"
)
# Words of choosing: a choice between alternatives, or a design that is meant.
_CHOSEN = re.compile(
    r"(?i)\b(?:chose|chosen|choos(?:e|ing)|opt(?:ed|ing)? (?:for|to|out|in)|picked (?!up)"
    r"|prefer(?:red|ring)?|decided|decision|settled on|(?:went|go|going) with"
    r"|stick(?:s|ing)? (?:with|to)|stuck (?:with|to)"
    r"|adopt(?:ed|ing)?|ruled out|trade-?offs?|on purpose|deliberate(?:ly)?"
    r"|intentional(?:ly)?|by design|not worth|in favou?r of)\b"
)
# A contrast of what is done with what is not.
_CONTRAST = re.compile(r"(?i)\b(?:instead of|rather than|and not|over (?:a|an|the|using|`x`))\b")
# What the people of a project do.
_WE = re.compile(r"(?i)^we (?!(?:had|were|saw|found|hit|got|cannot|can't|need|must)\b)\w+")
# Where a sentence goes on to its reason; one that begins with its reason goes on to the main clause.
_WHY = re.compile(
    r"(?i)[,;:]?\s(?:because|since|as (?:it|the|that|this|we)|so that|due to|otherwise)\b"
)
_WHY_FIRST = re.compile(r"(?i)^(?:because|since|as|due to)\b[^,]*,\s*")
# What went wrong, in a main clause.
_BROKE = re.compile(
    r"(?i)\b(?:fail(?:s|ed|ing|ure)?|broke(?:n)?|breaks?|crash(?:es|ed)?|panics?|panicked|hangs?|hung"
    r"|leak(?:s|ed)?|los[et]s?|miss(?:es|ed|ing)|wrong(?:ly)?|incorrect(?:ly)?|bugs?|raced?|deadlock\w*|corrupt\w*"
    r"|errors?|was(?:n't| not)|were(?:n't| not)|did(?:n't| not)|could(?:n't| not)|does(?:n't| not)"
    r"|cannot|can't|never|ignored|dropped|rejected by|returned|raised|threw|silently"
    r"|unexpected(?:ly)?|regress\w*)\b"
)
# Any statement of a reason.
_REASON = re.compile(
    r"(?i)\b(?:because|since|caused by|due to|so that|so \w+|to (?:avoid|prevent|ensure|allow|keep"
    r"|support|let)|which"
    r"|otherwise|unless|even (?:when|if|though)|regardless|when|if|requires?|cannot|can't|must|only)\b"
)
# A sentence that begins with an identifier need not begin with a capital.
_CODED = re.compile(r"[a-z]+[A-Z]\w+ |[a-z]+_[a-z_]+ ")
# “`x` - Added …”, arrows and ticks.
_FRAGMENT = re.compile(r"^`x`(?:\s*\([^)]*\))?(?::|\s[—–-])\s|[→✅✓✗❌]|^[^a-z]*$")
# A sentence has a finite verb; a fragment of a list has none.
_VERB = re.compile(
    r"(?i)\b(?:is|are|was|were|has|have|had|does|do|did|must|can|cannot|can't|will|won't|doesn't|don't"
    r"|didn't"
    r"|isn't|aren't|wasn't|needs?|means?|fails?|causes?|requires?|returns?|uses?|runs?|falls?|gets?|got"
    r"|happens?"
    r"|works?|depends?|relies|expects?|stores?|keeps?|reads?|writes?|calls?|checks?|treats?|skips?|sets?"
    r"|takes?"
    r"|stripped|broke|caused|failed|led|missed|lost|ignored|returned|expected|used|kept|made|overwrote)\b"
)
# “The script …” is ambiguous unless an identifier follows within `_NEAR` words.
_THE = re.compile(r"(?i)^(?:since|the|its|their|our|an?|some|any|new|old|existing)\b")
_NEAR = 6
_QUOTED = re.compile(r"`[^`]*`")
# A limitation of a third-party program: nobody in this project will fix it.
_FOREIGN = re.compile(
    r"^(?=[A-Z]\S*[A-Z\d.-])`?[A-Z][\w.-]+`?(?:'s `?[\w.-]+`?)?(?: v?\d[\w.]*)? (?:do(?:es)?(?:n't"
    r"| not)|can(?:'t|not)"
    r"|only|always|never|ignores?|requires?|strips?|expects?|treats?|silently)\b"
)
# Tidiness of a code base is visible in the code itself: imports, literals, names, comments.
_TIDY = re.compile(
    r"(?i)\b(?:imports? (?:remains?|of|is|are)|literals?|hard-?coded|renamed?|re-?names?|prefix(?:es)?"
    r"|parameters?|nolint|typos?|unused"
    r"|comments?|constants?|placeholder|duplicat\w+|(?:need|needs|add|added|have|has|had) (?:a |any "
    r"|more )?tests?"
    r"|test (?:case|name|helper)s?|signature|helper|variable|remains? in|(?:were|was|are|is) kept"
    r"|kept (?:since|because)|^(?:changed|replaced|switched|moved) `x` (?:to|with|by))\b"
)
# Direct address, and accounts of who did what in the conversation.
_TALK = re.compile(
    r"(?i)\b(?:you|your|i|i'm|i've|i'll|my|let me|users? (?:asked|clarified|wanted|said|noted|pointed)"
    r"|above|below)\b"
)
# Two sentences are the same if they share this part of the shorter one's words.
_SAME = 0.6
_FEWEST_WORDS = 9
_MOST_WORDS = 45
_LONGEST = 320
_LINK = re.compile(r"https?://")


class Claim(Record):
    """A self-contained sentence that states a cause (`causes`) or else a choice.

    `decides`: its main clause says what was chosen, whatever reason follows;
    `faulty`: it describes a fault; `mended`: the fault is gone; `foreign`: a limitation of a third-party
    program; `reasoned`: it gives a reason; `tidy`: it is about the tidiness of the code.
    """

    text: str
    names: int
    causes: bool
    decides: bool
    faulty: bool
    mended: bool
    foreign: bool
    reasoned: bool
    tidy: bool

    @property
    def kind(self) -> str:
        """The kind of memory that it is: a decision, or else a gotcha."""
        return "gotcha" if self.causes and not self.decides else "decision"


def claims(text: str, *, imperative: bool = False) -> list[Claim]:
    """Return the sentences of a text that state a cause or a choice and contain an identifier.

    `imperative`: orders with a reason, too; in a commit message they say what was decided.
    """
    found = []
    for raw in _CODE.sub("\n", text).split("\n"):
        if _ASIDE.match(raw) or raw.rstrip().endswith(":"):
            continue
        line = _BULLET.sub("", raw.replace("**", ""))
        if joint := _JOINT.match(line):
            now = "now " if joint["now"] else ""
            line = f"{joint['name']} {now}{line[joint.start('verb') :]}"
        line = _LABEL.sub("", line)
        line = line[:1].upper() + line[1:]
        for part in _ENDS.split(line):
            claim = _claim(part, imperative=imperative)
            if claim is not None:
                found.append(claim)
    return found


def stands_alone(text: str, *, imperative: bool = False) -> bool:
    """Return whether a sentence can be understood without its context; for `imperative` see `claims`."""
    words = text.split()
    begins = text[:1].isupper() or text[:1] == "`" or _CODED.match(text)
    long = _of_length(text)
    paired = text.count("`") % 2 == 0 and text.count("(") == text.count(")")
    spoken = _QUOTED.sub("`x`", text)
    vague = _THE.match(text) or _SOME.match(text)
    if vague and not _NAME.search(" ".join(words[:_NEAR])):
        return False
    if _DID.match(text) or _WOULD.search(spoken):
        return False
    orders = is_order(text)
    if orders and not (imperative and _EXPLICIT.search(text)):
        return False
    opens = not orders and _OPENS.match(text)
    leans = _LEANS.search(spoken) or opens or private(text) or _LINK.search(text) or "?" in text
    return (
        bool(begins)
        and long
        and paired
        and not leans
        and bool(orders or _VERB.search(spoken) or _CHOSEN.search(spoken))
        and not _FRAGMENT.search(spoken)
    )


def same(one: str, other: str) -> bool:
    """Return whether two texts, in lower case, share enough of the shorter one's words to be the same."""
    ours, theirs = set(one.split()), set(other.split())
    return len(ours & theirs) >= _SAME * min(len(ours), len(theirs))


def names(text: str) -> int:
    """Return the number of different identifiers in a text."""
    return len(set(_NAME.findall(text)))


def whole(text: str) -> bool:
    """Return whether a text is not truncated and does not refer to one machine or to the conversation."""
    paired = text.count("`") % 2 == 0 and text.count("(") == text.count(")")
    elsewhere = private(text) or _LINK.search(text) or _TALK.search(text)
    return paired and not elsewhere and "…" not in text


def is_order(text: str) -> bool:
    """Return whether a sentence is an imperative, also behind a condition: “On macOS, use …”."""
    condition = _CONDITION.match(text)
    return bool(_ORDERS.match(text[condition.end() :] if condition else text))


def _decides(spoken: str) -> bool:
    """Return whether the main clause of a sentence states a choice, and no fault."""
    first = _WHY_FIRST.match(spoken)
    main = spoken[first.end() :] if first else _WHY.split(spoken)[0]
    if is_order(main):
        return True
    if _BROKE.search(main):
        return False
    return bool(_CHOSEN.search(main) or _WE.match(main) or _CONTRAST.search(main))


def _of_length(text: str) -> bool:
    return len(text) <= _LONGEST and _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS


def _claim(raw: str, *, imperative: bool) -> Claim | None:
    text = " ".join(raw.replace("**", "").split()).strip("*_ ")
    if match := _THAT.match(text):
        text = match["rest"][:1].upper() + match["rest"][1:]
    # The length is a cheap check, after which a third of the sentences are searched for identifiers.
    named = names(text) if _of_length(text) else 0
    if not named or not stands_alone(text, imperative=imperative):
        return None
    spoken = _QUOTED.sub("`x`", text)
    causes = bool(_CAUSE.search(spoken))
    if not causes and not _CHOICE.search(spoken):
        return None
    ended = text if text[-1] in ".!" else text + "."
    return Claim(
        ended,
        named,
        causes=causes,
        decides=_decides(spoken),
        faulty=bool(_FAULT.search(spoken)),
        mended=bool(_MENDED.search(spoken)),
        foreign=bool(_FOREIGN.search(text)),
        reasoned=bool(_REASON.search(spoken)),
        tidy=bool(_TIDY.search(spoken)),
    )
