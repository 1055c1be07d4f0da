"""The sign-in form."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils import timezone

from config.accounts import throttle


class SignInForm(AuthenticationForm):
    """Django's own, which bears only so many wrong passwords in a row."""

    def clean(self) -> dict[str, Any]:
        """Check name and password, unless too many failed a short while ago."""
        name, now = self.cleaned_data.get("username") or "", timezone.now()
        origin = throttle.origin_of(self.request, name)
        if minutes := throttle.minutes_to_wait(origin, now):
            raise ValidationError(
                f"Too many attempts with this name. Try again in {minutes} min.",
                code="too_many_attempts",
            )
        try:
            cleaned = super().clean()
        except ValidationError:
            throttle.note_failure(origin, now)
            raise
        throttle.forget(origin)
        return dict(cleaned)
