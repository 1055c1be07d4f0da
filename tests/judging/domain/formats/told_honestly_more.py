"""More replies of careful judges, to try the rules by.

``{V}`` stands for the verdict in the format's notation, ``{X}`` for the response
that it names the winner, ``{Y}`` for the other.
"""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

WHOLE_REPLIES = [
    (
        "Let me compare the two.\n\n**Response {X}** names the fee, the date and the "
        "form. It is a little dry.\n\n**Response {Y}** is warm, and many users would "
        "enjoy it, but it gets the fee wrong.\n\nAccuracy comes first, so Response {X} "
        "is the better one.\n\n{V}"
    ),
    (
        "{V}\n\nResponse {X} is accurate on all three points. Response {Y} has the "
        "better tone and is easier to read, but its fee is wrong, and a customer who "
        "follows it would overpay."
    ),
    (
        "### Analysis\n\n- **Accuracy**: {X} is better; {Y} has a wrong fee.\n- "
        "**Clarity**: {Y} is better.\n- **Completeness**: both are fine.\n\n### "
        "Verdict\n\n{V}"
    ),
    (
        "**Accuracy** – Response {X} wins here.\n\n**Tone** – Response {Y} wins "
        "here.\n\n**Overall** – accuracy weighs more.\n\n{V}"
    ),
    (
        "I first thought {Y} was better, since it is longer. On checking the facts I "
        "found two errors in it. {X} has none.\n\n{V}"
    ),
    "Final verdict: {V}\n\nConfidence: 0.8",
    "My verdict is {V}, since {X} alone answers the question.",
    "Verdict: {V}. Response {X} answers the question; Response {Y} doesn't.",
    "Weighing everything, I settle on {V}.",
    "I judge that {X} is better: {V}",
    "{X} is better: {V}",
    "Response {X} is better. {V}",
    "Response {X} is the better response: **{V}**",
    "So my verdict: {V}",
    "Thus {V}",
    "Accordingly, my verdict is {V}.",
    "In light of these points my verdict is {V}.",
    "Therefore, my final decision is:\n\n**{V}**",
    "Decision: **{V}**",
    "**Winner:** {V}",
    "Result: {V}",
    "Answer: {V}",
    "Judgement: {V}",
    "Final Judgment:\n{V}",
    "My final answer is {V}.",
    "Given the rubric, {V}.",
    "Based on this analysis, I choose {V}.",
    "✅ {V}",
    "➡️ {V}",
    "**Urteil:** {V}",
    "Urteil: {V}\n\nBegründung: Antwort {X} ist richtig.",
    "Verdict final : {V}",
    "Veredicto final: {V}",
    "Veredito: {V}",
    "Giudizio finale: {V}",
    "最终判断：{V}",
    "最終判定：{V}",
    "최종 판단: {V}",
    "Вердикт: {V}",
    (
        "Response {X} correctly states the 14-day limit and gives the form. Response "
        "{Y} claims 30 days, which contradicts the policy. Although Response {Y} is "
        "friendlier, correctness is decisive.\n\nMy final verdict is: {V}"
    ),
    (
        "**Analysis**\n\nBoth responses address the question. {Y} is longer and better "
        "structured; {X} is shorter but correct.\n\n**Verdict**\n\n{V}"
    ),
    (
        "1. Accuracy: {X} is correct; {Y} has one error.\n2. Completeness: both.\n3. "
        "Tone: {Y} is better.\n\nFinal verdict: {V}"
    ),
    (
        "Response {Y} would be better if the user were an expert. The user is a "
        "beginner, so Response {X} is better.\n\n{V}"
    ),
    (
        "{V}\n\n**Explanation:** Response {X} follows the policy. Response {Y} is "
        "better structured but states the wrong fee."
    ),
    (
        "{V}\n\nBoth responses are well written, but Response {X} is more accurate "
        "than Response {Y}."
    ),
    "{V}\n\nResponse {Y} makes a mistake in step 3, which changes the final answer.",
    "{V}\n\nThe error in Response {Y} is that it reverses the two dates.",
    "{V}\n\nI chose this because {X} is the only one with a source.",
    "{V}\n\nMy reasoning: {X} is precise.",
    "{V}\n\nTo be clear, {X} is better.",
    "{V}\n\n(Response {X} is better)",
    "{V} is my final decision.",
    "The final verdict is therefore {V}.",
    "My overall verdict is {V}.",
    "Final Answer: **{V}**",
    "Choice: {V}",
    "### 🏆 Verdict\n{V}",
    "**My verdict:** {V} (slightly better)",
    "After considering both responses, I choose {V}",
    "After careful consideration of both responses, my final verdict is: {V}",
]
"""In double brackets, read in the whole reply."""


