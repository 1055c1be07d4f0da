"""Which body fields a judge may send beside its prompt.

A body field can cut the prompt, put another model in its place, take a choice away or
add to what is asked, without a word of it in the prompt. Only fields that are known to
do none of it may be frozen, each with the kind of value that is known; the rest is
refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from judging.domain.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Callable[[object], bool]


def _truth(value: object) -> bool:
    return isinstance(value, bool)


def _whole(value: object) -> bool:
    return _number(value) and isinstance(value, int | float) and value == value // 1


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _word(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_WORD


def _words(value: object) -> bool:
    return isinstance(value, list | tuple) and all(_word(each) for each in value)


def _either(*kinds: Kind) -> Kind:
    return lambda value: any(kind(value) for kind in kinds)


def _labels(value: object) -> bool:
    return isinstance(value, Mapping) and all(_word(each) for each in value.values())


def _held(**fields: Kind) -> Kind:
    """An object of no other fields than these, all of their kinds."""

    def is_so(value: object) -> bool:
        return isinstance(value, Mapping) and all(
            name in fields and fields[name](each) for name, each in value.items()
        )

    return is_so


def _thinking_switch(value: object) -> bool:
    """Exactly one of the two switches; a template could read any other as text."""
    return isinstance(value, Mapping) and any(
        value.keys() == {name} and _truth(value[name])
        for name in ("enable_thinking", "thinking")
    )


_LONGEST_WORD = 512
_PRICE = _held(
    prompt=_number, completion=_number, request=_number, image=_number, audio=_number
)
KNOWN_FIELDS: Mapping[str, Kind] = {
    # Sampling. Ranges and limits are checked with the settings.
    **dict.fromkeys(
        (
            "temperature", "top_p", "min_p", "top_a", "typical_p", "tfs_z",
            "frequency_penalty", "presence_penalty", "repetition_penalty",
            "repeat_penalty", "length_penalty", "dynatemp_range", "dynatemp_exponent",
            "mirostat_tau", "mirostat_eta",
        ),
        _number,
    ),
    **dict.fromkeys(
        (
            "n", "top_k", "seed", "random_seed", "mirostat", "repeat_last_n",
            "max_tokens", "max_completion_tokens", "top_logprobs", "priority",
            "id_slot",
        ),
        _whole,
    ),
    # How much is thought, and whether that is shown.
    **dict.fromkeys(("reasoning_effort", "reasoning_format", "verbosity"), _word),
    **dict.fromkeys(("thinking_budget", "reasoning_budget"), _whole),
    **dict.fromkeys(
        ("enable_thinking", "include_reasoning", "separate_reasoning"), _truth
    ),
    "think": _either(_truth, _word),
    "chat_template_kwargs": _thinking_switch,
    "thinking": _held(type=_word, budget_tokens=_whole),
    "reasoning": _held(
        effort=_word, max_tokens=_whole, exclude=_truth, enabled=_truth, summary=_word
    ),
    # How it is served and accounted for.
    **dict.fromkeys(
        (
            "user", "safety_identifier", "service_tier", "request_id", "cache_salt",
            "prompt_cache_key", "prompt_cache_retention",
        ),
        _word,
    ),
    **dict.fromkeys(
        (
            "store", "cache_prompt", "logprobs", "timings_per_token",
            "skip_special_tokens", "spaces_between_special_tokens",
        ),
        _truth,
    ),
    "keep_alive": _either(_number, _word),
    "metadata": _labels,
    "usage": _held(include=_truth),
    # Of one model, which of those that serve it.
    "provider": _held(
        order=_words, only=_words, ignore=_words, quantizations=_words, sort=_word,
        allow_fallbacks=_truth, require_parameters=_truth, data_collection=_word,
        zdr=_truth, max_price=_PRICE,
    ),
}  # fmt: skip

# What is refused for a reason of its own, so that the message can say it.
_REFUSED = (
    (
        (
            r"trunc.*|.*_truncat.*|transforms?|max_(?:prompt|input|context)_.*|num_ctx"
            r"|n_ctx|num_keep|n_keep|context_(?:length|window|size|shift).*|context_length_.*"
            r"|compression|rope_.*"
        ),
        "could cut the prompt, which is never cut",
    ),
    (
        (
            r"models|route|routes|routing|fallbacks?|model_.*|lora.*|adapter.*|preset"
            r"|.*draft_model|engine|deployment|best_of|use_beam_search"
        ),
        "could have another model, or more than one answer, behind the verdict",
    ),
    (
        (
            r"guided_.*|structured_outputs?|grammar.*|regex|ebnf|json_schema|format|choices"
            r"|structural_tag|logit_bias|logits_.*|allowed_token_ids|allowed_tokens"
            r"|bad_words.*|banned_.*|ban_.*|custom_token_bans|negative_prompt|samplers?|xtc_.*|dry_.*"
            r"|custom_logit_processor|custom_params|sampling_.*"
        ),
        "could take choices away, or hold the reply to one",
    ),
    (
        (
            r"stop|stop_.*|stopping_.*|ignore_eos|min_tokens|include_stop_.*|n_predict"
            r"|num_predict|max_new_tokens|max_output_tokens|t_max_.*|max_time|timeout"
        ),
        "could end the reply before the verdict, or keep it from ending",
    ),
    (
        (
            r"prefill|prefix|suffix|prediction|continue_final_.*|add_generation_prompt|echo"
            r"|chat_template|chat_template_.*|add_special_tokens|raw|template"
            r"|assistant_.*"
        ),
        "could put words into the judge's mouth, or change how the prompt is laid out",
    ),
    (
        (
            r"system.*|prompt|instructions?|input.*|documents|safe_prompt|prompt_mode"
            r"|tools?|tool_.*|functions?|function_call|parallel_tool_calls|plugins"
            r"|web_search.*|search.*|data_sources|citation.*|conversation|previous_.*"
            r"|memory|mcp.*|character.*|persona|guard.*|bot_.*|audio|modalities|images?"
        ),
        "could add to what is asked, or to what the judge is shown",
    ),
    (
        (
            r"extra_body|extra_.*|nvext|options|google|vllm_.*|sglang_.*|parameters"
            r"|generation_?config|additional_.*|body|data|provider_.*|thinking_config"
        ),
        "holds further fields, which could steer the verdict; give them by name",
    ),
)
_REASONS = tuple((re.compile(names, re.IGNORECASE), why) for names, why in _REFUSED)
_UNKNOWN = "is none of the body fields that are known not to steer a verdict"
# Refused elsewhere, in words of their own.
ELSEWHERE = frozenset(
    {"model", "messages", "stream", "stream_options", "response_format"}
)
_CHECKED = frozenset(
    {"temperature", "top_p", "n", "max_tokens", "max_completion_tokens"}
)


def steering_params(params: Mapping[str, object], field: str) -> Iterator[Finding]:
    """Find body fields that could steer a verdict, or of which nothing is known."""
    for name in sorted(params.keys() - ELSEWHERE):
        value = params[name]
        known = KNOWN_FIELDS.get(name)
        if known is None:
            message = _refusal(name)
        elif name in _CHECKED or value is None or known(value):
            continue
        else:
            message = "is not of the kind, or holds other fields than, that is known"
        yield Finding("steering_field", f"{field}.{name}", message)


def _refusal(name: str) -> str:
    return next((why for names, why in _REASONS if names.fullmatch(name)), _UNKNOWN)
