"""The named collection of cases and the comparison contract it is labelled under."""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from annotation.domain.consensus import ConsensusRule


def new_seed() -> str:
    """A secret seed: reviewers must not be able to predict a slot."""
    return secrets.token_hex(16)


class GoldSet(models.Model):
    """What is compared, by which systems, and how labels become gold."""

    guard: ClassVar[str] = (
        "append_only_except:title,question,labels_per_pair,consensus_rule,primary_slice,"
        "strength_wanted,critical_errors,ruling_categories,blind_first_ruling,"
        "held_out_seen_at,look_budget,judged_at"
    )

    name = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200, blank=True)
    question = models.TextField(blank=True, help_text="The product question.")
    labels_per_pair = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(5)]
    )
    consensus_rule = models.CharField(
        max_length=40,
        choices=[(rule.value, rule.value) for rule in ConsensusRule],
        default=ConsensusRule.MAJORITY_ELSE_ADJUDICATE.value,
    )
    primary_slice = models.CharField(max_length=80, blank=True)
    strength_wanted = models.BooleanField(
        default=False, help_text="Ask how much better the better response is."
    )
    critical_errors = models.JSONField(
        default=list,
        blank=True,
        help_text='Flags for a response: [{"code": "...", "label": "..."}].',
    )
    ruling_categories = models.JSONField(
        default=list, blank=True, help_text="Categories of this set's own for rulings."
    )
    blind_first_ruling = models.BooleanField(
        default=False, help_text="Adjudicators rule once before they see the labels."
    )
    held_out_seen_at = models.DateTimeField(
        null=True, blank=True, help_text="Splits are locked from then on."
    )
    look_budget = models.PositiveSmallIntegerField(default=10)
    simulated = models.BooleanField(default=False)
    judged_at = models.DateTimeField(
        null=True, blank=True, help_text="When the first judge run on it began."
    )
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="gold_set_rule_known",
                condition=models.Q(consensus_rule__in=[r.value for r in ConsensusRule]),
            ),
            models.CheckConstraint(
                name="gold_set_labels_per_pair_1_to_5",
                condition=models.Q(labels_per_pair__range=(1, 5)),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def system_names(self) -> tuple[str, ...]:
        """The systems in their order: of a pair, the earlier one is the baseline."""
        return tuple(self.systems.order_by("position").values_list("name", flat=True))


class System(models.Model):
    """A stable identity whose outputs are compared."""

    guard: ClassVar[str] = "append_only_except:aliases,family"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="systems"
    )
    name = models.CharField(max_length=120)
    position = models.PositiveSmallIntegerField()
    aliases = models.JSONField(default=list, blank=True)
    family = models.CharField(
        max_length=120,
        blank=True,
        help_text="How names of models of its maker begin: gpt, claude.",
    )

    class Meta:
        ordering = ["gold_set", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["gold_set", "name"], name="system_name_once_a_set"
            ),
            models.UniqueConstraint(
                fields=["gold_set", "position"], name="system_position_once_a_set"
            ),
        ]

    def __str__(self) -> str:
        return self.name
