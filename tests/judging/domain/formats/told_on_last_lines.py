"""Last lines that answer something else than which response is better.

``{V}`` stands for the verdict in the format's notation, ``{X}`` for the response
that it names the winner, ``{Y}`` for the other.
"""

from __future__ import annotations

NUMBERS = [
    "Number of responses that name the fee\n\n{V}",
    "How many of them are right? Only the\n{V}",
    "The longer response:\n{V}",
    "Worse:\n{V}",
    "The response that refuses is\n{V}",
    "Responses that cite a source:\n\n{V}",
    "Chapter\n{V}",
    "Which response came first?\n{V}",
    "Total mistakes by the winner\n\n{V}",
    "The user asked for page\n{V}",
    "The correct option of the quiz is\n{V}",
    "x =\n{V}",
    "The final result of the sum is:\n{V}",
    "Rank of Response A:\n{V}",
    "Winner by length:\n{V}",
    "The worse one is {V}.",
    "I reject {V}.",
    "Responses with an error:\n{V}",
    "Which is more concise?\n{V}",
    "Turns in the conversation:\n{V}",
    "The answer to the riddle is\n{V}",
    "The number of the shorter response is {V}.",
    "The worse response is: {V}",
    "Loser: {V}",
    "I reject response {V}.",
    "The first draft of my choice: {V}",
    "Rank of the second response\n{V}",
    "{V} (but see below)",
    "{V} (not final)",
    "{V} (Response {M} is better)",
    "Not {V}",
    "Example: {V}",
    "Which response mentions the fee?\n\n{V}",
    "The better response is not {V}.",
]
"""In ``choice_123``; ``{M}`` is the letter of the other response."""


OUTPUTS = [
    "The longer one:\n{V}",
    "Worse output:\n{V}",
    "The one that refuses is\n{V}",
    "Which is more verbose?\n{V}",
    "Winner by length:\n{V}",
    "The worse one is {V}.",
    "I reject {V}.",
    "{V} is better written, though wrong.",
    "{V} is better in tone.",
    "{V} is better if you like lists.",
    "{V} is better, said the other.",
    "The weaker output:\n{V}",
    "The better output is not {V}.",
    "Which one came first?\n{V}",
    "Rejected: {V}",
    "{V} is better in style.",
    "{V} is better, but only in style.",
    "{V} is worse.",
    "I would not choose {V}.",
    "Example: {V}",
    "If forced, {V}.",
    "{V} is better because it is longer, but it is wrong.",
    "According to the user, {V} is better.",
    "If it were shorter, {V} would be better.",
]
"""In ``output_ab``."""