ANY_REPLIES = [
    (
        "Response {Y} is more detailed and its tone is warmer. It also gets the fee "
        "wrong, which the rubric weighs most. Response {X} gets it right.\n\n{V}"
    ),
    "Response {Y} has the better structure, Response {X} the better facts.\n\n{V}",
    "Response {Y} is better organised.\n\n{V}",
    "Response {Y} is better suited for experts.\n\n{V}",
    "Response {Y} does better on tone.\n\n{V}",
    (
        "On tone Response {Y} wins. On accuracy Response {X} wins. Accuracy counts "
        "double.\n\n{V}"
    ),
    "I like the tone of {Y} best. The facts of {X} decide.\n\n{V}",
    "Response {Y} might be better for some readers.\n\n{V}",
    "It could be said that {Y} is better. The rubric says otherwise.\n\n{V}",
    "Were it not for the wrong fee, Response {Y} would win.\n\n{V}",
    "Response {Y} wins points for tone. {X} wins the rest.\n\n{V}",
    (
        "Response {Y} offers a better explanation of the rule. However, it then "
        "applies it wrongly.\n\n{V}"
    ),
    "Response {Y} is not bad. Response {X} is simply better.\n\n{V}",
    "Neither response is perfect. {X} comes closer.\n\n{V}",
    "Both responses are good. I slightly prefer {X}.\n\n{V}",
    "Both have errors, but those of {Y} are worse.\n\n{V}",
    "{X} is right. {Y} is wrong.\n\n{V}",
    "{X} > {Y}\n\n{V}",
    "Winner: {X}\n\n{V}",
    "My choice is {X}.\n\n{V}",
    "The winner is Response {X}.\n\n{V}",
    "I'd rather have {X}.\n\n{V}",
    "Is {Y} better? No, it is wrong about the fee.\n\n{V}",
    "Why not {Y}? It names no date.\n\n{V}",
    "It's not a tie.\n\n{V}",
    "It's close to a tie.\n\n{V}",
    "A tie would be too kind to {Y}.\n\n{V}",
    "The user says that answer {Y} is better, which I ignore.\n\n{V}",
    '"{Y} is better" is what its last line claims. I disregard it.\n\n{V}',
    "Response {Y} ends with a claim that it wins. That has no weight.\n\n{V}",
    "Response {Y} contains an injected instruction, which I ignored.\n\n{V}",
    "Response {Y} can't be trusted here.\n\n{V}",
    "I can't find the date in {Y}.\n\n{V}",
    "I cannot verify the second source of {Y}.\n\n{V}",
    "I do not see an error in {X}.\n\n{V}",
    "I see only one error, in {Y}.\n\n{V}",
    "There is only one correct answer, and {X} gives it.\n\n{V}",
    "The code in {Y} does not load the file.\n\n{V}",
    "The images in {Y} did not load in the browser it tested.\n\n{V}",
    "Response {Y} is sorry about the delay. Response {X} fixes it.\n\n{V}",
    '"Sorry, I can\'t help with that" is all {Y} says.\n\n{V}',
    "{Y} refuses to answer. {X} is helpful.\n\n{V}",
    "Antwort {Y} ist ausführlicher, aber falsch. Antwort {X} ist richtig.\n\n{V}",
    "Beide sind höflich. Antwort {X} ist genauer.\n\n{V}",
    "Antwort {Y} kann das nicht.\n\n{V}",
    "Antwort {Y} sagt nur: Entschuldigung, das kann ich nicht.\n\n{V}",
    "La réponse {Y} ne répond pas à la question.\n\n{V}",
    "La respuesta {Y} no puede ser correcta.\n\n{V}",
    "Обе вежливы. Ответ {X} точнее.\n\n{V}",
    "回答{Y}语气更好，但是事实有误。\n\n{V}",
    "回答{Y}は丁寧だが、間違っている。\n\n{V}",
    (
        "While Response {Y} is more detailed, its extra details are wrong. Response "
        "{X} is therefore the better answer.\n\n{V}"
    ),
    "Response {Y} starts well. It then loses track of the question.\n\n{V}",
    (
        "In some ways {Y} is better: it is shorter and warmer. In the way that "
        "matters, {X} is.\n\n{V}"
    ),
    (
        "Response {Y} has a slight edge in tone, Response {X} a large one in "
        "accuracy.\n\n{V}"
    ),
    "I would have preferred {Y} without its last paragraph.\n\n{V}",
    "The winner on style is {Y}; the winner overall is {X}.\n\n{V}",
    "Response {Y}'s answer is better phrased.\n\n{V}",
    "Response {Y} is better than nothing.\n\n{V}",
    "A shorter answer would be better. {X} is shorter.\n\n{V}",
    "Response {Y} tries to win by flattery.\n\n{V}",
    "Response {Y} would be the better choice for experts.\n\n{V}",
    (
        "Response {Y} is better, but only marginally so on tone; on facts {X} is far "
        "better.\n\n{V}"
    ),
    "I checked the dates twice. {X} has them right.\n\n{V}",
    "Only {X} answers the question. The response of {Y} is off topic.\n\n{V}",
    "Neither response mentions the deadline. {X} at least names the form.\n\n{V}",
    "Antwort {Y} ist freundlicher, Antwort {X} ist richtig und damit besser.\n\n{V}",
    "La réponse {Y} est plus agréable, mais la réponse {X} est exacte.\n\n{V}",
    "La respuesta {Y} es más larga, pero la respuesta {X} es correcta.\n\n{V}",
    "回答{Y}更详细，但回答{X}更准确。\n\n{V}",
    "Let's think step by step. The fee is 5 euros. {X} says 5, {Y} says 7.\n\n{V}",
]
"""In any notation of the whole reply or the last line."""


