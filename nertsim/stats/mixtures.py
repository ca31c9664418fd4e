"""What confidence sequences and e-values are made of, on plain numbers or arrays of them.

All rest on Ville's inequality: a process that is not expected to grow where the hypothesis holds, and starts at 1, ever
reaches 1/α with probability α at most. So one may look at every moment, and stop on what one sees.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def prior_weight(best_at: float, level: float = 0.95) -> float:
    """The variance of the mixture, in that of a value, that makes radii tightest near `best_at` values.

    (2 ln(1/α) + ln(1 + 2 ln(1/α))) / n: Waudby-Smith et al. (2024), "Time-uniform central limit theory and asymptotic
    confidence sequences", appendix. `best_at` must not be chosen from the data.
    """
    narrow = 2 * math.log(1 / (1 - level))
    return (narrow + math.log(1 + narrow)) / best_at


def student_radius(count: Any, variance: Any, weight: Any, level: float = 0.95) -> np.ndarray:
    """Half-width of a confidence sequence for a mean, with the variance estimated: exact for normal values, from 2 on.

    Inverts the mixture t-test: (t²/ν) = (r − 1)/(1 − r/k), r = (√k/α)^(2/n), k = 1 + n·w, ν = n − 1, for a normal
    prior of variance `weight` (of a value's variance) over mean/deviation: Wang & Ramdas (2025), "Anytime-valid t-tests
    and confidence sequences for Gaussian means with unknown variance"; Rouder et al. (2009) for the Bayes factor.
    For n → ∞ it is the normal mixture of Robbins (1970), valid for any distribution with a finite variance.
    `count`, `variance` (of one value) and `weight` broadcast. inf while there are too few values.
    """
    count, variance = np.asarray(count, float), np.asarray(variance, float)
    growth = 1 + count * np.asarray(weight, float)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = (np.sqrt(growth) / (1 - level)) ** (2 / count)
        scaled = np.where(ratio < growth, np.expm1(np.log(ratio)) / (1 - ratio / growth), np.inf)
        return np.where(count >= 2, np.sqrt(variance * scaled * (count - 1) / count), np.inf)


def student_evidence(count: Any, mean: Any, variance: Any, weight: Any) -> np.ndarray:
    """Logarithm of the e-value against mean 0: it reaches ln(1/α) where `student_radius` leaves 0 outside.

    ln BF = (n/2)·ln[(1 + t²/ν)/(1 + t²/(ν·k))] − ½ ln k, k = 1 + n·w; source and arguments as there. 0 below two
    values. Where nothing varied it is inf, or −½ ln k for a mean of 0.
    """
    count, mean = np.asarray(count, float), np.asarray(mean, float)
    growth = 1 + count * np.asarray(weight, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(mean == 0, 0.0, count * mean**2 / (np.asarray(variance, float) * (count - 1)))
        ratio = np.where(np.isinf(scaled), np.inf, np.log1p(scaled) - np.log1p(scaled / growth))
    return np.where(count >= 2, count / 2 * ratio - np.log(growth) / 2, 0.0)


def line_radius(count: Any, variance: Any, effect: float, level: float = 0.95) -> np.ndarray:
    """Half-width of the confidence sequence that is tightest while an effect of size `effect` is being found.

    δ/2 + s² ln(2/α)/(nδ): the means θ for which neither of the two likelihood ratios, of θ ± δ against θ, has reached
    2/α. So it excludes 0 at the very moment at which the sequential probability ratio test of 0 against ±δ decides
    (Wald 1945; Robbins 1970 for the reading as a sequence). It never gets narrower than δ/2. Arguments broadcast;
    `effect` > 0 is in the units of the mean, `variance` that of one value.
    """
    count, variance = np.asarray(count, float), np.asarray(variance, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(count > 0, effect / 2 + variance * math.log(2 / (1 - level)) / (count * effect), np.inf)
