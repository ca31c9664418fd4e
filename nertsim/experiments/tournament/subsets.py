"""Families of subsets that have every point, and every pair of points, equally often: balanced incomplete designs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from nertsim.errors import UsageError

TRIES = 4
STEPS = 4000
"""Moves of one search; a family is known to exist for few sizes only, so the next larger one is tried afterwards."""


def all_subsets(points: int, size: int) -> np.ndarray:
    """All subsets of 0 … points − 1 of that size: int64 (subsets, size)."""
    return np.array(list(combinations(range(points), size)), np.int64).reshape(math.comb(points, size), size)


def balanced_subsets(points: int, size: int, generator: np.random.Generator, most: int) -> np.ndarray:
    """A small family of subsets with each point, and each two points, equally often: int64 (subsets, size).

    The images of some base subsets under a permutation that turns all points, or all but one, in a circle (Bose 1939,
    "On the construction of balanced incomplete block designs": the method of differences). The base subsets are found
    by a random walk that never gets worse, the smallest number of them first. Which of the families it is, `generator`
    says. Where none is found of up to `most` subsets, all there are;
    UsageError where these are more.
    """
    if 2 * size > points:
        # The complements of a balanced family are one.
        rest = balanced_subsets(points, points - size, generator, most)
        others = [sorted(set(range(points)) - set(one)) for one in rest.tolist()]
        return np.array(others, np.int64).reshape(len(rest), size)
    if size <= 2:
        return all_subsets(points, size)
    for turned, bases in _sizes(points, size, most):
        for _ in range(TRIES):
            found = _search(points, size, turned, bases, generator)
            if found is not None:
                return _developed(found, turned)
    if math.comb(points, size) > most:
        raise UsageError(
            f"no balanced choice of at most {most:,} tables was found for {points} bots, {size} of them at a time; "
            "fewer bots or other seats will do"
        )
    return all_subsets(points, size)


def _sizes(points: int, size: int, most: int) -> Iterator[tuple[int, int]]:
    """How many points are turned and how many base subsets there are, fewest subsets first."""
    most, pairs = min(most, math.comb(points, size) - 1), size * (size - 1) // 2
    options = [(turned, bases) for turned in (points, points - 1) for bases in range(1, most // turned + 1)]
    for turned, bases in sorted(options, key=lambda option: option[0] * option[1]):
        meetings, odd = divmod(bases * turned * pairs, points * (points - 1) // 2)
        # A pair of opposite points is met twice by each base subset that has one.
        if not odd and not (turned % 2 == 0 and meetings % 2):
            yield turned, bases


def _orbits(points: int, turned: int) -> tuple[np.ndarray, np.ndarray]:
    """Which orbit each pair lies in, int64 (points, points), and how many pairs each orbit has."""
    one, two = np.indices((points, points))
    distance = np.abs(one - two)
    orbit = np.minimum(distance, turned - distance) - 1
    if turned < points:
        orbit[-1, :] = orbit[:, -1] = turned // 2
    np.fill_diagonal(orbit, -1)
    return orbit, np.bincount(orbit[np.triu_indices(points, 1)])


def _search(points: int, size: int, turned: int, bases: int, generator: np.random.Generator) -> np.ndarray | None:
    """Base subsets whose images are balanced, int64 (bases, size); None where the walk finds none."""
    orbit, members = _orbits(points, turned)
    wanted = (bases * size * (size - 1) // 2 * members) // members.sum()
    if (wanted * members.sum() != bases * size * (size - 1) // 2 * members).any():
        return None
    chosen = np.stack([generator.permutation(points)[:size] for _ in range(bases)])
    excess = _counts(chosen, orbit, len(members)) - wanted
    moves = generator.integers([bases, size, points], size=(STEPS, 3)).tolist()
    for base, place, point in moves:
        if not excess.any():
            return chosen
        subset = chosen[base]
        if point in subset:
            continue
        others = np.delete(subset, place)
        changed = excess.copy()
        np.subtract.at(changed, orbit[subset[place], others], 1)
        np.add.at(changed, orbit[point, others], 1)
        if changed @ changed <= excess @ excess:
            excess, chosen[base, place] = changed, point
    return None if excess.any() else chosen


def _counts(chosen: np.ndarray, orbit: np.ndarray, orbits: int) -> np.ndarray:
    """How many pairs of the base subsets lie in each orbit."""
    one, two = np.triu_indices(chosen.shape[1], 1)
    return np.bincount(orbit[chosen[:, one], chosen[:, two]].ravel(), minlength=orbits)


def _developed(chosen: np.ndarray, turned: int) -> np.ndarray:
    """All images of the base subsets."""
    shifts = np.arange(turned)[:, None, None]
    return np.where(chosen < turned, (chosen + shifts) % turned, chosen).reshape(-1, chosen.shape[1])
