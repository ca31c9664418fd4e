"""The clock (section 4): one deal from the first decision to the score.

Each hand has one pending event. Events happen in the order of (time, rank of the hand): first the effect, then an
automatic call, then the check for stuck, then the decision of the hand that the event has freed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any

import numpy as np

from nertsim.cards import new_deck
from nertsim.codes import MINIMUM_WAIT_US, Ended, Result
from nertsim.engine.layout import MAX_SCRATCH
from nertsim.rules import Rules

from . import randoms, trace
from .effects import Landing, land, lift, put_back
from .invariants import check_all, check_seat
from .legal import CALL, SLIDE, Action, legal_actions, still_possible
from .pieces import NERTS, WASTE, WORK, Hand, Phase, Seat, SeatSetup, Table
from .sight import Sight


class ReferenceFault(Exception):
    """A bot returned what is neither a legal action nor a wait."""


def play_reference(
    rules: Rules,
    seats: Sequence[SeatSetup],
    seed: int,
    deal: int,
    scores: Sequence[int] | None = None,
    check_invariants: bool = False,
    *,
    decks: Sequence[Sequence[int]] | None = None,
    arrange: Callable[[Table], None] | None = None,
) -> list[dict[str, Any]]:
    """Plays one deal and returns the lines of its trace.

    For tests, `decks` replaces the shuffled decks (cards in dealing order, also fewer than a deck), and `arrange` may
    rearrange the table after the deal.
    """
    return Deal(rules, seats, seed, deal, scores, check_invariants, decks, arrange).play()


class Deal:
    """One deal."""

    def __init__(
        self,
        rules: Rules,
        setups: Sequence[SeatSetup],
        seed: int,
        deal: int,
        scores: Sequence[int] | None,
        check_invariants: bool,
        decks: Sequence[Sequence[int]] | None,
        arrange: Callable[[Table], None] | None,
    ) -> None:
        self.rules = rules
        self.key = randoms.deal_key(seed, deal)
        self.check_invariants = check_invariants
        self.table = Table(rules, self._seats(setups, decks))
        self.hands = [hand for seat in self.table.seats for hand in seat.hands]
        self._rank_hands()
        self.lines = [trace.header(self.table, seed, deal)]
        if arrange is not None:
            arrange(self.table)
        self.sight = Sight(self.table, None if scores is None else list(scores))
        self.parameters = [_parameters(setup) for setup in setups]
        self.scratch = [np.zeros(max(setup.scratch, MAX_SCRATCH)) for setup in setups]
        self.now = 0
        self.queue: list[tuple[int, int, Hand]] = []
        self.ended: Ended | None = None
        self.end_time = 0
        self.caller: int | None = None

    def _seats(self, setups: Sequence[SeatSetup], decks: Sequence[Sequence[int]] | None) -> list[Seat]:
        seats = []
        for number, (setup, nerts, hands) in enumerate(
            zip(setups, self.rules.nerts_list, self.rules.hands_list, strict=True)
        ):
            key = randoms.stream_key(self.key, number, randoms.SHUFFLE)
            deck = randoms.shuffled(new_deck(self.rules.jokers), key) if decks is None else decks[number]
            seat = Seat(number, setup, deck, nerts, self.rules.work_piles)
            seat.hands = [Hand(seat, hand, setup.tempos[hand]) for hand in range(hands)]
            for hand in seat.hands:
                self._prepare(hand)
            seats.append(seat)
        return seats

    def _prepare(self, hand: Hand) -> None:
        """Partner, role (option `roles`) and streams of random numbers of a hand."""
        seat = hand.seat
        work = tuple(range(WORK, WORK + self.rules.work_piles))
        hand.sources = (NERTS, WASTE, *work)
        if len(seat.hands) == 2:
            hand.partner = seat.hands[1 - hand.number]
            if self.rules.roles == "split":
                hand.sources = (NERTS, *work) if hand.number == 0 else (WASTE,)
                hand.has_stock = hand.number == 1
        timing, oversight, noise = (
            randoms.stream_key(self.key, seat.number, purpose + hand.number)
            for purpose in (randoms.TIMING, randoms.OVERSIGHT, randoms.NOISE)
        )
        hand.streams = (timing, oversight, noise)

    def _rank_hands(self) -> None:
        """Equal instants: an order of the hands that depends on seed and deal."""

        def order(hand: Hand) -> tuple[int, int, int]:
            key = randoms.stream_key(self.key, hand.seat.number, randoms.ORDER)
            return randoms.draw(key, hand.number), hand.seat.number, hand.number

        for rank, hand in enumerate(sorted(self.hands, key=order)):
            hand.rank = rank

    def play(self) -> list[dict[str, Any]]:
        """Event after event until the deal ends; then the motions that still finish, and the score."""
        for hand in self.hands:
            self._schedule(hand, Phase.FREE_AT, 0)
        while self.ended is None:
            time, _, hand = heappop(self.queue)
            if time > self.rules.time_limit_us:
                self._end(Ended.TIME_LIMIT, self.rules.time_limit_us)
                break
            self.now = time
            self._event(hand)
            self._check(hand.seat)
        self._finish_motions()
        for hand in self.hands:
            put_back(hand)
            hand.phase = Phase.FREE_AT
        if self.check_invariants:
            check_all(self.table)
        assert self.ended is not None
        self.lines.append(trace.score_line(self.table, self.ended, self.end_time, self.caller))
        return self.lines

    def _event(self, hand: Hand) -> None:
        freed = self._effect(hand)
        self._end_if_stuck()
        if freed and self.ended is None:
            self._decide(hand)

    def _check(self, seat: Seat) -> None:
        if self.check_invariants:
            check_seat(self.table, seat)

    def _schedule(self, hand: Hand, phase: Phase, time: int) -> None:
        hand.phase = phase
        heappush(self.queue, (time, hand.rank, hand))

    def _end(self, ended: Ended, time: int, caller: int | None = None) -> None:
        if self.ended is None:
            self.ended, self.end_time, self.caller = ended, time, caller

    def _end_if_stuck(self) -> None:
        """When every seat is exhausted the deal ends as stuck."""
        if self.ended is None and all(seat.exhausted(self.rules.draw) for seat in self.table.seats):
            self._end(Ended.STUCK, self.now)

    def _effect(self, hand: Hand) -> bool:
        """The effect of the pending event of a hand; whether that has freed it."""
        if hand.phase is Phase.LIFT_AT:
            return self._lift(hand)
        if hand.phase is Phase.LAND_AT:
            return self._land(hand)
        if hand.phase is Phase.BACK_AT:
            put_back(hand)
        elif hand.phase is Phase.WAKE_AT:
            self.lines.append(trace.wait_line(hand, self.now))
        hand.phase = Phase.FREE_AT
        return True

    def _lift(self, hand: Hand) -> bool:
        """The cards leave their piles; or the action is no longer possible, and is abandoned."""
        assert hand.action is not None
        hand.lifted = self.now
        if not still_possible(self.table, hand, hand.action):
            self.lines.append(trace.action_line(hand, self.now, Landing(Result.ABANDONED, hand.action.target)))
            hand.phase = Phase.FREE_AT
            return True
        lift(self.table, hand)
        self._schedule(hand, Phase.LAND_AT, self.now + hand.motion)
        return False

    def _land(self, hand: Hand) -> bool:
        """The action takes effect; a rejected one has its way back still before it."""
        action = hand.action
        assert action is not None
        hand.phase = Phase.FREE_AT
        if action.kind == CALL:
            self.lines.append(trace.action_line(hand, self.now, Landing(Result.OK, 0)))
            self._end(Ended.CALLED, self.now, hand.seat.number)
            return False
        rotation_key = randoms.stream_key(self.key, hand.seat.number, randoms.ROTATION)
        landing = land(self.table, hand, self.now, rotation_key)
        self.lines.append(trace.action_line(hand, self.now, landing))
        if landing.result == Result.REJECTED:
            self._schedule(hand, Phase.BACK_AT, self.now + hand.motion)
            return False
        self._call_if_automatic(hand, action)
        return True

    def _call_if_automatic(self, hand: Hand, action: Action) -> None:
        """Option `calling`: the landing that empties the nerts pile is the call."""
        emptied = action.kind <= SLIDE and action.source == NERTS and hand.seat.nerts_count() == 0
        if self.ended is None and self.rules.calling == "automatic" and emptied:
            self.lines.append(trace.automatic_call_line(hand, self.now))
            self._end(Ended.CALLED, self.now, hand.seat.number)

    def _decide(self, hand: Hand) -> None:
        """The bot sees the table as it is now, and picks an action or waits."""
        word = randoms.draw(hand.streams[0], hand.decisions)
        noticed = self._noticed(hand, legal_actions(self.table, hand), word)
        view = self.sight.look(hand, self.now, noticed)
        noise = np.uint64(randoms.noise_key(hand.streams[2], hand.decisions))
        seat = hand.seat.number
        answer = int(hand.seat.setup.decide(view, self.parameters[seat], self.scratch[seat], noise))
        hand.decisions += 1
        hand.decided = self.now
        hand.waits = answer < 0
        if answer < 0:
            self._wait(hand, -answer)
        elif answer < len(noticed):
            self._begin(hand, noticed[answer], len(noticed), word)
        else:
            raise ReferenceFault(f"the bot returned {answer}, but there were {len(noticed)} legal actions")

    def _lot(self, hand: Hand, number: int, word: int) -> int:
        """The 15-bit number that decides whether a card action is overlooked."""
        if number < 2:
            return word >> 20 + 16 * number & 0x7FFF
        word = randoms.draw(hand.streams[1], hand.decisions * 256 + number // 4)
        return word >> 16 * (number % 4) & 0x7FFF

    def _noticed(self, hand: Hand, actions: list[Action], word: int) -> list[Action]:
        """Oversight: each card action may be overlooked; drawing, recycling, rotating and calling never are."""
        limit = hand.tempo.oversight
        if limit == 0:
            return actions
        noticed = []
        for number, action in enumerate(actions):
            if action.kind <= SLIDE and self._lot(hand, number, word) < limit:
                continue
            noticed.append(action)
        return noticed

    def _begin(self, hand: Hand, action: Action, alternatives: int, word: int) -> None:
        """Think and motion times of a decision."""
        tempo = hand.tempo
        think = int(tempo.think_us[min(alternatives, 63)]) * int(tempo.think_factor[word & 1023]) >> 16
        motion = int(tempo.motion_us[action.kind]) * int(tempo.motion_factor[word >> 10 & 1023]) >> 16
        hand.action = action
        hand.motion = max(1, motion)
        self._schedule(hand, Phase.LIFT_AT, self.now + max(1, think))

    def _wait(self, hand: Hand, microseconds: int) -> None:
        """A wait, after which the hand decides afresh; a seat with nothing to turn may be exhausted by it."""
        if microseconds < MINIMUM_WAIT_US:
            raise ReferenceFault(f"the bot asked to wait {microseconds} µs")
        self._schedule(hand, Phase.WAKE_AT, self.now + microseconds)
        self._end_if_stuck()

    def _finish_motions(self) -> None:
        """After a call, or when all are stuck: what has been lifted lands, unless it returns by rule."""
        if self.ended is Ended.TIME_LIMIT:
            return
        finish = self.rules.mid_air == "count"
        while self.queue:
            self.now, _, hand = heappop(self.queue)
            if hand.phase is Phase.LIFT_AT and self.now == self.end_time:
                self._lift(hand)
            elif not finish:
                continue
            elif hand.phase is Phase.BACK_AT:
                put_back(hand)
                hand.phase = Phase.FREE_AT
            elif hand.phase is Phase.LAND_AT and hand.action is not None and hand.action.kind != CALL:
                self._land(hand)
            self._check(hand.seat)


def _parameters(setup: SeatSetup) -> np.ndarray:
    values = np.array(setup.values, np.float64)
    values.flags.writeable = False
    return values
