"""A bot for tests whose every choice depends on all that it sees: two engines that show it the same play the same."""

from __future__ import annotations

import numpy as np

from nertsim.bots.strategy import Strategy
from nertsim.bots.view import (
    action,
    action_count,
    decision_number,
    fits,
    foundation_count,
    foundation_top,
    hand_count,
    my_hand,
    my_seat,
    my_stock_card,
    my_stock_count,
    my_waste_card,
    my_waste_count,
    nerts_count,
    nerts_top,
    now,
    seat_count,
    uniform,
    wait,
    waste_top,
    work_card,
    work_length,
    work_pile_count,
    work_top,
)


def observe(view, parameters, scratch, noise):
    """Takes whatever a sum over the whole view says, or waits a little."""
    total = now(view) + 3 * my_seat(view) + 5 * my_hand(view) + 7 * decision_number(view) + 11 * hand_count(view)
    for seat in range(seat_count(view)):
        total = total * 31 + nerts_top(view, seat) + 64 * nerts_count(view, seat) + 4096 * waste_top(view, seat)
        for pile in range(work_pile_count(view)):
            total = total * 31 + work_top(view, seat, pile)
            for position in range(work_length(view, seat, pile)):
                total = total * 31 + work_card(view, seat, pile, position)
    for pile in range(foundation_count(view)):
        total = total * 31 + foundation_top(view, pile)
    for position in range(my_waste_count(view)):
        total = total * 31 + my_waste_card(view, position)
    for position in range(my_stock_count(view)):
        total = total * 31 + my_stock_card(view, position)
    count = action_count(view)
    for position in range(count):
        total = total * 31 + action(view, position)
    total += np.int64(fits(nerts_top(view, my_seat(view)), waste_top(view, 0)))
    scratch[0] += 1.0
    total = (total + np.int64(scratch[0] * 13.0 + uniform(noise, 1) * 1024.0)) & 0xFFFFFFFF
    if count == 0 or total % 8 == 0:
        return wait(1000 + total % 300_000)
    return (total >> 8) % count


OBSERVER = Strategy("observer", observe, "depends on everything it sees", scratch=1)
"""It watches other seats, and is shown them as they are at its decision."""
