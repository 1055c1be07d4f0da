"""Sentences that name the better response in languages other than English.

A positive list, as for leads: a sentence names one if it holds the name of one
response, a word for better (or worse), for choosing or for a verdict, and no word that
is not listed here. So "Beim Ton ist B besser" and "A ist nicht besser" say nothing.
"""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.leads_elsewhere import KNOWN_WORDS, VERDICT_WORDS

_NOUN = (
    r"(?:antwort|r\u00e9ponse|respuesta|risposta|resposta|antwoord|svar(?:et)?"
    r"|odpowied\u017a|odpov\u011b\u010f|odpove\u010f|ответ|відповідь|отговор|yanıt"
    r"|cevap|jawaban"
    r"|câu trả lời|απάντηση|v\u00e1lasz|vastaus|răspunsul|回答|回复|回覆|答案|答复"
    r"|応答|返答|응답|답변|대답|الإجابة|الرد|إجابة|پاسخ|תשובה|התשובה|उत्तर|जवाब"
    r"|คำตอบ|response|assistant|assistent|asistente|assistente|ассистент|助手"
    r"|アシスタント"
    r"|option|opción|opzione|opção|вариант)"
)
_LETTER = r"[(（]?(?P<who>[ab12])[)）]?(?![a-z\d\u00c0-\u024f'’]|[).]\w)"
_NAMED = re.compile(rf"{_NOUN} ?(?:n[°ºo.]*|nr\.?|номер)? ?{_LETTER}")
_BARE = re.compile(rf"(?<![a-z\d\u00c0-\u024f'’]){_LETTER}")
_OTHER = rf"(?:{_NOUN} ?)?[(（]?[ab12][)）]?"
# "a" as an article, and not as the name of a response.
_NO_NAME = re.compile(
    r"(?<!\w)a (?=(?:[(]?[ab12](?!\w)|melhor|resposta|minha|nossa|vencedora|escolha"
    r"|decisão|conclusão"
    r"|preferência|favore?|mejor|fin|mi|mio|legjobb|jobb|nyertes|győztes|válasz"
    r"|câștigat)"
    r"(?!\w))"
)
_ARTICLE = r"(?:(?:die|der|la|le|el|il|de|het|a|o|the) )?"
_THAN = re.compile(
    rf"(?<!\w)(?:als|que|di|do que|della|da|dan|än|end|enn|niż|od|než|ako|mint|kuin"
    rf"|decât|чем|ніж|από|من|daripada|hơn) {_ARTICLE}{_OTHER}(?![a-z\d])"
    rf"|(?:比起?|较之|相较于|相比于?|与|和|跟){_OTHER}(?:相比|比较|比)?(?:而言)?[，, ]*"
    rf"|{_OTHER}(?:より(?:も|は)?|に比べて?|と比べて?|보다는?|에 비해|'?(?:den"
    rf"|dan)(?!\w)"
    r"| से(?!\w)| की तुलना में)[、, ]*"
)
_WORSE = (
    r"schlechter|unterlegen|moins bonne|pire|peor|peggiore|pior|slechter|sämre"
    r"|dårligere"
    r"|gorsz[aey]|horší|хуже|гірше|daha kötü|lebih buruk"
    r"|kém hơn|أسوأ|बदतर"
)
_WORSE_UNSPACED = r"更差|较差|較差|劣っている|劣る"
_BETTER = (
    r"bessere?[nr]?|am besten|beste|vorzuziehen|überlegen|gewinnt|siegt|vorn|mieux"
    r"|meilleure?|préférable|supérieure?|gagne|l'emporte|remporte|mejor|gana|superior"
    r"|preferible|vence|migliore|vince|preferibile|superiore|melhor|ganha|preferível"
    r"|betere?|wint|bättre|bäst|vinner|bedre|bedst|vinder|lepsz[aey]|najlepsz[aey]"
    r"|wygrywa|lepší"
    r"|lepšia"
    r"|vyhrává|vyhráva|jobb|nyer|parempi|voittaa|mai bun|câștigă|daha iyi(?:dir)?"
    r"|kazanır"
    r"|kazandı|lebih baik|lebih unggul|menang|tốt hơn|thắng|лучше|лучший|лучшая|лучшим"
    r"|предпочтительнее|побеждает|выигрывает|превосходит|краще|кращий|краща|перемагає"
    r"|виграє|по-добър|καλύτερη|κερδίζει|νικά|أفضل|تفوز|يفوز|الأفضل|بهتر|برنده"
    r"|עדיפה|טובה יותר|בהתר|बेहतर"
)
_BETTER_UNSPACED = (
    r"ดีกว่า|ชนะ|(?:より)?(?:良い|よい|優れた)|더 (?:나은|좋은)|(?:明显|显然|明顯|顯然"
    r"|略微|稍微|稍|要)?(?:更好|更優|更优|较好|較好"
    r"|更佳|更胜一筹"
    r"|更勝一籌|胜出|勝出|获胜|獲勝|赢了|胜)"
    r"|(?:の(?:ほう|方))?が(?:より|明らかに|やや)?(?:良い|よい|いい|優れ(?:てい(?:る"
    r"|ます))?"
    r"|優れた|勝(?:ち|る|っている)|上)(?:です|だ|と(?:判断|思い)(?:します|ます))?"
    r"|[가이은는]? ?(?:더|훨씬|약간)? ?(?:더)? ?(?:낫|좋|우수|뛰어나|나은)(?:습니다"
    r"|다고|다|네요"
    r"|아요|합니다|하다)?(?: 판단합니다| 봅니다)?|이깁니다"
)
_CHOICE = (
    r"wähle|bevorzuge|nehme|entscheide mich für|préfère|choisis|opte pour|prefiero"
    r"|elijo|escojo|me quedo con|preferisco|scelgo|prefiro|escolho|fico com|kies(?: "
    r"voor)?"
    r"|verkies|väljer|föredrar|velger|vælger|foretrekker|foretrækker|wybieram|wolę"
    r"|vybírám|volím|vyberám|választom|valitsen|aleg|prefer|seçiyorum|tercih ediyorum"
    r"|memilih|chọn|выбираю|предпочитаю|голосую за|обираю|віддаю перевагу|избирам"
    r"|επιλέγω|προτιμώ|أختار|أفضّل|انتخاب می‌کنم|בוחר|מעדיף|चुनता|चुनती"
)
_CHOICE_UNSPACED = (
    r"เลือก|(?:我)?(?:选择|選擇|选|選|支持|倾向于)|を(?:選びます|選ぶ|支持します"
    r"|選択します)"
    r"|[을를] (?:선택합니다|선택한다|고릅니다)"
)
_WORSE_WORD = re.compile(rf"(?<!\w)(?:{_WORSE})(?!\w)|{_WORSE_UNSPACED}")
_SAID_WORD = re.compile(
    rf"(?<!\w)(?:{_BETTER}|{_CHOICE})(?!\w)|{_BETTER_UNSPACED}|{_CHOICE_UNSPACED}"
)
_NO = re.compile(
    r"(?:nein|doch|non|no|nee|nej|nei|não|nie|ne|hayır|нет|ні|不|不对|いいえ|いや"
    r"|아니요?"
    r"|لا|नहीं)[,，、!.] *"
)
_MORE = frozenset(
    """
    und et y og och oraz та ve avis d l opinión realidad equivoqué me he ho sbagliato na
    ошибся ошиблась parere ideia meinung ändere
    nase c qui celle der antwort réponse respuesta risposta resposta antwoord svar
    svaret
    odpowiedź odpověď ответ відповідь yanıt jawaban lieber najlepsza beste bessere to
    ist sind bleibt scheint wäre hat damit dadurch deswegen demnach klar klare deutlich
    eindeutig eindeutige wesentlich etwas leicht insgesamt unterm strich alles in allem
    doch eigentlich tatsächlich nun jetzt ich denke meine finde glaube dass bei
    genauerem
    genauer hinsehen nach nochmaliger nochmals erneuter prüfung überlegung nachdenken
    weit letztlich schließlich im ergebnis ganzen vergleich variante mich für hier sehr
    ändere korrigiere change corrige cambio cambiar muda mudo wijzig ändrar zmieniam
    меняю
    est cest reste semble clairement nettement légèrement globalement finalement
    vraiment
    fait réalité en fin de compte tout bien considéré réflexion à je pense crois trouve
    que la plus celle résumé somme jai
    es está claramente ligeramente finalmente realmente verdad pensándolo bien yo creo
    pienso que la lo en resumen conjunto definitiva general sigue siendo esta
    è chiaramente nettamente leggermente infine davvero realtà ripensandoci io credo
    penso che in sintesi complesso conclusione
    é claramente ligeiramente afinal realmente verdade pensando bem eu acho creio que em
    resumo suma parece
    is duidelijk iets uiteindelijk eigenlijk ik vind denk dat bij nader inzien kortom al
    met alles samenvattend toch veel
    är er klart tydligt något slutligen jag tycker anser att vid närmare eftertanke
    sammanfattningsvis sammantaget alltså jeg synes mener at samlet set alt oppsummert
    jest zdecydowanie wyraźnie nieco jednak ostatecznie podsumowując ja uważam że po
    namyśle ogólnie sumie
    je jasně výrazně trochu nakonec celkově já myslím že shrnutí
    açıkça biraz sonuçta aslında genel olarak bence ben özetle
    jelas sedikit sebenarnya menurut saya secara keseluruhan lebih
    rõ ràng tôi theo nghĩ rằng nhìn chung tóm lại
    явно значительно намного гораздо немного всё же все-таки на самом деле я думаю
    считаю что подумав в целом итоге конечном счёте всего общем при повторном прочтении
    значит явно помітно я вважаю що загалом цілому підсумку
    είναι σαφώς συνολικά νομίζω ότι
    هي هو بوضوح أن أرى في المجمل
    הוא היא בבירור לדעתי בסך הכל
    है स्पष्ट रूप से कुल मिलाकर मुझे लगता कि मैं हूँ
    """.split()  # noqa: SIM905 - as text, a word is found at a glance
)
_UNSPACED = re.compile(
    r"(?:的)?(?:回答|回复|回覆|答案|応答|回答は|答复)(?:是|为|は)?|답변[은는이]?"
    r"|응답[은는이]?"
    r"|입니다|이다|因此|所以|综上所述|綜上所述|综上|總的來說|总的来说|总体(?:来看|而言"
    r"|上)?"
    r"|整体(?:来看|而言"
    r"|上)?|总之|總之|故|我(?:认为|認為|觉得|的)?|认为|最终|最終|最后|最後|总结|總結"
    r"|其实|事实上"
    r"|仔细(?:想想|一看|来看|看)?后?|重新(?:考虑|思考|阅读|评估)之?后?|再(?:看一遍"
    r"|想想|次考虑后)"
    r"|结论|結論|判断|判斷|裁决|选择|選擇|是|为|為|的|了|还是|還是|显然|明显|是因为"
    r"|后来|那么|则"
    r"|したがって|よって|従って|以上より|以上から|総合的に(?:見て|見ると)?|総合すると"
    r"|つまり|では"
    r"|やはり|実は|改めて(?:見ると|考えると)?|よく考えると|ゆえに|私(?:は|の)|は|が"
    r"|です|だ|と"
    r"|따라서|그러므로|결론(?:적으로|은)?|종합적으로|다시 생각해 ?보니|역시|사실|제"
    r"|저는|이|가|은|는"
    r"|ดังนั้น|โดยรวม|สรุป|คือ"
)
_WORD = re.compile(r"[\s,:;=>.،'’`*_()（）「」\u2013\u2014\u2192\u21d2，、：-]+")
_SO = re.compile(
    r"[,，;] *(?=(?:also|daher|deshalb|somit|damit|folglich|donc|ainsi|por (?:lo "
    r")?tanto"
    r"|así que|entonces|quindi|dunque|perciò|portanto|assim|logo|dus|daarom|alltså"
    r"|därför"
    r"|derfor|altså|więc|zatem|dlatego|takže|tedy|proto|tehát|siis|jadi|maka|yani"
    r"|поэтому|значит|следовательно|так что|отже|тому|لذلك|इसलिए|因此|所以|故|よって"
    r"|したがって|따라서)(?!\w))"
)
# The reason behind a claim says nothing more about who is better.
_BECAUSE = re.compile(
    r"[,，、]? ?(?:(?<!\w)(?:porque|parce que|car|puisque|weil|denn|da sie|perché"
    r"|poiché"
    r"|pois|omdat|want|aangezien|ponieważ|gdyż|bo|protože|çünkü|eftersom|fordi|karena"
    r"|потому что|так как|поскольку|тому що|vì|لأن|क्योंकि)(?!\w)|因为|因為)"
)
_ENGLISH = frozenset({"the", "of", "it", "and", "this", "that", "because", "than",
                      "should", "not", "with", "but"})  # fmt: skip
