"""How serving, looking after its tokens, and a link to its pages read."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.page import Page


def text(data: "dict[str, Any]", page: "Page") -> str:
    """What was done; a new token stands alone on the first line, a link alone."""
    if "link" in data:
        return str(data["link"])
    if "token" in data:
        reach = ", ".join(data["projects"]) or "every project"
        rights = "reads" if data["read_only"] else "reads and writes"
        line = f"{data['name']} {rights} {reach}. The token is not shown again."
        return f"{data['token']}\n{page.style(line, 'dim')}"
    if "revoked" in data:
        return f"{data['revoked']} is let in no more"
    if "tokens" not in data:
        return ""
    if not data["tokens"]:
        return "no tokens of agents; make one with: bower serve --new-token NAME"
    widest = max(len(one["name"]) for one in data["tokens"])
    lines = []
    for one in data["tokens"]:
        rights = "reads" if one["read_only"] else "reads and writes"
        day = time.strftime("%Y-%m-%d", time.gmtime(one["created"] // 1000))
        reach = ", ".join(one["projects"]) or "every project"
        lines.append(f"{one['name']:<{widest}}  {rights} {reach}, created {day}")
    return "\n".join(lines)
