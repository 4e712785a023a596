"""How an export reads."""

from bowerbird.surfaces.cli.page import Page, counted
from bowerbird.surfaces.cli.render.status import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.exchange import Exported

_FORMS = {"rules": "in the kept block of", "markdown": "as notes in", "archive": "in a copy,"}


def text(done: "Exported", page: Page) -> str:
    """How many memories are where."""
    where = page.path(done.path)
    if page.quiet:
        return where
    line = f"{counted(done.memories, 'memory')} {_FORMS.get(done.form, 'in')} {where}"
    details = [size(done.size_bytes)]
    if done.versions:
        details.append(counted(done.versions, "version"))
    if done.removed and done.form == "rules":
        details.append(f"{counted(done.removed, 'memory')} of other projects left it")
    elif done.removed:
        details.append(f"{counted(done.removed, 'old note')} removed")
    if done.kept_back:
        details.append(f"{done.kept_back:,} of your own left out (--personal takes them in)")
    return f"{page.style(line, 'bold')}\n{', '.join(details)}"
