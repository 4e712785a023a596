"""Determines the kind of a memory from its wording, and quotes the words that determined it."""

import re

from bowerbird.core.kinds import DEFAULT, KINDS, kind_called

# Kind, hints, expression. The first row that matches wins, so the most specific come first. An expression
# is compiled only if the text contains one of its hints: compiling all costs a cold command 4 ms.
_CUES = (
    (
        "dead_end",
        "dead tried attempted approach gave abandoned sackgasse",
        (
            r"\bdead.?end\b|\b(?:tried|attempted)\b.{1,120}\b(?:but|did ?n[o']t|fail|without success)"
            r"|\bapproach (?:won't|will not|cannot|can't|does(?: not|n't)|did(?: not|n't)) work"
            r"|\bgave up on\b|\babandoned\b|\bsackgasse\b"
        ),
    ),
    (
        "decision",
        (
            "decision adr chose decided chosen picked opted agreed went entschieden beschlossen"
            " gewählt decidido decidimos décidé choisi решили 选择了 决定"
        ),
        (
            r"^decision\b|^adr\b|\b(?:we|i|they|team) (?:have |has )?"
            r"(?:chose|decided|picked|opted|agreed)"
            r"|\b(?:was|were) (?:chosen|decided|picked)\b|\bdecided (?:to|on|against)\b"
            r"|\bwent with\b.{1,80}\b(?:instead|over|because)\b"
            r"|\b(?:wir haben (?:uns )?(?:entschieden|beschlossen|gewählt)|hemos decidido|decidimos"
            r"|on a décidé|nous avons (?:choisi|décidé)|решили|选择了|决定)"
        ),
    ),
    (
        "preference",
        "prefer like love hate want please bevorzug möchte prefiere préfère предпочитает 喜欢 偏好",
        (
            r"\b(?:i|we|he|she|they|user|customer|client|\w+) (?:strongly )?"
            r"(?:prefers?|likes?|dislikes?|loves?|hates?)\b"
            r"|^(?:please )?prefer\b|\b(?:is|are) preferred\b|\bpreference\b"
            r"|\b(?:i|user|he|she) (?:never |always )?wants?\b|\bplease (?:always|never|use|do)\b"
            r"|\bbevorzug\w+|\bmöchte\b|\bprefiere\b|\bpréfère\b|предпочитает|喜欢|偏好"
        ),
    ),
    (
        "error_pattern",
        "error exception traceback panic fixed solved cured resolved exit",
        (
            r"\b\w*(?:Error|Exception|Traceback|panic)\b.{0,200}"
            r"\b(?:fix|solv|caus|because|means|clear|restart|run|set|due)"
            r"|\b(?:fixed|solved|cured|resolved) (?:by|with)\b|\berror\b.{1,120}\bfix(?:ed)?\b"
            r"|\bexit code \d+\b.{0,120}\b(?:means|because|fix)"
        ),
    ),
    (
        "gotcha",
        (
            "gotcha beware watch careful caveat pitfall trap surprising silent counter hang break"
            " crash fail deadlock flaky vorsicht achtung cuidado attention 注意 小心"
        ),
        (
            r"\bgotcha\b|\bbeware\b|\bwatch out\b|\bcareful\b|\bcaveat\b|\bpitfall\b|\btrap\b"
            r"|\bsurprising(?:ly)?\b|\bsilently\b|\bcounter-?intuitive"
            r"|\b(?:hangs?|breaks?|crash(?:es)?|fails?|deadlocks?|flaky)\b.{0,60}"
            r"\b(?:if|when|unless|without|because|until)\b"
            r"|\b(?:if|when|unless|without|or)\b.{0,80}\b(?:hangs?|breaks?|crash(?:es)?|fails?|deadlocks?)\b"
            r"|\bvorsicht\b|\bachtung\b|\bcuidado\b|\battention\b|注意|小心"
        ),
    ),
    (
        "work_state",
        "left progress wip half next still remaining todo status continue",
        (
            r"\b(?:left off|work in progress|wip|half.?done|next step|still to do|remaining work)\b"
            r"|^(?:todo|status)\b|\bin progress\b|\bcontinue (?:with|at|from)\b"
        ),
    ),
    (
        "causal_dependency",
        "chang editing touching depend relies",
        (
            r"\b(?:when|if|after|whenever)\b.{1,100}\bchang\w+\b.{1,100}"
            r"\b(?:must|need|has to|have to|also|update)"
            r"|\b(?:changing|editing|touching)\b.{1,80}\b(?:requires|breaks|needs|means)\b"
            r"|\bdepends? on\b|\brelies on\b"
        ),
    ),
    (
        "procedure",
        "to first step 1 run use call start rebuild roll execute open",
        (
            r"^(?:to|how to) \w+.{1,120}[,:].{0,40}\b(?:run|use|call|open|set|start|click|type|do)\b"
            r"|\bfirst\b.{1,200}\bthen\b|\bstep \d|^\s*1[.)]\s"
            r"|^(?:run|use|call|start|restart|rebuild|roll back|execute|open)\b.{1,200}"
            r"\b(?:before|after|to|when|with|then)\b|\b(?:by running|run `)"
        ),
    ),
    (
        "requirement",
        (
            "must shall has have need require mandatory never always not don't muss müssen debe"
            " doit должен 必须"
        ),
        (
            r"\b(?:must|shall|has to|have to|needs? to|is required|are required|mandatory|requires)\b"
            r"|\b(?:never|always|do not|don't)\b|\bmuss\b|\bmüssen\b|\bdebe\b|\bdoit\b|должен|必须"
        ),
    ),
    (
        "pattern",
        "usual typical every tend convention rule keep general normal pattern",
        (
            r"\b(?:usually|typically|every time|tends? to|convention|as a rule|keeps? (?:on )?\w+ing)\b"
            r"|\bwe (?:generally|normally)\b|\bpattern\b"
        ),
    ),
    (
        "module_insight",
        "/ . module package class function component service",
        (
            # A path; of figures alone it is a date or a ratio.
            r"(?:(?<![\w./-])(?![\d./-]++(?!\w))[\w.-]++/[\w./-]++|\b\w+\.(?:py|ts|tsx|js|rs|go|java|c|cpp|rb|kt|swift|sql)\b)"
            r".{1,80}\b(?:handles?|holds?|implements?|contains?|owns?|does|defines?|is|are)\b"
            r"|\b(?:module|package|class|function|component|service)\b.{1,60}"
            r"\b(?:handles?|implements?|is responsible|contains?|wraps?|defines?)\b"
        ),
    ),
    (
        "context",
        "current moment these quarter background context",
        (r"\b(?:currently|at the moment|these days|this quarter|background|for context)\b"),
    ),
)


# “Decision: …”, also as a heading or in bold: whoever labels a text has said what it is.
_LABEL = re.compile(r"[#*\[\s]*([^\W\d_][\w -]{1,23})[\]*]*\s?[:：]")


def classify(text: str) -> tuple[str, str]:
    """Returns the kind of a text and the reason; a fact if no expression matches."""
    label = _LABEL.match(text)
    if label and (named := kind_called(label.group(1))):
        return named, f"“{label.group(1)}:” names {KINDS[named].meaning}"
    folded = text.lower()
    for kind, hints, cue in _CUES:
        hinted = any(hint in folded for hint in hints.split(" "))
        found = re.search(cue, text, re.IGNORECASE) if hinted else None
        if found:
            phrase = " ".join(found.group().split())
            phrase = phrase if len(phrase) <= 40 else phrase[:39].rstrip() + "…"  # noqa: PLR2004
            return kind, f"“{phrase}” indicates {KINDS[kind].meaning}"
    return DEFAULT, "nothing in its wording indicates another kind"
