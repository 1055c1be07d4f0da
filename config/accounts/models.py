"""The user model."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person who signs in; what they may do follows from their roles."""

    guard: ClassVar[str] = "mutable"

    display_name = models.CharField(
        max_length=150, blank=True, help_text="Shown instead of the username."
    )

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name to show to people."""
        return self.display_name or self.get_full_name() or self.get_username()


class FailedSignIn(models.Model):
    """A wrong password, for as long as it counts (throttle.py)."""

    guard: ClassVar[str] = "mutable"

    origin = models.CharField(max_length=64)
    at = models.DateTimeField(db_index=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["origin", "at"], name="failed_sign_in_origin")
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
