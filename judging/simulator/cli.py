"""The command line of the simulated judge, shared by the Django command and -m."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from judging.simulator.options import BatchFate, Fault, Menu, Options, Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_N = TypeVar("_N", Shape, Fault)

DEFAULT_PORT = 8089
SUMMARY = (
    "Serve a simulated judge: an OpenAI-compatible endpoint on 127.0.0.1 with planted "
    "biases and faults. The same request always gets the same reply. Replies are "
    'labelled: served model "simulated-judge", fingerprint "simulated".'
)
DETAILS = (
    "Counters are at GET /stats (and POST /stats/reset). Shapes: "
    + ", ".join(Shape)
    + ". Faults: "
    + ", ".join(Fault)
    + "."
)
_RATES = {
    "first_slot": "share of requests answered 'first' whatever the content",
    "second_slot": "share of requests answered 'second' whatever the content",
    "length": "share of pairs whose longer response is preferred",
    "abstain": "share of pairs answered 'abstain'",
    "tie": "share of pairs answered 'tie'",
    "accuracy": "share of the remaining pairs judged rightly by quality",
    "gate_fails": "share of single responses that fail each gate of a scale",
}
_NUMBERS = {
    "tie_margin": "qualities closer than this are a tie",
    "strong_margin": "qualities further apart than this are a strong preference",
    "latency": "seconds before each reply",
    "latency_spread": "seconds by which that delay varies between requests",
    "rate_limit": "requests a second before 429 (0: no limit)",
    "retry_after": "seconds that a 429 asks to wait",
    "batch_seconds": "seconds that a batch takes",
    "batch_done": "share of a batch that is carried out if it is not completed",
    "batch_delay": "seconds that requests about files and batches take",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare one option for everything that can be planted."""
    default = Options()
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port; 0 takes a free one"
    )
    parser.add_argument(
        "--seed", type=int, default=default.seed, help="seed of all draws"
    )
    parser.add_argument(
        "--menu",
        choices=[str(menu) for menu in Menu],
        help="verdict notation (default: told from the prompt)",
    )
    parser.add_argument(
        "--notation",
        metavar="JSON",
        help="other words for first, second, tie and abstain, as a JSON object, for "
        "judges that read their verdict by a regular expression",
    )
    for name, text in {**_RATES, **_NUMBERS}.items():
        value = getattr(default, name)
        parser.add_argument(
            _flag(name), type=float, default=value, help=f"{text} (default {value:g})"
        )
    _add_trouble(parser)


def options_from(values: dict[str, Any]) -> Options:
    """Build the options from parsed arguments; raise ``ValueError`` for bad ones."""
    oracle, notation = values["oracle"], values["notation"]
    return Options(
        seed=values["seed"],
        menu=Menu(values["menu"]) if values["menu"] else None,
        notation={} if notation is None else read_notation(notation),
        oracle={} if oracle is None else read_oracle(Path(oracle)),
        shapes=dict(values["shape"]),
        faults=dict(values["fault"]),
        quota=values["quota"],
        refuses_params=tuple(values["refuse_param"]),
        only_model=values["only_model"],
        api_key=values["require_key"],
        context_chars=values["context_chars"],
        batch_fates=tuple(values["batch_fate"]),
        **{name: values[name] for name in (*_RATES, *_NUMBERS)},
    )


def read_notation(text: str) -> dict[str, str]:
    """Read a JSON object from choice to what is written for it."""
    found = json.loads(text)
    if not isinstance(found, dict) or not all(
        isinstance(word, str) for word in found.values()
    ):
        raise ValueError("--notation must be a JSON object from choice to text")
    return found


def read_oracle(path: Path) -> dict[str, float | None]:
    """Read a JSON object from SHA-256 of a stripped response to quality, or null."""
    found = json.loads(path.read_text(encoding="utf-8-sig"))
    if not isinstance(found, dict) or not all(map(_is_quality, found.values())):
        msg = f"{path} must be a JSON object from SHA-256 to a number or null"
        raise ValueError(msg)
    return found


def arguments_for(options: Options, *, port: int, oracle: Path) -> list[str]:
    """Give the arguments that plant these options in another process."""
    plain = {
        "--seed": options.seed,
        "--menu": options.menu,
        "--notation": json.dumps(dict(options.notation)) if options.notation else None,
        "--oracle": oracle,
        "--quota": options.quota,
        "--only-model": options.only_model,
        "--require-key": options.api_key,
        "--context-chars": options.context_chars,
        **{_flag(name): getattr(options, name) for name in (*_RATES, *_NUMBERS)},
    }
    pairs: list[tuple[str, object]] = [("--port", port)]
    pairs += [(flag, value) for flag, value in plain.items() if value is not None]
    pairs += [("--shape", f"{name}={rate}") for name, rate in options.shapes.items()]
    pairs += [("--fault", f"{name}={rate}") for name, rate in options.faults.items()]
    pairs += [("--refuse-param", name) for name in options.refuses_params]
    pairs += [("--batch-fate", name) for name in options.batch_fates]
    return [part for flag, value in pairs for part in (flag, str(value))]


def _add_trouble(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--oracle", metavar="FILE", help="JSON: SHA-256 of a response to its quality"
    )
    _add_rates(parser, "--shape", Shape, "rate of a malformed reply, by request")
    _add_rates(parser, "--fault", Fault, "rate of a fault, by attempt")
    parser.add_argument("--quota", type=int, help="replies before the quota is gone")
    parser.add_argument(
        "--refuse-param",
        action="append",
        default=[],
        metavar="NAME",
        help="answer this body field with unsupported_parameter",
    )
    parser.add_argument("--only-model", metavar="NAME", help="the one model there is")
    parser.add_argument("--require-key", metavar="KEY", help="the one key accepted")
    parser.add_argument(
        "--batch-fate",
        type=BatchFate,
        choices=list(BatchFate),
        action="append",
        default=[],
        help="what becomes of the next batch; may be repeated",
    )
    parser.add_argument("--context-chars", type=int, help="input limit in characters")


def _add_rates(
    parser: argparse.ArgumentParser, flag: str, names: type[_N], text: str
) -> None:
    parser.add_argument(
        flag,
        type=_rate_of(names),
        action="append",
        default=[],
        metavar="NAME=RATE",
        help=text,
    )


def _rate_of(names: type[_N]) -> Callable[[str], tuple[_N, float]]:
    def parse(text: str) -> tuple[_N, float]:
        name, _, rate = text.partition("=")
        try:
            return names(name), float(rate)
        except ValueError:
            known = ", ".join(_values(names))
            msg = f"{text!r} is no NAME=RATE with a name among {known}"
            raise argparse.ArgumentTypeError(msg) from None

    return parse


def _values(names: Iterable[Shape | Fault]) -> list[str]:
    return [str(name) for name in names]


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _is_quality(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and value == value)  # noqa: PLR0124 - not NaN
