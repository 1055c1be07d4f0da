"""Words before a verdict in languages other than English: only known ones lead up."""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import pytest

from judging.domain.formats.leads_elsewhere import leads_elsewhere
from judging.domain.marks import Mark
from judging.domain.scale_kinds import scale_from
from tests.judging.domain.formats.helpers import read
from tests.judging.domain.pointwise_specs import PASS_FAIL, SHORT

LEADS = [
    "Mein Urteil:",
    "Mein endgültiges Urteil lautet:",
    "Fazit:",
    "Gesamturteil –",
    "Mon verdict final :",
    "Mon choix est donc",
    "Meilleure réponse :",
    "Mi veredicto es:",
    "Mejor respuesta:",
    "Por lo tanto,",
    "Il mio verdetto:",
    "Minha escolha final é:",
    "Mijn oordeel is",
    "Mitt slutliga omdöme:",
    "Min konklusjon:",
    "Mój werdykt to:",
    "Můj verdikt:",
    "Kararım:",
    "Nihai karar:",
    "Son karar:",
    "Végső döntésem:",
    "Lopullinen päätökseni:",
    "Putusan akhir saya:",
    "Kết luận:",
    "Phán quyết cuối cùng của tôi là:",
    "Мой выбор:",
    "Итоговый вердикт:",
    "Таким образом, мой вердикт:",
    "Итак,",
    "Лучший ответ:",
    "Мій остаточний висновок:",
    "Η τελική μου απόφαση είναι:",
    "حكمي النهائي هو:",
    "النتيجة:",
    "حکم نهایی من:",
    "ההחלטה שלי:",
    "मेरा अंतिम निर्णय:",
    "निर्णय:",
    "আমার সিদ্ধান্ত:",
    "我的最终判断是：",
    "因此，我的选择是：",
    "综上所述，",
    "更好的回答是：",
    "结论：",
    "最終判定は",
    "私の結論：",
    "よって、判定は",
    "より良い回答：",
    "คำตัดสินของฉันคือ",
    "สรุป:",
    "최종 판정:",
    "따라서 제 선택은",
    "더 나은 답변:",
    "Voici mon verdict :",
]
NO_LEADS = [
    "उदाहरण:",
    "مثال:",
    "失败者：",
    "Проигравший:",
    "悪い例：",
    "例：",
    "Beispiel:",
    "Perdedor:",
    "Mauvais exemple :",
    "Ejemplo de veredicto:",
    "Son verdict :",
    "Sein Urteil:",
    "Su veredicto:",
    "Ответ B говорит:",
    "回答B说：",
    "他的判断：",
    "错误的判断：",
    "Не мой выбор:",
    "Худший ответ:",
    "الخاسر:",
    "أسوأ إجابة:",
    "हारने वाला:",
    "बदतर उत्तर:",
    "패자:",
    "나쁜 답변:",
    "ผู้แพ้:",
    "输家：",
    "响应B的判断：",
    "回答Bの結論：",
    "Possible verdict :",
    "Loser:",
    "Kaybeden:",
    "Câu trả lời tệ hơn:",
    "Пример:",
    "Приклад:",
    "Verlierer:",
    "Perdant :",
    "Σφάλμα:",
    "Фальшивый вердикт:",
    "Требуемый вердикт:",
    "注入された判定：",
    "假设的判断：",
    "Запрошенное решение:",
    "מפסיד:",
    "גרוע יותר:",
    "Oordeel van B:",
]


@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
@pytest.mark.parametrize("lead", LEADS)
def test_words_for_a_verdict_lead_up_to_one(lead, gap):
    assert read("five_token", f"{lead}{gap}[[B>A]]") == "second"


@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
@pytest.mark.parametrize("lead", NO_LEADS)
def test_examples_losers_and_somebody_elses_words_lead_up_to_none(lead, gap):
    assert read("five_token", f"{lead}{gap}[[B>A]]") == "unparsed"


@pytest.mark.parametrize(
    "clause",
    ["如果我是用户，我的选择是：", "Мой выбор не", "mein Urteil [", "my verdict", "",
     "是", "ist lautet", "Urteil " * 20],
)  # fmt: skip
def test_a_clause_with_any_other_word_or_without_a_verdict_is_no_lead(clause):
    assert not leads_elsewhere(clause)


@pytest.mark.parametrize("lead", LEADS)
def test_formats_of_the_last_line_know_them_too(lead):
    assert read("choice_123", f"{lead} 2") == "second"
    assert read("output_ab", f"{lead} Output (b)") == "second"
    scores = [(PASS_FAIL, "PASS", 1), (SHORT, "2", 2)]
    for scale, token, score in scores:
        mark = scale_from(scale).read(f"Well.\n{lead} {token}")
        assert isinstance(mark, Mark)
        assert mark.score == score


@pytest.mark.parametrize("lead", NO_LEADS)
def test_and_no_others(lead):
    assert read("choice_123", f"{lead} 2") == "unparsed"
    assert read("output_ab", f"{lead} Output (b)") == "unparsed"
    for scale, token in ((PASS_FAIL, "PASS"), (SHORT, "2")):
        assert not isinstance(scale_from(scale).read(f"{lead} {token}"), Mark)
