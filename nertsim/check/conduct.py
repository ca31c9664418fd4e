"""`check_bot`: has a bot played in child processes, compiled and as plain Python, and puts the answers in order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from nertsim import errors
from nertsim.batch import Notice
from nertsim.bots.strategy import Bot
from nertsim.check.children import Child, Died, Message, Silent
from nertsim.check.loading import check_path
from nertsim.check.report import NAMES, Report, Step
from nertsim.check.words import at_line
from nertsim.guard import LOOK_SECONDS, STUCK_LOOKS
from nertsim.simulate import MAX_DEALS, draw_seed
from nertsim.values import whole_number

DEALS = 10_000
SECONDS = 20.0
"""How long the deals of step 4 take at most, unless a number of them is asked for."""
PLAIN_SECONDS = 4.0
IMPORT_SECONDS = 60.0
"""A file that is not loaded by then will never be."""
HEAVY_SECONDS = 3600.0
"""Compiling may take its time; what is silent longer is dead."""

TOO_SLOW = "cannot be told: as plain Python it thinks too long about one decision ({place})"
OTHERS = (
    "; remark: {line}looks at the layout of another seat, but with watches=False what it sees there may be as it was a "
    "moment before"
)
DIVIDES = "{place}: {line}divides by zero; compiled, it goes on with inf, nan or 0: look first whether it is 0"
PLAIN_ONLY = (
    "cannot be told: as plain Python, {line}raises {error} ({place}); compiled it does not, but write it so that it "
    "runs as both"
)

OnStep = Callable[[Step], None]
OnProgress = Callable[[str, int, int], None]


def check_bot(
    spec: str | Bot,
    *,
    deals: int | None = None,
    seed: int | None = None,
    on_step: OnStep | None = None,
    on_progress: OnProgress | None = None,
    notice: Notice | None = None,
    debug: bool = False,
) -> Report:
    """Checks whether a bot keeps the protocol, and what is wrong if not.

    `spec` is what the command line takes for a bot; a Python file without a name means all its strategies. `deals` is
    about how many are played to look for illegal actions (10,000; fewer of a slow bot, unless the number is given).
    `on_step` is called with each `Step` when it is done, `on_progress` with (what, how many are done, of how many),
    `notice` with why it takes its time; `debug` lets through what the processes write to stderr.

    Raises `UsageError` for a bot that does not exist; all that is wrong with one that does is in the report.
    """
    text = spec.spec() if isinstance(spec, Bot) else spec
    check_path(text)
    wanted = None if deals is None else whole_number("deals", deals, 1, MAX_DEALS)
    seed = draw_seed() if seed is None else whole_number("seed", seed, 0, 2**63 - 1)
    report = Report(text, seed)
    todo, known = [text], False
    while todo:
        one = _Check(todo.pop(0), wanted, seed, report, on_step, on_progress, notice, debug)
        found = one.run()
        if not known:
            todo, known = found[1:], True
    return report


@dataclasses.dataclass
class _Check:
    """The check of one bot."""

    spec: str
    deals: int | None
    seed: int
    report: Report
    on_step: OnStep | None
    on_progress: OnProgress | None
    notice: Notice | None
    debug: bool
    found: dict[int, tuple[bool | None, str]] = dataclasses.field(default_factory=dict)
    """Verdict and text of each step that was done."""
    number: int = 1
    """The step under way."""
    told: int = 0
    """The last step that was told."""
    table: str = ""
    """Where it is played."""
    fault: tuple[int, int] | None = None
    """Table and deal in which it did what is not legal."""
    looked: bool = False
    """Whether it has been looked at as plain Python."""
    specs: list[str] = dataclasses.field(default_factory=list)
    """All bots that the spec means."""

    def run(self) -> list[str]:
        """Checks the bot; returns the specs of all bots that the spec means."""
        job = {
            "spec": self.spec,
            "deals": self.deals or DEALS,
            "seed": self.seed,
            "seconds": SECONDS if self.deals is None else None,
            "look_seconds": LOOK_SECONDS,
        }
        with Child("compiled", job, jitted=True, debug=self.debug) as child:
            child.patience_seconds = IMPORT_SECONDS
            try:
                for message in child.messages():
                    self._hear(message, child)
            except Silent:
                self._fail(f"it does not end: nothing was heard of it for {child.patience_seconds:.0f} s")
            except Died as error:
                self._fail(self._how_it_died(str(error)))
        if not self.looked and self._is_worth_a_look():
            self._look()
        self._tell_up_to(len(NAMES))
        return self.specs or [self.spec]

    def _hear(self, message: Message, child: Child) -> None:
        kind = message["kind"]
        if kind == "bots":
            self.specs = message["specs"]
            self.spec = self.specs[0]
        elif kind == "usage":
            raise getattr(errors, message["error"])(message["text"])
        elif kind == "begin":
            self.number = message["number"]
            child.patience_seconds = IMPORT_SECONDS if self.number == 1 else HEAVY_SECONDS
        elif kind == "pause":
            self._look()
            child.send({})
        elif kind == "table":
            self.table = message["text"]
        elif kind == "fault":
            self.fault = message["sitting"], message["deal"]
        elif kind == "progress":
            self._progress(message)
        elif kind == "note" and self.notice is not None:
            self.notice(message["text"])
        elif kind == "step":
            self.found[message["number"]] = message["passed"], message["text"]
            if message["number"] not in (4, 5):  # what plain Python finds belongs to these
                self._tell_up_to(message["number"])

    def _progress(self, message: Message) -> None:
        if self.on_progress is not None:
            self.on_progress(message["what"], message["done"], message["of"])

    def _fail(self, text: str) -> None:
        self.found[self.number] = False, text

    def _how_it_died(self, how: str) -> str:
        if self.number < 4:
            return f"the process that loaded it {how}"
        where = f" ({self.table})" if self.number == 4 else ""
        return f"the process that ran it {how}{where}; an index far outside can do that, a function that calls itself"

    def _is_worth_a_look(self) -> bool:
        """True where it can be played: it has the right types, and does not loop."""
        return self.found.get(3, (False, ""))[0] is True and self.found.get(5, (True, ""))[0] is not False

    def _look(self) -> None:
        """Steps 6 and 7, and what only plain Python can tell about step 4."""
        self.looked = True
        job = {
            "specs": [self.spec],
            "seed": self.seed,
            "seconds": PLAIN_SECONDS,
            "thinking_seconds": LOOK_SECONDS * STUCK_LOOKS,
            "again": self.fault,
        }
        self.number = 6
        with Child("plain", job, jitted=False, debug=self.debug) as child:
            child.patience_seconds = HEAVY_SECONDS
            try:
                for message in child.messages():
                    if message["kind"] == "progress":
                        self._progress(message)
                    elif message["kind"] == "slow":
                        self.found[6] = self.found[7] = None, TOO_SLOW.format(place=message["text"])
                        break
                    else:
                        self._take(message)
            except Died as error:
                self.found[6] = self.found[7] = False, f"played as plain Python, {self._how_it_died(str(error))}"
        self._tell_up_to(7)

    def _take(self, findings: Message) -> None:
        self.found[6], self.found[7] = tuple(findings["hidden"]), tuple(findings["bounds"])
        raised = findings["raised"]
        if findings["others"] is not None and not findings["watches"]:
            verdict, text = self.found[6]
            self.found[6] = verdict, text + OTHERS.format(line=at_line(findings["others"]))
        if raised is None:
            return
        where = at_line(raised["line"])
        words = {"place": raised["place"], "line": where, "error": f"{raised['kind']}: {raised['text']}"}
        passed, text = self.found.get(4, (None, ""))
        if passed is False:
            self.found[4] = False, self._with_line(text, raised["kind"], words)
        elif raised["division"]:
            self.found[4] = False, DIVIDES.format(**words)
        elif not raised["is_index"]:  # which is step 7
            self.found[6] = False, PLAIN_ONLY.format(**words)

    @staticmethod
    def _with_line(text: str, kind: str, words: Mapping[str, str]) -> str:
        """The text of a fault with what plain Python knows about it."""
        again = text.partition("; to see the deal")
        if f"the bot raised {kind}" in text:
            return f"{again[0]}, {words['line'].strip() or 'in a line elsewhere'}{again[1]}{again[2]}"
        return f"{again[0]}; as plain Python, {words['line']}raises {words['error']}{again[1]}{again[2]}"

    def _tell_up_to(self, last: int) -> None:
        """Tells the steps that were not told yet, those that were not done as skipped."""
        for number in range(self.told + 1, last + 1):
            verdict, text = self.found.get(number, (None, ""))
            text = _one_line(text) or f"not done, because of step {self._first_fail()}"
            step = Step(self.spec, number, verdict, text)
            self.report.steps.append(step)
            if self.on_step is not None:
                self.on_step(step)
        self.told = max(self.told, last)

    def _first_fail(self) -> int:
        return min((number for number, (verdict, _) in self.found.items() if verdict is False), default=1)


def _one_line(text: str) -> str:
    return " ".join(text.split())
