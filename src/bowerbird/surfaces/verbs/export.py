"""``bower export``: write what is remembered in a form that others read.

The name of PATH decides the form, unless --as names it:

  FILE.jsonl            lossless, a line for each memory with all its versions, and for each relation,
                        verdict and change; without a PATH it goes to standard output
  FOLDER                a Markdown note for each active memory, with its fields in front: for Obsidian
  CLAUDE.md, AGENTS.md  a kept block in the file: the weightiest memories, replaced in place each time;
                        what you typed in the block is never written over
  FILE.db               a copy of the whole store, with documents and vectors

JSON lines and copies hold the whole store (JSON lines with --project that project alone). Notes and
blocks hold this folder's project and global memories; a block in a file of a repository, which others
read, leaves out what is global or said of "I", unless --personal asks for it. `bower import` takes JSON
lines and copies back by merging them; of notes and of a block, what you changed becomes versions in the
store that wrote them. Another store takes nothing from a block, and notes as new memories, with text,
kind, tags, confidence and date, trusted as imports; JSON lines are what to move with. `bower erase
--backups` finds what was written here.
"""

import sys

from bowerbird.core.errors import BadInput
from bowerbird.core.exchange import FORMS, Exported
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.fields import TYPED, Field, Verb

EXAMPLES = (
    ("bower export memories.jsonl", "everything, lossless"),
    ("bower export ~/vault/bower", "notes for Obsidian"),
    ("bower export CLAUDE.md --budget 800", "a block that Claude Code reads"),
    ("bower export | gzip > memories.jsonl.gz", "to standard output"),
)
VERB = Verb(
    "export",
    "Write memories as JSON lines, notes, a block of a rules file, or a copy",
    (
        Field("path", "text", "where to (default: standard output)", option=("PATH",), words="?"),
        Field(
            "form", "text", "jsonl, markdown, rules or archive (default: by the name of PATH)",
            choices=FORMS, option=("--as",), metavar="FORM",
        ),
        Field("budget", "whole", "tokens of a block (default: 1,500)", low=1, metavar="N"),
        Field(
            "personal", "flag", "in a repository: also what is yours, not the project's",
            default=False, interfaces=(TYPED,),
        ),
        Field(
            "all_projects", "flag", "notes and blocks of every project",
            default=False, interfaces=(TYPED,),
        ),
    ),
    Exported,
    "whole",
    group="Keep",
    order=8,
    prose=True,
    slow=True,
)  # fmt: skip


def command(call: Call) -> Outcome:
    """Write a file, or lines to standard output."""
    given = call.given(VERB)
    path = given.pop("path", None)
    if path is None and given.get("form") not in {None, "jsonl"}:
        form = given["form"]
        raise BadInput(
            f"{form} is not written to standard output",
            f"name a PATH: bower export PATH --as {form}",
        )
    with call.open() as bird:
        if path is not None:
            return Outcome(bird.admin.export(path, **given, progress=call.progress()))
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        memories = 0
        for line in bird.admin.export_lines():
            memories += line.startswith('{"row":"memory"')
            sys.stdout.write(line)
    if call.options.format == "json":
        return Outcome(Exported("", "jsonl", memories))
    return Outcome(Exported("", "jsonl", memories), shown="")
