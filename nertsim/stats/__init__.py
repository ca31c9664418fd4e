"""Intervals, tests and ratings. Plain mathematics on arrays, counts and sums; nothing here plays a deal.

- `intervals`: for a number of deals fixed beforehand. `sequences`, `mixtures`: that hold at every moment.
- `blocks`: block scores, their intervals and bootstrap, the variance they save. `control`: luck taken out of them.
- `sequential`: the test of two bots, until a verdict. `passage`: what to expect of it, and an estimate after its stop.
- `likelihood`: generalised likelihood ratios, exact for scores of few values.
- `choices`, `ratings`: Plackett–Luce from finishing orders. `families`: many claims at once.
- `selftest`: thousands of simulated comparisons, for the error rates of all this.
"""
