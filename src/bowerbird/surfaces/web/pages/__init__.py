"""The pages: each asks verbs and gives what its template shows."""

from bowerbird.surfaces.web.pages import (
    activity,
    ask,
    experiment,
    fading,
    graph,
    health,
    memories,
    memory,
    modules,
    review,
    sessions,
    settings,
    teach,
    team,
)

_ID = "(?P<id>[0-9a-fA-F-]{6,36})"
# The address below the root, the template and the function of each page.
PAGES = (
    ("/?", "health", health.page),
    ("/welcome", "welcome", health.welcome),
    ("/ask", "ask", ask.page),
    ("/memories", "memories", memories.page),
    (f"/m/{_ID}", "memory", memory.page),
    (f"/m/{_ID}/edit", "edit", memory.edit),
    (f"/m/{_ID}/wrong", "wrong", memory.edit),
    (f"/m/{_ID}/erase", "erase", memory.edit),
    ("/review", "review", review.page),
    (f"/review/{_ID}", "review", review.page),
    ("/review/all", "bulk", review.bulk),
    ("/modules", "modules", modules.page),
    ("/sessions", "sessions", sessions.page),
    ("/s/(?P<id>.{1,200})", "session", sessions.one),
    ("/teach", "teach", teach.page),
    ("/graph", "graph", graph.page),
    ("/fading", "fading", fading.page),
    ("/experiment", "experiment", experiment.page),
    ("/activity", "activity", activity.page),
    ("/team", "team", team.page),
    ("/settings", "settings", settings.page),
)
