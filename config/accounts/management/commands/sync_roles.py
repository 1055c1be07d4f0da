"""Make the groups of the roles and give them their permissions."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand
from django.db import transaction

from config.accounts.roles import Role, permission_names


class Command(BaseCommand):
    """Brings groups in line with config/accounts/roles.py; harmless to repeat."""

    help = "Create the role groups and set their permissions as the code declares."

    def handle(self, *args: Any, **options: Any) -> None:
        """Sync each role and say what changed."""
        with transaction.atomic():
            permissions = _permissions_by_name()
            for role in Role:
                changed = _sync(role, permissions)
                state = "updated" if changed else "up to date"
                self.stdout.write(f"{role.value}: {state}")


def _permissions_by_name() -> dict[str, Permission]:
    found = Permission.objects.select_related("content_type")
    return {f"{p.content_type.app_label}.{p.codename}": p for p in found}


def _sync(role: Role, permissions: dict[str, Permission]) -> bool:
    """Return whether anything had to change."""
    group, created = Group.objects.get_or_create(name=role.value)
    names = permission_names(role, frozenset(permissions))
    wanted = {permissions[name].pk for name in names}
    present = set(group.permissions.values_list("pk", flat=True))
    if wanted != present:
        group.permissions.set(wanted)
    return created or wanted != present
