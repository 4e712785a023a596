"""The features of a lasting rule in a sentence, with their weights (`standing_instructions.py`)."""

import re

from bowerbird.agent.learn.negative_features import AGAINST

# The intercept.
BEGIN = -0.8
_FOR = tuple(
    (weight, re.compile(sign, re.IGNORECASE))
    for weight, sign in (
        # Whenever, each time.
        (
            1.5,
            (
                r"^(?:whenever|every ?time|each time|any ?time|anything|anyone|everything|whatever)\b"
                r"|\bwhenever you\b|\b(?:every|each|any) time you\b|\bwhen(?:ever)? in doubt\b"
                r"|\b(?:jedes mal|immer) wenn du\b|\bchaque fois que\b|\bcada vez que\b"
            ),
        ),
        # Always, never: as common in descriptions of programs.
        (
            -0.6,
            (
                r"\b(?:always|never|ever|without exception|in any case|by default|as a (?:rule|habit)"
                r"|every single|at all times|immer|nie(?:mals)?|stets|grundsätzlich|generell|toujours"
                r"|jamais|siempre|nunca|jamás)\b"
            ),
        ),
        # No more.
        (
            -0.3,
            (r"\b(?:any ?more|no more|nicht mehr|kein\w* mehr|ne \w+ plus|plus de|ya no|no más)\b"),
        ),
        # In this project, with us.
        (
            2.0,
            (
                r"\b(?:around|over|round) here\b|\bhere[,.]?$|\bnobody here\b|\b(?:won't|isn't|aren't"
                r"|don't) .*\bhere\b|,? here,|\b(?:with|for|among) us\b|\bin (?:this|our) (?:whole "
                r"|entire )?(?:project|repo\w*|code ?base|team|company|house|shop|services?|app"
                r"|product)\b|\bacross (?:the|our) (?:\w+ )?(?:app|project|code ?base|product"
                r"|repo\w*)\b|\belsewhere in our\b|\bhouse (?:style|rule)\b|\bat our place\b"
                r"|\bon (?:this|our) team\b|\bhier im haus\b|\ben este equipo\b|\bin our \w+"
                r"|\bour (?:convention|rule|policy|style|standard)\b|\bbei uns\b|\bin (?:diesem"
                r"|unserem) (?:projekt|repo)\b|\bchez nous\b|\bdans ce (?:projet|dépôt|repo)\b"
                r"|\ben (?:este|nuestro) (?:proyecto|repo\w*)\b|^aquí\b|\bici\b"
            ),
        ),
        # Everywhere, for all.
        (
            1.2,
            (
                r"\b(?:everywhere|anywhere(?! else)|wherever|throughout|in all \w+s|in every|for all"
                r"|for anything|in everything|überall|in allen|partout|dans tous|en todo|en todas)\b"
            ),
        ),
        # We do.
        (
            0.4,
            (
                r"\b(?:we|wir|on|nous|usamos|utilizamos)\b(?!'| need| have| could| should| want| can"
                r"| will| might| must| get| were| had| did| call)"
            ),
        ),
        # We always, we never, our way.
        (
            0.3,
            (
                r"\bwe (?:don'?t|do not|never|no longer|only|always|prefer|use|keep|run|treat|stick"
                r"|avoid|squash|write|put|name|can'?t|review|test|ship|follow)\b|\bwe(?:'ve"
                r"| have) (?:banned|agreed|settled|standardi[sz]ed|decided)\b|\bit'?s how we\b"
                r"|\bwe do (?:it|that|this)\b|\bwir \w+en\b|\bon (?:ne |n')?\w+e\b|\b(?:usamos"
                r"|utilizamos|escribimos|no hacemos)\b"
            ),
        ),
        # Should: requirements on what is to be built.
        (-1.8, (r"\b(?:should|shall|soll(?:en)?)\b")),
        # Goes into, starts with, comes from.
        (
            0.8,
            (
                r"\b(?:go(?:es)?|lives?|sits?|comes?|starts?|ends?|gets?|follows?|stays?|carry|carries"
                r"|va|van|vont|tout passe|läuft|kommen|uses?) (?:in|into|under|to|through|against|with"
                r"|from|next|at|a|an|the|dans|par|en|über|alle|aus|without|before|last|first)\b"
            ),
        ),
        # I prefer, I hate, it would help.
        (
            0.9,
            (
                r"\bi(?:'d| would)?(?: (?:always|really|much|generally))? (?:prefer|rather|like|love"
                r"|want|appreciate|hate|can'?t stand|can'?t read|detest|mag|hasse)\b|\b(?:would|it'?d"
                r"|it would) (?:help|be (?:a )?(?:nice|great|good|big))\b|\b(?:bugs|annoys|bothers"
                r"|irritates|confuses) me\b|\bi (?:lose|get lost|can'?t follow)\b|\bich (?:mag|hätte"
                r"|möchte|will)\b|\bje (?:préfère|veux|voudrais|n'aime)\b|\bprefiero\b|\bme gusta\b"
                r"|\bwhat i'?d like to see\b|\blieber\b|\bplutôt\b"
            ),
        ),
        # Stop doing.
        (
            0.8,
            (
                r"^(?:and |but |also )?(?:stop|quit|enough with|please stop|hör auf|arrête"
                r"|deja) (?:\w+ing|mit|de|d'|nach|the \w+ing)\b|\bstop (?:doing|\w+ing)\b"
            ),
        ),
        # You keep doing, you forgot.
        (
            1.0,
            (
                r"\byou (?:keep|always|constantly|tend to|never|often|forgot)\b|\b(?:forgot"
                r"|again)\b.*\b(?:new|files?|need)\b|\bdu (?:vergisst|machst) (?:ständig|immer)"
                r"|\btu (?:oublies|fais) toujours\b|\bsiempre se te\b|\bsiempre (?:olvidas"
                r"|te olvidas)\b|\bless of\b|\btoo many\b"
            ),
        ),
        # As I said, how many times.
        (
            1.0,
            (
                r"\b(?:as|like) i(?:'ve)? (?:\w+ )?(?:said|told|asked|mentioned)\b|\bi(?:'ve)? (?:told"
                r"|asked|said)\b.*\b(?:times|already|before|twice)\b|\bhow (?:many times|often)\b"
                r"|\bi keep (?:telling|asking|saying|having)\b|\breminder\b|\b(?:third|second|nth|\dth"
                r"|tenth) time\b.*\b|\bbeen through this\b|\bclear about\b|\bschon (?:\w+mal|oft)\b"
                r"|\bfois que je\b|\bya (?:varias|muchas) veces\b|\bagree on something\b"
            ),
        ),
        # Remember.
        (
            0.5,
            (
                r"\b(?:remember|keep in mind|bear in mind|note) that\b|\bremember\b|\bmerk dir\b"
                r"|\bretiens\b|\brecuerda\b|\bpense à\b"
            ),
        ),
        # Ask me first, not without my word.
        (
            2.1,
            (
                r"\b(?:ask|tell|show|warn|check with|wait for|talk to)\b.*\b(?:me|my)\b.*\b(?:before"
                r"|first|when\w*|instead|rather|each|every)\b|\bwithout (?:asking|telling|showing|my)\b"
                r"|\bunless i\b|\bmy (?:ok|okay|approval|go|sign-?off)\b|\bask (?:me )?(?:before"
                r"|first)\b|\b(?:erst|vorher) (?:\w+ )?(?:fragen|frag|bescheid)\b|\b(?:vorher mit mir"
                r"|zeig mir|antworte mir)\b|\b(?:demande-moi|préviens-moi|réponds)\b|\b(?:pregúntame"
                r"|respóndeme|avísame|preguntarme)\b|\b(?:answer|reply|talk|write"
                r"|explain)\b.*\b(?:to me|for me)\b|^talk to me"
            ),
        ),
        # No somethings.
        (
            2.0,
            (
                r"^(?:please )?no (?!\w+ing )(?!.*\b(?:this|that|it|found|left|exists?|match(?:es|ed)?"
                r"|available)\b)(?:\w+ ){0,3}?[\w-]+s\b|^nothing (?:goes|gets|from|above)\b|\bso (?:no"
                r"|nothing)\b|^keine? |^pas de\b|^nada de\b|: (?:no|keine|pas de|nada de) \w+"
                r"|, no (?!idea|need|problem|such|indication)\w+"
            ),
        ),
        # Do not.
        (
            0.7,
            (
                r"^(?:please |also )?(?:don'?t|do not|dont|never|leave|avoid|hands off)\b|^(?:ne"
                r"|n')\w* ?\w+ (?:pas|jamais)\b|^no \w+es\b|\bnicht (?:angefasst|direkt)\b"
            ),
        ),
        # Do not do any.
        (
            0.4,
            (
                r"^(?:please )?(?:don'?t|do not|dont|never|avoid) \w+ (?:any|a|an|generated|new|\w+s\b"
                r"|\w+ code)\b"
            ),
        ),
        # What a project creates repeatedly, and statements about such things.
        (
            0.6,
            (
                r"^(?:(?:our|all|new|public|private|every|each|any|small|short|the|todas?|todos|tous"
                r"|toutes|les|los|las|neue|alle|jede[rs]?|chaque"
                r"|cada) )?(?:new )?(?:\w+[- ]){0,2}?(?:commits?|pull requests?|prs?|mrs?"
                r"|merge requests?|branch(?:es)?|tests?|comments?|logs?|log lines|docs?|docstrings?"
                r"|migrations?|dates?|times?|timestamps?|names?|variables?|functions?|methods?"
                r"|class(?:es)?|components?|endpoints?|routes?|queries|secrets?|fixtures?|mocks?"
                r"|dependenc\w+|imports?|types?|configs?|changelogs?|tickets?|todos?|money|amounts?"
                r"|prices?|ids|strings?|styles?|colou?rs|icons?|helpers?|utils|scripts?|files?|modules?"
                r"|constants?|errors?|error messages?|commit messages?|exceptions?|handlers?|hooks?"
                r"|texts?|labels?|translations?|features?|bug ?fix(?:es)?|fix(?:es)?|releases?"
                r"|versions?|warnings?|code|messages?|answers?|replies|summar\w+|diffs?|urls?|keys?"
                r"|packages?|libraries|headers?|numbers|units?|flags|interfaces|api|schemas?"
                r"|controllers?|views?|selectors|globals)\b(?: \w+){0,3} (?:is|are|go|goes|belong"
                r"|belongs|live|lives|sit|start|starts|end|get|gets|need|needs|must|have|has|should"
                r"|come|comes|carry|that|are|use|uses|follow|return|returns|against|always|never|only"
                r"|won't|don't)\b"
            ),
        ),
        # Begins with a plural.
        (
            0.6,
            (
                r"^(?!users\b|guests\b|tests are\b|these\b|those\b|this\b|does\b|is\b|was\b|people\b"
                r"|colleagues\b|it's\b|let's\b|that's\b|here's\b|what's\b)(?:(?:our|all|new|public"
                r"|small|commit|error|log|feature|unit|pull|component|shell|release|hidden|magic"
                r"|raw) )*[\w-]+s\b (?!not\b)"
            ),
        ),
        # Every new one.
        (
            1.2,
            (
                r"\b(?:every|each|any|all|whatever) (?:\w+ ){0,3}?(?:new|public|bug|fix|change|feature"
                r"|pr|commit|function|endpoint|module|file|outgoing|api|nueva?|nouvelle|neue)\b"
                r"|^new \w+|\bany new\b|\bneue \w+ (?:müssen|brauchen|gehören|kommen)\b"
                r"|\beach of them\b|\bcada \w+ nuev|\bchaque nouv|\bjede\w* (?:neue|bug)"
            ),
        ),
        # By the way.
        (0.6, (r"\b(?:by the way|btw|übrigens|au fait|por cierto|one more thing|una cosa más)\b")),
        # A reason: what happens otherwise.
        (
            0.9,
            (
                r"\botherwise\b|\bcomplains?\b|\bsonst\b|\bsinon\b|\bso that\b|\bbecause\b|, since\b"
                r"|\bbounces?\b|\btherefore\b|\bconfused\b|\bthat'?s the (?:deal|rule)\b"
                r"|\bc'est la règle\b"
            ),
        ),
        # The user's location or working hours, and the audience of the product.
        (
            0.7,
            (
                r"\bi(?:'m| am) (?:on|colou?r-?blind|a|learning|using)\b|\bon my (?:phone|watch"
                r"|machine)\b|\bour (?:minimum|sdk|customers|build)\b"
            ),
        ),
        # You may skip.
        (0.8, (r"\b(?:you can skip|you'?re allowed|no need to ask|feel free to)\b")),
        # The agent's answers and results.
        (
            1.4,
            (
                r"\b(?:your|you) (?:answers?|replies|summar\w+|explanations?|responses?|messages?"
                r"|updates?|commits?|prs?|diffs?|write|give|say|report|mention)\b|\b(?:answers?|replies"
                r"|summar\w+|explanations) (?:short|brief|stay|under|in)\b"
            ),
        ),
        # A language or a style.
        (
            1.7,
            (
                r"\bin (?:english|german|french|spanish|utc|upper case|imperative|plain words)\b"
                r"|\bauf (?:englisch|deutsch)\b|\ben (?:anglais|français|inglés|español|utc)\b"
                r"|\b(?:camel|snake|pascal|kebab)[ -_]?case\b|\biso ?8601\b"
            ),
        ),
        # The word “rule”.
        (
            1.7,
            (
                r"\b(?:as a |general |ground |hard |standing |golden |house )(?:\w+ )?(?:rules?"
                r"|requirements?|orders?|policy|wish|request)\b|\b(?:rule|policy|convention)s? (?:for"
                r"|of) (?:the|this|our)\b|^in general\b|, in general\b|\ba habit\b|\bas usual\b"
                r"|^(?:règle|regla|regel)\b|\bneither now nor later\b"
            ),
        ),
    )
)
SIGNS = _FOR + AGAINST
