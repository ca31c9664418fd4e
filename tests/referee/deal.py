"""One deal of a trace, as parsed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Action:
    """One action line. The last three fields are worked out by `foundations` and `passes` for `layout`."""

    index: int  # place among the action lines of the deal
    name: str  # for messages
    t: int
    decided: int
    lifted: int
    seat: int
    hand: int
    kind: str
    result: str
    card: str = ""
    source: str = ""
    target: str = ""
    count: int = 1
    identity: str | None = None  # the field `as`
    stock: list[str] | None = None
    previous: Action | None = None  # of the same hand
    foundation_takes: bool = True  # an abandoned play: some foundation would have taken the card at the lift
    fruitless: bool = False  # a recycle: the pass that it ends was fruitless
    fresh: bool = False  # a rotate: its seat was made fresh since its last recycle

    @property
    def free_at(self) -> int:
        """When the hand is free again: a rejected card takes the motion time once more on its way back."""
        return 2 * self.t - self.lifted if self.result == "rejected" else self.t

    @property
    def moved(self) -> bool:
        """It moved a card for good, in the sense of a pass: ties do, drawing, recycling and rotating do not."""
        return self.kind in ("play", "build", "fill", "move", "slide") and self.result in ("ok", "tie")

    @property
    def grew(self) -> bool:
        """It made a foundation grow."""
        return self.kind == "play" and self.result == "ok"

    @property
    def stands_for(self) -> str:
        """What the card of a play is on a foundation."""
        return self.identity or self.card

    @property
    def before(self) -> int:
        """Index of the line that surely precedes the decision: the hand's previous one."""
        return self.previous.index if self.previous else -1


@dataclass
class Score:
    """The last line."""

    ended: str
    t: int
    caller: int | None
    seats: list[dict]


@dataclass
class Deal:
    """Header, action lines in file order, score line."""

    rules: dict
    decks: list[list[str]]
    score: Score
    actions: list[Action] = field(default_factory=list)

    @property
    def seats(self) -> range:
        return range(self.rules["seats"])

    def hands(self, seat: int) -> range:
        return range(self.rules["hands"][seat])

    def of(self, seat: int, hand: int) -> list[Action]:
        """The actions of one hand, in order."""
        return [action for action in self.actions if (action.seat, action.hand) == (seat, hand)]

    def cuts_motions(self) -> bool:
        """Motions that lifted before the end may be missing from the file, since their cards return by rule."""
        return self.score.ended == "time_limit" or self.rules["mid_air"] == "return"
