"""Signs that a sentence is about one moment, one thing or a program, and is not a lasting rule. Pure."""

import re

AGAINST = tuple(
    (weight, re.compile(sign, re.IGNORECASE))
    for weight, sign in (
        # Past tense.
        (
            -0.5,
            (
                r"\b(?:was|were|did|had|been|went|got|got rid|used to|started|failed|crashed|broke"
                r"|changed|deleted|came|lief|war|hatte|était|avait|estaba|fue)\b"
            ),
        ),
        # Words of this moment or of one place.
        (
            -1.4,
            (
                r"\b(?:for now|right now|this time|just this once|today|tomorrow|yesterday|yet|tonight"
                r"|by (?:monday|tuesday|wednesday|thursday|friday|then)|on (?:monday|tuesday|wednesday"
                r"|thursday)|at the moment|currently|still|first|second|last|in this (?:pr|one|case"
                r"|file|function|release|branch|migration|commit)|for (?:this|the) \w+|next (?:week"
                r"|month)|until|anymore, \w+|this (?:task|release|migration|spike|demo|page|file|once)"
                r"|prototype|demo|throwaway|spike|erst mal|diesmal|morgen|gestern|jetzt|dieses mal"
                r"|pour l'instant|cette fois|demain|por ahora|esta vez|mañana|ahora"
                r"|solo un prototipo)\b(?! on\b| en adelante)"
            ),
        ),
        # This one.
        (
            -0.2,
            (
                r"\b(?:this|these|that|those|it)\b(?! (?:project|repo\w*|code ?base|way|rule|is (?:our"
                r"|a|the)))"
            ),
        ),
        # It must, the button must, users must.
        (
            -1.0,
            (
                r"^(?:it|this|that|they|he|she|there|these|those|the (?!team|rule|api|build|config"
                r"|linter|docs|folder|release)[\w-]+(?: [\w-]+){0,3}? (?:must|should|shall|has to|needs"
                r"|never|always|is|are|may|will)|users?|guests?|people|colleagues|somebody|someone|es"
                r"|sie|das|die \w+ (?:darf|muss|soll)|der \w+ (?:darf|muss|soll)|la \w+ (?:ne |nunca"
                r"|debe|doit)|cada usuario|chaque utilisateur|jeder nutzer)\b"
            ),
        ),
        # What a program shows and does.
        (
            -0.6,
            (
                r"\b(?:users?|guests?|customer|visitor|client|admin|row|page|button|form|table|column"
                r"|screen|request|requests|server|service|cache|job|bot|field|modal|list|menu|nutzer"
                r"|utilisateur|usuario)s?\b"
            ),
        ),
        # Add it, fix that.
        (
            -1.6,
            (
                r"\b(?:add (?:it|that|this)|implement (?:it|that)|enforce|fix (?:it|that)|change that"
                r"|build (?:it|that)|bau das|mach das|corrige-la|arréglala|let'?s|let us|make sure"
                r"|in line \d+|line \d+)\b"
            ),
        ),
        # Begins with a task.
        (
            -0.8,
            (
                r"^(?:add|apply|build|bump|change|check|clean|commit|convert|create|delete|do|drop"
                r"|enforce|find|fix|get|go|implement|increase|install|look|make|merge|move|open|port"
                r"|profile|push|put|refactor|remove|rename|replace|restart|revert|rewrite|run|save|send"
                r"|set|split|start|summari[sz]e|translate|try|turn|undo|update|wire|benenn|nimm|lass"
                r"|mach|schreib|renomme|laisse|corrige|cambia|deja ese)\b"
            ),
        ),
        # An action on one definite thing.
        (-1.3, (r"^\w+ (?:the|this|that|it|these|those|den|die|das|le|la|el|los|ce|ese|der)\b")),
        # A file.
        (
            -0.1,
            (
                r"\b[\w/-]+\.(?:py|ts|tsx|js|go|rs|java|yml|yaml|json|css|sh|txt|md|c|h|sql|rb)\b"
                r"|https?:|:\d+"
            ),
        ),
        # Maybe.
        (
            -0.7,
            (
                r"\b(?:maybe|perhaps|might|could|i think|i guess|wonder\w*|seems?|looks? like|probably"
                r"|not sure|i see|let'?s discuss|vielleicht|peut-être|quizás)\b"
            ),
        ),
        # What is broken.
        (
            -1.3,
            (
                r"\b(?:crash\w*|fail(?:s|ed|ing)?|broken|bug|wrong|error again|hangs?|hung|slow"
                r"|pass(?:es)?|(?:is|are) red|complaining|time ?out|403|404|500|stürzt|plante|falla"
                r"|garbled|off by)\b"
            ),
        ),
        # I want the, we need.
        (
            -1.3,
            (
                r"\bi(?:'d| would) like to\b|\bi(?:'d| would)? (?:want|like|prefer|don'?t want"
                r"|don'?t like) (?:the|a|an|all of|option|this|that|your)\b|\bprefiero la (?:segunda"
                r"|primera)|\bpréfère la (?:première|seconde)|\bwe need\b|\bwe have (?:to|a|an)\b"
                r"|\bwe want\b|\bi mag das\b"
            ),
        ),
        # I saw, you can.
        (
            -0.5,
            (
                r"^you can (?!skip)|^i (?:always|never|usually|see|saw|get|got|told you|thought the"
                r"|read|tried|need)\b"
            ),
        ),
        # When you are done.
        (
            0.0,
            (
                r"\b(?:when|once|after) you(?:'re| are|'ve| have)? (?:done|fixed|finish|finished"
                r"|have the)\b(?! something| a\b| any| anything)"
            ),
        ),
        # An identifier.
        (-1.0, (r"(?-i:\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\w\(\)|\b[a-z]+_[a-z_]+\b)")),
        # Output of a program.
        (
            -1.3,
            (r"(?-i:^[\w.-]+: |\b(?:Output|Note|Warning|ERROR|Error):|:$|\(\d+\)|[{}=;]|->|--\w+)"),
        ),
        # If it, when the, after.
        (
            -0.9,
            (
                r"^(?:if|when|with|unlike|while|as|every ?time|each time|after|once) (?!in doubt|(?:you"
                r"|touching|changing|editing|adding|writing)\b)|\bif (?:the|it|all|an?|there|this"
                r"|error)\b|^(?:additionally|consider|note|for \w+ (?:rows|ones))\b"
            ),
        ),
        # I think, I want to.
        (
            -1.2,
            (r"\bi (?:don'?t think|think|want (?:to|a|every))\b|\bso we can\b|\bcan'?t trust\b"),
        ),
        # Has, returns, is shown.
        (
            -0.7,
            (
                r"\b(?:has|have|had|returns?|reads?|contains?|creates?|means|becomes?|stores?|defaults?"
                r"|lacks?|demonstrates?|will(?: not)? be|(?:is|are) (?:shown|set|called|created|given"
                r"|displayed))\b"
            ),
        ),
    )
)
