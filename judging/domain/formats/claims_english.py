"""English clauses that name the better response, in small letters without emphasis.

``CLAIM`` matches at the start of a clause. What it matches says who is better of the
whole, never on one point only: behind it the clause has to end, go on with a reason, or
say "overall" in some way ("in every way", "than the other").
"""

from __future__ import annotations

import re

_NOUN = (
    r"(?:response|assistant|answer|output|option|model|candidate|reply|submission"
    r"|version|text)"
)
_GIVER = r"(?:'s (?:response|answer|reply|output|version|text))?"
ANY_NAME = (
    rf"(?:(?:the )?{_NOUN}[ _]?#?\(?(?:[ab12]|one|two)\b\)?|\(?\b[ab12]\b\)?+"
    rf"|the (?:first|second)(?: {_NOUN}| one)?){_GIVER}"
)
"""Names a response, whichever."""


def _name(group: str) -> str:
    return (
        rf"(?:(?:the )?{_NOUN} (?P<{group}_word>one|two)"
        rf"|(?:the )?(?:{_NOUN}[ _]?(?:number |no\. ?|#)?)?"
        rf"\(?(?P<{group}>[ab12]|(?<=the )(?:first|second))\b\)?+){_GIVER}"
        rf"(?: {_NOUN}| one)?"
    )