_TIE = re.compile(
    r"(?:[\w ]{0,20}[:：] ?)?(?:(?:es |das |dies )?(?:ist|endet|herrscht)? ?(?:ein |mit"
    r" einem )?|c'est (?:une |un )?|es (?:un )?|è (?:un )?|é (?:um )?|het is (?:een )?"
    r"|это |결과는 |结果是?|結果は)?(?:remis|remise|unentschieden|gleichstand|patt"
    r"|égalité"
    r"|match nul|empate|parità|pareggio|gelijkspel|oavgjort|uavgjort|uafgjort|remíza"
    r"|beraberlik|seri|ничья|нічия|平局|平手|引き分け|무승부|تعادل|बराबरी|เสมอ)"
    r"(?:です|だ|입니다|이다)?"
)
_SHORT, _MOST_UNKNOWN = 60, 9
_ANY = re.compile(r"[ab12]")
_LABEL = re.compile(r"(?:结论|結論|判断|判斷|判定|裁决|选择|選擇|選択|결론|판정|선택)")


def winner_elsewhere(sentence: str) -> SlotChoice | None:
    """Give the response that a sentence in small letters calls the better one."""
    words = sentence.split()
    if not _ENGLISH.isdisjoint(words) or _most_are_unknown(words):
        return None
    if len(sentence) <= _SHORT and _TIE.fullmatch(sentence):
        return SlotChoice.TIE
    if _ANY.search(sentence) is None:
        return None
    cut = _BECAUSE.search(sentence, 1)
    sentence = sentence[: cut.start()] if cut else sentence
    for part in (sentence, *_SO.split(sentence)[1:][-1:]):
        found = _winner(_NO.sub("", part, count=1) if _NO.match(part) else part)
        if found is not None:
            return found
    return None


