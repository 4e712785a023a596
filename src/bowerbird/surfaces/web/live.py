"""Server-sent events: each page hears of changes, by whichever process, within a second or two."""

import asyncio
import json
from time import monotonic

from bowerbird.core.errors import BowerbirdError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from starlette.types import Receive, Send

    from bowerbird.surfaces.web.desk import Desk
    from bowerbird.surfaces.web.visits import Visit

# Seconds between two looks at the store while a page listens, and between two signs of life.
LOOK_S = 1.0
BEAT_S = 15.0
# Seconds after which a stream ends and the page asks for another, which not everybody still gets.
STREAM_S = 600.0
# Streams of one session; browsers open six connections to a host at most.
MOST = 8
# Changes told in one event.
_MOST_TOLD = 20


class Live:
    """The open streams of a server."""

    def __init__(self, desk: "Desk") -> None:
        self._desk = desk
        self._ended = asyncio.Event()

    def end(self) -> None:
        """Ends all streams: a server that stops would wait for them."""
        self._ended.set()

    async def stream(
        self, visit: "Visit", project: str, since: int, receive: "Receive", send: "Send"
    ) -> None:
        """Tells changes after `since` until the page goes away, or the server stops."""
        over = [asyncio.ensure_future(_gone(receive)), asyncio.ensure_future(self._ended.wait())]
        visit.streams += 1
        try:
            await self._tell(visit, project, since, over, send)
        finally:
            visit.streams -= 1
            for one in over:
                one.cancel()

    async def _tell(
        self,
        visit: "Visit",
        project: str,
        since: int,
        over: "Sequence[asyncio.Future[Any]]",
        send: "Send",
    ) -> None:
        await _chunk(send, "retry: 2000\n\n")
        begun = beat = monotonic()
        while not any(one.done() for one in over) and monotonic() - begun < STREAM_S:
            try:
                change = await self._desk.change(visit, project)
                if change > since:
                    await _chunk(send, await self._event(visit, project, since, change))
                    since, beat = change, monotonic()
            except BowerbirdError:
                pass  # busy or closing: the next look may do better, and silence says the rest
            if monotonic() - beat > BEAT_S:
                await _chunk(send, ": here\n\n")
                beat = monotonic()
            await asyncio.wait(over, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
        await send({"type": "http.response.body", "body": b""})

    async def _event(self, visit: "Visit", project: str, since: int, change: int) -> str:
        pulse = await self._desk.pulse(visit, project)
        told = await self._desk.work(
            visit, project, lambda bird: bird.activity(limit=_MOST_TOLD).events
        )
        new = [one.as_dict() for one in told if one.seq > since]
        data = {"memories": pulse.memories, "waiting": pulse.waiting, "new": new}
        return f"id: {change}\nevent: change\ndata: {json.dumps(data)}\n\n"


async def _gone(receive: "Receive") -> None:
    """Returns when the page has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _chunk(send: "Send", text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
