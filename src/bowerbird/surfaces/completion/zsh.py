"""Completion for zsh, with what each word means beside it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.surfaces.completion.vocabulary import Option, Verb, Vocabulary

_SCRIPT = """#compdef bower bowerbird
# zsh completion for bower; load it with: source <(bower completion zsh)
_bower() {{
    local verb="" skip="" word prev=${{words[CURRENT - 1]}}
    local -i i
    local -a told
    for ((i = 2; i < CURRENT; i++)); do
        word=${{words[i]}}
        if [[ -n $skip ]]; then skip=""; continue; fi
        case $word in
            ({valued}) skip=1 ;;
            (-*) ;;
            (*) verb=$word; break ;;
        esac
    done
    case $verb in
{aliases}
    esac
    if [[ $PREFIX == --*=* ]]; then
        prev=${{PREFIX%%=*}}
        compset -P '*='
    fi
    case $verb:$prev in
{values}
    esac
    if [[ $PREFIX == -* ]]; then
        told=(
{everywhere}
        )
        case $verb in
{options}
        esac
        _describe -o option told
        return
    fi
    case $verb in
        ('') told=(
{verbs}
        ); _describe command told ;;
{arguments}
    esac
}}
if [[ $funcstack[1] == _bower ]]; then
    _bower "$@"
else
    (( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit -i; }}
    compdef _bower bower bowerbird
fi
"""


def script(known: "Vocabulary") -> str:
    """The script that a shell sources, or keeps as ``_bower`` in its fpath."""
    values = [_value("*", option) for option in known.everywhere if option.takes]
    for verb in known.verbs:
        values += [_value(verb.names[0], option) for option in verb.options if option.takes]
    return _SCRIPT.format(
        valued="|".join(known.valued),
        aliases="\n".join(
            f"        ({'|'.join(verb.names[1:])}) verb={verb.names[0]} ;;"
            for verb in known.verbs
            if len(verb.names) > 1
        ),
        values="\n".join(values),
        everywhere="\n".join(_described(known.everywhere)),
        options="\n".join(_options(verb) for verb in known.verbs if verb.options),
        verbs="\n".join(
            f"            {quoted(name, verb.help)}" for verb in known.verbs for name in verb.names
        ),
        arguments="\n".join(_arguments(verb) for verb in known.verbs),
    )


def quoted(name: str, meaning: str) -> str:
    """A word with its meaning, as ``_describe`` takes them."""
    text = f"{name}:{meaning}".replace("'", "'\\''")
    return f"'{text}'"


def _described(options: "Iterable[Option]") -> list[str]:
    return [
        f"            {quoted(name, option.help)}" for option in options for name in option.names
    ]


def _options(verb: "Verb") -> str:
    return "\n".join(
        [f"        ({verb.names[0]}) told+=(", *_described(verb.options), "        ) ;;"]
    )


def _value(verb: str, option: "Option") -> str:
    patterns = "|".join(f"{verb}:{name}" for name in option.names)
    return f"        ({patterns}) {_offer(option.choices, files=option.files)}return ;;"


def _offer(choices: tuple[str, ...], *, files: bool) -> str:
    told = f"compadd -- {' '.join(choices)}; " if choices else ""
    return told + ("_files; " if files else "")


def _arguments(verb: "Verb") -> str:
    return f"        ({verb.names[0]}) {_offer(verb.choices, files=verb.files)};;"