_MANNER = (
    r"(?: (?!(?:not|never|no|hardly|barely|rarely|seldom|only|said|supposed|claimed"
    r"|neither|nor|less|least|if|as|equally|than|nearly|almost|meant|trying|about|in"
    r"|on|at|for|from|with|without|considered|called|told|asked|like|because|where"
    r"|when|but)\b)[\w'-]+){0,4}?"
)
_GRADED = (
    r"(?:better|best|superior|stronger|strongest|preferred|preferable|favou?red|ahead"
    r"|on top|winner|victor|winning|chosen"
    r"|selected|picked)"
)
_KIND = rf"(?: (?:{_NOUN}|one|choice|option|pick|of (?:the|these) two))*"
_TAIL = (
    r"(?: (?:overall|here|again|now|instead|too|still|actually|indeed|clearly|easily"
    r"|then|therefore|thus|then again|after all|by far|hands down|across (?:the board"
    r"|(?:all|every|each|both|most) \w+)"
    r"|in (?:quality|merit|value)"
    r"|at the end of the day|all things considered|on points"
    r"|of (?:the|these) two(?: responses| answers| outputs| assistants)?|of them"
    r"|in (?:the )?(?:end|total|general|sum|conclusion|summary|fact|truth|comparison)"
    r"|in my (?:opinion|view|judge?ment|eyes|book)|in this (?:case|comparison|pair)"
    r"|in (?:every|all|each|both|most|nearly|almost|any)(?: \w+){0,2}? (?:ways?"
    r"|respects?|aspects?|regards?|counts?|dimensions?|criteri(?:on|a)|categor\w+"
    r"|areas?|cases?|measures?|senses?|points?)"
    r"|on (?:balance|the whole|(?:all|every|each|most|both|nearly all)(?: \w+)?"
    r" (?:fronts?|counts?|points?|criteri(?:on|a)|metrics?|dimensions?|aspects?|levels?"
    r"|accounts?|scores?|measures?))"
    r"|for (?:this|that|these|those|me|the (?:user|customer|question|task|request|case"
    r"|prompt|person))(?: (?!because|since|as\b|and|so|but|due|given)\w+)?"
    r"|by (?:a |some )?(?:\w+ )?(?:margin|miles|lot|mile|distance)"
    r"|without (?:a |any )?(?:doubt|question)|to me|to my mind|if you ask me"
    rf"|(?:than|to|over|against|above|compared (?:to|with)|and not) (?:the )?(?:other"
    rf"(?: one| {_NOUN})?|{ANY_NAME})))*+"
)
_ENDS = (
    r"(?=\s*(?:\Z|[.!,;:()\u2026\u2014\u2013-]| (?:because|since|as|for it|due|given"
    r"|and|so|even though|although|though|but|while|whereas|despite|not|rather"
    r"|which|who)\b))"
)
_IS = (
    r"(?: is| was| are| looks| seems| appears| remains| stays| feels| emerges"
    r"| comes out| ends up| turns out"
    r"|(?: clearly| still| surely)? (?:should|must|ought to|has to|needs to|deserves to"
    r"|would|will|can only)(?: be(?: considered| declared| deemed| judged"
    r"| regarded as| seen as| named)?| rank| come out| have been| count as)?)"
    r"(?: to be| as)?"
)
_MAY = (
    r"(?:(?: \w+ly| still| just| therefore| thus| then)? (?:should|must|ought to|has to"
    r"|needs to|deserves to|would|will|does|did|now))?(?: have)?"
    r"(?: (?:\w+ly|still|just|also|thus|therefore|then|now))?"
)
_WINS = (
    r"(?:wins?|won|prevails?|triumphs?|comes? (?:out )?(?:ahead|first|on top)|leads"
    r"|is the way to go|(?:gets?|takes?|earns?|deserves?|receives?|has|have|carries"
    r"|keeps?|claims)"
    r" (?:it|this(?: one)?|my (?:vote|preference|pick)|the (?:\w+ )?(?:win|nod|edge"
    r"|victory|lead|advantage|upper hand|preference|crown|prize|day)))"
)
_BEATS = (
    r"(?:beats?|outperforms?|outshines?|outdoes|outclasses|outranks?|edges out|trumps"
    r"|surpass(?:es)?|bests|tops|defeats?|exceeds|eclipses|dominates)"
)
_OTHER = rf"(?:(?:the )?other(?: one| {_NOUN})?|(?:the )?{ANY_NAME}|its rival|it)"
_GIVES = (
    r"(?:gives?|provides?|offers?|does|delivers?|produces?|presents?|makes?|has)"
    rf"(?: us)?(?: the| a| an)?(?: \w+ly| much| far)? (?:better|best|stronger|superior)"
    rf"(?: overall)? (?:{_NOUN}|job|work)"
)
_WORSE = r"(?:worse|worst|weaker|weakest|inferior|poorer|loser|losing)"
_IS_BETTER = (
    rf"(?:'s(?: (?:the|clearly|still|just|much|far))* {_GRADED}{_KIND}"
    rf"|{_IS}(?:{_MANNER} (?:the )?{_GRADED}{_KIND}"
    r"|(?: \w+ly)? (?:my|the)(?: \w+)? (?:choice|pick|favou?rite|one (?:i|to|that"
    r"|which)\b[\w ]*))"
    rf"|{_MAY} (?:{_WINS}|{_BEATS} {_OTHER}|{_GIVES})| it (?:is|was)| over {ANY_NAME})"
)
_IS_WORSE = (
    rf"(?:{_IS}{_MANNER} (?:the )?{_WORSE}{_KIND}"
    r"|(?: is| was)(?: \w+)? not (?:nearly |quite |at all )?as (?:good|strong)"
    rf"(?: as {_OTHER})?"
    rf"|{_MAY} (?:(?:loses?|lost|trails|is beaten)(?: (?:out|here|to {_OTHER}))*"
    r"|(?:is|gets) (?:\w+ )?(?:beaten|outperformed|outclassed|bested|surpassed"
    rf"|edged out|outdone) by {_OTHER}))"
)
_IS_NO_BETTER = (
    r"(?:(?: (?:is|was|looks|seems) (?:not|never|no|hardly)"
    rf"| isn't| wasn't)(?: \w+)?{_MANNER} (?:the )?{_GRADED}{_KIND}"
    r"|(?: (?:does|did|should|must|can|will|would) ?not"
    r"| (?:doesn't|didn't|shouldn't|mustn't|can't|won't|wouldn't))"
    rf"(?: \w+ly)? (?:win|prevail|deserve (?:it|to win|the win)|(?:be|have been)"
    rf" (?:the )?{_GRADED}|{_BEATS} {_OTHER}))"
)
_OF_ONE = (
    rf"(?:{_name('subject')}|(?P<other>the other(?: {_NOUN}| "
    rf"one)?))(?=[ '])(?:(?P<is_no_better>{_IS_NO_BETTER})|{_IS_BETTER}"
    rf"|(?P<is_worse>{_IS_WORSE}))"
)
_OF_JUDGES = (
    r"(?:my|the|our|final|overall|updated?|revised|new|corrected|correct|real|true"
    r"|actual|proper|amended|definitive|ultimate|own|honest|considered|intended|right"
    r"|combined|changed|adjusted|latest|modified|reconsidered|re-?\w+ed|fixed|better"
    r"|best|preferred|now|only|clear|current|last|closing|overriding)"
)
_VERDICT = (
    r"(?:verdict|choice|decision|winner|pick|preference|conclusion|vote|judge?ment"
    r"|selection|final|advantage|winner field)"
)
_LINKS = (
    r"(?: (?:is|was|should|would|must|will|has|to|be|been|have|read|reads|say|says|goes"
    r"|go|for|in favou?r of|remains|becomes|therefore|thus|then|now|instead|really"
    r"|actually|clearly|here|definitely|response)|'s)*"
)
_POINT = r" ?(?::|=|->|=>|\u2192|\u2014|\u2013|-|,)? ?"
_BRACKETED = r"(?: \([^()]{1,30}\))?"
_TIE_WORD = (
    r"(?:(?:really |essentially |effectively |basically |practically |just |simply"
    r" |clearly |therefore |thus |then |best called |rather )*(?:a |an |in a |to be a "
    r"|as a )?(?:dead )?(?:tie|tied|draw|drawn|dead heat|stalemate))"
)
_RELATION = r"(?P<{0}_left>[ab]) ?(?P<{0}_sign>>{{1,2}}|<{{1,2}}|=) ?[ab]"
_ANYONE = (
    rf"(?:\[*(?:{_RELATION.format('labelled')}|{_name('labelled')}"
    r"|(?P<labelled_tie>(?:a )?(?:tie|draw)))\]*)"
)
_STATED = (
    rf"(?:(?:{_OF_JUDGES} ){{0,4}}{_VERDICT}"
    rf"|(?:{_OF_JUDGES} ){{0,4}}(?:answer(?<!correct answer)"
    r"(?<!right answer)(?<!true answer)|outcome|result)"
    rf"|(?:{_OF_JUDGES} ){{1,4}}(?:(?<=better )(?:{_NOUN}|one)"
    rf"|(?<=best )(?:{_NOUN}|one)|(?<=preferred )(?:{_NOUN}|one)"
    rf"|(?:winning|stronger|superior|chosen) (?:{_NOUN}|one)"
    r"|(?:better|best|stronger) of the two(?: \w+)?|winning (?:one|answer)))"
    rf"{_BRACKETED}{_LINKS}{_POINT}{_ANYONE}"
    r"|(?:the )?(?:better|stronger|preferred)(?: is|:) "
    rf"{_name('chosen_so')}"
)
_READ_SO = (
    r"(?:(?:it|that|this|what i wrote|the above|the (?:line|token|verdict|field"
    r"|answer))(?: above)? )?(?:(?:should|must|ought to|was (?:meant|supposed) to"
    r"|is (?:meant|supposed) to|needs to) (?:be|read|say|have (?:been|read|said))"
    r"|(?:please )?(?:make (?:it|that|this)|read (?:it|that|this)(?: as)?"
    r"|call it(?: for)?|count (?:it|this) (?:as|for)))(?: as| for)? "
    rf"(?:\[*(?:{_RELATION.format('meant')}|{_name('meant')}"
    r"|(?P<meant_tie>(?:a )?(?:tie|draw)))\]*)(?: being better)?"
)
_AS_BETTER = (
    r"(?:first|higher|highest|ahead|above|(?:to be |as )?(?:the )?(?:clearly |much )?"
    rf"(?:better|best|superior|stronger|preferred|winner){_KIND})"
)
_CHOOSE = (
    r"i(?:'m|'d|'ll|'ve)?(?: (?:now|still|therefore|thus|then|would|will|do|must|have"
    r"|to|want|am|really|rather|also|actually|should|clearly|in fact|strongly|slightly"
    r"|currently|had|need))*"
    r" (?:choose|chose|choosing|chosen|prefer|preferred|pick|picked|select|selected"
    r"|vote for|voted for|go with|gone with|going with|favou?r|favou?red|side with"
    r"|opt for|lean(?:ing)? (?:to|towards?)|decided? (?:for|on|in favou?r of)"
    r"|settled? (?:on|for)|stand (?:with|by)|switch(?:ing|ed)? to|change to|changing to"
    r"|meant|mean|find for|come down on the side of"
    r"|(?:give|award|hand) (?:it|this|the (?:win|nod|edge|victory|point)) to"
    rf"|recommend) (?:{_name('chosen')}|(?P<the_other>the other(?: {_NOUN}| one)?))"
    rf"(?: {_AS_BETTER})?"
    r"|i(?:'d|'ll)?(?: (?:now|still|therefore|thus|would|will|do|must|clearly))*"
    r" (?:rank|rate|place|put|judge|consider|deem|find|declare|call|see|regard)"
    rf" {_name('ranked')} {_AS_BETTER}"
)
_GOES_TO = (
    r"(?:(?:the |my |a |an )?(?:(?:clear|narrow|slight|overall|final|easy|whole) )?"
    r"(?:win|victory|edge|nod|vote|advantage|preference"
    r"|prize|crown|upper hand)(?: (?:clearly|therefore|thus))?"
    r"(?: (?:goes|go|belongs|is given|should go|must go|falls|lies|is with|is for)"
    r"(?: with| to)?| for| to|:) "
    rf"{_name('given')})"
)
_EQUAL = (
    r"(?:(?:it|this|that|the (?:result|outcome|comparison|match|verdict|contest)"
    r"|there|they|we|both|the (?:two|pair)|both of them|(?:both |the )?(?:two )?"
    r"(?:responses|answers|outputs|assistants|options))(?:'s|'d)?(?: (?:is|are|ends?"
    r"|ended|should be|would be|must be|remains?|have|has|call|comes? out|come down"
    r" to|amounts? to|leaves? us with))? )?"
)
_TIES = (
    rf"(?P<tied>{_EQUAL}{_TIE_WORD}(?: between (?:them|the two(?: \w+)?"
    rf"|{ANY_NAME} and {ANY_NAME}))?"
    r"|i(?:'d| would|'ll)?(?: rather| now)? (?:call|consider|rate|rank|say|see|view"
    r"|regard|treat|declare"
    rf"|score|judge)(?: it| this| them| the two| that| it's| it is)* {_TIE_WORD}"
    r"|(?:i(?:'d| would|'ll)? )?(?:call|make) it (?:even|(?:a )?(?:tie|draw))"
    r"|(?:they|both|both responses|the (?:two|responses|answers)) tie"
    rf"|neither(?: one| {_NOUN}| of them| of the \w+)? (?:is|was|wins|prevails|beats"
    r" the other|comes out ahead)"
    rf"(?:(?: \w+)? (?:better|superior|stronger|preferable|ahead|the winner))?"
    r"|there (?:is|was) no (?:clear )?winner|no (?:clear )?winner)"
)
_EVEN = (
    r"(?P<even>(?:(?:it(?:'s| is) )?(?:they|both(?: of them)?|(?:both |the )?(?:two )?"
    r"(?:responses|answers|assistants|outputs)|the two|the pair|a and b) (?:are|is)"
    r"(?: \w+ly| both| just)? (?:equally (?:good|bad|strong|matched)|equal|equivalent"
    r"|on (?:a )?par|evenly matched|of equal (?:quality|merit)|the same(?: in"
    r" quality)?))|(?:i see|there is) no (?:real )?difference(?: between"
    r" (?:them|the \w+))?)"
)
LEAD_IN = (
    r"(?:(?>(?:in|on|after|upon|with) (?:(?:a|an|the|any|some|further|more|second"
    r"|closer|careful|deeper|third|fresh|all|due) )*(?:hindsight|reflection|looks?"
    r"|reading"
    r"|thoughts?|consideration|review|inspection|examination|re-?\w+ing)|so|thus"
    r"|therefore|hence|overall|finally|clearly|ultimately|honestly|frankly|personally"
    r"|evidently|obviously|undoubtedly|definitely|certainly|really|truly|simply"
    r"|consequently|accordingly|objectively|on second thoughts?|or|then|and|but|rather"
    r"|instead"
    r"|however|yet|no(?! (?:clear )?winner)|nay|actually|wait|hm+|still|anyway|in "
    r"(?:short|fact|truth|sum"
    r"|summary|conclusion|the end|my (?:opinion|view|judge?ment))|on (?:balance"
    r"|reflection|the"
    r" whole)|all in all|to me|of the two|now|scratch that|sorry"
    r"|i(?: now| still| do| really| would|'d)? (?:think|believe|say|maintain|feel"
    r"|realise|realize|notice)(?: now)?(?: that)?"
    r"|i(?: now| still| therefore)? (?:find|conclude|judge|decide|hold) that"
    r"|(?:it is|it's) (?:clear|obvious|plain|evident)(?: that)?|that"
    r"|(?:my |the )?(?:final |overall )?(?:verdict|choice|answer|decision|conclusion)"
    r" is that)[ ,:]+)*+"
)
# "On second thought, B.", "Changed my mind: B": nothing but a name.
LED_NAME = re.compile(
    rf"(?:(?P<lead>{LEAD_IN})|(?P<label>[^:]{{1,60}}): ?)(?:{_name('led')}"
    rf"|{_RELATION.format('led')})\Z"
)
BEGINNINGS = frozenset(
    """
    1 2 a accordingly actual actually adjusted advantage after all amended an and
    answer any anyway assistant b basically best better both but call candidate
    certainly changed choice chosen clear clearly closing combined conclusion
    consequently considered correct corrected count crown current dead decision
    definitely definitive draw drawn easy edge effectively essentially evidently
    final finally first fixed frankly hence hm hmm hmmm honest honestly however i in
    instead intended is it judgement judgment just last latest make model modified
    must my narrow nay needs neither new no nod now objectively obviously of on only
    option or ought our outcome output overall overriding own personally pick please
    practically prefer preference preferred prize proper rather read real really
    reconsidered reply response result revised right scratch second selection should
    simply so sorry stalemate still stronger submission superior text that the then
    there therefore these they this those thus tie tied to true truly ultimate
    ultimately undoubtedly update updated upon upper verdict version victory vote
    wait was we what win winner winning with yet
    """.split()  # noqa: SIM905 - as text, a word is found at a glance
)
"""The words that a clause which names a winner can begin with, and any with "re-"."""

CLAIM = re.compile(
    rf"{LEAD_IN}(?:(?:{_OF_ONE}|(?=i)(?:{_CHOOSE})|{_GOES_TO}|{_TIES}"
    rf"|{_EVEN}){_TAIL}|(?:{_STATED}|{_READ_SO})(?: {_GRADED})?(?: instead| now| here"
    rf"| after all| and not {ANY_NAME})*){_ENDS}"
)
