"""Words that lead up to a verdict in languages other than English.

A positive list: a clause leads up to a verdict if it holds a word for verdict, winner,
conclusion and the like and no word that is not listed here. So "उदाहरण:" (example) and
"Проигравший:" (loser) lead up to nothing, in whatever language somebody writes them.
"""

# Letters of other scripts look like others, and that is what they are here for.
# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re
import unicodedata

_LONGEST, _MOST_WORDS = 80, 8
_PHRASE = "¤"

_CORE = """
urteil endurteil gesamturteil fazit ergebnis entscheidung bewertung gesamtbewertung wahl
auswahl gewinner sieger schlussfolgerung verdikt
verdict choix jugement décision conclusion résultat gagnant vainqueur évaluation
préférence
veredicto elección decisión juicio conclusión resultado ganador ganadora
evaluación fallo
giudizio verdetto scelta decisione conclusione risultato vincitore valutazione
veredito escolha decisão julgamento conclusão vencedor vencedora avaliação
oordeel eindoordeel keuze besluit beslissing conclusie winnaar beoordeling
slutsats bedömning omdöme slutomdöme utslag vinnare beslut
vurdering konklusjon konklusion afgørelse avgjørelse dom valg vinner vinder beslutning
werdykt wybór ocena wniosek decyzja zwycięzca
rozhodnutí závěr verdikt volba vítěz hodnocení rozhodnutie záver víťaz
karar kararım sonuç hüküm hükmüm kazanan seçim seçimim değerlendirme
ítélet ítéletem döntés döntésem győztes következtetés következtetésem értékelés
tuomio tuomioni päätös päätökseni arvio arvioni valinta valintani voittaja johtopäätös
putusan keputusan kesimpulan pilihan pemenang penilaian hukumu
decizie decizia concluzie concluzia alegerea câștigătorul verdictul
вердикт решение выбор вывод заключение итог оценка победитель результат
рішення вибір висновок підсумок переможець оцінка присъда извод пресуда одлука закључак
απόφαση ετυμηγορία συμπέρασμα νικητής επιλογή κρίση αποτέλεσμα
الحكم حكمي القرار قراري الخلاصة النتيجة الاستنتاج الفائز اختياري الاختيار التقييم
حکم رأی نتیجه تصمیم انتخاب برنده داوری
הכרעה ההכרעה החלטה ההחלטה החלטתי מסקנה המסקנה המנצח הבחירה בחירתי
निर्णय फैसला फ़ैसला निष्कर्ष विजेता चयन चुनाव परिणाम
রায় সিদ্ধান্ত ফলাফল বিজয়ী উপসংহার
판정 판정은 결론 결론은 선택 선택은 결정 결정은 평가 평가는 승자 승자는 판단 판단은
결과 결과는 판결 판결은
"""
_BESIDE = """
mein meine unser endgültiges endgültige endgültiger finales finale finaler final
abschließendes abschließende abschließend gesamt nach sorgfältiger reiflicher genauer
eingehender prüfung abwägung überlegung analyse aller das die der ist lautet somit daher
also deshalb
folglich insgesamt zusammenfassend hier wie folgt
mon ma le la l notre définitif définitive global globale est cest donc ainsi alors enfin
voici suivant suivante après mûre réflexion analyse examen attentif
mi el nuestro nuestra definitivo definitiva es por lo tanto entonces así general
siguiente tras después de una análisis cuidadoso cuidadosa evaluar ambas
il mio mia lo nostro è quindi dunque pertanto ecco complessivo complessiva seguente
o a meu minha nosso nossa é portanto assim logo geral
mijn het de ons onze definitieve uiteindelijke is dus daarom luidt
min mitt mit den det slutgiltiga slutliga endelige endelig är er alltså därför derfor
altså blir lyder
mój moja moje ostateczny ostateczna ostateczne to jest brzmi zatem więc dlatego końcowy
můj mé konečný konečné konečná je zní proto tedy môj
benim nihai bu yani
végső az én tehát
lopullinen minun on siis
saya akhir adalah jadi maka ialah ini
mea finală este deci
мой моя моё мое наш наше итоговый итоговая итоговое окончательный окончательное
окончательная финальный финальное финальная общий общая общее таков такова таково это
итак следовательно поэтому мій моє остаточний остаточне остаточна отже тому моят моето
η ο το μου τελική τελικό τελικός είναι άρα επομένως λοιπόν
النهائي النهائية هو هي إذن إذا لذلك وبالتالي لذا
نهایی من است این بنابراین
הסופית הסופי שלי היא הוא לכן לפיכך
मेरा मेरी अंतिम है यह इसलिए अतः
আমার চূড়ান্ত হল হলো তাই অতএব
최종 최종적인 최종적으로 제 저의 나의 내 따라서 그러므로 결론적으로 그래서 종합적으로
"""
_PHRASES = re.compile(
    r"(?<!\w)(?:(?:besser|best)e antwort|meilleure réponse|réponse finale"
    r"|mejor respuesta|respuesta final|risposta (?:migliore|finale)"
    r"|(?:melhor resposta|resposta final)|(?:betere|beste) antwoord"
    r"|bä(?:ttre|sta) svaret|lepsza odpowiedź|lepší odpověď"
    r"|(?:daha|en) iyi yanıt|son karar(?:ım)?|jawaban (?:yang lebih baik|terbaik)"
    r"|câu trả lời tốt hơn|kết luận|phán quyết|lựa chọn|quyết định"
    r"|лучший (?:ответ|вариант)|краща відповідь|καλύτερη απάντηση"
    r"|(?:الإجابة|الرد|الاستجابة) الأفضل|بهترین پاسخ"
    r"|बेहतर (?:उत्तर|प्रतिक्रिया|जवाब)|더 (?:나은|좋은) (?:답변|응답)[은는]?"
    r"|התשובה הטובה יותר|פסק הדין)(?!\w)"
)
_TOGETHER = re.compile(
    r"(?<!\w)(?:таким образом|в итоге|por lo tanto|của tôi|cuối cùng|vậy nên|là"
    r"|en conclusion|en résumé|en resumen|in conclusione|zum schluss)(?!\w)"
)
_SO = re.compile(
    r"(?:donc|ainsi|alors|enfin|en conclusion|en résumé|also|daher|deshalb|somit"
    r"|folglich|insgesamt|zusammenfassend|por (?:lo )?tanto|entonces|así|en resumen"
    r"|en conclusión|quindi|dunque|perciò|pertanto|in conclusione|portanto|assim|logo"
    r"|em conclusão|dus|daarom|kortom|alltså|därför|derfor|altså|zatem|więc|dlatego"
    r"|tedy|proto|tehát|siis|jadi|maka|vậy|yani|dolayısıyla|итак|следовательно|поэтому"
    r"|таким образом|отже|άρα|επομένως|إذن|لذلك|لذا|وبالتالي|بنابراین|לכן|इसलिए|अतः"
    r"|তাই|অতএব|따라서|그러므로|결론적으로)[ ,:،]*"
)
# "Ich wähle", "je choisis la réponse": who chooses, and perhaps what kind of thing.
_CHOOSES = re.compile(
    rf"(?:{_SO.pattern})?(?:(?:ich|je|j'|yo|io|eu|ik|jag|jeg|ja|já|én|ben|saya|tôi|я"
    r"|εγώ|أنا|من|אני|मैं|我|本人) ?)?(?:wähle|bevorzuge|entscheide mich für|choisis"
    r"|préfère|opte pour|elijo|escojo|prefiero|me quedo con|scelgo|preferisco|escolho"
    r"|prefiro|fico com|kies(?: voor)?|väljer|föredrar|velger|vælger|wybieram|volím"
    r"|vybírám|vyberám|választom|valitsen|aleg|memilih|chọn|выбираю|предпочитаю|обираю"
    r"|избирам|επιλέγω|أختار|选择|選擇|选|選)(?: ?(?:ich|je|ik|jag|jeg|also|daher|donc"
    r"|dus|alltså))?(?: (?:die|la|le|el|de|het|a|o))?"
    r"(?: ?(?:antwort|réponse|respuesta|risposta|resposta|antwoord|svar|odpowiedź"
    r"|odpověď|ответ|відповідь|yanıt|jawaban|câu trả lời|الإجابة|回答|答案))?[ :：]*"
)
# Chinese, Japanese and Thai, which are written without spaces.
_UNSPACED_CORE = (
    r"(?:判断|判斷|判定|结论|結論|裁决|裁決|判决|判決|裁定|评判|評判|选择|選擇|選択"
    r"|决定|決定|评估结果|评价结果|評価結果|評価|结果|結果|答案|胜者|勝者|获胜者|獲勝者"
    r"|赢家|贏家|优胜者|(?:更好|较好|較好|更佳|最佳)的?(?:回答|回复|回覆|答案|是|一个)"
    r"|(?:より)?(?:良い|よい|優れた|優れている)(?:回答|応答|ほう|方)|評決"
    r"|คำตัดสิน|ผลการตัดสิน|การตัดสินใจ|ข้อสรุป|สรุป|ผู้ชนะ|คำตอบที่ดีกว่า)"
)
_UNSPACED_BESIDE = (
    r"(?:我的|我们的|我|本人|最终|最終|最后|最後|总体|總體|整体|综合|綜合|的|是|为|為"
    r"|因此|所以|综上所述|綜上所述|综上|总之|總之|故|认为|認為|如下|给出|这里是|以下是"
    r"|私の|的な|は|が|です|したがって|よって|従って|以上より|以上から|総合的に|総合"
    r"|つまり|では|ゆえに|以下の|次の|通り|とおり|として"
    r"|ของฉัน|ของผม|ขั้นสุดท้าย|สุดท้าย|คือ|ดังนั้น|โดยรวม|[\s,，、:：=→—–-])"
)
_UNSPACED = re.compile(
    rf"{_UNSPACED_BESIDE}*(?:{_UNSPACED_CORE}{_UNSPACED_BESIDE}*)+"
    r"|(?:因此|所以|综上所述|綜上所述|综上|总之|總之|したがって|よって|従って|ดังนั้น)"
    r"[\s,，、:：]*"
)
_BETWEEN = re.compile(r"[\s,:;=>.،'’`*_()\u2013\u2014\u2192\u21d2-]+")
_NEVER = re.compile(r"[\ufffc\[\]\"\d|]")


def _listed(words: str) -> frozenset[str]:
    return frozenset(
        unicodedata.normalize("NFC", word).casefold() for word in words.split()
    )


VERDICT_WORDS = _listed(_CORE)
_CORES = VERDICT_WORDS | {_PHRASE}
KNOWN_WORDS = _CORES | _listed(_BESIDE)


def leads_elsewhere(clause: str) -> bool:
    """Whether a clause in another language only leads up to a verdict."""
    if not clause or len(clause) > _LONGEST or _NEVER.search(clause):
        return False
    text = unicodedata.normalize("NFC", clause.strip()).casefold()
    forms = (_SO, _UNSPACED, _CHOOSES)
    if any(form.fullmatch(text) for form in forms):
        return True
    text = _TOGETHER.sub(" ", _PHRASES.sub(f" {_PHRASE} ", text))
    words = [word for word in _BETWEEN.split(text) if word]
    return (
        len(words) <= _MOST_WORDS
        and any(word in _CORES for word in words)
        and all(word in KNOWN_WORDS for word in words)
    )
