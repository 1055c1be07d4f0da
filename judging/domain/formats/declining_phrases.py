"""Phrases that decline a task in languages other than English, in small letters.

By language: stems, and what declines where one of them occurs: "I cannot", "I refuse"
together with a verb of the task (help, judge, compare, answer), or with nothing more.
"""

# Letters of other scripts look like others, and that is what they are here for.
# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re

_STOP = r"(?=\s*[.,!;\u2026]|\s*\Z|\s*\n)"
_CJK_TASK = (
    r"(?:协助|協助|帮助|幫助|帮你|帮您|幫您|提供|满足|滿足|回答|评判|評判|评估|評估"
    r"|评价"
    r"|評價|判断|判斷|比较|比較|完成|处理|處理|执行|執行|参与|參與|做出|作出|进行|進行"
    r"|给出)"
)
_JA_TASK = (
    r"(?:お手伝い|手伝う|判断|評価|比較|回答|お答え|答え|判定|対応|お応え|応じ|協力"
    r"|支援"
    r"|提供|採点|審査|決定)"
)
_KO_TASK = (
    r"(?:도와|도움|판단|평가|비교|답변|대답|제공|수행|응답|심사|채점|처리|응할"
    r"|결정|선택)"
)


def _language(stems: str, form: str) -> tuple[tuple[str, ...], re.Pattern[str]]:
    return tuple(stems.split("|")), re.compile(form)


