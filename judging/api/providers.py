"""Providers and prices over the API. Secrets are names of environment variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from config.errors import Conflict
from judging.api import serializers
from judging.api.common import ERRORS, JudgingView
from judging.models import Provider
from judging.presenters.providers import provider_by_alias
from judging.services.pricing import add_price
from judging.services.providers import save_provider

if TYPE_CHECKING:
    from rest_framework.request import Request

TAGS = ["providers"]


class ProvidersView(JudgingView):
    """All providers, and new ones."""

    @extend_schema(
        operation_id="providers_list",
        tags=TAGS,
        responses={200: serializers.ProviderSerializer(many=True)},
    )
    def get(self, request: Request) -> Response:
        """List the providers by alias."""
        del request
        found = Provider.objects.order_by("alias")
        return Response(serializers.ProviderSerializer(found, many=True).data)

    @extend_schema(
        operation_id="providers_create",
        tags=TAGS,
        request=serializers.ProviderSerializer,
        responses={201: serializers.ProviderSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Add a provider."""
        sent = serializers.ProviderSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        if Provider.objects.filter(alias=said["alias"]).exists():
            message = f"There is a provider {said['alias']} already."
            raise Conflict("provider_exists", message)
        provider = save_provider(
            alias=said["alias"],
            base_url=said["base_url"],
            options=sent.options(),
            now=timezone.now(),
        )
        data = serializers.ProviderSerializer(provider).data
        return Response(data, status=status.HTTP_201_CREATED)


class ProviderView(JudgingView):
    """One provider."""

    @extend_schema(
        operation_id="providers_read",
        tags=TAGS,
        responses={200: serializers.ProviderSerializer, **ERRORS},
    )
    def get(self, request: Request, alias: str) -> Response:
        """Give a provider; secrets are names."""
        del request
        found = provider_by_alias(alias)
        return Response(serializers.ProviderSerializer(found).data)

    @extend_schema(
        operation_id="providers_change",
        tags=TAGS,
        request=serializers.ProviderChangeSerializer,
        responses={200: serializers.ProviderSerializer, **ERRORS},
    )
    def put(self, request: Request, alias: str) -> Response:
        """Change how a provider is reached."""
        provider_by_alias(alias)
        sent = serializers.ProviderChangeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        provider = save_provider(
            alias=alias,
            base_url=sent.validated_data["base_url"],
            options=sent.options(),
            now=timezone.now(),
        )
        return Response(serializers.ProviderSerializer(provider).data)


class PricesView(JudgingView):
    """What one provider charges."""

    @extend_schema(
        operation_id="prices_list",
        tags=TAGS,
        responses={200: serializers.PriceSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, alias: str) -> Response:
        """List the prices, of each model the newest first."""
        del request
        found = provider_by_alias(alias).prices.newest_first()
        return Response(serializers.PriceSerializer(found, many=True).data)

    @extend_schema(
        operation_id="prices_add",
        tags=TAGS,
        request=serializers.NewPriceSerializer,
        responses={201: serializers.PriceSerializer, **ERRORS},
    )
    def post(self, request: Request, alias: str) -> Response:
        """Enter a price; of one day, the one entered last counts."""
        sent = serializers.NewPriceSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        price = add_price(
            price=sent.price(provider_by_alias(alias).alias),
            by=self.person,
            now=timezone.now(),
        )
        data = serializers.PriceSerializer(price).data
        return Response(data, status=status.HTTP_201_CREATED)
