"""How replies decline in languages other than English, in small letters.

An apology that opens a clause, or "I cannot", "I refuse" together with a verb of the
task (help, judge, compare, answer). A language is looked at only where a stem of it
occurs.
"""

# Letters of other scripts look like others, and that is what they are here for.
# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_APOLOGIES = (
    "tut mir leid", "tut mir sehr leid", "entschuldigung, ich",
    "entschuldigung, aber ich", "désolé", "lo siento", "lo lamento",
    "mi dispiace", "desculpe", "sinto muito", "lamento, mas", "het spijt me",
    "przykro mi", "przepraszam", "omlouvám se", "je mi líto", "üzgünüm",
    "özür dilerim", "kusura bakma", "sajnálom", "elnézést", "beklager", "jeg er lei",
    "olen pahoillani", "anteeksi", "îmi pare rău", "ho sento", "λυπάμαι", "συγγνώμη",
    "xin lỗi", "rất tiếc", "mohon maaf", "maaf,", "maafkan", "samahani",
    "извините", "простите", "прошу прощения", "мне жаль", "вибачте", "перепрошую",
    "съжалявам", "жао ми је",
    "آسف", "نأسف", "أعتذر", "نعتذر", "عذرا", "عذرًا", "عذراً", "معذرة", "متأسف", "متاسف",
    "ببخشید", "معذرت", "پوزش",
    "מצטער", "מצטערת", "סליחה", "माफ़ कर", "माफ कर", "माफ़ी", "माफी", "क्षमा", "मुझे खेद",
    "मुझे अफ़सोस", "मुझे अफसोस", "দুঃখিত", "ক্ষমা", "ขออภัย", "ขอโทษ", "เสียใจ",
    "很抱歉", "非常抱歉", "抱歉", "对不起", "對不起", "不好意思", "申し訳",
    "すみません",
    "ごめん", "恐れ入りますが", "恐縮ですが", "죄송", "미안", "유감",
)  # fmt: skip
_OPENS = re.compile(
    r"(?:\A|[\n.!?,;:。，！？；：、،।—(\])>\"'])[ \t*_#>-]*(?:es |ich bin |je suis "
    r"|nous sommes |bohužel |leider |unfortunately,? |sorry,? |非常に|大変|誠に|我|我们"
    r"|我很|我非常|jag |tôi |chúng tôi |saya |अत्यंत |मुझे |أنا |نحن |אני )?\Z"
)

_CJK_TASK = (
    r"(?:协助|協助|帮助|幫助|帮你|帮您|幫您|提供|满足|滿足|回答|评判|評判|评估|評估|评价"
    r"|評價|判断|判斷|比较|比較|完成|处理|處理|执行|執行|参与|參與|做出|作出|进行|進行|给出)"
)
_JA_TASK = (
    r"(?:お手伝い|手伝う|判断|評価|比較|回答|お答え|答え|判定|対応|お応え|応じ|協力|支援"
    r"|提供|採点|審査|決定)"
)
_KO_TASK = (
    r"(?:도와|도움|판단|평가|비교|답변|대답|제공|수행|응답|심사|채점|처리|응할"
    r"|결정|선택)"
)


# By language: stems, and what declines where one of them occurs.
def _language(stems: str, form: str) -> tuple[tuple[str, ...], re.Pattern[str]]:
    return tuple(stems.split("|")), re.compile(form)


