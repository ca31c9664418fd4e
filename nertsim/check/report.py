"""What a check comes to: nine steps for each bot."""

from __future__ import annotations

import dataclasses
from typing import Any

NAMES = {
    1: "imports",
    2: "compiles",
    3: "right types",
    4: "legal",
    5: "ends",
    6: "hidden cards",
    7: "bounds",
    8: "repeatable",
    9: "speed",
}
"""The steps, by number."""
WORDS = {True: "pass", False: "FAIL", None: "skipped"}


@dataclasses.dataclass(frozen=True)
class Step:
    """How one step ended for one bot."""

    bot: str
    """What names the bot on the command line."""
    number: int
    passed: bool | None
    """None: skipped, or it could not be told."""
    text: str
    """What was found, and what to do: one line."""

    @property
    def name(self) -> str:
        """The name of the step."""
        return NAMES[self.number]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command line prints them."""
        return {
            "bot": self.bot,
            "number": self.number,
            "name": self.name,
            "passed": self.passed,
            "text": self.text,
        }

    def __str__(self) -> str:
        return f"{self.number} {self.name:<12}  {WORDS[self.passed]:<7}  {self.text}"


@dataclasses.dataclass
class Report:
    """What a check came to; `steps` holds those of one bot after another where a file has several."""

    bot: str
    """What was asked for."""
    seed: int
    steps: list[Step] = dataclasses.field(default_factory=list)

    @property
    def passed(self) -> bool:
        """True where no step failed."""
        return all(step.passed is not False for step in self.steps)

    @property
    def failed(self) -> list[Step]:
        """The steps that failed."""
        return [step for step in self.steps if step.passed is False]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command line prints them."""
        steps = [step.to_dict() for step in self.steps]
        return {"bot": self.bot, "passed": self.passed, "seed": self.seed, "steps": steps}

    def __str__(self) -> str:
        return "\n".join(str(step) for step in self.steps)
