"""The kernels: integers and arrays only, no allocation, a status code instead of an exception.

The authority on behaviour is the model. Where it leaves something open, these are the choices; the
plain-Python reference in the tests makes the same ones.

**Order.** Each hand has one pending event: it becomes free (at time 0), lifts, lands, comes back with a rejected card,
or ends a wait. Events happen in the order of (time, rank of the hand). Ranks are fixed for a deal: hands ascend by
``draw(stream_key(…, seat, ORDER), hand)``, then by seat and hand. The effect of an event comes first, then an automatic
call, then the check for stuck, then the decision of the hand if the event has freed it, at that very instant.

**Randomness of a decision.** Each hand counts its decisions d = 0, 1, …; a decision is one call of its bot. With `n`
noticed actions and ``word = draw(stream_key(…, seat, TIMING + hand), d)``

- ``think = max(1, think_us[min(n, 63)] * think_factor[word & 1023] >> 16)``,
- ``motion = max(1, motion_us[kind] * motion_factor[word >> 10 & 1023] >> 16)``,
- a bot's `noise` is ``noise_key(stream_key(…, seat, NOISE + hand), d)``,
- card action number i of the full legal list (PLAY to SLIDE) is overlooked when a 15-bit number is below `oversight`:
  ``word >> 20 & 0x7FFF`` for i = 0, ``word >> 36 & 0x7FFF`` for i = 1, and for all others
  ``draw(stream_key(…, seat, OVERSIGHT + hand), d * 256 + i // 4) >> 16 * (i % 4) & 0x7FFF``; DRAW, RECYCLE, ROTATE and
  CALL never are,
- the r-th rotation (0, 1, …) of a seat under ``rotation = "shuffle"`` shuffles the new stock, from its top, with the
  key ``draw(stream_key(…, seat, ROTATION), r)``.

**Legal** is what the list in `nertsim.bots.view` holds. One action stands for all that are alike: the lowest-numbered
foundation, the lowest-numbered gap. Under `gaps = "nerts_at_once"`, while it binds, filling from the nerts pile is the
only legal action, and where that is not possible (a partner holds the card), nothing is. Under `runs = "whole"` the run
is the whole pile, so nothing moves into a gap. A rotation is legal from the landing of a recycle that ended a fruitless
pass until the seat's next draw or rotation lifts; its stock must not be empty. With `calling = "automatic"` a call is
never in the list.

**Lift.** The action is looked at by itself, on the table as it is: its card must lie where it is taken from, with as
many cards on it, and its target must take it. A play asks for no particular foundation, and a gap need not be the
lowest any more. A draw must still turn as many cards. `nerts_at_once` is not asked: it binds the next decision, and
this one was made before the gap came about. Who was to fix a joker gives up when it is covered, fixed or gone; who
was not, when an undeclared joker is on top. A call in motion takes nothing.

**Landing in the own layout.** A build or slide needs its target to accept it still, a fill needs its gap, a slide a
gap; a move lands on its target if that is a gap (unless it is of a whole pile) or accepts it by then. The target must
not be closed by the partner. On an undeclared joker only what declares a fitting identity lands; where the joker that a
build or move was to fix is covered, fixed or gone, it lands if it fits what is there, and fixes nothing. Whatever else
changed does not matter any more.

**Closed.** A pile whose card is in mid-air or on its way back is closed to the partner as source and as target. A draw
and a recycle close stock and waste, a rotation the stock; each needs what it closes to be open. An empty work pile is a
gap when it is not closed.

**The nerts top** in mid-air leaves the pile showing nothing until it has landed elsewhere or come back; only then is
the next card turned up.

**The call.** Lifts at the very instant of the call still happen (or are abandoned), each in its place among the
landings of that instant. A motion that ends a called or stuck deal lands even where that is after the time limit. Under
`mid_air = "return"` whatever was lifted returns, also at that very instant, and no line is written for it.

**The time limit.** Events at the limit itself still happen.

**Seats without stock and waste** are checked for exhaustion when one of their hands decides to wait.

**Ties** look at the last landing that made a pile grow with a card of the same rank and suit. **Races**: a play that is
rejected at a foundation is lost by its seat and won by the seat that last made the aimed pile grow; a tie is tied for
both.

**Jokers.** A joker is fixed at the landing of what covers it, and (`joker_unfix`) un-fixed at the landing elsewhere of
what covered it. In nerts pile, waste and mid-air on the way to a work pile it is not declared. Where a joker covers a
lone undeclared joker, the one beneath may become any card but an ace. An abandoned or rejected action has in the trace
the identity that it would have declared or fixed.
"""
