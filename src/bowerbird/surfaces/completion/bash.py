"""Completion for bash, 3.2 (which macOS brings along) and later."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.completion.vocabulary import Option, Verb, Vocabulary

_SCRIPT = """# bash completion for bower; load it with: eval "$(bower completion bash)"
_bower_words() {{
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}}
_bower_files() {{
    local word
    type compopt >/dev/null 2>&1 && compopt -o filenames
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
}}
_bower() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} verb="" skip="" word i
    COMPREPLY=()
    # bash cuts --format=json at the sign.
    if [[ $cur == "=" ]]; then
        cur=""
    elif [[ $prev == "=" ]]; then
        prev=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
        if [[ $skip ]]; then
            [[ $word == "=" ]] || skip=""
            continue
        fi
        case $word in
            {valued}) skip=1 ;;
            -* | "=") ;;
            *) verb=$word; break ;;
        esac
    done
    case $verb in
{aliases}
    esac
    case $verb:$prev in
{values}
    esac
    if [[ $cur == -* ]]; then
        case $verb in
            "") _bower_words "{everywhere}" ;;
{options}
        esac
        return
    fi
    case $verb in
        "") _bower_words "{verbs}" ;;
{arguments}
    esac
}}
complete -F _bower bower bowerbird
"""


def script(known: "Vocabulary") -> str:
    """The script that a shell evaluates."""
    everywhere = " ".join(name for option in known.everywhere for name in option.names)
    values = [_value("*", option) for option in known.everywhere if option.takes]
    for verb in known.verbs:
        values += [_value(verb.names[0], option) for option in verb.options if option.takes]
    return _SCRIPT.format(
        valued=" | ".join(known.valued),
        aliases="\n".join(
            f"        {' | '.join(verb.names[1:])}) verb={verb.names[0]} ;;"
            for verb in known.verbs
            if len(verb.names) > 1
        ),
        values="\n".join(values),
        everywhere=everywhere,
        options="\n".join(_options(verb, everywhere) for verb in known.verbs),
        verbs=" ".join(name for verb in known.verbs for name in verb.names),
        arguments="\n".join(_arguments(verb) for verb in known.verbs),
    )


def _value(verb: str, option: "Option") -> str:
    """What may follow an option; nothing is offered for a free text."""
    patterns = " | ".join(f"{verb}:{name}" for name in option.names)
    return f"        {patterns}) {_offer(option.choices, files=option.files)}return ;;"


def _offer(choices: tuple[str, ...], *, files: bool) -> str:
    told = f'_bower_words "{" ".join(choices)}"; ' if choices else ""
    return told + ("_bower_files; " if files else "")


def _options(verb: "Verb", everywhere: str) -> str:
    own = " ".join(name for option in verb.options for name in option.names)
    return f'            {verb.names[0]}) _bower_words "{own} {everywhere}" ;;'


def _arguments(verb: "Verb") -> str:
    return f"        {verb.names[0]}) {_offer(verb.choices, files=verb.files)};;"
