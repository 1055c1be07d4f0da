"""The roles, and what each may do.

Roles are Django groups of the same name, made by `sync_roles`. Code asks for a role
(config/accounts/permissions.py); the permissions below are what the groups carry, so
that anything that asks Django finds the same answer. Each name is `app.action_model`.
"""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a person was let in for. One person may hold several roles."""

    REVIEWER = "reviewer"
    ADJUDICATOR = "adjudicator"
    LEAD = "lead"
    AUDITOR = "auditor"

    @property
    def label(self) -> str:
        """The name to show."""
        return self.value.capitalize()


DESCRIPTIONS = {
    Role.REVIEWER: "Labels the pairs of their own queue.",
    Role.ADJUDICATOR: "Labels, sees anonymous labels and rules on disputed pairs.",
    Role.LEAD: "Makes gold sets, opens rounds, freezes gold, runs judges, decides.",
    Role.AUDITOR: "Reads everything, exports and verifies; changes nothing.",
}

LABELLERS = (Role.REVIEWER, Role.ADJUDICATOR)
READERS = (Role.LEAD, Role.AUDITOR)

# Apps whose rows a role may see or work on as a whole.
PRODUCT_APPS = ("annotation", "judging", "calibration")
APP_ACTIONS: dict[Role, tuple[str, ...]] = {
    Role.REVIEWER: (),
    Role.ADJUDICATOR: (),
    Role.LEAD: ("view", "add", "change"),
    Role.AUDITOR: ("view",),
}
EXTRA_PERMISSIONS: dict[Role, frozenset[str]] = {
    Role.REVIEWER: frozenset({"annotation.add_label"}),
    Role.ADJUDICATOR: frozenset(
        {"annotation.add_label", "annotation.view_label", "annotation.add_adjudication"}
    ),
    Role.LEAD: frozenset({"accounts.view_user"}),
    Role.AUDITOR: frozenset(),
}
# Labels and rulings come from those who label and rule, also where a lead may add
# everything else.
WITHHELD: dict[Role, frozenset[str]] = {
    Role.LEAD: frozenset({"annotation.add_label", "annotation.add_adjudication"}),
}


def permission_names(role: Role, available: frozenset[str]) -> frozenset[str]:
    """Return those of the `available` permissions ("app.action_model") a role has."""
    whole = {
        name
        for name in available
        if name.startswith(tuple(f"{app}." for app in PRODUCT_APPS))
        and name.split(".")[1].split("_")[0] in APP_ACTIONS[role]
    }
    chosen = (whole | EXTRA_PERMISSIONS[role]) - WITHHELD.get(role, frozenset())
    return frozenset(chosen & available)
