"""All rules in order, for code that needs the complete table; a text loads only what it needs."""

from bowerbird.guard.rules import assigned, commands, placed, spoken, transport
from bowerbird.guard.rules.providers import provider_rules
from bowerbird.guard.rules.registry import PROVIDERS

# Forms that identify a provider come before positions.
BY_MODULE = {
    PROVIDERS: provider_rules(),
    "transport": transport.SHAPES,
    "commands": commands.SHAPES,
    "placed": placed.SHAPES,
    "assigned": assigned.SHAPES,
    "spoken": spoken.SHAPES,
}
RULES = tuple(rule for rules in BY_MODULE.values() for rule in rules)
