"""Finding what looks like a credential in a judge, before it is stored or digested."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judging.domain.digests import JudgeSpec
    from judging.domain.pointwise import PointwiseSpec

# Body fields such as max_tokens, eos_token and prompt_cache_key carry no secret.
SECRET_NAME = re.compile(
    r"api[-_]?key|authori[sz]ation|secret|passw|bearer|cookie|credential"
    r"|private[-_]?key|^(?:x[-_])?auth$|^key$|^tokens?$"
    r"|(?:auth|access|refresh|session|id|api)[-_]?token",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-(?:(?:live|test|proj|ant|or|svcacct|admin)-[\w-]{3,}"
    r"|(?=[\w-]{0,100}\d)[\w-]{6,}|[A-Za-z0-9]{20,})"
    r"|[Bb]earer\s+(?=[\w~+/=.-]{0,200}\d)[\w~+/=.-]{8,}"
    r"|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|gh[pousr]_\w{30,}|github_pat_\w{20,}"
    r"|xox[abprs]-[\w-]{10,}|glpat-[\w-]{15,}|(?:hf|gsk)_[A-Za-z0-9]{20,}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{5,}"
    r"|(?=[A-Za-z]{0,200}\d)(?=[a-z0-9]{0,200}[A-Z])(?=[A-Z0-9]{0,200}[a-z])"
    r"[A-Za-z0-9]{32,})"
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY"
)
# Where only settings stand, a long run of letters and digits is enough.
_LONG = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z]{0,200}\d)(?=\d{0,200}[A-Za-z])[A-Za-z0-9]{28,}"
    r"|^\s*(?:bearer|basic)\s+\S+",
    re.IGNORECASE,
)
_SETTINGS = ("params",)


def secret_paths(value: object, path: str, *, settings: bool) -> Iterator[str]:
    """Say where a JSON value holds what looks like a credential, at any depth.

    In ``settings``, names that carry credentials count too.
    """
    waiting = [(path, value)]
    while waiting:
        at, each = waiting.pop()
        if isinstance(each, str):
            if _KEY.search(each) or (settings and _LONG.search(each)):
                yield at
        elif isinstance(each, dict):
            for name, inner in each.items():
                below = f"{at}.{_shown(str(name))}"
                if (settings and SECRET_NAME.search(str(name))) or _KEY.search(
                    str(name)
                ):
                    yield below
                else:
                    waiting.append((below, inner))
        elif isinstance(each, list | tuple):
            waiting += [(f"{at}[{i}]", inner) for i, inner in enumerate(each)]


def secrets_of(
    spec: JudgeSpec | PointwiseSpec, *, but: tuple[str, ...] = ()
) -> Iterator[str]:
    """Say which parts of a judge hold what looks like a credential."""
    for each in fields(spec):
        if each.name in but:
            continue
        value = getattr(spec, each.name)
        if each.name == "rubric_step" and isinstance(value, dict):
            rest = {name: inner for name, inner in value.items() if name != "params"}
            yield from secret_paths(rest, each.name, settings=False)
            params = value.get("params")
            yield from secret_paths(params, "rubric_step.params", settings=True)
        else:
            settings = each.name in _SETTINGS
            yield from secret_paths(value, each.name, settings=settings)


def _shown(name: str) -> str:
    """A key's name, unless the key itself was typed in its place."""
    return "(hidden)" if _KEY.search(name) else name[:40]