_LANGUAGES = (
    _language(
        "nicht|kein|lehne|weigere|ablehnen",
        r"(?:ich (?:kann|darf|werde|möchte|will)|(?:kann|darf|werde|möchte"
        r"|will) ich)[^.\n]{0,60} nicht (?:\w+ )?(?:helfen|behilflich|weiterhelfen"
        r"|beurteilen|bewerten|vergleichen|beantworten|unterstützen|bearbeiten|urteilen"
        r"|nachkommen|entsprechen)|\bich (?:lehne|weigere mich|muss (?:das )?ablehnen)"
        r"|(?:ich (?:kann|darf|werde|gebe|fälle)|(?:kann|darf|werde) ich)"
        r"[^.\n]{0,40} kein(?:e|en)? (?:\w+ )?(?:urteil|bewertung|vergleich|antwort)",
    ),
    _language(
        "je ne|j'|nous ne|je refuse|je dois",
        r"(?:je|nous) ne (?:peux|puis|pouvons|suis"
        r"|souhaite|veux|vais)[^.\n]{0,30}\b(?:aider|juger|répondre|évaluer|comparer"
        r"|donner|participer|traiter|fournir|satisfaire|émettre)"
        r"|\bje (?:refuse d|dois (?:refuser|décliner))",
    ),
    _language(
        "no puedo|no podemos|me niego|no debo|no voy a|rechaz",
        r"\bno (?:puedo|podemos"
        r"|debo|voy a|quiero)[^.\n]{0,20}\b(?:ayudar|asistir|juzgar|evaluar|comparar"
        r"|responder|cumplir|dar|emitir|ofrecer|proporcionar)|\bme niego a"
        r"|\bdebo (?:rechazar|negarme)",
    ),
    _language(
        "non posso|non possiamo|mi rifiuto|non intendo",
        r"\bnon (?:posso|possiamo"
        r"|intendo|voglio)[^.\n]{0,20}\b(?:aiutar|assister|giudicar|valutar|risponder"
        r"|fornir|confrontar|soddisfar|dare\b|esprimer)|\bmi rifiuto",
    ),
    _language(
        "não|recuso",
        r"\bnão (?:posso|podemos|vou|devo|quero)[^.\n]{0,20}\b(?:ajudar"
        r"|julgar|avaliar|responder|comparar|auxiliar|fornecer|atender|dar\b|emitir)"
        r"|\brecuso-me|\bdevo recusar",
    ),
    _language(
        "ik kan|kan ik|ik weiger|ik wil|ik mag",
        r"\b(?:ik (?:kan|wil|mag)|(?:kan|wil|mag)"
        r" ik)[^.\n]{0,40} (?:niet|geen)\b[^.\n]{0,30}(?:help|beoordel|vergelijk"
        r"|antwoord|oordeel|voldoen|uitspraak)"
        r"|\bik kan (?:hier|u|je|dit|daar)[^.\n]{0,20} niet"
        r"|\bik weiger",
    ),
    _language(
        "jag kan|kan jag|jag vägrar|jeg kan|kan jeg|jeg nekter|jeg vil ikke",
        r"(?:jag"
        r"|jeg) kan [^.\n]{0,20}(?:inte|ikke)[^.\n]{0,20}(?:hjälp|hjelp|hjælp|bedöm"
        r"|bedøm|vurder|jämför|sammenlign|svar|utför)|kan ja?e?g[^.\n]{0,20} (?:inte"
        r"|ikke)[^.\n]{0,20}(?:hjälp|hjelp|hjælp|bedöm|bedøm|vurder|jämför|sammenlign"
        r"|svar)|\bjag vägrar|\bjeg nekter",
    ),
    _language(
        "nie mog|nie jestem|odmawiam|nie będ|nie potraf|muszę odm",
        r"\bnie (?:mogę"
        r"|możemy|jestem w stanie|będę|potrafię)[^.\n]{0,30}\b(?:pom|oceni|porówn"
        r"|odpowie|wykona|wyda|spełni|rozstrzyg|udzieli)|\bodmawiam|\bmuszę odmówić",
    ),
    _language(
        "nemoh|nemůž|odmítám|nebudu",
        r"\b(?:nemohu|nemůžu|nemůžeme|nemožem|nebudu)"
        r"[^.\n]{0,30}\b(?:pom|posoud|posúd|hodnot|porovn|odpov|vyhov|poskyt)"
        r"|\bodmítám",
    ),
    _language(
        "am\u0131yor|emiyor|amam|emem |emem.|amay|emey|reddediyor|yorum",
        r"(?:yardımcı ol|yardım"
        r" ed|değerlendir|karşılaştır|yargıla|yanıtla|cevapla|cevap ver|karar ver|yap"
        r"|sun|yerine getir|hüküm ver)\w{0,3}(?:(?:am[ıi]yor|emiyor)(?:um|uz)|amam"
        r"|emem|am[aı]y[ıa]z|emeyiz|amayaca[gğ]\w+|emeyece[gğ]\w+)"
        r"|reddediyor(?:um|uz)|(?:yapmıyor|vermiyor|etmiyor|değerlendirmiyor)(?:um|uz)",
    ),
    _language(
        "tôi|xin phép",
        r"\b(?:tôi|mình|em)\b[^.\n]{0,30}(?:không thể|không được phép"
        r"|từ chối|không muốn|không đưa ra)(?: |\b)[^.\n]{0,30}(?:giúp|hỗ trợ|đánh giá"
        r"|so sánh|trả lời|phán|thực hiện|đáp ứng|đưa ra|yêu cầu|nhận xét)",
    ),
    _language(
        "saya|kami",
        r"\b(?:saya|kami)\b[^.\n]{0,30}(?:(?:tidak|tak) (?:dapat|bisa|boleh"
        r"|mampu|akan|bersedia|ingin)|menolak)[^.\n]{0,30}(?:bantu|nilai|banding|jawab"
        r"|penuhi|berikan|evaluasi|lakukan|putus)",
    ),
    _language(
        "nem tud|nem áll|nem kívánok|nem fogok",
        r"\bnem (?:tud(?:ok|om|unk)|fogok"
        r"|kívánok)[^.\n]{0,30}(?:segít|értékel|összehasonlít|válaszol|dönt|megítél)"
        r"|(?:segíteni|értékelni|összehasonlítani|válaszolni|megítélni) nem tud",
    ),
    _language(
        "en voi|en pysty|kieltäydyn",
        r"\ben (?:voi|pysty|halua|aio)[^.\n]{0,30}(?:autta"
        r"|arvioi|vertail|vasta|tuomit)|\bkieltäydyn",
    ),
    _language(
        "nu pot|nu putem|refuz",
        r"\bnu (?:pot|putem)[^.\n]{0,20}\b(?:ajut|judec|evalu"
        r"|compar|răspun|ofer|da\b)|\brefuz să",
    ),
    _language(
        "δεν μπορ|αρνο",
        r"δεν (?:μπορώ|μπορούμε)[^.\n]{0,15}(?:βοηθ|κρίν|αξιολογ|συγκρίν"
        r"|απαντ|δώσ|παρέχ)|αρνούμαι",
    ),
    _language(
        "не мог|не можем|не смог|не буд|не в состоянии|не готов|отказ|не стан|не вправе"
        r"|не хочу|невозможно|не имею",
        r"\bне (?:могу|можем|смогу|сможем|буду|будем|стану|в состоянии|готова?|вправе"
        r"|хочу|имею права)[^.\n]{0,40}\b(?:помо|оцен|суд|сравн|выполн|ответ|отвеч"
        r"|обсужд|предостав|вын[ео]с|да(?:ть|вать)|рассм|участв|комментир)"
        r"|\b(?:отказываюсь|отказываемся|вынужден\w* отказ)",
    ),
    _language(
        "не мож|не змож|не буд|відмовл",
        r"\bне (?:можу|можемо|зможу|буду)[^.\n]{0,40}\b"
        r"(?:допомо|оцін|порівн|викон|відпов|суд|надат)|\bвідмовляюс",
    ),
    _language(
        "لا أستطيع|لا يمكن|لا أقدر|لن أ|غير قادر|أرفض|لا نستطيع|لا أود|لا أقوم|لست",
        r"(?:لا (?:أستطيع|يمكنني|يمكننا|أقدر|نستطيع|أود|أقوم)|لن أ\w*|(?:غير|لست) قادر"
        r"|ليس بإمكاني)[^.\n]{0,30}(?:مساعد|حكم|تقييم|مقارن|إجاب|تقديم|تنفيذ|قيم|ساعد"
        r"|قارن|جيب|نفذ|تلبية|إصدار)|(?:^|\s)أرفض",
    ),
    _language(
        "نمی‌توان|نمیتوان|نمی توان|نمی\u200cتوان",
        r"نمی[\u200c ]?توان(?:م|یم)[^.\n]{0,30}"
        r"(?:کمک|ارزیابی|قضاوت|مقایسه|پاسخ|انجام|ارائه)|(?:کمک|ارزیابی|قضاوت|مقایسه|پاسخ"
        r"|انجام|ارائه)[^.\n]{0,20}نمی[\u200c ]?توان(?:م|یم)",
    ),
    _language(
        "יכול|אוכל|מסרב",
        r"(?:איני|אינני|אני לא) (?:יכול|מסוגל)ה?[^.\n]{0,15}(?:לעזור"
        r"|לשפוט|להעריך|להשוות|לענות|לסייע|לספק|לבצע)|לא אוכל ל|אני מסרב",
    ),
    _language(
        "मैं|हम",
        r"(?:मैं|हम)\s[^।.\n]{0,80}(?:नहीं[^।.\n]{0,12}(?:सक|चाह)|असमर्थ|इनकार"
        r"|इंकार|मदद नहीं|सहायता नहीं|मूल्यांकन नहीं|निर्णय नहीं)",
    ),
    _language("আমি", r"আমি\s[^।.\n]{0,80}(?:পারছি না|পারব না|পারি না|অক্ষম|অপারগ)"),
    _language(
        "ไม่สามารถ|ปฏิเสธ",
        r"(?:ไม่สามารถ|ขอปฏิเสธ)[^\n]{0,10}(?:ช่วย|ประเมิน|ตัดสิน"
        r"|เปรียบเทียบ|ตอบ|ให้|ดำเนิน|ทำ)",
    ),
    _language(
        "无法|不能|無法|不便|拒绝|拒絕|不会|不會|不愿",
        r"(?:我|我们|本人|恕)(?:无法|不能"
        r"|無法|不便|拒绝|拒絕|不会|不會|不愿意?|不願意?)(?:对|對|为|為|就|这|這|此|您|你)?"
        rf"[^。\n]{{0,12}}{_CJK_TASK}|^[ \t*_]*(?:无法|不能|無法){_CJK_TASK}",
    ),
    _language(
        "でき|出来|かね|控え|断り",
        rf"{_JA_TASK}[^。\n]{{0,8}}(?:でき(?:ません|かねます)"
        r"|出来ません|(?:いた)?しかねます|かねます|することはできません)(?!で|と)"
        r"|(?:お断り(?:いた)?します|(?:判断|評価|回答)(?:は|を)?(?:差し)?控え)",
    ),
    _language(
        "수 없|수가 없|거부|거절",
        rf"{_KO_TASK}[^.\n]{{0,10}}수(?:가|는)? ?없(?:습니다"
        r"|어요|음|다(?=[.\s]|$))|(?:거부|거절)(?:합니다|하겠습니다|해야)",
    ),
)
_MOST = 100
# What can occur in a text of ASCII letters only, which most replies are.
_PLAIN = (
    tuple(each for each in _APOLOGIES if each.isascii()),
    tuple(
        (kept, form)
        for stems, form in _LANGUAGES
        if (kept := tuple(stem for stem in stems if stem.isascii()))
    ),
)
# Without one of these words such a text declines in none of the languages above.
_PLAIN_WORDS = frozenset(
    """
    leid entschuldigung nicht kein keine keinen lehne weigere ablehnen je nous siento
    lamento puedo podemos niego debo voy quiero dispiace posso possiamo rifiuto intendo
    voglio desculpe sinto recuso devo spijt ik przykro przepraszam odmawiam nie kusura
    yapamam veremem edemem sunamam cevaplayamam yapamiyorum edemiyorum veremiyorum
    beklager jeg jag olen anteeksi voi pysty sento maaf maafkan saya kami samahani nem
    nemohu nebudu nu refuz
    """.split()  # noqa: SIM905 - as text, a word is found at a glance
)
_OTHER_LETTERS = re.compile(r"[\u00c0-\u1fff\u3040-\ud7ff]")


def refusals_elsewhere(view: str, words: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where a text in small letters, with these words, declines elsewhere."""
    is_plain = view.isascii() or _OTHER_LETTERS.search(view) is None
    if is_plain and _PLAIN_WORDS.isdisjoint(words):
        return
    apologies, languages = _PLAIN if is_plain else (_APOLOGIES, _LANGUAGES)
    yield from _apologies_in(view, apologies)
    for stems, form in languages:
        if any(map(view.__contains__, stems)):
            for found, _ in zip(form.finditer(view), range(_MOST), strict=False):
                yield found.span()


def _apologies_in(view: str, apologies: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield the apologies that open a clause."""
    for apology in apologies:
        at = view.find(apology)
        for _ in range(_MOST):
            if at < 0:
                break
            opening = _OPENS.search(view, max(0, at - 40), at)
            if opening is not None:
                yield at, at + len(apology)
            at = view.find(apology, at + 1)
