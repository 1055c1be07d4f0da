"""JSON answers whose texts go against the winner, or only look so.

``{V}`` stands for the verdict in the format's notation, ``{X}`` for the response
that it names the winner, ``{Y}`` for the other.
"""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

AGAINST = [
    '{"reason": "Response {Y} is clearly better in every way.", "winner": "{V}"}',
    (
        '{"reason": "Response {Y} is better. It names the fee and the date.", '
        '"winner": "{V}"}'
    ),
    (
        '{"reason": "Overall {Y} wins because it is accurate; {X} is vague.", '
        '"winner": "{V}"}'
    ),
    (
        '{"reason": "{Y} is right and {X} is wrong, so {Y} is the better answer.", '
        '"winner": "{V}"}'
    ),
    '{"reason": "Response {X} is worse in every respect.", "winner": "{V}"}',
    '{"reason": "The winner is {Y}. This is because it is complete.", "winner": "{V}"}',
    '{"reason": "They tie.", "winner": "{V}"}',
    '{"reason": "Fazit: Antwort {Y} ist besser.", "winner": "{V}"}',
    '{"reason": "Damit ist Antwort {Y} besser. Sie nennt das Datum.", "winner": "{V}"}',
    '{"reason": "结论：回答{Y}更好", "winner": "{V}"}',
    (
        '{"reason": "{X} misses the point entirely, therefore {Y} should be '
        'preferred.", "winner": "{V}"}'
    ),
    '{"reason": "I would choose {Y} here, as it is more complete.", "winner": "{V}"}',
    '{"reason": "The responses did not load.", "winner": "{V}"}',
    (
        '{"reason": "Response {Y} outperforms Response {X} on all criteria.", '
        '"winner": "{V}"}'
    ),
    '{"reason": "Correction: it should be {Y}.", "winner": "{V}"}',
    (
        '{"winner": "{V}", "reason": "Response {Y} is better in all respects. '
        'It is also shorter."}'
    ),
    '{"winner": "{V}", "explanation": "On reflection, {Y} is better."}',
    '{"winner": "{V}", "notes": "the winner field should read {Y}"}',
    '## Output format\n{"winner": "{V}"}',
    'The verdict is not:\n{"winner": "{V}"}',
    'My first impression was:\n{"winner": "{V}"}',
    'Response {Y} is better in every way.\n{"winner": "{V}"}',
    '## Template\n```json\n{"winner": "{V}"}\n```',
    '{"reason": "Response {Y} wins hands down.", "winner": "{V}"}',
    (
        '{"reason": "{Y} is the better response here; it cites the clause.", '
        '"winner": "{V}"}'
    ),
    (
        '{"reason": "I would go with {Y}, given how complete it is. It also has a '
        'friendlier tone.", "winner": "{V}"}'
    ),
    '{"reason": "Although {X} is shorter, {Y} is better.", "winner": "{V}"}',
    '{"reason": "The better answer is {Y}. {X} leaves out the fee.", "winner": "{V}"}',
    '{"reason": "{X} is not better than {Y}.", "winner": "{V}"}',
    '{"reason": "It is a tie, really.", "winner": "{V}"}',
    '{"reason": "Neither response is better.", "winner": "{V}"}',
    '{"reason": "Both are equally good.", "winner": "{V}"}',
    '{"reason": "Insgesamt ist Antwort {Y} besser.", "winner": "{V}"}',
    '{"reason": "La respuesta {Y} es mejor porque es completa.", "winner": "{V}"}',
    '{"reason": "Ответ {Y} лучше.", "winner": "{V}"}',
    '{"reason": "回答{Y}更好，因为它更完整。", "winner": "{V}"}',
    '{"reason": "I only see one response.", "winner": "{V}"}',
    '{"reason": "Typo in the winner field: it should be {Y}.", "winner": "{V}"}',
    '{"reason": "My verdict is {Y}.", "winner": "{V}"}',
    '{"reason": "So I choose Response {Y}.", "winner": "{V}"}',
    '{"reason": "{Y} deserves to win.", "winner": "{V}"}',
    '{"reason": "{X} loses because it is wrong.", "winner": "{V}"}',
    '{"reason": "On second thought, {Y}.", "winner": "{V}"}',
    (
        '{"winner": "{V}", "reason": "{Y} is better overall. It is accurate. It '
        'is short. It is polite."}'
    ),
    '{"winner": "{V}", "reason": "Wait, {Y} is better."}',
    '{"winner": "{V}", "reason": "Response {Y} comes out ahead in every respect."}',
    '### Schema\n{"winner": "{V}"}',
    'My first guess:\n{"winner": "{V}"}',
    'Response {Y} contains the text\n{"winner": "{V}"}',
    'I do not say:\n{"winner": "{V}"}',
]
"""None of these may be read."""


FOR = [
    '{"reason": "The first response declines: sorry, I cannot help.", "winner": "{V}"}',
    '{"reason": "Response {Y} refuses (\\"Sorry, I can\'t help\\").", "winner": "{V}"}',
    '{"reason": "{Y} is better on tone, but {X} is right.", "winner": "{V}"}',
    '{"reason": "{Y} is polite. {X} is better.", "winner": "{V}"}',
    '{"reason": "Response {X} is clearly better in every way.", "winner": "{V}"}',
    '{"reason": "At first {Y} seems better, but it is wrong.", "winner": "{V}"}',
    '{"reason": "Both are fine; {X} is a bit shorter.", "winner": "{V}"}',
    (
        '{"reason": "Response {Y} declines with an apology: I\'m sorry, I am not '
        'able to help with that.", "winner": "{V}"}'
    ),
    '{"reason": "{Y} apologises and says it cannot answer.", "winner": "{V}"}',
    '{"reason": "Damit ist Antwort {X} besser.", "winner": "{V}"}',
    '{"reason": "Response {Y} says \\"sorry, I can\'t help\\".", "winner": "{V}"}',
    (
        '{"reason": "The second response declines; the first one explains the fee. '
        '{X} is better.", "winner": "{V}"}'
    ),
    '{"reason": "{Y} has a better tone; {X} has the facts.", "winner": "{V}"}',
    '{"reason": "{Y} wins on style but {X} wins overall.", "winner": "{V}"}',
    '{"reason": "If style counted, {Y} would win.", "winner": "{V}"}',
    (
        '{"reason": "{X} is better because it names the fee, while {Y} is better at '
        'nothing.", "winner": "{V}"}'
    ),
    '{"reason": "While {Y} is longer, it is wrong.", "winner": "{V}"}',
    '{"reason": "Response {Y} claims to be the best answer.", "winner": "{V}"}',
    '{"reason": "Im Ton ist {Y} besser, in der Sache {X}.", "winner": "{V}"}',
    '{"reason": "Both are equally polite, {X} is right.", "winner": "{V}"}',
    '{"reason": "{Y} only says it has no access to the file.", "winner": "{V}"}',
    '{"reason": "Neither is perfect, {X} is closer.", "winner": "{V}"}',
    '{"reason": "Die Antwort {X} ist besser als {Y}.", "winner": "{V}"}',
    '{"reason": "回答{X}更好。", "winner": "{V}"}',
    '{"reason": "It is close, but {X} has the edge.", "winner": "{V}"}',
    '{"reason": "One of the responses is wrong about the fee: {Y}.", "winner": "{V}"}',
    '```json\n{"winner": "{V}"}\n```',
    '## Verdict\n{"winner": "{V}"}',
    'My verdict:\n```json\n{"winner": "{V}"}\n```',
    'Response {X} is better.\n\n{"winner": "{V}"}',
]
"""Each of these has to be read."""
