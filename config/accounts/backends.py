"""Signing in, and reading who asks: every request begins with it."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend

from config.accounts.models import User
from config.accounts.permissions import remember_roles
from config.db.plain import Statement, columns, read, run_together

# The user and the names of their groups in one query: a row for each group, or one.
USER = """
SELECT {user}, g.name FROM accounts_user u
LEFT JOIN accounts_user_groups m ON m.user_id = u.id
LEFT JOIN auth_group g ON g.id = m.group_id
WHERE u.id = %s
"""


class RolesBackend(ModelBackend):
    """Django's own, but a user comes with their roles."""

    def get_user(self, user_id: int) -> User | None:
        """Return an active user, their roles read already."""
        sql = USER.format(user=columns(User, "u"))
        [rows] = run_together([Statement(sql, [user_id], planned=True)])
        if not rows:
            return None
        user = read(User, rows[0][:-1])
        if not self.user_can_authenticate(user):
            return None
        remember_roles(user, {row[-1] for row in rows})
        return user
