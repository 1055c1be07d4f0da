"""docs/commands.md against the commands; what README and docs tell people to type."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand
from django.core.management.commands import flush, migrate

from config.accounts.roles import Role
from tests.docs.pages import (
    DOCS,
    PAGES,
    README,
    ROOT,
    blocks,
    codes,
    first_cells,
    headings,
    section,
    text_of,
)

if TYPE_CHECKING:
    from argparse import Action

COMMANDS = text_of(DOCS / "commands.md")
PACKAGES = ("annotation", "judging", "calibration", "config")
OVERRIDDEN: dict[str, type[BaseCommand]] = {
    "migrate": migrate.Command,
    "flush": flush.Command,
}


def our_commands() -> dict[str, BaseCommand]:
    found = {
        name: load_command_class(app, name)
        for name, app in get_commands().items()
        if app.split(".")[0] in PACKAGES
    }
    return dict(sorted(found.items()))


def actions(command: BaseCommand, name: str) -> list[Action]:
    """What a command takes beyond what every command does, or Django's own does."""
    base = OVERRIDDEN.get(name, BaseCommand)()
    usual = {
        flag
        for action in base.create_parser("manage.py", name)._actions
        for flag in action.option_strings or [action.dest]
    }
    own = command.create_parser("manage.py", name)._actions
    return [a for a in own if not {*a.option_strings, a.dest} & usual]


def flags_of(command: BaseCommand, name: str) -> set[str]:
    return {flag for action in actions(command, name) for flag in action.option_strings}


def test_every_command_has_a_section_and_every_section_a_command() -> None:
    titles = [t for t in headings(COMMANDS) if t != "Commands"]
    assert sorted(titles) == list(our_commands())


@pytest.mark.parametrize("name", our_commands())
def test_every_option_is_documented_and_every_documented_option_exists(
    name: str,
) -> None:
    cells = first_cells(section(COMMANDS, name))
    documented = {cell for cell in cells if cell.startswith("--")}
    assert documented == flags_of(our_commands()[name], name)


@pytest.mark.parametrize("name", our_commands())
def test_every_positional_argument_is_documented(name: str) -> None:
    taken = actions(our_commands()[name], name)
    wanted = {a.dest.upper() for a in taken if not a.option_strings}
    cells = first_cells(section(COMMANDS, name))
    assert {cell for cell in cells if cell.isupper()} == wanted


@pytest.mark.parametrize("name", our_commands())
def test_every_choice_is_documented(name: str) -> None:
    named = set(codes(section(COMMANDS, name)))
    for action in actions(our_commands()[name], name):
        assert set(map(str, action.choices or ())) <= named


@pytest.mark.parametrize("name", our_commands())
def test_defaults_that_are_numbers_are_documented(name: str) -> None:
    rows = [r for r in section(COMMANDS, name).splitlines() if r.startswith("|")]
    for action in actions(our_commands()[name], name):
        default = action.default
        if not isinstance(default, int | float) or isinstance(default, bool):
            continue
        if (default and name != "serve") or action.dest in ("port", "threads"):
            (row,) = [r for r in rows if f"`{action.option_strings[0]}`" in r]
            assert f"{default:g}" in row, row


def shell_lines() -> list[tuple[str, str]]:
    """Command lines in fenced blocks of all pages, with the page's name."""
    found = []
    for page in PAGES:
        for block in blocks(text_of(page), ""):
            lines = block.text.splitlines()
            found += [(page.name, line) for line in lines if _is_typed(line)]
    return found


def _is_typed(line: str) -> bool:
    return re.match(r"(?:[A-Z_]+=\S+ )*(?:python|make) ", line) is not None


@pytest.mark.parametrize(
    "line", sorted({line for _, line in shell_lines() if "manage.py" in line})
)
def test_every_command_line_can_be_typed(line: str) -> None:
    """The parser accepts each example as it stands (up to a redirection)."""
    words = shlex.split(line, comments=True)
    words = words[words.index("manage.py") + 1 :]
    words = words[: words.index(">")] if ">" in words else words
    app = get_commands()[words[0]]
    command = app if isinstance(app, BaseCommand) else load_command_class(app, words[0])
    parser = command.create_parser("manage.py", words[0])
    assert parser.parse_args(words[1:]) is not None


@pytest.mark.parametrize("name", our_commands())
def test_every_command_has_an_example(name: str) -> None:
    examples = [block.text for block in blocks(section(COMMANDS, name), "")]
    assert any(f"manage.py {name}" in text for text in examples)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_target_named_in_prose_exists(page) -> None:
    text = text_of(page)
    targets = set(re.findall(r"\bmake ([a-z][\w-]+)", " ; ".join(codes(text))))
    targets |= {
        line.split()[1]
        for name, line in shell_lines()
        if name == page.name and line.startswith("make ")
    }
    assert targets <= make_targets()
    named = re.findall(r"manage\.py ([a-z_]+)", text)
    assert set(named) <= set(get_commands())


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][\w-]*):", text_of(ROOT / "Makefile"), re.MULTILINE))


def test_the_readme_names_make_targets() -> None:
    lines = [line for name, line in shell_lines() if name == README.name]
    assert {"make demo", "make test"} <= {line.split("#")[0].strip() for line in lines}


def test_every_role_is_documented() -> None:
    roles = {role.value for role in Role}
    assert roles <= set(codes(section(COMMANDS, "sync_roles")))
    table = section(text_of(README), "For a team")
    assert re.findall(r"^\| (\w+) \|", table, re.MULTILINE)[1:] == [
        r.value for r in Role
    ]
