from __future__ import annotations

import pytest

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.hygiene import Check, Severity, length_balance
from annotation.domain.intervals import SignTest
from annotation.domain.scripts import (
    Script,
    script_of,
    script_problem,
    scripts_of_language,
)
from annotation.domain.text_checks import cut_mark, cut_sign

ENGLISH = "Where is my order? It should have come last week."
RUSSIAN = "Где мой заказ? Он должен был прийти на прошлой неделе."
JAPANESE = "私の注文はどこですか。先週届くはずでした。教えてください。"
CHINESE = "我的订单在哪里上周就应该到了请告诉我怎么办谢谢你的帮助"
LONG = "We looked into your order. It left our store on Monday and is on its way. "


class TestScripts:
    @pytest.mark.parametrize(
        ("text", "script"),
        [
            (ENGLISH, Script.LATIN),
            (RUSSIAN, Script.CYRILLIC),
            (JAPANESE, Script.JAPANESE),
            (CHINESE, Script.HAN),
            ("Το δέμα μου δεν ήρθε ακόμη σήμερα.", Script.GREEK),  # noqa: RUF001 - Greek
            ("איפה ההזמנה שלי? היא הייתה אמורה להגיע", Script.HEBREW),
            ("أين طلبي؟ كان يجب أن يصل الأسبوع الماضي", Script.ARABIC),
            ("मेरा ऑर्डर कहाँ है? यह पिछले सप्ताह आना था", Script.DEVANAGARI),
            ("คำสั่งซื้อของฉันอยู่ที่ไหนควรมาถึงแล้ว", Script.THAI),
            ("제 주문은 어디에 있나요 지난주에 왔어야 했는데 아직도", Script.KOREAN),
            ("OK", None),
            ("", None),
            ("12345 67890 !!! 12345 67890", None),
            (ENGLISH + RUSSIAN, None),
        ],
    )
    def test_the_script_of_most_letters(self, text, script):
        assert script_of(text) is script

    def test_code_and_addresses_do_not_count(self):
        text = f"{RUSSIAN}\n```\n{'for x in range(10): print(x)' * 9}\n```"
        assert script_of(text) is Script.CYRILLIC
        text = f"{RUSSIAN} https://example.com/{'a' * 200} `{'b' * 200}`"
        assert script_of(text) is Script.CYRILLIC

    @pytest.mark.parametrize(
        ("language", "scripts"),
        [
            ("en", {Script.LATIN}),
            ("pt-BR", {Script.LATIN}),
            ("RU", {Script.CYRILLIC}),
            ("Japanese", {Script.JAPANESE, Script.HAN}),
            ("sr", None),
            ("uk-Latn", None),
            ("klingon", None),
            ("", None),
        ],
    )
    def test_languages(self, language, scripts):
        found = scripts_of_language(language)
        assert found == (None if scripts is None else frozenset(scripts))

    def test_a_case_that_fits_has_no_problem(self):
        russian, latin = Script.CYRILLIC, Script.LATIN
        assert script_problem("ru", russian, {"v12": russian, "v13": None}) is None
        assert script_problem("", Script.HAN, {"x": Script.JAPANESE}) is None
        assert script_problem("klingon", latin, {"x": latin}) is None
        assert script_problem("en", None, {"x": russian}) is None

    def test_what_does_not_fit_is_named(self):
        given = {"v12": Script.LATIN, "v13": Script.CYRILLIC}
        assert script_problem("en", Script.CYRILLIC, given) == (
            "the slice says en, the prompt is in Cyrillic; "
            "the prompt is in Cyrillic, v12 answers in Latin"
        )


class TestCutOff:
    @pytest.mark.parametrize(
        ("meta", "mark"),
        [
            ({"finish_reason": "length"}, "finish_reason=length"),
            ({"stop_reason": "max_tokens"}, "stop_reason=max_tokens"),
            ({"finish_reason": "stop", "truncated": True}, "truncated=true"),
            ({"finish_reason": "stop"}, None),
            ({"truncated": False, "finish_reason": None}, None),
            ({"truncated": "yes"}, None),
            ({}, None),
        ],
    )
    def test_its_own_record(self, meta, mark):
        assert cut_mark(meta) == mark

    @pytest.mark.parametrize(
        ("text", "sign"),
        [
            (LONG + "You can follow it with the", "it ends with the word 'the'"),
            (LONG + "You will need these,", "it ends with ','"),
            (LONG + "\n```python\nprint(1)", "a code block is left open"),
            (LONG + "So we think your parcel", "its last sentence has no end"),
            (
                LONG + "\nSo we think that your parcel will most likely reach you some "
                "time in the middle of next week or slightly lat",
                "its last sentence has no end",
            ),
        ],
    )
    def test_signs(self, text, sign):
        assert cut_sign(text) == sign

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "Paris",
            LONG,
            LONG + "\n\n- a receipt\n- a photo of the broken lid from both sides",
            LONG + "\n\n1. Open the page for returns and choose the parcel in question",
            LONG + "\n```\nprint(1)\n```",
            LONG + "\n\n| a | b |\n|---|---|\n| a long cell in it | another one |",
            LONG + 'She said: "It left on Monday."',
            LONG + "Is that all right with you?",
            LONG + "**Thank you very much for your patience with us in all of this!**",
            LONG + "\n\nKind regards,\nAnna",
            CHINESE * 4,
        ],
    )
    def test_whole_texts(self, text):
        assert cut_sign(text) is None


class TestLengths:
    def test_counts_share_test_and_ratio(self):
        lengths = [(100, 150)] * 9 + [(100, 80), (50, 50)]
        found = length_balance(("v12", "v13"), lengths, range(11))
        assert (found.candidate_longer, found.baseline_longer, found.equal) == (9, 1, 1)
        assert isinstance(found.longer_share, Estimate)
        assert (found.longer_share.numerator, found.longer_share.denominator) == (9, 10)
        assert isinstance(found.test, SignTest)
        assert found.test.p_value == pytest.approx(22 / 1024)
        assert found.ratio == 1.5
        assert not found.is_unbalanced

    def test_unbalanced_needs_both_chance_and_size(self):
        many = range(200)
        by_half = length_balance(("a", "b"), [(100, 150)] * 200, many)
        by_little = length_balance(("a", "b"), [(100, 105)] * 200, many)
        shorter = length_balance(("a", "b"), [(150, 100)] * 200, many)
        assert by_half.is_unbalanced
        assert shorter.is_unbalanced
        assert not by_little.is_unbalanced

    def test_pairs_of_one_prompt_widen_the_interval(self):
        lengths = [(1, 2)] * 20 + [(2, 1)] * 20
        alone = length_balance(("a", "b"), lengths, range(40)).longer_share
        tied = length_balance(("a", "b"), lengths, [n // 10 for n in range(40)])
        assert isinstance(alone, Estimate)
        assert isinstance(tied.longer_share, Estimate)
        assert tied.longer_share.design_effect > 5
        assert tied.longer_share.low < alone.low

    @pytest.mark.parametrize("lengths", [[], [(5, 5), (7, 7)]])
    def test_nothing_to_compare(self, lengths):
        found = length_balance(("a", "b"), lengths, range(len(lengths)))
        assert found.longer_share == Undefined("no pair of unequal length", 0, 0)
        assert isinstance(found.test, Undefined)
        assert not found.is_unbalanced

    def test_empty_responses_have_no_ratio(self):
        assert length_balance(("a", "b"), [(0, 9)], [1]).ratio is None


def test_every_check_has_a_severity():
    assert {check.severity for check in Check} == set(Severity)
