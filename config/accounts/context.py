"""Roles for templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from config.accounts.permissions import roles_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from config.accounts.roles import Role


def roles(request: HttpRequest) -> dict[str, frozenset[Role]]:
    """Give templates `roles`: `{% if "lead" in roles %}`."""
    # Error pages may be rendered for requests that never reached authentication.
    return {"roles": roles_of(getattr(request, "user", None))}
