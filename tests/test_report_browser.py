"""Reports in a real browser: they open without a network and without a complaint, on a wide screen and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import nertsim
from nertsim.bots.spec import parse_bot

pytestmark = pytest.mark.browser
pytest_plugins = ["tests.browser"]

NAME = '<img src=x onerror="alert(1)"> $x_1$'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of all kinds of runs."""
    top = tmp_path_factory.mktemp("pages")
    common: dict[str, Any] = {"seats": 2, "seed": 1, "threads": 1}
    mine = nertsim.Bot(parse_bot("greedy").strategy, label=NAME)
    runs = [
        nertsim.simulate([mine, "hasty"], deals=600, **common),
        nertsim.match("greedy", matches=40, **common),
        nertsim.compare("greedy", "hasty", deals=1000, **common),
        nertsim.tournament(["greedy", "hasty", "random"], deals=2000, **common),
        nertsim.sweep("speed=0.9,1,1.2", "greedy", deals=80, **common),
        nertsim.sweep(["call_bonus=0,10", "penalty=1,2"], "greedy", deals=60, **common),
    ]
    nertsim.report(runs, top / "report.html")
    return top / "report.html"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_as_wide_as_the_window(page: Path, open_page: Any, width: int, scheme: str) -> None:
    opened = open_page(page, width=width, color_scheme=scheme)
    assert opened.title() == "6 runs – nertsim report"
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    plots = opened.locator(".plot svg")
    assert plots.count() > 35
    for box in (plots.nth(place).bounding_box() for place in range(plots.count())):
        assert box["width"] > 250 and box["height"] > 80
    texts = opened.evaluate("[...document.querySelectorAll('.plot text')].map(t => getComputedStyle(t).fill)")
    ink = opened.evaluate("getComputedStyle(document.body).color")
    assert texts.count(ink) > 300  # the texts of plots are as dark or light as those of the page


def test_every_text_of_a_plot_lies_within_it(page: Path, open_page: Any) -> None:
    opened = open_page(page)
    outside = opened.evaluate(
        """[...document.querySelectorAll('.plot svg')].flatMap(svg => {
            const whole = svg.getBoundingClientRect();
            return [...svg.querySelectorAll('text')].filter(text => {
                const box = text.getBoundingClientRect();
                return box.left < whole.left - 3 || box.right > whole.right + 3 || box.top < whole.top - 3
                    || box.bottom > whole.bottom + 3;
            }).map(text => text.textContent);
        })"""
    )
    assert outside == []


def test_names_are_texts_and_links_lead_somewhere(page: Path, open_page: Any) -> None:
    opened = open_page(page)
    assert opened.locator("img").count() == 0
    assert opened.get_by_text("<img src=x").count() > 3
    for address in opened.evaluate("[...document.querySelectorAll('.contents a')].map(a => a.getAttribute('href'))"):
        assert opened.locator(f"[id='{address[1:]}']").count() == 1
    opened.locator(".contents a", has_text="Who beats whom").click()
    opened.wait_for_function("window.scrollY > 1000")


def test_tables_scroll_in_their_own_boxes_on_a_phone(page: Path, open_page: Any) -> None:
    opened = open_page(page, width=390)
    wide = opened.evaluate(
        "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).length"
    )
    assert wide > 0
    right = (
        "Math.max(...[...document.querySelectorAll('.scroll, .plot, pre')].map(e => e.getBoundingClientRect().right))"
    )
    assert opened.evaluate(right) <= 390
