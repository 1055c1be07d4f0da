"""Signing in, and reading who asks: every request begins with it."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend

from config.accounts.models import User
from config.accounts.permissions import remember_roles

# The user and the names of their groups in one query: a row for each group, or one.
USER = """
SELECT u.*, g.name AS group_name FROM accounts_user u
LEFT JOIN accounts_user_groups m ON m.user_id = u.id
LEFT JOIN auth_group g ON g.id = m.group_id
WHERE u.id = %s
"""


class RolesBackend(ModelBackend):
    """Django's own, but a user comes with their roles."""

    def get_user(self, user_id: int) -> User | None:
        """Return an active user, their roles read already."""
        rows = list(User.objects.raw(USER, [user_id]))
        if not rows or not self.user_can_authenticate(rows[0]):
            return None
        remember_roles(rows[0], {row.__dict__["group_name"] for row in rows})
        return rows[0]
