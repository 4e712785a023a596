"""How memories hang together: the kinds of relation, a row each."""

from bowerbird.core.errors import UnknownName

# What the source is to the target.
RELATIONS = {
    "causes": "brings the other about",
    "informs": "helps to understand the other",
    "contradicts": "cannot hold together with the other",
    "supersedes": "stands in the place of the other",
    "example_of": "is a case of the other",
    "prerequisite_for": "comes before the other",
    "led_to": "was followed by the other",
    "related_to": "is about the same",
    "required_with": "goes together with the other",
    "conflicts_with": "cannot be done together with the other",
    "validates": "shows that the other holds",
    "derived_from": "was made out of the other",
}


def relation_kind(name: str) -> str:
    """The kind of that name. Raises UnknownName with the nearest known one."""
    if name not in RELATIONS:
        raise UnknownName.among("relation", name, list(RELATIONS))
    return name
