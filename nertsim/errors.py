"""The exceptions of nertsim: each says what was wrong, where, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class NertsimError(Exception):
    """Something failed while nertsim worked (exit code 1 on the command line)."""

    exit_code = 1


class UsageError(NertsimError, ValueError):
    """A value that was given cannot be accepted (exit code 2 on the command line)."""

    exit_code = 2


class RulesError(UsageError):
    """A rule that does not exist, has a wrong value, or contradicts another."""


class TempoError(UsageError):
    """A tempo that does not exist, or has a wrong value."""


class BotError(UsageError):
    """A bot that does not exist, or was given a parameter that it does not have."""


class BotFault(NertsimError):
    """A bot broke the protocol while it played; the message says where and how to see it again."""


class StoreError(NertsimError):
    """A run folder that cannot be written, read or trusted."""


def nearest(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'x'?"`` for the nearest spelling among `known`, or an empty string."""
    spellings = {name.lower(): name for name in known}
    found = difflib.get_close_matches(word.lower(), list(spellings), n=1, cutoff=0.5)
    return f"; did you mean '{spellings[found[0]]}'?" if found else ""


def reason(error: Exception) -> str:
    """Why something failed, without the name of the file, which the sentence around it has."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def unknown(what: str, word: str, known: Iterable[str]) -> str:
    """One line for a name that does not exist: the name, the nearest spelling, and what there is."""
    names = list(known)
    return f"no {what} called '{word}'{nearest(word, names)} (there are: {', '.join(names)})"
