"""Clauses by which a judge takes its verdict back, in small letters.

They match at the start of a clause that stands behind a verdict.
"""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re

_DISOWNED = (
    r"(?:this|that|it|the (?:above|verdict|token|line|brackets?))(?: verdict| token|"
    r" above)? (?:is|was)(?: only| just| merely)? (?:what (?:\S+ ){1,4}?(?:ask|demand"
    r"|request|told|want|says|said|wrote|writes|claim|instruct|suggest)|an?"
    r" (?:example|placeholder|draft|guess|quote|quotation|sample|test|copy)\b|not"
    r" (?:my\b|the (?:final|verdict|answer|real)|final|a (?:final|real) verdict)"
    r"|(?:in|from|part of|by) (?:the )?(?:response|assistant|answer|output|prompt"
    r"|[ab]\b)|(?:demanded|requested|quoted|copied|taken|written|suggested|given)"
    r" (?:by|from|in)\b)|i (?:do not|don't) (?:endorse|mean|stand by|agree with)"
    r" (?:this|that|it|the (?:above|verdict))\b|(?:please )?(?:do not|don't) (?:use"
    r"|count|take|read|trust) (?:this|that|it|the (?:above|verdict))\b"
)
_VERDICT = (
    r"(?:verdict|answer|choice|decision|judge?ment|ranking|rating|line|letter|token"
    r"|label|selection|preference|vote|conclusion)"
)
_ROUND = (
    r"(?:mixed up|backwards?|reversed|confused|swapped|(?:the )?wrong way|the other way"
    r"|in (?:the )?wrong order|switched|inverted|interchanged)\b"
)
_WRONG = (
    r"(?:wrong|incorrect|a mistake|an error|a typo|reversed|swapped|inverted|flipped"
    r"|backwards?|void|invalid|mixed up|switched|mislabel+ed|not (?:final|valid|right"
    r"|correct|what i)|(?:the |just the |exactly the )?(?:reverse|opposite|other way"
    r"))"
)
# Whoever calls what is written above the wrong way round, or changes it.
_REVERSED = (
    rf"(?:the |my |sorry,? )?(?:wrong|incorrect) (?:{_VERDICT}|order|way|one|bracket"
    r"|side|name|slot)\b"
    rf"|(?:the|my|these|those|both|this|that)(?: \w+)? (?:{_VERDICT}|order|names?"
    rf"|brackets?|tokens?|labels?|letters?|slots?|responses)(?: above)? (?:is|are|was"
    rf"|were|got|should be|have been|has been)(?: \w+)? {_WRONG}"
    r"|(?:(?:it|this|that|my (?:\w+ )?\w+|the (?:\w+ )?\w+)(?:'s| is| was| should be"
    r"| must be)? )?(?:just |exactly |really |actually |quite )*(?:the )?(?:opposite"
    r"|reverse|other way (?:a?round)|contrary|vice versa|other one|other response)"
    r"(?=\s*(?:[.!,;:\u2026)]|$)| is (?:true|right|the case|correct|what)| of (?:this"
    r"|that"
    r"|the above|what i))"
    rf"|(?:i|we)(?:'ve)? (?:had|got|have|mixed|put|wrote|took"
    rf"|read)[^.\n]{{0,40}} {_ROUND}"
    rf"|(?:please )?read (?:it|this|that|them|(?:the|my) \w+)(?: as)? (?:{_ROUND}|the"
    r" opposite|in reverse)"
    r"|(?:the )?(?:above|(?:verdict|token|line|answer|choice) above|previous (?:verdict"
    r"|line|answer))(?: \w+)? (?:was|is|were|are|belongs?|refers?|applies|concerns"
    r"|goes)"
    r"(?: only| just)? (?:for|to|about|with)\b"
    r"|(?:having|after|when) [^.\n,;:]{0,30}\b(?:again|once more|over|twice)\b"
    r"|(?:amended|revised|corrected|changed|updated|reconsidered)(?: \w+)?:"
    r"|changed my (?:mind|verdict|answer|choice|decision)"
    r"|(?:a )?typo\b|misprint|slip of"
    rf"|(?:i|we)(?:'ve|'d)?(?: \w+){{0,2}}? (?:swapped|mixed|confused|reversed|flipped"
    r"|switched|inverted|transposed|mislabel+ed|misnamed|misjudged|mis-?typed"
    rf"|miswrote|got (?:it|them|that|the \w+|this) (?:wrong|backwards?|mixed|the wrong"
    rf" way)|chose wrong|wrote the wrong|erred|slipped|put the wrong)"
    r"|(?:i|we|let me)(?:'d|'ll|'ve|'m)?(?: (?:\w+)){0,4}? (?:chang(?:e|ed|ing)"
    r"|switch(?:ed|ing)?|revis(?:e|ed|ing)|amend(?:ed)?|correct(?:ed|ing)?"
    r"|updat(?:e|ed|ing)|alter|flip|reverse|overturn|adjust|modify|withdraw|retract"
    rf"|swap|undo|redo|overrule) (?:my|the|this|that|it|what i)(?: \w+)?"
    rf"(?: {_VERDICT})?\b(?! (?:order|user|date|fee|tone))"
)
BACK = re.compile(
    r"(?:(?:please )?(?:note|notice|n\.?b\.?)(?: that)?[ :,]+)?"
    r"(?:(?:oh|oops|hm+|ah|sorry|no|(?:my )?apologies|well|but|and|okay|ok|yet"
    r"|however)\b["
    r" ,.!\u2026-]*)*(?:oops\b|(?:scratch|strike) (?:that|this|it|the above)\b"
    r"|wait(?=\s*[,.!:;\u2026\u2014-]|$| no\b| a (?:moment|minute|second)\b)|hold"
    r" on\b|on second thoughts?\b|never ?mind\b|(?:an? |small |one"
    r" )*correction\s*[:.,!\u2014-]|(?:edit|update|errat\w+)\s*:|(?:i|we|let"
    r" me)(?:'ll| will| must| should| would| have to| need to| do| did| want to| have"
    r"|'ve)?(?: now)? (?:(?:take|took) (?:that|it|this|my \w+) back|retract|withdraw"
    r"|reconsider|re-?think|re-?evaluate|revise|(?:correct|amend) (?:myself|that|this"
    r"|my|the)\b|changed? my (?:mind|verdict|answer|choice|decision)|mis-?read|misspoke"
    r"|mistyped|meant(?: to (?:say|write|put|choose|pick))?\b|made an? (?:\w+"
    r" )?(?:mistake|error|typo))|i (?:was|am) (?:wrong|mistaken)\b|i'm (?:wrong"
    r"|mistaken)\b|my (?:mistake|bad|error)\b|apologies for the (?:error|confusion"
    r"|mistake)|(?:please )?(?:ignore|disregard|discard|forget) (?:(?:that|this"
    r"|it)(?=\s*[.,;!:]|$)|(?:the|my) (?:above|previous|first|last|earlier|verdict"
    r"|answer|choice)\b|what i\b)|(?:that|this|the (?:above|verdict|token))(?:"
    r" verdict| answer)?(?:'s| is| was) (?:wrong|incorrect|a mistake|not right|an"
    r" error|a typo|not my\b)|actually(?=\s*,|\s+(?:no|a|b|the|it|i|response"
    rf"|assistant)\b)|(?:just )?(?:kidding|joking)\b|{_DISOWNED}|{_REVERSED})"
)
# Just behind the verdict, "no" alone denies it; further on it may answer a question.
NO = re.compile(r"[\s*_`.!)\]\"'\ufffc]*no(?=\s*[,.!;:\u2026\u2014-])")
BACK_ELSEWHERE = re.compile(
    r"moment(?: mal)?,|halt,|warte\b|korrektur\s*:|ich nehme das zurück|nein, "
    r"|attende[zs]\b|je me corrige|non, |espera\b|esperen?\b|corrección|me corrijo"
    r"|aspetta\b|correzione|mi correggo|espere\b|correção|wacht[,. ]|correctie|nee, "
    r"|vänta\b|vent,|poczekaj|korekta|počkejte|oprava|bekle|düzeltme|hayır, |đợi đã"
    r"|tunggu|koreksi|подожди|постойте|стоп|исправл|поправк|нет, |зачекайте|ні, "
    r"|انتظر|تصحيح|لحظة|रुकिए|रुको|सुधार|नहीं, |等等|等一下|稍等|更正|不对|不對|修正"
    r"|(?:ich |je |jag |ik |eu |io |yo |я )?(?:ändere|revidiere|korrigiere|widerrufe"
    r"|nehme"
    r"|change|corrige|révise|rectifie|retire|cambio|corrijo|rectifico|retiro|correggo"
    r"|ritiro|ritratto|mudo|altero|retifico|wijzig|verander|herzie|corrigeer|ändrar"
    r"|korrigerar|ændrer|endrer|zmieniam|poprawiam|cofam|měním|opravuji|меняю|изменяю"
    r"|отзываю|беру назад|змінюю) (?:hiermit |donc |dus |also )?(?:mein|das|diese|mon"
    r"|ma|l[ea'’]"
    r"|mi\b|el|mio|il|la|meu|minha|o|a|mijn|het|dit|mitt|min|moj|sw[oó]|swój|můj|svůj"
    r"|мой|моё|свой|своё|свое|мою|свою|слова|це|моє)"
    r"|(?:genau |gerade )?umgekehrt\b|c'est l'inverse|l'inverse|au contraire|es al "
    r"revés"
    r"|al revés|è il contrario|al contrario|é o contrário|ao contrário|andersom"
    r"|tvärtom|omvendt|na odwrót|odwrotnie|naopak|наоборот|навпаки|tam tersi|相反|反了"
    r"|弄反|写反|寫反|搞反|说反|逆です|逆でした|逆だ|반대입니다|반대로"
    r"|(?:我)?(?:改变|改變|收回|撤回|更改|改为|改為|改选|改選)|(?:判定|結論)を(?:変更"
    r"|撤回|訂正)"
    r"|판정을 (?:변경|철회|번복)|(?:tippfehler|schreibfehler|faute de frappe|errata"
    r"|error tipográfico|refuso|erro de digitação|опечатка|описка|typfout|打错|写错"
    r"|寫錯"
    r"|誤記|오타)"
    r"|ich habe mich (?:geirrt|vertan|verschrieben|verlesen)|me equivoqué|me he"
    r" equivocado|je me suis trompée?|ho sbagliato|mi sono sbagliat|errei\b|me enganei"
    r"|ik heb me vergist|jag hade fel|jeg tok feil|jeg tog fejl|pomyliłe?a?m się|spletl"
    r"|я ошиб|я помил|yanıldım|間違え|私の誤り|我错了|我弄错|弄错了|搞错|看错|写错|잘못"
    r"|je change d'avis|cambio de opinión|cambio idea|mudo de ideia|ich ändere meine"
    r" meinung|я передума|我改主意"
    r"|(?:ich habe|j'ai|he|ho|eu|ik heb|jag har|jeg har|я|tôi đã) (?:\S+ ){0,4}?"
    r"(?:vertauscht|verwechselt|inversé|confondu|interverti|échangé|confundido"
    r"|intercambiado|invertido|invertito|confuso|scambiato|troquei|confundi|inverti"
    r"|verwisseld|omgewisseld|förväxlat|förvekslet|byttet om|перепутал|спутал)"
    r"|(?:我|a|b)[^。\n]{0,8}(?:弄混|搞混|混淆|弄反|搞反|写反|颠倒)"
    r"|[^。\n]{0,10}(?:取り違え|逆に書)"
    r"(?:ました|てしまいました)|[^.\n]{0,10}(?:바꿔 ?썼|바꿔서 썼|혼동했|헷갈렸)"
    r"|待って|訂正|いや、|いえ、|잠깐|정정|아니,|아니요"
)
