"""How somebody comes in: by a one-time link of the owner's, a member's token, or single sign-on."""

import anyio

from bowerbird.core.errors import Denied
from bowerbird.core.types import GLOBAL
from bowerbird.daemon.birds import DOOR
from bowerbird.daemon.tokens import Token
from bowerbird.surfaces.web.single_sign_on import SignIn, SingleSignOn
from bowerbird.surfaces.web.visits import Visit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from bowerbird.core.team import Member
    from bowerbird.daemon.links import Links
    from bowerbird.surfaces.web.desk import Room

    class Door(Room, Protocol):
        """A room that knows whose a token is, too."""

        async def holder(self, token: str) -> Token | None:
            """What the member with that token may; None if nobody has it."""


_SETTINGS = ("sso.issuer", "sso.client", "sso.secret", "sso.claim")


class Entrance:
    """Finds out who opens the pages of a server, and whether they still may."""

    def __init__(self, links: "Links", room: "Door", own: frozenset[str]) -> None:
        """`own` are the names that only browsers on this machine resolve: links open at them alone."""
        self._links = links
        self._room = room
        self._own = own
        self._provider: SingleSignOn | None = None

    @property
    def has_single_sign_on(self) -> bool:
        """Whether the settings name a provider."""
        return bool(self._room.birds.setting("sso.issuer"))

    async def by_key(self, key: str, host: str) -> Visit | None:
        """The visit of a link's key or of a member's token; None if it is neither, or over."""
        link = self._links.take(key) if host in self._own else None
        if link is not None:
            return Visit(host, person=link.person, project=link.project)
        member = await self._room.holder(key)
        return None if member is None else Visit(host, member=member, shown=key)

    async def still(self, visit: Visit) -> bool:
        """Whether a visitor may still look: a member who did not leave, whose token is not refused."""
        if visit.member is None:
            return True
        if visit.shown:
            visit.member = await self._room.holder(visit.shown)
        else:
            member = await self._member(visit.member.name, by_login=False)
            visit.member = None if member is None else Token.of(member)
        return visit.member is not None

    async def begin(self, back: str, browser: str, wanted: str) -> str:
        """The provider's page, where somebody signs in.

        Raises BadConfig, MissingExtra, Unreachable and Denied.
        """
        provider = self._single_sign_on()
        return await anyio.to_thread.run_sync(provider.begin, SignIn(back, browser, wanted))

    async def finish(self, query: dict[str, str], browser: str, host: str) -> tuple[Visit, str]:
        """The visit of who signed in, and the page they wanted. Raises as `begin`."""
        provider = self._single_sign_on()
        if "code" not in query:
            # Anybody can write this address: of what it says only a code of OAuth is repeated.
            said = query.get("error", "")
            why = said if said.isidentifier() and said.islower() else "without a reason"
            raise Denied(f"the provider refused the sign-in: {why:.40}", "sign in again")
        sign_in = provider.take(query.get("state", ""), browser)
        login = await anyio.to_thread.run_sync(provider.login, sign_in, query["code"])
        member = await self._member(login, by_login=True)
        if member is None:
            raise Denied(
                f"nobody in this team has the login {login:.200}",
                "ask an admin of the team, who adds you: bower team add NAME --login LOGIN",
            )
        return Visit(host, member=Token.of(member)), sign_in.wanted

    async def _member(self, name: str, *, by_login: bool) -> "Member | None":
        def asked() -> "Member | None":
            with self._room.birds.acquire(DOOR, GLOBAL.name) as bird:
                return bird.admin.signed_in(name) if by_login else bird.admin.member(name)

        return await self._room.run(asked, DOOR)

    def _single_sign_on(self) -> "SingleSignOn":
        """The provider that the settings name. Raises BadConfig and MissingExtra."""
        if self._provider is None:
            given = (str(self._room.birds.setting(key)) for key in _SETTINGS)
            self._provider = SingleSignOn(*given)
        return self._provider
