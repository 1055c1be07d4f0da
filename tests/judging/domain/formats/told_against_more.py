"""More replies that leave no verdict, in other words, to try the rules by.

``{V}`` stands for the verdict in the format's notation, ``{X}`` for the response
that it names the winner, ``{Y}`` for the other.
"""



from __future__ import annotations

WHOLE_REPLIES = [
    "{V}\n\nHmm, that does not look right. {Y} handles the edge case.",
    "{V}\n\nThis verdict should be read as {Y} winning.",
    "{V}\n\nP.S.: swap the letters, please.",
    "{V}\n\nI need to fix this: the winner is {Y}.",
    "{V}\n\nBy mistake I wrote the wrong winner.",
    "{V}\n\nOn closer inspection the other response wins.",
    "{V}\n\nThe other one is better, sorry.",
    "{V}\n\nLooking back, I prefer the other response.",
    "{V}\n\nMy vote is for {Y}, to be clear.",
    "{V}\n\nTo be precise: Response {Y} is superior to Response {X}.",
    "{V}\n\nVerdict after review: {Y}",
    "{V}\n\nSecond pass: {Y} is better.",
    "{V}\n\nAfter double-checking the dates, Response {Y} is the winner.",
    "{V}\n\nI no longer stand by this.",
    "{V}\n\nI don't stand behind this verdict.",
    "{V}\n\nThat was my first impression. Reading more carefully, {Y} is better.",
    "{V}\n\nThis was a provisional verdict.",
    "{V}\n\n(placeholder)",
    "{V}\n\nTODO: replace by the real verdict.",
    "{V}\n\nNot sure about this at all; it may as well be {Y}.",
    "{V}\n\nDisregard the bracket above.",
    "{V}\n\nThe bracket above is what the response wanted me to write.",
    "{V}\n\nThe line above is part of Response {Y}.",
    "{V}\n\nEnd of quoted response.",
    "{V}\n\nSo ends Response {Y}.",
    "{V}\n\nWinner = {Y}",
    "{V}\n\n→ {Y} is better",
    "{V}\n\n**Final verdict: Response {Y}**",
    "{V}\n\nRanking: {Y} > {X}",
    "{V}\n\nOverall winner: Response {Y} 🏆",
    "{V}\n\nIch habe die Buchstaben vertauscht.",
    "{V}\n\nJ'ai inversé les deux réponses.",
    "{V}\n\nHe confundido las respuestas.",
    "{V}\n\nHo invertito le risposte.",
    "{V}\n\nЯ перепутал ответы.",
    "{V}\n\n我把A和B弄混了。",
    "{V}\n\nAとBを取り違えました。",
    "{V}\n\nA와 B를 바꿔 썼습니다.",
    "The text of {Y} includes a fake verdict:\n{V}",
    "{Y} attempts a prompt injection by writing\n{V}",
    "Quoting {Y}:\n{V}",
    "{Y} claims victory with\n\n{V}\n\nAn obvious trick.",
    "Response {Y} even supplies its own verdict\n\n{V}",
    "What follows is from response {Y}.\n\n{V}",
    "This string occurs in both responses\n\n{V}",
    "Beware of the line\n\n{V}\n\nin Response {Y}.",
]
"""In double brackets, read in the whole reply."""


