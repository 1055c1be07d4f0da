"""A value that can't be is refused before anything is done, with exit code 2."""

from __future__ import annotations

import io

import pytest
from django.core.management import ManagementUtility

ROUND = ["open_round", "shop", "first"]
PAIRS = ["import_pairs", "p.jsonl", "--gold-set", "shop"]
LOOKS = ["plan_looks", "shop", "--mode", "sealed", "--budget"]
RUN = ["run_judge", "--judge", "j", "--gold-set", "shop"]
PRICE = ["prices", "--add"]

CASES = [
    ([*ROUND, "--sample", "-3"], "--sample: must be 1 to 1000000, not -3"),
    ([*ROUND, "--sample", "x"], "--sample: 'x' is no whole number"),
    ([*ROUND, "--labels-per-pair", "9"], "--labels-per-pair: must be 1 to 5, not 9"),
    ([*ROUND, "--labels-per-pair", "0"], "--labels-per-pair: must be 1 to 5, not 0"),
    ([*ROUND, "--minutes", "0"], "--minutes: must be 1 to 1440, not 0"),
    ([*ROUND, "--slice", "lang"], "--slice: 'lang': write it as KEY=VALUE"),
    ([*ROUND, "--slice", "=de"], "--slice: '=de': write it as KEY=VALUE"),
    ([*ROUND, "--retest-share", "1.5"], "--retest-share: must be 0 to 1, not 1.5"),
    ([*ROUND, "--designed-rate", "nan"], "--designed-rate: 'nan' is no number"),
    ([*PAIRS, "--labels-per-pair", "6"], "--labels-per-pair: must be 1 to 5, not 6"),
    ([*PAIRS, "--name", "gpt"], "--name: 'gpt': write it as THEIRS=OURS"),
    ([*PAIRS, "--field", "prompt="], "--field: 'prompt=': write it as OURS=THEIRS"),
    (["check_gold_set", "shop", "--show", "-1"], "--show: must be 0 or more, not -1"),
    ([*LOOKS, "0"], "--budget: must be 1 to"),
    ([*LOOKS, "3", "--limit", "ipr"], "--limit: 'ipr': write it as NAME=SHARE"),
    ([*RUN, "--concurrency", "0"], "--concurrency: must be 1 to"),
    ([*RUN, "--max-calls", "0"], "--max-calls: must be 1 or more, not 0"),
    ([*RUN, "--max-tokens", "-5"], "--max-tokens: must be 1 or more, not -5"),
    ([*RUN, "--max-cost", "-0.5"], "--max-cost: must be 0 or more, not -0.5"),
    ([*RUN, "--max-cost", "nan"], "--max-cost: 'nan' is no amount"),
    ([*PRICE, "--prompt", "-1"], "--prompt: must be 0 or more, not -1"),
    ([*PRICE, "--batch-share", "1.1"], "--batch-share: must be 0 to 1, not 1.1"),
    (["assign_splits", "shop", "--held-out", "1"], "--held-out: must be between 0"),
    (["serve", "--port", "70000"], "--port: must be 0 to 65535, not 70000"),
    (["serve", "--threads", "0"], "--threads: must be 1 or more, not 0"),
]


@pytest.mark.parametrize(("arguments", "words"), CASES)
def test_a_bad_value_ends_with_2_and_says_why(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = io.StringIO()
    monkeypatch.setattr("sys.stderr", told)
    with pytest.raises(SystemExit) as ended:
        ManagementUtility(["manage.py", *arguments]).execute()
    assert ended.value.code == 2
    assert f"argument {words}" in told.getvalue()
