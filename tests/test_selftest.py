"""The selftest passes for the methods as they are, and notices one that is too sure of itself."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest
from click.testing import CliRunner

import nertsim
from nertsim.cli import main
from nertsim.stats.sequential import SequentialTest


@pytest.mark.slow
def test_every_method_keeps_what_it_states() -> None:
    result = CliRunner(env=os.environ).invoke(main, ["selftest", "-n", "2000", "--seed", "3", "--format", "json"])
    found = json.loads(result.stdout)["methods"]
    assert {record["figure"] for record in found if not record["passed"]} == set()
    assert result.exit_code == 0
    assert len(found) == 15
    for record in found:
        if record["stated"] == 0.05:
            assert record["observed"] <= 0.055, record


@pytest.mark.slow
def test_an_interval_for_a_fixed_number_is_caught_where_one_looks_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SequentialTest, "radius", lambda self, count, variance: 1.96 * np.sqrt(variance / count))
    found = nertsim.selftest(500, seed=3)
    caught = {record["method"] for record in found if not record["passed"]}
    assert "compare, A against A, fresh deals" in caught
    assert "compare, blocks, no difference" in caught
    assert "simulate, score" not in caught


def test_too_few_comparisons_are_refused() -> None:
    result = CliRunner(env=os.environ).invoke(main, ["selftest", "-n", "5"])
    assert result.exit_code == 2
    assert "comparisons must be a whole number from 100" in result.stderr
