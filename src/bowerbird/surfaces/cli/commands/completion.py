"""``bower completion``: let the shell complete commands, options and values.

Prints a script for the shell, which calls this command at every Tab: with words after `--` it prints
the possible completions of the last one.
"""

from bowerbird.surfaces.cli import completions as offers
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.fields import Field, Verb

EXAMPLES = (
    ("echo 'eval \"$(bower completion bash)\"' >> ~/.bashrc", "bash, from the next shell on"),
    ("echo 'source <(bower completion zsh)' >> ~/.zshrc", "zsh"),
    ("bower completion fish > ~/.config/fish/completions/bower.fish", "fish"),
)

VERB = Verb(
    "completion",
    "Print a script that lets your shell complete commands",
    (
        Field("shell", "text", "", choices=offers.SHELLS, needed=True, option=("SHELL",)),
        Field("words", "texts", "the words typed so far, after --", option=("WORD",), words="*"),
    ),
    group="About",
    order=2,
    prose=True,
)


def command(call: Call) -> Outcome:
    """Write the script, or what may be typed next."""
    shell, words = call.options.shell, call.options.words
    if words:
        text = "\n".join(offers.lines(shell, words))
        return Outcome({"shell": shell, "offered": text.split("\n") if text else []}, text)
    script = offers.script(shell)
    return Outcome({"shell": shell, "script": script}, script)
