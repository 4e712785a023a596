"""How sure memory has to be of itself before it speaks unasked: by how long it knows a project. Pure."""

# Of each level the confidence above which a memory is put before an agent, and the session of a project
# with which the level begins (specification). The last one has to be asked for.
THRESHOLDS = {1: 0.80, 2: 0.65, 3: 0.55, 4: 0.45}
_BEGINS = {1: 0, 2: 4, 3: 16}


def level(sessions: int, asked: int = 0) -> int:
    """The level of a project after so many sessions; `asked`: the one that its user chose, 0 for none."""
    return asked or max(one for one, begins in _BEGINS.items() if sessions >= begins)
