"""Completion for fish, a line a word."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.surfaces.completion.vocabulary import Option, Verb, Vocabulary

_HEAD = """# fish completion for bower; load it with: bower completion fish | source
function __bower_at
    set -l verb ""
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case {valued}
                set skip 1
            case '-*'
            case '*'
                set verb $word
                break
        end
    end
    contains -- "$verb" $argv
end
complete -c bower -f
complete -c bowerbird -w bower
"""


def script(known: "Vocabulary") -> str:
    """The script that a shell sources."""
    lines = [_HEAD.format(valued=" ".join(known.valued))]
    lines += [_option("complete -c bower", option) for option in known.everywhere]
    for verb in known.verbs:
        lines += _verb(verb)
    return "\n".join(lines) + "\n"


def _verb(verb: "Verb") -> "Iterator[str]":
    for name in verb.names:
        yield f"complete -c bower -n '__bower_at \"\"' -a {name} -d {_quoted(verb.help)}"
    here = f"complete -c bower -n '__bower_at {' '.join(verb.names)}'"
    for option in verb.options:
        yield _option(here, option)
    if verb.choices:
        yield f"{here} -a '{' '.join(verb.choices)}'"
    if verb.files:
        yield f"{here} -F"


def _option(start: str, option: "Option") -> str:
    parts = [
        start,
        *(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names),
    ]
    if option.takes:
        parts.append("-r -F" if option.files else "-x")
    if option.choices:
        parts.append(f"-a '{' '.join(option.choices)}'")
    return " ".join([*parts, "-d", _quoted(option.help)])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
