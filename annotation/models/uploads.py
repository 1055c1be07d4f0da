"""Files that were uploaded to be imported, kept until somebody confirms or forgets."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.models.gold_sets import GoldSet

FOLDER = "uploads"


class LabelImport(models.Model):
    """Labels that somebody brought from outside, as far as they were new."""

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="label_imports"
    )
    added = models.PositiveIntegerField()
    known = models.PositiveIntegerField(help_text="Rows that said nothing new.")
    files = models.JSONField(
        default=list,
        help_text='[{"name": "...", "sha256": "..."}], where it was noted.',
    )
    imported_at = models.DateTimeField()
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )

    def __str__(self) -> str:
        return f"{self.added} labels of {self.gold_set.name}"


class Upload(models.Model):
    """One import that was previewed; what is to be done stays on the server.

    The files lie in the site's folder under the token: nobody sends them twice, and
    what is confirmed is what was shown.
    """

    guard: ClassVar[str] = "mutable"

    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="uploads"
    )
    files = models.JSONField(help_text='[{"name": "...", "size": 1, "sha256": "..."}]')
    plan = models.JSONField(help_text="What to import into which set, read how.")
    uploaded_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"upload {self.token}"

    @property
    def folder(self) -> Path:
        """Where its files lie; each is called by its place in the list."""
        return Path(settings.VAR_DIR) / FOLDER / str(self.token)
