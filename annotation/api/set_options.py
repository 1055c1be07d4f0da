"""A gold set's options and the versions of its guideline over the API."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as drf
from rest_framework.response import Response

from annotation.api.gold import ERRORS, GoldView
from annotation.api.serializers import OptionSerializer
from annotation.domain.answers import Option, options_from
from annotation.services.gold_sets import add_guideline
from annotation.services.set_options import options_of, set_options
from annotation.services.told_names import names_in_guideline, names_in_settings
from config.api import Strict
from config.errors import InvalidInput

if TYPE_CHECKING:
    from rest_framework.request import Request

    from annotation.models import Guideline

NOTICES = "What of it names a system, though every reviewer reads it."
LISTS = ("critical_errors", "ruling_categories")


class SetOptionsSerializer(Strict):
    """The options of a set; what is not sent stays as it is."""

    title = drf.CharField()
    question = drf.CharField(allow_blank=True)
    labels_per_pair = drf.IntegerField()
    strength_wanted = drf.BooleanField()
    critical_errors = OptionSerializer(many=True)
    ruling_categories = OptionSerializer(many=True)
    blind_first_ruling = drf.BooleanField()
    aliases = drf.DictField(
        child=drf.ListField(child=drf.CharField()), help_text="Other names by system."
    )
    families = drf.DictField(
        child=drf.CharField(allow_blank=True),
        help_text="By system: how names of its maker's models begin, such as gpt.",
    )
    notices = drf.ListField(child=drf.CharField(), read_only=True, help_text=NOTICES)

    def changes(self) -> dict[str, Any]:
        """What was sent, as the service takes it."""
        sent = dict(self.validated_data)
        for name in LISTS:
            if name in sent:
                sent[name] = tuple(Option(**one) for one in sent[name])
        return sent


class GuidelineVersionSerializer(Strict):
    """One version of a guideline."""

    version = drf.IntegerField(read_only=True)
    text = drf.CharField(trim_whitespace=False, max_length=200_000)
    criteria = OptionSerializer(
        many=True,
        required=False,
        help_text="Left out: those in force stay. An empty list: none any more.",
    )
    digest = drf.CharField(read_only=True)
    created_at = drf.DateTimeField(read_only=True)


class GuidelineAddedSerializer(GuidelineVersionSerializer):
    """A version that was put in force."""

    notices = drf.ListField(child=drf.CharField(), read_only=True, help_text=NOTICES)


class SetOptionsView(GoldView):
    """The options of a set."""

    @extend_schema(
        operation_id="set_options_get",
        tags=["gold"],
        responses={200: SetOptionsSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """Give the options of a set."""
        del request, name
        return self._reply()

    @extend_schema(
        operation_id="set_options_change",
        tags=["gold"],
        request=SetOptionsSerializer(partial=True),
        responses={200: SetOptionsSerializer, **ERRORS},
    )
    def patch(self, request: Request, name: str) -> Response:
        """Change some of the options."""
        del name
        sent = SetOptionsSerializer(data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        gold_set, changes = self.gold_set, sent.changes()
        now = options_of(gold_set)
        for field in ("aliases", "families"):
            if unknown := set(changes.get(field, ())) - set(now.aliases):
                message = f"{field}: no system {min(unknown)}"
                raise InvalidInput("options_invalid", message)
        if "families" in changes:
            changes["families"] = {**now.families, **changes["families"]}
        if "aliases" in changes:
            given = {key: tuple(names) for key, names in changes["aliases"].items()}
            changes["aliases"] = {**now.aliases, **given}
        set_options(gold_set=gold_set, options=replace(now, **changes))
        return self._reply()

    def _reply(self) -> Response:
        found = asdict(options_of(self.gold_set))
        return Response(found | {"notices": names_in_settings(self.gold_set)})


class GuidelinesView(GoldView):
    """The versions of a set's guideline."""

    @extend_schema(
        operation_id="guidelines_list",
        tags=["gold"],
        responses={200: GuidelineVersionSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """List the versions, newest first."""
        del request, name
        versions = self.gold_set.guidelines.order_by("-version")
        return Response([_version_data(one) for one in versions])

    @extend_schema(
        operation_id="guidelines_add",
        tags=["gold"],
        request=GuidelineVersionSerializer,
        responses={200: GuidelineAddedSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Put a version in force; the same text and criteria again change nothing."""
        del name
        sent = GuidelineVersionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        criteria = sent.validated_data.get("criteria")
        added = add_guideline(
            gold_set=self.gold_set,
            text=sent.validated_data["text"],
            criteria=None if criteria is None else [Option(**one) for one in criteria],
            by=self.person,
            now=timezone.now(),
        )
        notices = names_in_guideline(self.gold_set)
        return Response(_version_data(added) | {"notices": notices})


def _version_data(one: Guideline) -> dict[str, object]:
    return {
        "version": one.version,
        "text": one.text,
        "criteria": [asdict(option) for option in options_from(one.criteria)],
        "digest": one.digest,
        "created_at": one.created_at,
    }
