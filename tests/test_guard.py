"""Calls that cannot hang."""

from __future__ import annotations

import threading
import time

import pytest

from nertsim import guard
from nertsim.guard import Stuck, guarded


@pytest.fixture(autouse=True)
def short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(guard, "STUCK_LOOKS", 5)


def nowhere() -> int:
    return 0


def test_what_a_call_returns_or_raises_is_handed_on() -> None:
    assert guarded(lambda: 42, nowhere) == 42
    with pytest.raises(ZeroDivisionError):
        guarded(lambda: 1 // 0, nowhere)
    with pytest.raises(SystemExit):
        guarded(lambda: (_ for _ in ()).throw(SystemExit(3)), nowhere)
    assert guarded(lambda: None, nowhere) is None


def test_a_call_that_does_not_move_is_stuck_and_the_next_one_is_not() -> None:
    free = threading.Event()
    start = time.perf_counter()
    with pytest.raises(Stuck):
        guarded(lambda: free.wait(20), nowhere)
    assert 0.08 < time.perf_counter() - start < 5
    assert guarded(lambda: "fine", nowhere) == "fine"
    free.set()
    # What the stuck call returned in the end is nobody's.
    time.sleep(0.05)
    assert [guarded(lambda number=number: number, nowhere) for number in range(5)] == list(range(5))  # type: ignore[misc]


def test_a_call_that_moves_may_take_its_time() -> None:
    steps = iter(range(10**9))
    assert guarded(lambda: time.sleep(0.4) or "done", lambda: next(steps)) == "done"


def test_a_call_that_moves_now_and_then_is_not_stuck() -> None:
    looks = iter(range(10**9))
    assert guarded(lambda: time.sleep(0.5) or "done", lambda: next(looks) // 4) == "done"


def test_calls_run_side_by_side_and_threads_are_used_again() -> None:
    both = threading.Barrier(4, timeout=10)
    results: list[int] = []

    def one() -> None:
        results.append(guarded(both.wait, nowhere))

    def workers() -> int:
        return sum(thread.name == "nertsim kernel" for thread in threading.enumerate())

    for _ in range(3):
        threads = [threading.Thread(target=one) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(results) == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    before = workers()
    for _ in range(20):
        guarded(lambda: 1, nowhere)
    assert workers() == before


def test_a_call_lets_go_of_what_it_held() -> None:
    class Large:
        pass

    import gc
    import weakref

    large = Large()
    seen = weakref.ref(large)
    guarded(lambda large=large: None, nowhere)  # type: ignore[misc]
    del large
    time.sleep(0.05)
    gc.collect()
    assert seen() is None
