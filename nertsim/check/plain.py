"""The steps that the engine as plain Python answers; runs in a child process with ``NUMBA_DISABLE_JIT=1``."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections.abc import Iterator
from typing import Any

from nertsim.bots import view as words
from nertsim.bots.spec import parse_bot
from nertsim.bots.strategy import Bot
from nertsim.check.channel import Channel
from nertsim.check.children import Message
from nertsim.check.compiled import play
from nertsim.check.recorder import Enough, Recorder
from nertsim.check.sittings import SITTINGS, Sitting
from nertsim.check.wording import words_of
from nertsim.dealer import Dealer
from nertsim.errors import BotFault

FIRST_LOOK = 150
"""Decisions of the first deal of each table that are watched, so that each table gets its turn."""
LATER_LOOK = 2000
WATCH_SECONDS = 0.25


@dataclasses.dataclass
class Job:
    """What the child is asked."""

    specs: list[str]
    seed: int
    seconds: float
    """How long each bot is watched."""
    thinking_seconds: float
    """How long it may take for one decision."""
    again: tuple[int, int] | None = None
    """A table and a deal in which it raised something: watched first."""


def main() -> None:
    """The child process."""
    channel = Channel()
    job = Job(**channel.receive())
    # A negative index is to be seen as such.
    vars(words)["at"] = _as_it_is
    for spec in job.specs:
        bot = parse_bot(spec)
        recorder = Recorder(bot.strategy)
        _watch_the_clock(recorder, job, channel, spec)
        for message in observe(bot, recorder, job):
            channel.send(**message)
        channel.send("findings", spec=spec, watches=bot.strategy.watches, **words_of(recorder.findings))
    channel.send("done")
    channel.leave()


def _as_it_is(index: Any) -> Any:
    return index


def _watch_the_clock(recorder: Recorder, job: Job, channel: Channel, spec: str) -> None:
    """Ends the process where a decision takes too long, and says which."""

    def watch() -> None:
        while True:
            time.sleep(WATCH_SECONDS)
            asked = recorder.asked_at
            if asked is not None and time.monotonic() - asked[0] > job.thinking_seconds:
                channel.send("slow", spec=spec, text=str(asked[1]))
                channel.leave()

    threading.Thread(target=watch, daemon=True).start()


def observe(bot: Bot, recorder: Recorder, job: Job) -> Iterator[Message]:
    """Plays deals at all tables in turn, until the time is up or enough is known; says how far it is."""
    watched = dataclasses.replace(bot, strategy=dataclasses.replace(bot.strategy, decide=recorder), label=bot.label)
    start = time.monotonic()
    recorder.until = start + job.seconds
    if job.again is not None:
        sitting = SITTINGS[job.again[0]]
        _observe(watched, recorder, sitting, job.seed, job.again[1], LATER_LOOK)
    deal = 0
    while time.monotonic() < recorder.until and not recorder.findings.is_all_known:
        for sitting in SITTINGS:
            done = int(100 * min(1.0, (time.monotonic() - start) / job.seconds))
            yield {"kind": "progress", "what": "% of the look at it as plain Python", "done": done, "of": 100}
            _observe(watched, recorder, sitting, job.seed, deal, FIRST_LOOK if deal == 0 else LATER_LOOK)
        if recorder.findings.raised is not None:
            return
        deal += 1


def _observe(bot: Bot, recorder: Recorder, sitting: Sitting, seed: int, deal: int, decisions: int) -> None:
    recorder.left = decisions
    recorder.sitting = sitting.name
    with contextlib.suppress(Enough, BotFault):  # what is illegal is told by the compiled engine
        play(Dealer(sitting.rules, sitting.bots(bot), seed), sitting, deal, deal + 1)