LANGUAGES = (
    _language(
        "nicht|kein|lehne|weigere|ablehnen",
        r"(?:ich (?:kann|darf|werde|möchte|will)|(?:kann|darf|werde|möchte"
        r"|will) ich)[^.\n]{0,60} nicht (?:\w+ )?(?:helfen|behilflich|weiterhelfen"
        r"|beurteilen|bewerten|vergleichen|beantworten|unterstützen|bearbeiten|urteilen"
        r"|nachkommen|entsprechen)|\bich (?:lehne|weigere mich|muss (?:das )?ablehnen)"
        r"|(?:ich (?:kann|darf|werde|gebe|fälle)|(?:kann|darf|werde) ich)"
        r"[^.\n]{0,40} kein(?:e|en)? (?:\w+ )?(?:urteil|bewertung|vergleich|antwort)"
        r"|(?:kann|darf|werde|möchte|will) ich(?: \w+){0,2} nicht"
        + _STOP
        + r"|\bich (?:kann|darf|werde|möchte|will)(?: \w+){0,3} nicht(?: tun| machen"
        r"| erfüllen)?" + _STOP + r"|ich (?:bin|sehe mich|fühle mich)(?: \w+)? nicht"
        r" (?:in der lage|imstande|befugt|berechtigt|befähigt)|ist mir(?: \w+)? "
        r"(?:nicht"
        r" (?:möglich|erlaubt|gestattet)|unmöglich|untersagt|verboten)",
    ),
    _language(
        "je ne|j'|nous ne|je refuse|je dois",
        r"(?:je|nous) ne (?:peux|puis|pouvons|suis"
        r"|souhaite|veux|vais)[^.\n]{0,30}\b(?:aider|juger|répondre|évaluer|comparer"
        r"|donner|participer|traiter|fournir|satisfaire|émettre)"
        r"|\bje (?:refuse d|dois (?:refuser|décliner))|\bje ne (?:peux|puis|veux)(?: "
        r"pas)"
        r"(?: (?:faire cela|le faire|faire ça))?" + _STOP + r"|\bje ne suis pas (?:en"
        r" mesure|capable|autorisée?|habilitée?)",
    ),
    _language(
        "m'est",
        r"\b(?:il|cela|ça|ce) (?:ne )?m'est (?:pas possible|impossible|interdit)",
    ),
    _language(
        "no puedo|no podemos|me niego|no debo|no voy a|rechaz",
        r"\bno (?:puedo|podemos"
        r"|debo|voy a|quiero)[^.\n]{0,20}\b(?:ayudar|asistir|juzgar|evaluar|comparar"
        r"|responder|cumplir|dar|emitir|ofrecer|proporcionar)|\bme niego a"
        r"|\bdebo (?:rechazar|negarme)|\bno (?:puedo|podemos)(?: hacer(?:lo| es[eot]o?"
        r"| eso))?" + _STOP,
    ),
    _language(
        "posible|imposible|no estoy en|no soy capaz|no me está",
        r"\b(?:no me es posible|me es imposible|me resulta imposible|no me resulta "
        r"posible"
        r"|no es posible (?:evaluar|juzgar|comparar|emitir)|no estoy en condiciones"
        r"|no soy"
        r" capaz de|no me está permitido)",
    ),
    _language(
        "non posso|non possiamo|mi rifiuto|non intendo",
        r"\bnon (?:posso|possiamo"
        r"|intendo|voglio)[^.\n]{0,20}\b(?:aiutar|assister|giudicar|valutar|risponder"
        r"|fornir|confrontar|soddisfar|dare\b|esprimer)|\bmi rifiuto"
        r"|\bnon (?:posso|possiamo)(?: farlo)?" + _STOP,
    ),
    _language(
        "non mi è|non sono in grado|non riesco|impossibile",
        r"\bnon mi è (?:possibile|permesso|consentito)|\bmi è impossibile|\bnon "
        r"(?:sono in"
        r" grado di|riesco a) (?:giudic|valut|confront|rispond|aiut|farlo)",
    ),
    _language(
        "não me é|não consigo|não estou em|não sou capaz|não é possível",
        r"\bnão (?:me é possível|estou em condições|sou capaz de|é possível (?:avaliar"
        r"|julgar|comparar)|consigo (?:ajudar|avaliar|julgar|comparar|responder|fazer"
        r"|fornecer))",
    ),
    _language(
        "niet",
        r"\b(?:dat|dit|hier|daar)(?: \w+)? (?:kan|mag|wil|zal) ik(?: \w+)? niet"
        + _STOP
        + r"|\bik (?:kan|mag|wil)(?: \w+){0,2} niet(?: doen)?"
        + _STOP
        + r"|\bik ben niet (?:in staat|bevoegd)|\bis mij niet (?:mogelijk|toegestaan)",
    ),
    _language(
        "det kan j|det kan tyv|kan inte|kan ikke|inte i stånd|ikke i stand",
        r"\b(?:det|detta|dette) kan (?:jag|jeg)(?: \w+)? (?:inte|ikke)"
        + _STOP
        + r"|\bj[ae]g kan(?: \w+)? (?:inte|ikke)(?: gör[ae] det| gj?øre det)?"
        + _STOP
        + r"|\bjag är inte i stånd|\bjeg er ikke i stand",
    ),
    _language(
        "nie mogę|nie jestem w stanie|nie potrafię|nie wolno mi",
        r"\bnie (?:mogę(?: tego)?(?: zrobić)?"
        + _STOP
        + r"|jestem w stanie|wolno mi|potrafię (?:tego )?(?:ocen|porówn|osądz))",
    ),
    _language(
        "не под силу|не в силах|не представляется|не могу|не можу|невозможно",
        r"мне(?: \w+)? не под силу|\bя не в силах|не представляется возможным"
        r"|\bне (?:могу|можу)(?: (?:этого|это|цього))?(?: сделать| зробити)?"
        + _STOP
        + r"|\bмне невозможно",
    ),
    _language(
        "做不到|办不到|辦不到|没办法|沒辦法|不可以这样",
        r"(?:我|恕我|实在)?(?:做不到|办不到|辦不到)(?=\s*[。.!！，,]|\s*\Z)"
        r"|我(?:没|沒)(?:有)?(?:办法|辦法)",
    ),
    _language(
        "できません|できかね|お応え",
        r"(?:それ|これ|そちら|この件)(?:は|には|を|については)[^。\n]{0,8}(?:できません"
        r"|できかねます|お応えできません)",
    ),
    _language(
        "할 수 없|불가능합니다|못하겠",
        r"(?:그것|그건|이건|이것|저는|제가)[^.\n]{0,10}(?:할 수(?:가)? 없(?:습니다"
        r"|어요)"
        r"|불가능합니다|못하겠)",
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
        r"(?:کمک|ارزیابی|قضاوت|مقایسه|پاسخ|انجام|ارائه)|(?:کمک|ارزیابی|قضاوت|مقایسه"
        r"|پاسخ"
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
        r"|無法|不便|拒绝|拒絕|不会|不會|不愿意?|不願意?)(?:对|對|为|為|就|这|這|此|您"
        r"|你)?"
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