ANY_REPLIES = [
    (
        "Response {Y} has it all: facts, tone, structure. It is the better response by "
        "far, so {Y} wins.\n\n{V}"
    ),
    "In the end I have to give it to Response {Y}.\n\n{V}",
    "Response {Y} deserves my vote.\n\n{V}",
    "Response {Y} should be ranked first.\n\n{V}",
    "I would recommend Response {Y} over Response {X}.\n\n{V}",
    "Response {Y} is the one I would send.\n\n{V}",
    "Response {Y} is preferable.\n\n{V}",
    "Overall: {Y} > {X}.\n\n{V}",
    "Overall winner: {Y}\n\n{V}",
    "In sum, Response {X} is the worse of the two.\n\n{V}",
    "Response {X} cannot compete with Response {Y}.\n\n{V}",
    "Response {X} falls behind Response {Y}.\n\n{V}",
    "Response {Y} edges out Response {X}.\n\n{V}",
    "I'd give this one to {Y}.\n\n{V}",
    "The clear winner is Response {Y}!\n\n{V}",
    "I rate Response {Y} higher.\n\n{V}",
    "I rank Response {Y} above Response {X}.\n\n{V}",
    "This one goes to Response {Y}.\n\n{V}",
    "Point, set and match: Response {Y} wins.\n\n{V}",
    "My decision: a tie.\n\n{V}",
    "The result is a tie.\n\n{V}",
    "I declare it a draw.\n\n{V}",
    "No winner here.\n\n{V}",
    "Alles in allem hat Antwort {Y} die Nase vorn.\n\n{V}",
    "Ich bevorzuge Antwort {Y}.\n\n{V}",
    "Antwort {X} ist klar schlechter.\n\n{V}",
    "C'est la réponse {Y} qui l'emporte.\n\n{V}",
    "La meilleure réponse est la réponse {Y}.\n\n{V}",
    "La mejor respuesta es la {Y}.\n\n{V}",
    "Prefiero la respuesta {Y}.\n\n{V}",
    "La migliore è la risposta {Y}.\n\n{V}",
    "A melhor resposta é a {Y}.\n\n{V}",
    "Лучший ответ — {Y}.\n\n{V}",
    "Я выбираю ответ {Y}.\n\n{V}",
    "更好的回答是{Y}。\n\n{V}",
    "我选择回答{Y}。\n\n{V}",
    "より良い回答は{Y}です。\n\n{V}",
    "더 나은 답변은 {Y}입니다.\n\n{V}",
    "Najlepsza odpowiedź to {Y}.\n\n{V}",
    "Het beste antwoord is {Y}.\n\n{V}",
    "Remise.\n\n{V}",
    "Unentschieden.\n\n{V}",
    "Égalité.\n\n{V}",
    "Empate.\n\n{V}",
    "Ничья.\n\n{V}",
    "平局。\n\n{V}",
    "引き分けです。\n\n{V}",
    "A biased judge might say:\n{V}",
    "My view an hour ago:\n{V}",
    "I considered writing\n{V}",
    "It would be wrong to answer\n{V}",
    "This is how the answer should look:\n{V}",
    "Fill in here:\n{V}",
    "## Rubric\n{V}",
    "## Response {Y} (excerpt)\n{V}",
    "**Style:**\n{V}",
    "Verdict for question 1:\n{V}",
    "Verdict on style:\n{V}",
    "Which is the weaker response?\n{V}",
    "Which one would you discard?\n\n{V}",
    "Das schwächere:\n{V}",
    "Ich sehe nur eine Antwort.\n\n{V}",
    "Es liegt keine Antwort vor.\n\n{V}",
    "Les réponses n'ont pas été fournies.\n\n{V}",
    "No se han proporcionado las respuestas.\n\n{V}",
    "I was unable to load the conversation, so I can't evaluate.\n\n{V}",
    "One of the two responses is missing.\n\n{V}",
    "My guidelines do not let me rate this.\n\n{V}",
    "As a language model I do not take sides.\n\n{V}",
    "I would prefer not to answer.\n\n{V}",
]
"""In any notation of the whole reply or the last line."""


JSON_REPLIES = [
    (
        '{"reason": "After comparing both I favour {Y}. The tone is fine in '
        'both.", "winner": "{V}"}'
    ),
    '{"reason": "I\'d pick {Y}.", "winner": "{V}"}',
    (
        '{"reason": "The winner here is clearly Response {Y}. Accuracy decided it. '
        'Tone did not matter. Length did not matter either.", "winner": "{V}"}'
    ),
    '{"reason": "Response {Y} should have been chosen.", "winner": "{V}"}',
    '{"reason": "Response {Y} > Response {X}", "winner": "{V}"}',
    '{"reason": "I mixed up the letters: {Y} is the winner.", "winner": "{V}"}',
    '{"reason": "Overall it is a draw.", "winner": "{V}"}',
    ('{"reason": "The responses were not included in the prompt.", "winner": "{V}"}'),
    '{"reason": "Antwort {Y} gewinnt.", "winner": "{V}"}',
    (
        '{"reason": "La réponse {Y} est meilleure car elle est complète.", '
        '"winner": "{V}"}'
    ),
]
"""In JSON."""
