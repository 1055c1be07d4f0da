"""Code in Markdown, coloured by classes: no inline style, no guessing of languages."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Any

from pygments import lex  # type: ignore[import-untyped]  # it ships no types
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]  # nor here
from pygments.token import (  # type: ignore[import-untyped]  # nor here
    Comment,
    Generic,
    Keyword,
    Name,
    Number,
    String,
)

# Lexers that are known to take linear time; what else a text names stays plain.
LANGUAGES = frozenset({
    "bash", "c", "cpp", "csharp", "css", "diff", "go", "html", "ini", "java",
    "javascript", "json", "kotlin", "markdown", "php", "python", "ruby", "rust",
    "scala", "sql", "swift", "toml", "typescript", "xml", "yaml",
})  # fmt: skip
ALIASES = {
    "py": "python", "python3": "python", "js": "javascript", "ts": "typescript",
    "sh": "bash", "zsh": "bash", "console": "bash", "yml": "yaml", "c++": "cpp",
    "c#": "csharp", "cs": "csharp", "golang": "go", "rs": "rust", "rb": "ruby",
    "htm": "html", "patch": "diff", "kt": "kotlin", "md": "markdown",
}  # fmt: skip
LONGEST_CODE = 20_000
# Broad groups are enough to read by; the style sheet gives each its look.
GROUPS: tuple[tuple[Any, str], ...] = (
    (Comment, "hl-c"), (Keyword, "hl-k"), (String, "hl-s"), (Number, "hl-n"),
    (Name.Function, "hl-f"), (Name.Class, "hl-f"), (Name.Tag, "hl-k"),
    (Name.Attribute, "hl-f"), (Generic.Inserted, "hl-i"), (Generic.Deleted, "hl-d"),
)  # fmt: skip
TOKEN_CLASSES = tuple(dict.fromkeys(name for _, name in GROUPS))


def highlighted(code: str, language: str, _attributes: str = "") -> str:
    """HTML of a block of code, or "" for what markdown-it should show plainly."""
    named = ALIASES.get(language.lower(), language.lower())
    lexer = _lexer(named) if named in LANGUAGES and len(code) <= LONGEST_CODE else None
    if lexer is None:
        return ""
    return "".join(_span(kind, text) for kind, text in lex(code, lexer))


@lru_cache(maxsize=len(LANGUAGES))
def _lexer(name: str) -> Any:
    # Nothing may be lost: neither blank lines nor the end of the text.
    return get_lexer_by_name(name, stripnl=False, ensurenl=False)


def _span(kind: Any, text: str) -> str:
    name = next((name for group, name in GROUPS if kind in group), None)
    shown = escape(text, quote=False)
    return f'<span class="{name}">{shown}</span>' if name else shown