def _most_are_unknown(words: list[str]) -> bool:
    """Whether there are more unknown words than any phrase for a winner has."""
    bare = (word.strip(",.:;!()'") for word in words)
    unknown = (word not in KNOWN_WORDS and word not in _MORE for word in bare)
    return sum(unknown) > _MOST_UNKNOWN


def _winner(text: str) -> SlotChoice | None:
    left = _THAN.sub(" ", _NO_NAME.sub(" ", text))
    left, is_worse = _taken(_WORSE_WORD, left)
    left, is_said = _taken(_SAID_WORD, left)
    form = _NAMED if _NAMED.search(left) else _BARE
    found = form.findall(left)
    who = set(found)
    if len(who) != 1 or (is_worse and is_said) or (form is _BARE and len(found) > 1):
        return None
    words = [w for w in _WORD.split(_UNSPACED.sub(" ", form.sub(" ", left))) if w]
    is_label = any(word in VERDICT_WORDS for word in words) or _has_label(left)
    if not (is_worse or is_said or is_label):
        return None
    if any(word not in KNOWN_WORDS and word not in _MORE for word in words):
        return None
    is_first = who <= {"a", "1"}
    return SlotChoice.FIRST if is_first is not is_worse else SlotChoice.SECOND


def _taken(form: re.Pattern[str], text: str) -> tuple[str, bool]:
    left, count = form.subn(" ", text)
    return left, count > 0


def _has_label(text: str) -> bool:
    return _LABEL.search(text) is not None