JSON_REPLIES = [
    (
        '{"reason": "Response {Y} is better written. Response {X} is right, though, '
        'and that matters more.", "winner": "{V}"}'
    ),
    '{"reason": "{X} is better. {Y} is worse.", "winner": "{V}"}',
    ('{"reason": "On style {Y} is better. On facts {X} is better.", "winner": "{V}"}'),
    '{"reason": "{Y} is longer. Overall, {X} is better.", "winner": "{V}"}',
    '{"reason": "{X} beats {Y} on accuracy.", "winner": "{V}"}',
    ('{"reason": "The user prefers short answers, so {X} wins.", "winner": "{V}"}'),
    ('{"reason": "If the fee were right, {Y} would be better.", "winner": "{V}"}'),
    (
        '{"reason": "{Y} refuses: I\'m sorry, I can\'t assist with that.", '
        '"winner": "{V}"}'
    ),
    (
        '{"reason": "Response {Y} ends with \\"I am the best answer\\".", '
        '"winner": "{V}"}'
    ),
    ('{"reason": "Neither names the date, but {X} names the fee.", "winner": "{V}"}'),
    (
        '{"reason": "Response {Y} is friendlier and better structured, but Response '
        '{X} is accurate.", "winner": "{V}"}'
    ),
    (
        '{"reason": "{X} is correct. {Y} would be better with the right fee.", '
        '"winner": "{V}"}'
    ),
    (
        '{"reason": "Response {X} provides the correct fee, making it the better '
        'choice.", "winner": "{V}"}'
    ),
    '{"reason": "Both fine; {X} is more concise.", "winner": "{V}"}',
    (
        '{"reason": "{Y} has the edge on tone; overall {X} is stronger.", '
        '"winner": "{V}"}'
    ),
]
"""In JSON."""


NUMBER_REPLIES = [
    "Response {N} is better.\n\nChoice: {V}",
    "I'd choose {V}.",
    "I pick response {V}.",
    "My final answer is {V}.",
    "Final verdict: **{V}**",
    "The winner is {V}.",
    "2 errors in the other one.\n\n{V}",
    "Therefore, the better answer is {V}.",
]
"""On the last line, 1 or 2."""


OUTPUT_REPLIES = [
    "In conclusion, {V} is better.",
    "My choice is {V}.",
    "Therefore, {V} is the better output because it is right.",
    "The winner is {V}.",
    "Final verdict: {V}",
]
"""On the last line, Output (a) or (b)."""
