"""The people who share a store: who they are, what they may, and their tokens."""

import hashlib
import os
import secrets

from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.exchange import Contents
from bowerbird.core.exchange_lines import lines
from bowerbird.core.life import DAY
from bowerbird.core.team import (
    GIVEN_TRUSTS,
    TOKEN_DAYS,
    Member,
    MemberToken,
    Personal,
    Team,
    TeamChange,
    known_login,
    known_role,
    member_name,
)
from bowerbird.core.text import clean
from bowerbird.core.types import OWN, beside, known_trust, whose
from bowerbird.core.value import Advice, Do
from bowerbird.core.when import moment
from bowerbird.core.who import ADMIN, PROGRAM, USER
from bowerbird.host.places import write_own
from bowerbird.lifecycle.apart import set_apart
from bowerbird.lifecycle.changes import Changes
from bowerbird.verbs.erasing import Erasing
from bowerbird.verbs.exporting import contents_of
from bowerbird.wiring.acting import Acting, Verbs
from bowerbird.wiring.reach import allowed

# 256 bits cannot be guessed, so a plain hash is enough.
_BYTES = 32
_LONGEST_LABEL = 60
# The end of the year 9999, the last ISO date.
LATEST = 253_402_300_799_999


def token_hash(token: str) -> str:
    """What a store keeps of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Teaming(Verbs):
    """Lists and changes the members of the team."""

    def team(self) -> Team:
        """Everybody, and their tokens without their values; nobody without a store."""
        if not self._opened.exists():
            return Team()
        store = self._opened.reader()
        with store.reading():
            return Team(tuple(store.team.all()), tuple(store.team.tokens()))

    def add(self, name: str, role: str | None, trust: str | None, login: str | None) -> TeamChange:
        """Add a member, or change what one has. Raises Denied, BadInput, UnknownName."""
        self._require_admin("changing the team")
        name = member_name(name)
        if trust is not None and known_trust(trust) not in GIVEN_TRUSTS:
            raise BadInput(
                f"a member cannot be given the trust {trust}", f"give {', '.join(GIVEN_TRUSTS)}"
            )
        login = None if login is None else known_login(login)
        store, actor = self._acting.writer(), self._acting.actor("")
        with store.transaction():
            old = store.team.get(name)
            holder = store.team.by_login(login) if login else None
            if holder is not None and holder.name != name:
                raise BadInput(
                    f"{holder.name} has the login {login}", "give each member a login of their own"
                )
            if old is None or old.gone is not None:
                first = known_role(role or "member"), trust or GIVEN_TRUSTS[-1]
                now = self._opened.clock()
                new = Member(name, *first, now, made_by=actor, login=login or "")
            else:
                new = old.replace(role=known_role(role or old.role), trust=trust or old.trust)
                new = new if login is None else new.replace(login=login)
            if not store.projects.shared():
                set_apart(store)
            store.team.put(new)
        return TeamChange(new, "added" if old is None or old.gone is not None else "changed")

    def new_token(self, name: str, label: str, expires: int | str | None) -> TeamChange:
        """Make a token, whose value is returned only this once; by default it expires in a quarter.

        Members make their own where they signed in themselves. Raises Denied, BadInput, NotFound.
        """
        who = self._acting.who
        if not (who.attended and who.person == member_name(name)):
            self._require_admin("making a token")
        now, label = self._opened.clock(), clean(label).strip()
        if not label or len(label) > _LONGEST_LABEL:
            raise BadInput(f"{label!r} is no label", f"give 1 to {_LONGEST_LABEL} characters")
        until = now + TOKEN_DAYS * DAY if expires is None else _until(expires, now)
        member = self._present(name)
        store, actor = self._acting.writer(), self._acting.actor("")
        value = secrets.token_urlsafe(_BYTES)
        with store.transaction():
            valid = [
                one
                for one in store.team.tokens()
                if (one.member, one.label) == (member.name, label) and one.revoked is None
            ]
            if valid:
                raise BadInput(
                    f"{member.name} has a token {label!r} already",
                    Advice("revoke it: ", Do("team", "revoke", member.name, label=label)),
                )
            store.team.add_token(
                MemberToken(token_hash(value), member.name, label, now, until, made_by=actor)
            )
        return TeamChange(member, "token", token=value, expires=until)

    def revoke(self, name: str, label: str) -> TeamChange:
        """Revoke the tokens of a member with that label, or all for an empty one; servers notice at once.

        Members may revoke their own. Raises Denied, NotFound.
        """
        name = member_name(name)
        if self._acting.who.person != name:
            self._require_admin("revoking a token of somebody else")
        member = self._present(name)
        store = self._acting.writer()
        with store.transaction():
            count = store.team.revoke(member.name, label, self._opened.clock())
            if label and not count:
                raise NotFound(f"{member.name} has no token {label!r}", Advice("see: ", Do("team")))
        return TeamChange(member, "revoked", revoked=count)

    def leave(self, name: str, path: "str | None") -> TeamChange:
        """A member leaves, and what is personal of them with them. Raises Denied, NotFound, BadInput."""
        name = member_name(name)
        who = self._acting.who
        if who.person != name:
            self._require_admin("removing somebody from the team")
        if path is not None:
            who.require_local("export")
        member = self._present(name)
        own = self._own(name)
        if path is not None:
            self._write(path, "".join(lines(own)))
        store, now = self._acting.writer(), self._opened.clock()
        gone = member.replace(gone=now)
        with store.transaction():
            revoked = store.team.revoke(name, "", now)
            store.team.put(gone)
        self._erase([one.id for one in own.memories])
        return TeamChange(gone, "left", revoked=revoked, erased=len(own.memories))

    def personal(self) -> Personal:
        """What is the caller's own, as JSON lines."""
        own = self._own(self._acting.who.person or USER)
        self._acting.show({one.trust for one in own.memories})
        return Personal(len(own.memories), "".join(lines(own)))

    def _own(self, name: str) -> "Contents":
        """What is personal of somebody, as memories of the projects that it is beside."""
        if not self._opened.exists():
            return Contents([], {"project": ()})
        store = self._opened.reader()
        with store.reading():
            uids = [one.uid for one in store.projects.all() if whose(one.uid) == name]
        found = contents_of(store).within(uids)
        projects = [
            (beside(uid), called.removesuffix(OWN), None)
            for uid, called, _ in found.rows["project"]
        ]
        rows = {**found.rows, "project": projects, "alias": (), "verdict": ()}
        memories = [one.replace(project=beside(one.project)) for one in found.memories]
        return Contents(memories, rows)

    def _write(self, path: str, text: str) -> None:
        goal = os.path.abspath(os.path.expanduser(path))
        try:
            write_own(goal, text)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(f"{goal} cannot be written: {why}", "name another place") from error

    def _erase(self, ids: "list[str]") -> None:
        """Erases what somebody who left kept for themselves, on nobody else's behalf."""
        if not ids:
            return
        here = self._config, self._opened, self._reach
        acting = Acting(PROGRAM, self._opened, self._reach)
        store = self._acting.writer()
        changes = Changes(store, self._opened.clock, acting, None, allowed(self._config))
        Erasing(*here, acting).erase(changes, ids)

    def holder(self, token: str) -> "Member | None":
        """The member with that token, or None if it is unknown, revoked or expired."""
        if not self._opened.exists():
            return None
        return self._opened.reader().team.holder(token_hash(token), self._opened.clock())

    def present(self, name: str) -> "Member | None":
        """The member of that name, or None if there is none or they left."""
        found = self._opened.reader().team.get(name) if self._opened.exists() else None
        return None if found is None or found.gone is not None else found

    def signed_in(self, login: str) -> "Member | None":
        """The member whom single sign-on knows by that login, or None."""
        if not login or not self._opened.exists():
            return None
        return self._opened.reader().team.by_login(known_login(login))

    def _require_admin(self, what: str) -> None:
        """Raise Denied for a caller who is neither an admin of the team nor on the owner's machine."""
        who = self._acting.who
        who.require_role(ADMIN, what)
        if not who.person:
            who.require_local(what)

    def _present(self, name: str) -> Member:
        """A member who did not leave. Raises NotFound."""
        name = member_name(name)
        found = self.present(name)
        if found is None:
            raise NotFound(f"{name} is no member", Advice("add them: ", Do("team", "add", name)))
        return found


def _until(given: int | str, now: int) -> int:
    """Until when a token is accepted. Raises BadInput for what is no time to come."""
    try:
        found = moment(given, now, ahead=True, end_of_day=True) if isinstance(given, str) else given
    except ValueError:
        found = None
    if type(found) is not int or not now < found <= LATEST:
        raise BadInput(
            f"{given!s:.40} is not a time to come", "give a date or an age: 2027-01-31, 30d"
        )
    return found
