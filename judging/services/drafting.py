"""What a new judge starts from, and the provider that it names."""

from __future__ import annotations

import re
from dataclasses import replace

from config.errors import Conflict, InvalidInput
from judging.domain.defaults import (
    DEFAULT_INPUT_LIMIT,
    DEFAULT_MARK_QUESTION,
    DEFAULT_MARK_RUBRIC,
    DEFAULT_MAX_TOKENS,
    DEFAULT_QUESTION,
    DEFAULT_RUBRIC,
    DEFAULT_TEMPLATE,
    rubric_step_to_start_from,
)
from judging.domain.digests import JudgeSpec, spec_to_json
from judging.domain.formats.registry import get_format
from judging.domain.lint_settings import CALLED, is_whole_path
from judging.domain.pointwise import (
    SYSTEM_TEMPLATE,
    USER_TEMPLATE,
    PointwiseSpec,
    pointwise_to_json,
)
from judging.domain.scale_kinds import scale_from
from judging.models import Provider

DEFAULT_FORMAT = "five_token"
PASS_FAIL: dict[str, object] = {"kind": "pass_fail"}
SOMEWHERE, SOMETHING = "http://127.0.0.1:8089/v1", "model-name"
ALIAS = re.compile(r"[-a-zA-Z0-9_]{1,80}")
ADDRESS = re.compile(r"https?://[^\s@?#/]+(/[^\s@?#]*)?")
# Never the server's own: whoever sets up a judge could have it sent anywhere.
VARIABLE = re.compile(
    r"(?!(?:SECRET_KEY|SECRET_KEY_FALLBACKS|DATABASE_URL|CELERY_BROKER_URL|PATH|HOME)$)"
    r"(?!EVENHAND_|DJANGO_|PG)[A-Z_][A-Z0-9_]{0,79}"
)


def default_spec(
    *,
    provider: str,
    base_url: str,
    model: str,
    question: str = DEFAULT_QUESTION,
    rubric: str = DEFAULT_RUBRIC,
    rubric_version: str = "1",
    verdict_format: str = DEFAULT_FORMAT,
) -> JudgeSpec:
    """Return a complete judge with the default templates and limits."""
    return JudgeSpec(
        provider=provider,
        base_url=base_url,
        model=model,
        params={"temperature": 0, "max_tokens": DEFAULT_MAX_TOKENS},
        system_template=DEFAULT_TEMPLATE.system,
        user_template=DEFAULT_TEMPLATE.user,
        rubric=rubric,
        rubric_version=rubric_version,
        question=question,
        verdict_format=verdict_format,
        parser_version=get_format(verdict_format).parser_version,
        input_limit=DEFAULT_INPUT_LIMIT,
    )


def default_pointwise_spec(
    *, provider: str, base_url: str, model: str, scale: dict[str, object] | None = None
) -> PointwiseSpec:
    """Return a complete pointwise judge, PASS or FAIL unless a scale is given."""
    declared = PASS_FAIL if scale is None else scale
    return PointwiseSpec(
        provider=provider,
        base_url=base_url,
        model=model,
        params={"temperature": 0, "max_tokens": DEFAULT_MAX_TOKENS},
        system_template=SYSTEM_TEMPLATE,
        user_template=USER_TEMPLATE,
        rubric=DEFAULT_MARK_RUBRIC,
        rubric_version="1",
        question=DEFAULT_MARK_QUESTION,
        scale=declared,
        parser_version=scale_from(declared).parser_version,
        input_limit=DEFAULT_INPUT_LIMIT,
    )


def default_spec_json(
    *, pointwise: bool = False, rubric_step: bool = False
) -> dict[str, object]:
    """Return the specification that `freeze_judge --template` prints."""
    if pointwise:
        marks = default_pointwise_spec(
            provider="local", base_url=SOMEWHERE, model=SOMETHING
        )
        return pointwise_to_json(marks)
    spec = default_spec(provider="local", base_url=SOMEWHERE, model=SOMETHING)
    if rubric_step:
        spec = replace(spec, rubric_step=rubric_step_to_start_from())
    return spec_to_json(spec)


def ensure_provider(
    *, alias: str, base_url: str, api_key_env: str = "", simulated: bool = False
) -> Provider:
    """Return the provider of an alias, made if new; its address may not differ.

    ``api_key_env`` is the name of an environment variable, never a key: what can't be
    such a name is refused, and not repeated in the message. A provider that judges use
    keeps the one it has.
    """
    refuse_alias(alias)
    refuse_address(base_url)
    if api_key_env and not VARIABLE.fullmatch(api_key_env):
        raise InvalidInput(
            "key_variable_invalid",
            "api key: name the environment variable that holds it, in capitals, digits "
            "and _; the key itself is never stored",
        )
    provider, _ = Provider.objects.get_or_create(
        alias=alias,
        defaults={
            "base_url": base_url,
            "api_key_env": api_key_env,
            "simulated": simulated,
        },
    )
    if provider.base_url != base_url:
        raise Conflict(
            "provider_differs",
            f"provider {alias} is at {provider.base_url}, not {base_url}; give the "
            "other address an alias of its own",
        )
    if api_key_env and provider.api_key_env != api_key_env:
        _refuse_if_shared(provider)
        provider.api_key_env = api_key_env
        provider.save(update_fields=["api_key_env"])
    return provider


def _refuse_if_shared(provider: Provider) -> None:
    """Judges that are there already would ask with the other key from now on."""
    if provider.configs.exists():
        now = provider.api_key_env or "no variable"
        raise Conflict(
            "provider_key_differs",
            f"provider {provider.alias} takes its key from {now}, and other judges use "
            "it: change that on the page of the provider, or give the other key an "
            "alias of its own",
        )


def refuse_alias(alias: str) -> None:
    """Raise ``InvalidInput`` for what can't be a provider's alias."""
    if not ALIAS.fullmatch(alias):
        raise InvalidInput(
            "provider_alias_invalid",
            "provider: the alias may hold letters, digits, - and _ (at most 80)",
        )


def refuse_address(base_url: str) -> None:
    """Raise ``InvalidInput`` for what can't be an address, or would hold a secret."""
    if not ADDRESS.fullmatch(base_url):
        raise InvalidInput(
            "provider_address_invalid",
            "base_url: must be http:// or https://, a host and a path, without user "
            "name, password, ? or #",
            {"field": "base_url"},
        )
    if is_whole_path(base_url):
        raise InvalidInput(
            "provider_address_invalid",
            f"base_url: must end before the path of a call: {CALLED} is added to it",
            {"field": "base_url"},
        )
