"""The part of the lint that looks at settings: sampling, limits, rules, addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from judging.domain.findings import Finding, Severity
from judging.domain.formats.registry import FORMAT_NAMES, BadOptions, get_format
from judging.domain.lint_params import ELSEWHERE, steering_params
from judging.domain.lint_schema import schema_findings
from judging.domain.prompts import RENDERER_VERSION
from judging.domain.secrets import secret_paths, secrets_of
from judging.domain.terms import CombiningRule, RepeatRule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from judging.domain.digests import JudgeSpec
    from judging.domain.pointwise import PointwiseSpec

MOST_REPEATS = 99
MOST_TOKENS = 10_000_000
MOST_CHARACTERS = 1_000_000_000
TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")
CALLED = "/chat/completions"
OTHER_CALLS = ("/completions", "/responses")  # that would never be what is asked
_RANGES = {"temperature": (0, 2), "top_p": (0, 1)}
_SECRET = re.compile(r"api[-_]?key|authorization|secret|password|bearer", re.IGNORECASE)


def settings_findings(spec: JudgeSpec) -> Iterator[Finding]:
    """Check everything but the prompt."""
    yield from shared_findings(spec)
    if spec.combining_rule not in set(CombiningRule):
        message = f"must be one of {', '.join(CombiningRule)}"
        yield Finding("unknown_rule", "combining_rule", message)
    yield from _format(spec)


def shared_findings(spec: JudgeSpec | PointwiseSpec) -> Iterator[Finding]:
    """Check what pairwise and pointwise judges have in common, but for their texts."""
    yield from _names(spec)
    yield from _address(spec)
    yield from params_findings(spec.params)
    for path in secrets_of(spec, but=("params", "base_url", "rubric_step")):
        yield Finding("secret", path, "looks like a credential")
    limit = spec.input_limit
    if limit is not None and not 1 <= limit <= MOST_CHARACTERS:
        message = f"must be 1 to {MOST_CHARACTERS}, or not given"
        yield Finding("bad_input_limit", "input_limit", message)
    yield from _rules(spec)


def is_whole_path(path: str) -> bool:
    """Whether an address already ends in the path of a call, this one or another."""
    return path.rstrip("/").endswith((CALLED, *OTHER_CALLS))


def _names(spec: JudgeSpec | PointwiseSpec) -> Iterator[Finding]:
    for field in ("provider", "model", "rubric", "rubric_version"):
        if not getattr(spec, field).strip():
            yield Finding("empty", field, "must not be empty")


def _address(spec: JudgeSpec | PointwiseSpec) -> Iterator[Finding]:
    try:
        url = urlsplit(spec.base_url)
    except ValueError as error:
        yield Finding("bad_url", "base_url", str(error))
        return
    if url.scheme not in ("http", "https") or not url.netloc:
        yield Finding("bad_url", "base_url", "must begin with http:// or https://")
    if is_whole_path(url.path):
        message = f"must end before the path of a call: {CALLED} is added to it"
        yield Finding("bad_url", "base_url", message)
    if "@" in url.netloc or _SECRET.search(url.query):
        yield Finding(
            "secret", "base_url", "holds a credential, which would be digested"
        )


def params_findings(
    params: Mapping[str, object], field: str = "params"
) -> Iterator[Finding]:
    """Check the body fields that are sent as they are."""
    yield from _sampling(params, field)
    yield from _limits(params, field)
    yield from steering_params(params, field)


def _sampling(params: Mapping[str, object], field: str) -> Iterator[Finding]:
    for name, (low, high) in _RANGES.items():
        value = params.get(name)
        if name in params and not _is_between(value, low, high):
            message = f"must be a number from {low} to {high}, not {value!r}"
            yield Finding(f"bad_{name}", f"{field}.{name}", message)
    for name in sorted(params):
        if name in ELSEWHERE:
            yield Finding("own_field", f"{field}.{name}", "is set by the judge itself")
    for path in secret_paths(dict(params), field, settings=True):
        yield Finding("secret", path, "looks like a credential")
    if params.get("n", 1) != 1:
        yield Finding("several_answers", f"{field}.n", "a call has exactly one answer")


def _limits(params: Mapping[str, object], field: str) -> Iterator[Finding]:
    given = [name for name in TOKEN_LIMITS if name in params]
    if not given:
        message = "a judge without an output limit has an open bill"
        yield Finding("no_max_tokens", f"{field}.max_tokens", message)
    if len(given) > 1:
        message = f"{' and '.join(given)} contradict each other; give one"
        yield Finding("two_output_limits", field, message)
    for name in given:
        value = params[name]
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not isinstance(value, int) or not is_whole or not 1 <= value <= MOST_TOKENS:
            message = f"must be a whole number from 1 to {MOST_TOKENS}"
            yield Finding("bad_max_tokens", f"{field}.{name}", message)


def _rules(spec: JudgeSpec | PointwiseSpec) -> Iterator[Finding]:
    if spec.repeat_rule not in set(RepeatRule):
        message = f"must be one of {', '.join(RepeatRule)}"
        yield Finding("unknown_rule", "repeat_rule", message)
    if not 1 <= spec.repeats <= MOST_REPEATS:
        message = f"must be 1 to {MOST_REPEATS}"
        yield Finding("bad_repeats", "repeats", message)
    if spec.repeats > 1 and spec.params.get("temperature") == 0:
        message = "repeats at temperature 0 cost money and hardly ever differ"
        yield Finding("repeats_at_zero", "repeats", message, Severity.WARNING)
    if spec.renderer != RENDERER_VERSION:
        message = f"this version renders prompts as {RENDERER_VERSION}"
        yield Finding("other_renderer", "renderer", message)


def _format(spec: JudgeSpec) -> Iterator[Finding]:
    if spec.verdict_format not in FORMAT_NAMES:
        message = f"must be one of {', '.join(sorted(FORMAT_NAMES))}"
        yield Finding("unknown_format", "verdict_format", message)
        return
    try:
        known = get_format(spec.verdict_format, spec.format_options)
    except BadOptions as error:
        whole = error.field == "format_options"
        field = error.field if whole else f"format_options.{error.field}"
        yield Finding("bad_format_options", field, error.reason)
        return
    if spec.parser_version != known.parser_version:
        message = f"this version reads replies as {known.parser_version}"
        yield Finding("other_parser", "parser_version", message)
    if spec.response_format is None:
        return
    own = known.response_schema(offers_abstain=spec.offers_abstain)
    if own is None:
        message = f"{known.name} is not JSON, so no JSON reply may be asked for"
        yield Finding("second_format", "response_format", message)
        return
    examples = known.examples(offers_abstain=spec.offers_abstain)
    yield from schema_findings(spec.response_format, own, [e.raw for e in examples])


def _is_between(value: object, low: int, high: int) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return low <= value <= high
