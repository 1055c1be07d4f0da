"""The demo's people: one login for each role, and the simulated labellers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import Group

from config.accounts.models import User
from config.accounts.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

# Known to everybody who reads this: the demo listens on this machine only.
PASSWORD = "evenhand-demo"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Login:
    """A demo login to print."""

    username: str
    role: Role


LOGINS = tuple(Login(role.value, role) for role in Role)


def logins() -> dict[Role, User]:
    """Make one login for each role, with the demo's password."""
    people = {}
    for login in LOGINS:
        user = _user(login.username, f"Demo {login.role.value}", login.role)
        if not user.check_password(PASSWORD):
            user.set_password(PASSWORD)
            user.save(update_fields=["password"])
        people[login.role] = user
    return people


def simulated(rows: Iterable[dict[str, str]], role: Role) -> dict[str, User]:
    """Make the simulated people of a role; nobody can sign in as one of them."""
    return {
        row["username"]: _user(
            row["username"], f"{row['display_name']} (simulated)", role
        )
        for row in rows
    }


def _user(username: str, shown: str, role: Role) -> User:
    user, made = User.objects.get_or_create(
        username=username, defaults={"display_name": shown}
    )
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    user.groups.add(Group.objects.get(name=role.value))
    return user
