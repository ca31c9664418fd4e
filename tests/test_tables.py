"""Rows, their columns, and the exact sums over them."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nertsim.codes import WON_WHOLE, DealColumn, SeatColumn
from nertsim.dealer import Chunk
from nertsim.errors import NertsimError
from nertsim.summary import summarize
from nertsim.tables import (
    DEAL_COLUMNS,
    SEAT_COLUMNS,
    columns_frame,
    deal_rows,
    deals_frame,
    join,
    seat_rows,
    seats_frame,
)
from nertsim.totals import Totals, sides_of
from tests.fakes import made_up_chunk


def test_every_number_of_the_kernels_has_a_column_with_a_meaning() -> None:
    assert [one.source for one in SEAT_COLUMNS if one.source is not None] == list(SeatColumn)
    assert [one.source for one in DEAL_COLUMNS if one.source is not None] == list(DealColumn)
    for columns in (SEAT_COLUMNS, DEAL_COLUMNS):
        frame = columns_frame(columns)
        assert list(frame.columns) == ["name", "dtype", "unit", "meaning"]
        assert frame["name"].is_unique
        assert (frame["meaning"] != "").all()


def test_seat_rows_hold_what_the_kernels_counted() -> None:
    chunk = made_up_chunk(100, 160, 3)
    frame = seats_frame(seat_rows(chunk, [0, 1, 0]), ["a", "b"])
    assert list(frame.columns) == [one.name for one in SEAT_COLUMNS]
    assert frame["deal"].tolist() == [deal for deal in range(100, 160) for _ in range(3)]
    assert frame["seat"].tolist() == [0, 1, 2] * 60
    assert frame["bot"].tolist() == ["a", "b", "a"] * 60
    assert frame["called"].dtype == bool
    flat = chunk.seats.reshape(180, -1)
    for column in SeatColumn:
        if column not in (SeatColumn.WON, SeatColumn.CALLED):
            assert frame[column.name.lower()].tolist() == flat[:, column].tolist()
    assert frame["won"].to_numpy() == pytest.approx(flat[:, SeatColumn.WON] / WON_WHOLE)
    assert frame.groupby("deal")["won"].sum().to_numpy() == pytest.approx(1.0)


def test_deal_rows_have_no_caller_where_nobody_called() -> None:
    frame = deals_frame(deal_rows(made_up_chunk(0, 9, 4)))
    assert list(frame.columns) == [one.name for one in DEAL_COLUMNS]
    assert frame["ended"].tolist() == ["called", "called", "stuck"] * 3
    assert frame["caller"].isna().tolist() == [False, False, True] * 3
    assert frame["caller"].dtype == pd.Int8Dtype()
    assert frame["caller"].dropna().tolist() == [0, 1, 3, 0, 2, 3]


def test_a_number_that_does_not_fit_is_an_error_and_never_cut() -> None:
    chunk = made_up_chunk(0, 2, 2)
    chunk.seats[1, 0, SeatColumn.SCORE] = 40_000
    with pytest.raises(NertsimError, match="score does not fit"):
        seat_rows(chunk, [0, 0])


def test_parts_that_do_not_add_up_are_an_error() -> None:
    rows = deal_rows(made_up_chunk(0, 9, 4))
    with pytest.raises(NertsimError, match="9 rows were found where there should be 10"):
        join([rows], 10, DEAL_COLUMNS)


def test_a_million_rows_become_a_table_at_once() -> None:
    chunk = made_up_chunk(0, 250_000, 4)
    start = time.perf_counter()
    frame = seats_frame(join([seat_rows(chunk, [0] * 4)], 1_000_000, SEAT_COLUMNS), ["a"])
    assert time.perf_counter() - start < 1.0
    assert len(frame) == 1_000_000
    assert frame.memory_usage().sum() < 100e6


@given(st.integers(1, 40), st.integers(1, 5), st.data())
def test_totals_do_not_depend_on_chunks(deals: int, seats: int, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, deals), max_size=5)) | {0, deals})
    sides = list(sides_of("abab!"[:seats]).values())
    totals = Totals.empty(seats, len(sides))
    for first, last in itertools.pairwise(cuts):
        totals += Totals.of_chunk(made_up_chunk(first, last, seats), sides)
    assert totals == Totals.of_chunk(made_up_chunk(0, deals, seats), sides)
    assert Totals.from_dict(totals.to_dict()) == totals


def test_squares_of_long_times_are_exact() -> None:
    chunk = made_up_chunk(0, 300, 2)
    chunk.deals[:, DealColumn.DURATION_US] = 10**11 - np.arange(300)
    totals = Totals.of_chunk(chunk, [[0, 1]])
    assert totals.deal_squares[DealColumn.DURATION_US] == sum((10**11 - one) ** 2 for one in range(300))
    scores = chunk.seats[:, :, SeatColumn.SCORE]
    assert scores.min() < 0
    assert totals.seat_squares[1][SeatColumn.SCORE] == sum(score**2 for score in scores[:, 1].tolist())


def test_the_summary_is_that_of_the_rows() -> None:
    chunk = made_up_chunk(0, 500, 4)
    labels = ("a", "b", "a", "c")
    summary = summarize(Totals.of_chunk(chunk, list(sides_of(labels).values())), labels)
    seats = seats_frame(seat_rows(chunk, [0, 1, 0, 2]), ["a", "b", "c"])
    deals = deals_frame(deal_rows(chunk))
    assert summary["deals"] == 500
    assert summary["ended"]["stuck"] == pytest.approx((deals["ended"] == "stuck").mean())
    assert summary["mean_deal_seconds"] == pytest.approx(deals["duration_us"].mean() / 1e6)
    assert summary["actions_per_deal"] == pytest.approx(deals["actions"].mean())
    for record in summary["seats"]:
        mine = seats[seats["seat"] == record["seat"]]
        assert record["bot"] == mine["bot"].iloc[0]
        assert record["mean_score"] == pytest.approx(mine["score"].mean())
        assert record["win_rate"] == pytest.approx(mine["won"].mean())
        assert record["call_rate"] == pytest.approx(mine["called"].mean())
        assert record["foundation"] == pytest.approx(mine["foundation"].mean())
        assert record["nerts_left"] == pytest.approx(mine["nerts_left"].mean())
        half = 1.959964 * mine["score"].std() / np.sqrt(500)
        assert record["score_ci"] == pytest.approx([record["mean_score"] - half, record["mean_score"] + half])
        low, high = record["win_rate_ci"]
        assert low <= record["win_rate"] <= high
    called = seats[seats["deal"].isin(deals.loc[deals["ended"] == "called", "deal"])]
    assert summary["caller"]["mean_score"] == pytest.approx(called.loc[called["called"], "score"].mean())
    assert summary["caller"]["others_mean_score"] == pytest.approx(called.loc[~called["called"], "score"].mean())
    assert summary["caller"]["win_rate"] == pytest.approx(called.loc[called["called"], "won"].mean())


def test_a_bot_at_two_seats_is_one_sample_a_deal() -> None:
    chunk = made_up_chunk(0, 500, 4)
    labels = ("a", "b", "a", "c")
    summary = summarize(Totals.of_chunk(chunk, list(sides_of(labels).values())), labels)
    record = summary["bots"][0]
    both = chunk.seats[:, [0, 2], SeatColumn.SCORE].mean(axis=1)
    half = 1.959964 * both.std(ddof=1) / np.sqrt(500)
    assert (record["bot"], record["seats"]) == ("a", [0, 2])
    assert record["score_ci"] == pytest.approx([both.mean() - half, both.mean() + half])
    assert sum(one["win_rate"] * len(one["seats"]) for one in summary["bots"]) == pytest.approx(1.0)


def test_who_sits_everywhere_wins_his_share_for_certain() -> None:
    totals = Totals.of_chunk(made_up_chunk(0, 50, 4), [[0, 1, 2, 3]])
    assert summarize(totals, ["a"] * 4)["bots"][0]["win_rate_ci"] == [0.25, 0.25]


def test_the_summary_of_nothing_is_nan() -> None:
    summary = summarize(Totals.empty(2, 1), ["a", "a"])
    assert np.isnan(summary["mean_deal_seconds"])
    assert np.isnan(summary["seats"][0]["score_ci"]).all()


def test_an_empty_chunk_has_empty_rows() -> None:
    chunk = Chunk(0, np.zeros((0, 4, len(SeatColumn)), np.int64), np.zeros((0, len(DealColumn)), np.int64))
    assert len(seat_rows(chunk, [0] * 4)["deal"]) == 0
    assert Totals.of_chunk(chunk, [[0, 1, 2, 3]]).deals == 0
