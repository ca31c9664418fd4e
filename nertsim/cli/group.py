"""The group of commands: modules loaded when asked for, and one line for every error."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from nertsim.errors import NertsimError, nearest, unknown

INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group whose commands are modules `commands_in`.NAME (_ for -), each with a click command called `command`."""

    def __init__(self, *args: Any, commands_in: str, names: Sequence[str], **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._package = commands_in
        self._names = tuple(names)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._names:
            return None
        return importlib.import_module(f"{self._package}.{cmd_name.replace('-', '_')}").command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self._names and not args[0].startswith("-"):
            ctx.fail(unknown("command", args[0], self._names))
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs the command line; 0 done, 1 failed, 2 wrong use, 130 interrupted. Never a traceback, unless --debug."""
        words = list(sys.argv[1:] if args is None else args)
        if not standalone_mode:
            return super().main(words, prog_name, complete_var, False, **extra)
        try:
            code = super().main(words, prog_name, complete_var, False, **extra)
            sys.stdout.flush()
        except click.Abort:
            sys.exit(INTERRUPTED)
        except Exception as error:
            if "--debug" in words and not isinstance(error, click.exceptions.ClickException):
                raise
            _end(error)
        sys.exit(code if isinstance(code, int) else 0)


def _end(error: Exception) -> NoReturn:
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        # The reader has gone (`| head`). What is still buffered must not be written when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)  # as click does where it meets the closed pipe itself
    line, code = describe(error)
    click.echo(f"Error: {line}", err=True)
    sys.exit(code)


def describe(error: Exception) -> tuple[str, int]:
    """The one line for an error, and the exit code."""
    if isinstance(error, click.UsageError):
        return _one_line(_usage_text(error)), error.exit_code
    if isinstance(error, click.ClickException):
        return _one_line(error.format_message()), error.exit_code
    if isinstance(error, NertsimError):
        return _one_line(str(error)), error.exit_code
    if isinstance(error, OSError) and error.strerror:
        return _one_line(f"{error.strerror}{f': {error.filename}' if error.filename else ''}"), 1
    text = _one_line(f"{type(error).__name__}: {error}")
    return f"unexpected {text} (run again with --debug to see where)", 1


def _usage_text(error: click.UsageError) -> str:
    if isinstance(error, click.NoSuchOption):
        known = [name for option in error.ctx.command.params for name in option.opts] if error.ctx else []
        where = f" of {error.ctx.command_path}" if error.ctx else ""
        hint = nearest(error.option_name, known)
        if error.ctx and _is_of_a_command(error.option_name, error.ctx):
            hint = "; options of a command come after its name, as in: nertsim simulate --bot greedy"
        return f"no option{where} called '{error.option_name}'{hint or '; --help lists them'}"
    return error.format_message()


def _is_of_a_command(option: str, context: click.Context) -> bool:
    """True for an option that was given to a group, while commands of the group have it."""
    group = context.command
    if not isinstance(group, click.Group):
        return False
    commands = [group.get_command(context, name) for name in group.list_commands(context)]
    return any(option in one.opts for command in commands if command for one in command.params)


def _one_line(text: str) -> str:
    return " ".join(text.split())
