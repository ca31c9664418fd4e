"""What was run: rules, bots, seed, versions, machine, and the commands that play and replay it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nertsim.codes import BEHAVIOUR
from nertsim.commands import spec_of
from nertsim.errors import NertsimError, UsageError
from nertsim.report.again import again
from nertsim.report.document import Command, Facts, Missing, Part, Section
from nertsim.report.words.numbers import duration
from nertsim.rules import Rules
from nertsim.store import about, read_manifest

if TYPE_CHECKING:
    from nertsim.bots.strategy import Bot


NO_COMMAND = "No command plays this again: something of it has no name on a command line, and was given in Python."


class Record:
    """A run with what its folder says about it; a run in memory has no folder, and was played here and now."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.manifest: Mapping[str, Any] = {} if run.path is None else read_manifest(run.path)
        self.state: str = self.manifest.get("state", "done")
        self.sessions: list[Mapping[str, Any]] = list(self.manifest.get("sessions", ())) or [about()]
        self.count: int = run.course.deals if run.plan.KIND == "tune" else run.plan.played(run.totals)
        """Units that were played; of a tuning, deals."""
        if self.count == 0:
            where = "the run" if run.path is None else str(run.path)
            raise UsageError(f"nothing to report: {where} has not played any {run.plan.UNIT} yet")

    @cached_property
    def cannot_replay(self) -> str:
        """Why no deal of the run can be played again here; nothing where it can."""
        if self.manifest.get("behaviour", BEHAVIOUR) != BEHAVIOUR:
            return "this nertsim plays other deals with the same seed than the one that played the run"
        plan = self.run.plan
        try:
            from nertsim.batch import make_dealer

            if plan.KIND == "tune":
                for table in plan.tables:
                    make_dealer(plan.rules, table.bots, plan.seed)
                return ""
            dealer = make_dealer(plan.rules, plan.bots, plan.seed)
            if self.manifest.get("sample", "") not in ("", plan.sample(dealer)):
                return "its first deals are played otherwise here than they were then: a bot or a library has changed"
        except NertsimError as error:
            return str(error)
        return ""

    @property
    def name(self) -> str:
        """The folder, or that there is none."""
        return "in memory" if self.run.path is None else str(self.run.path)


def about_section(record: Record, bots: Sequence[Bot]) -> Section:
    """Rules, bots, seed, versions, machine, commands; `bots` are all that played, each once."""
    run, first = record.run, record.sessions[0]
    plan = run.plan
    facts = [
        ("Folder", record.name),
        ("Played", _played(record)),
        ("Rules", rules_text(plan.rules)),
        *bot_facts(bots),
        ("Kept", _kept(record)),
        ("Played with", ", ".join(f"{name} {number}" for name, number in first.get("versions", {}).items())),
        ("Machine", _machine(record.sessions)),
        ("Playing took", duration(run.seconds)),
    ]
    parts: list[Part] = []
    if record.state != "done":
        parts.append(Missing(*_unfinished(record)))
    parts += [Facts(facts), *_commands(record)]
    return Section("about", "What was run", parts)


def _played(record: Record) -> str:
    plan = record.run.plan
    where = "of seed" if plan.KIND == "tune" else f"from number {plan.first:,} of seed"
    return f"{record.count:,} {plan.UNIT}, {where} {plan.seed}"


def _kept(record: Record) -> str:
    keep = getattr(record.run.plan, "keep", "journal")
    return {"summary": "the summary alone", "journal": "the journal"}.get(keep, f"the summary and rows ({keep})")


def rules_text(rules: Rules) -> str:
    """How the rules differ from the standard ones."""
    words = [f"{name} = {value}" for name, value in rules.to_options().items() if name != "seats"]
    return f"{rules.seats} seats, {'standard rules' if not words else 'standard rules with ' + ', '.join(words)}"


def bot_facts(bots: Sequence[Bot]) -> list[tuple[str, str]]:
    """A line a bot: its label, and its strategy with the values that matter, where the label does not say them."""
    facts = []
    for bot in {one.label: one for one in bots}.values():
        origin = bot.strategy.origin
        words = [] if origin is None else [f"from {origin.file} (sha256 {origin.sha256[:12]}…)"]
        try:
            words = [spec for spec in [spec_of(bot)] if spec != bot.label] + words
        except NertsimError:
            words.append("made in Python")
        speed = f"speed {bot.tempo.speed:g}, overlooks {100 * bot.tempo.oversight:g} %"
        facts.append((f"Bot {bot.label}", "; ".join([*words, speed])))
    return facts


def _machine(sessions: Sequence[Mapping[str, Any]]) -> str:
    last = sessions[-1]
    machine = last.get("machine", {})
    text = f"{machine.get('system', 'unknown')}, {machine.get('cores', '?')} cores; begun {sessions[0]['started']}"
    return text if len(sessions) == 1 else f"{text}, gone on with {len(sessions) - 1} times, last {last['started']}"


def _unfinished(record: Record) -> tuple[str, str]:
    wanted = record.manifest.get("count", record.count)
    text = (
        f"The run has not ended ({record.state}): this is a report of the first {record.count:,} {record.run.plan.UNIT}"
    )
    text += f" of {wanted:,}. To go on with it:" if wanted > record.count else ". To go on with it:"
    return text, shlex.join(["nertsim", record.run.plan.KIND, "--resume", "-o", record.name])


def _commands(record: Record) -> list[Part]:
    parts: list[Part] = []
    given, repeat = record.sessions[0].get("command"), again(record.run)
    if repeat is not None:
        parts.append(Command("To play the same again", repeat))
    else:
        parts.append(Missing(NO_COMMAND))
    if given:
        parts.append(Command("It was begun with", shlex.join(given)))
    if record.run.path is not None:
        parts.append(
            Command("These figures, for programs", shlex.join(["nertsim", "report", record.name, "--format", "json"]))
        )
    return parts


def loaded(run: Any) -> Any:
    """A run, from itself or from its folder; the errors of `nertsim.load` where there is none."""
    from nertsim.store import load

    return run if hasattr(run, "plan") else load(run)
