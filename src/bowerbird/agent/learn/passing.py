"""What people say in passing and mean for good; and what they want built now. Pure."""

import re

# What an agent is told to do.
DO = (
    r"(?:add|answer|ask|avoid|branch|build|call|change|check|commit|create|deploy|delete|do|edit"
    r"|ensure|explain"
    r"|fix|follow|format|give|go|ignore|implement|import|include|install|keep|leave|let|link|list"
    r"|look|make"
    r"|merge|mock|name|open|place|prefer|prefix|push|put|read|rebase|refactor|remove|rename|reply|respond"
    r"|return|review|revert|rewrite|run|save|send|show|skip|squash|start|stop|store|tell|test|touch"
    r"|treat|try"
    r"|update|use|validate|verify|wait|wrap|write)"
)
# Said in passing, of whatever comes: what holds for good although it neither commands nor says always.
# The words alone tell it, so what it was said to, and what was said before it, do not count.
_SCOPE = (
    r"(?:(?:in|on|for|across|throughout) (?:this|our) (?:whole |entire )?(?:project|repo(?:sitory)?"
    r"|code ?base"
    r"|team|company|org(?:ani[sz]ation)?|house|shop|app|product|ui|docs|api|code|files|tests)|around here"
    r"|over here|with us)"
)
_YOU_DO = (
    r"(?:add|change|commit|create|deliver|edit|finish|generate|install|introduce|make|open|propose|push"
    r"|release|rename|report|run|send|show|submit|touch|update|write|delete|remove|merge|deploy"
    r"|bump|upgrade|refactor|answer|reply)"
)
# Anything of a kind, not one thing: what an instruction for good speaks of.
_ANY = r"(?:something|anything|a|an|any|every|each|our|new|code|files?|tests?|\w+s\b)"
# What a project makes again and again.
_MADE = (
    r"(?:(?:commit|pr|pull request|log|error|merge|release|test|branch|variable|file|class|column|table"
    r"|env|css)"
    r"(?: \w+)?s|commits|prs|pull requests|branches|tests|comments|logs|docs|docstrings|migrations"
    r"|dates|times|names"
    r"|variables|functions|components|endpoints|queries|secrets|fixtures|mocks|dependencies|imports"
    r"|types|configs?"
    r"|changelogs?|tickets|todos|(?:money|monetary|currency) \w+|timestamps|ids|strings|styles|utils"
    r"|helpers|scripts)"
)
_IN_PASSING = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        (
            r"\bfrom (?:now|here) on(?:wards?)?\b|\bgoing forward\b|\bin (?:the )?future\b(?! (?:work"
            r"|version|we|sess))"
        ),
        (
            r"\b(?:keep|leave|do) it (?:that|this) way\b|\bstick (?:with|to) (?:it|that|them)\b"
            r"|\bsame (?:goes )?for (?:all|any)"
        ),
        (
            r"\bas (?:a|our) (?:rule|default|habit)\b|\bby convention\b|\bhouse (?:rule|style)\b"
            r"|\bnon-?negotiable\b"
        ),
        (
            r"\b(?:hard|strict|golden|standing|team) (?:rule|requirement|policy)\b|\bno-go\b"
            r"|\bis (?:mandatory|taboo|forbidden)\b"
        ),
        rf"\bwhenever you\b|\bwhen you {_YOU_DO} {_ANY}.*\b{DO}\b",
        rf"^(?:before|after|once|every time|each time|any time) you(?:'ve)? {_YOU_DO}\w* {_ANY}",
        rf"\b(?:before|without) (?:you )?(?:{_YOU_DO}|committ|push|merg|tell)\w* (?:anything|any)\b",
        (
            r"\bwithout (?:telling|asking|showing|my (?:ok|okay|approval|go))\b|\bask (?:me )?(?:first"
            r"|before)\b"
            r"|\bcheck with me\b|\bmy (?:ok|okay|approval|sign-?off)\b"
        ),
        r"^(?:stop|quit|enough with) (?:\w+ing|the|with)\b.*\b(?:you|every|all|my|our|the)\b",
        (
            r"^no more [\w-]+s\b|^no (?:\w+ ){1,4}please\b|^(?:please )?no [\w-]+s\b(?! (?:are|is|were"
            r"|found|match|left|need))"
        ),
        (
            r"\bi (?:really )?(?:don'?t|do not|never) want (?:to see )?(?!to\b|you\b|that|this|it\b)\S+.*"
            rf"(?:{_SCOPE}|\banywhere|\bever|\bat all|\bin (?:the|our|my|this) (?:code|repo|project"
            rf"|docs|diff|commit))"
        ),
        (
            rf"\b{_SCOPE}\b.*\b(?:goes?|go through|must|never|always|only|is|are|we|no|not|uses?|stays?"
            rf"|lives?)\b"
        ),
        (
            rf"^(?!there).*\b(?:goes?|must|never|always|only|is|are|we|no|through|uses?|stays?"
            rf"|lives?)\b.*\b{_SCOPE}\b"
        ),
        rf"\b(?:anything|everything|whatever(?: \w+)?) (?:you )?(?:new|{_YOU_DO})\b",
        (
            r"^(?:any|all|each|every|a|the) (?:\w+ ){0,2}?(?:new|future|further) [\w./-]+s? (?:get|gets"
            r"|go"
            r"|goes|belong|belongs"
            r"|need|needs|must|has to|have to|should|without|start|starts|come|comes|carry|carries|use"
            r"|uses"
            r"|take|takes)\b"
        ),
        (
            r"\bany (?:other|more)s? (?:\w+ )?(?:you|you'll|that you)\b|\b(?:a|every"
            r"|each) new \w+(?: \w+){0,2} without\b"
        ),
        r"\bremember that\b(?!.*\b(?:was|were|had|did)\b)",
        (
            r"^(?:we|our team|the team)(?:'ve| have)? (?:standardi[sz]ed|settled|agreed|decided|moved"
            r"|switched)"
            r"(?: \w+){0,2} (?:on|to|that|for)\b"
        ),
        (
            r"^(?:we(?:'re| are)|this is) an? [\w./+-]+(?:-only|-first)? (?:shop|repo|project|house|team"
            r"|codebase|monorepo)\b"
        ),
        (
            r"\bwe (?:do not|don'?t|never|no longer|only|always) (?:\w+ )?(?:commit|use|mock|touch|edit"
            r"|ship|write|merge"
            r"|push|add|allow|do|put|log|call|read from|import|install|hard-?code|squash|rebase|deploy"
            r"|keep)\b"
        ),
        (
            r"\b(?:like|as) i(?:'ve)? (?:\w+ )?(?:said|told|asked|mentioned)\b|\bhow (?:many times"
            r"|often do i)\b"
            r"|\bi(?:'ve)? (?:told|asked) you\b|\bi keep (?:telling|asking|saying|having)\b|\breminder\b"
            r"|\bfor the \w+ time\b"
        ),
        (
            r"^(?:it|what) (?:bugs|annoys|bothers|irritates) me (?:that|when)\b|^i (?:hate"
            r"|can'?t stand) (?:it )?when\b"
        ),
        (
            r"\bi (?:lose|get lost|can'?t follow|(?:always )?prefer|would rather|'?d rather"
            r"|'?d prefer)\b.*"
            r"\b(?:over|than|rather|instead|when|short|small|above|one at a time)\b"
        ),
        (
            r"^(?:[\w-]+s )(?:are|is) for\b.*\b(?:only|alone)\b|^(?:small|short|plain|terse|brief|atomic"
            r"|signed)"
            r" [\w -]{2,40} please\b"
        ),
        (
            rf"^(?:our |all |your )?{_MADE} (?:always |never |only )?(?:go|goes|belong|live|start|end"
            rf"|get|need|must|have to|should"
            r"|carry|are (?:in|always|never|only|named|written|to be|integer|utc))\b"
        ),
        (
            r"\byour (?:answers?|replies|summaries|explanations|responses|messages|updates|commits?|prs?"
            r"|diffs)\b.*"
            r"\b(?:short|brief|shorter|small|smaller|concise|lines|words|sentences?|bullets?|english"
            r"|german"
            r"|under|max(?:imum)?)\b"
        ),
        (
            r"^(?:keep|make) (?:your |the |all )?(?:answers?|replies|summaries|explanations|commits?|prs?"
            r"|diffs|functions"
            r"|comments|messages) \w+"
        ),
        (
            r"\b(?:is|are|it'?s) (?:frozen|off[ -]limits|read-only|sacred|vendored|auto-?generated)\b"
            r"|\bhands off\b"
        ),
        (
            r"\byou (?:always|keep|constantly) (?:forget|forgetting|\w+ing)\b|\b(?:treat \w+ as \w+s"
            r"|default to)\b"
        ),
        r"\b(?:complains?|breaks?|fails?|rejects?) (?:\w+ )?otherwise\b",
    )
)
# What is to be built now: the one thing that must always or never.
_SPEC = re.compile(
    r"^(?:the|it|this|that|each|if\b.*, (?:it|the \w+)|if there\b.* (?:it"
    r"|the \w+)) ?(?:[\w-]+ ){0,3}?(?<!s )(?:must|should|shall|has to|needs to|will)\b",
    re.IGNORECASE,
)
# What ties what is said in passing to the moment.
_ONCE = re.compile(
    r"\b(?:for now|right now|this time|just this once|today|tomorrow|yesterday|at the moment|currently"
    r"|for (?:this|the)"
    r" (?:release|change|pr|commit|branch|session|sprint|demo|task|ticket|migration)|last (?:week|time"
    r"|month|year)|"
    r"anyway|we want to|i (?:can'?t|cannot|don'?t) (?:see|find)|^now\b|^to \w+|called|unreachable"
    r"|lacks?|exported|maybe|might|wondering|i (?:think|guess|wonder)|seems?|looks? like|was|were|did"
    r"|had been|used to|why)\b",
    re.IGNORECASE,
)


def in_passing(text: str) -> bool:
    """Whether a sentence holds for good by its words, although it neither commands nor says always."""
    return not _ONCE.search(text) and any(one.search(text) for one in _IN_PASSING)


def to_be_built(text: str) -> bool:
    """Whether a sentence tells what one thing must always or never do: it is to be built so."""
    return bool(_SPEC.search(text))
