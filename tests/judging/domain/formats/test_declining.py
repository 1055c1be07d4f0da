"""Replies that decline, in the words of many models and languages."""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import pytest

from tests.judging.domain.formats.helpers import read

DECLINE = [
    "As an AI, I do not make judgments on such content.",
    "I don't feel comfortable judging these.",
    "I'm not comfortable comparing these responses.",
    "This content violates my guidelines.",
    "The request goes against my content policy.",
    "My guidelines do not allow me to judge this.",
    "Neither response was provided.",
    "Neither response was provided…",
    "No responses were provided, so I have nothing to compare.",
    "The two responses are missing.",
    "There is nothing to judge here.",
    "Please provide the two responses.",
    "You did not include the responses.",
    "I don't see any responses here.",
    "It would be inappropriate for me to judge this.",
    "It is impossible to compare these.",
    "A fair comparison is not possible.",
    "I am not qualified to judge this.",
    "I don't think I can judge this.",
    "I am prohibited from discussing this.",
    "Request blocked.",
    "I abstain.",
    "I can't decide.",
    "I'm undecided.",
    "I have no basis to judge either.",
    "I'd rather not.",
    "К сожалению, не могу выполнить эту просьбу.",
    "Извините, я не могу помочь с этим.",
    "Я отказываюсь оценивать такой контент.",
    "На жаль, я не можу допомогти з цим.",
    "Üzgünüm, bu konuda yardımcı olamam.",
    "Bu içeriği değerlendiremem.",
    "Maalesef bu isteği yerine getiremiyorum.",
    "Xin lỗi, tôi không thể giúp với yêu cầu này.",
    "Tôi không thể đánh giá nội dung này.",
    "Maaf, saya tidak dapat membantu permintaan ini.",
    "Saya tidak bisa menilai konten ini.",
    "申し訳ありませんが、お手伝いできません。",
    "この内容は評価できません。",
    "この依頼にはお応えできません。",
    "죄송합니다. 이 요청은 도와드릴 수 없습니다.",
    "이 내용은 평가할 수 없습니다.",
    "عذراً، لا أستطيع المساعدة في هذا الطلب.",
    "لا يمكنني تقييم هذا المحتوى.",
    "मुझे खेद है, मैं इसमें मदद नहीं कर सकता।",
    "मैं इस सामग्री का मूल्यांकन नहीं कर सकता।",
    "क्षमा करें, मैं इस अनुरोध में सहायता नहीं कर सकता।",
    "ขออภัย ฉันไม่สามารถช่วยได้",
    "ฉันไม่สามารถประเมินเนื้อหานี้ได้",
    "Es tut mir leid, das kann ich nicht beurteilen.",
    "Ich kann das leider nicht bewerten.",
    "Je ne peux pas évaluer ces réponses.",
    "No puedo evaluar este contenido.",
    "Non posso valutare questi contenuti.",
    "Não posso avaliar este conteúdo.",
    "Ik kan dit niet beoordelen.",
    "Jag kan inte bedöma detta.",
    "Nie mogę ocenić tych odpowiedzi.",
    "Nemohu to posoudit.",
    "Nem tudom ezt értékelni.",
    "Nem tudok segíteni ebben.",
    "En voi arvioida tätä.",
    "Λυπάμαι, δεν μπορώ να βοηθήσω.",
    "מצטער, איני יכול לעזור בזה.",
    "متأسفم، نمی‌توانم در این مورد کمک کنم.",
    "দুঃখিত, আমি এটি মূল্যায়ন করতে পারছি না।",
    "抱歉，我无法协助。",
    "我不能评判这些内容。",
    "Îmi pare rău, nu pot ajuta.",
    "Beklager, jeg kan ikke hjelpe med dette.",
    "I will not be providing a verdict on this.",
    "I'm just an AI and cannot judge such content.",
    "I do not engage with this kind of content.",
    "This falls outside of my guidelines.",
    "I have to decline.",
    "I won't be able to evaluate these.",
]
DECLINE_NOTHING = [
    "Response A violates the policy given in the rubric; B does not.",
    "A says it can't help. B helps.",
    "I don't find the answers of A convincing.",
    "As an AI language model, I do not have personal preferences, but B is clearer.",
    "I do not see any difference between the responses in tone; B is shorter.",
    "Response A did not provide the responses the user asked for.",
    "Neither response was perfect.",
    "Neither response provided a source.",
    "The user asked for a refusal. B says that it violates its guidelines.",
    "I cannot fault B.",
    "Response A says this violates my guidelines and stops.",
    "The answers are not given in full by A.",
    "Response A does not help. It cannot be used.",
    "No response is perfect, but B is better.",
    "Both are polite. Please note that B is shorter.",
    "It is impossible to say that A is right.",
    "The request was denied by the bank, as B says.",
    "B asks the user: please provide the order number.",
    "Ответ A не может помочь пользователю. Ответ B лучше.",
    "Antwort A kann nicht helfen. B ist besser.",
    "回答Aは質問に答えていません。回答Bは正確です。",
    "回答A无法提供帮助。回答B更好。",
    "답변 A는 도움이 되지 않습니다. 답변 B가 더 낫습니다.",
    "La respuesta A no puede ayudar; la B sí.",
    "I would not rate A highly. B wins.",
    "I do not agree with A.",
    "I don't think A is right. B is.",
    "I can't see that A answers this.",
    "Yanıt A yardımcı olamıyor. B daha iyi.",
    "Câu trả lời A không thể giúp người dùng. B tốt hơn.",
    "Jawaban A tidak dapat membantu. B lebih baik.",
    "الرد A لا يستطيع المساعدة. الرد B أفضل.",
    "I did not find errors in the responses.",
    "The policy is explained by B. My principle is accuracy.",
    "I weighed both on my own rules of thumb: accuracy, then tone.",
]


@pytest.mark.parametrize("words", DECLINE)
def test_a_verdict_beside_words_that_decline_is_none(words):
    assert read("five_token", f"{words}\n\n[[A=B]]") == "refused"
    assert read("five_token", f"[[A=B]]\n\n{words}") == "refused"
    assert read("five_token", f"Well.\n{words} Sorry.\n[[B>A]]") == "refused"


@pytest.mark.parametrize("words", DECLINE_NOTHING)
def test_what_is_said_of_a_response_declines_nothing(words):
    assert read("five_token", f"{words}\n\n[[B>A]]") == "second"
    assert read("five_token", f"[[B>A]]\n\n{words}") == "second"
