"""Reports: every number is that of the API, names are harmless, what is missing is told, replays show what is said."""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import nertsim
from nertsim.bots.spec import parse_bot
from nertsim.cli import main
from nertsim.report.about import Record
from nertsim.report.again import again
from nertsim.report.data.counts import Counts, of_counter, rebinned
from nertsim.report.data.deals import read_deals
from nertsim.report.data.luck import luck_of
from nertsim.report.data.unfold import Table, unfold
from nertsim.report.document import fitting_digits, mean_cell, share_cell
from nertsim.report.plots import inline_svg, short_label
from nertsim.stats.intervals import share_interval
from tests.report_pages import Reader, value_at

NAME = 'fast <b>&"$x_1$'
"""As it may stand in a roster: harmful in HTML, and in matplotlib's texts."""
RUNS = ("simulate", "match", "compare", "tournament", "sweep", "grid")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A small run of each kind."""
    top = tmp_path_factory.mktemp("runs")
    where = {name: top / name for name in RUNS}
    quick = nertsim.Bot(parse_bot("greedy").strategy, nertsim.Tempo().replace(speed=1.3), label=NAME)
    seed, common = 7, {"threads": 1}
    nertsim.simulate([quick, "greedy", "greedy"], seats=3, deals=900, seed=seed, out=where["simulate"], **common)
    rules = nertsim.Rules(seats=2, target=30, winner_handicap=1)
    nertsim.match(["greedy", "hasty"], rules=rules, matches=60, seed=seed, out=where["match"], **common)
    two = {"seats": 2, "seed": seed, **common}
    nertsim.compare("greedy", "hasty", deals=2000, out=where["compare"], **two)
    nertsim.tournament(["greedy", "hasty", "random"], deals=3000, out=where["tournament"], **two)
    nertsim.sweep("speed=0.9,1,1.2", "greedy", deals=120, out=where["sweep"], **two)
    nertsim.sweep(["call_bonus=0,10", "rules.draw=1,3"], "greedy", deals=60, out=where["grid"], **two)
    return where


@pytest.fixture(scope="module")
def made(folders: dict[str, Path]) -> Any:
    """The report of all of them."""
    return nertsim.report([folders[name] for name in RUNS])


@pytest.fixture(scope="module")
def page(made: Any) -> Reader:
    """Its page."""
    return Reader(made.html())


def run_cli(*words: str) -> Any:
    """The command line, in this process."""
    return CliRunner().invoke(main, list(words))


def parts_of(page: Any, name: str) -> str:
    """All texts of a section."""
    section = next(one for one in page.sections if one.name == name)
    return " ".join(getattr(part, "text", "") for part in section.parts)


# Numbers


def test_every_number_on_the_page_is_that_of_the_api(made: Any, page: Reader, folders: dict[str, Path]) -> None:
    assert len(page.figures) > 300
    for run, key, value, text in page.figures:
        exact = value_at(made.data["runs"][run], key)
        assert value == ("" if exact != exact else repr(exact)), (run, key)
        assert text, (run, key)
    for run, name in enumerate(RUNS):
        keys = {key.split(".")[1] for number, key, _, _ in page.figures if number == run and key.startswith("summary")}
        assert keys
        again_loaded = nertsim.load(folders[name]).summary
        assert json.dumps(made.data["runs"][run]["summary"]) == json.dumps(again_loaded)


def test_numbers_are_written_with_the_digits_that_they_have() -> None:
    assert mean_cell(6.012345, [6.01, 6.0147], "x").text == "6.012 ± 0.002"
    assert mean_cell(-6.0, [-6.5, -5.5], "x").text == "−6.00 ± 0.50"
    assert mean_cell(1.0, [math.nan, math.nan], "x").text == "1.00"
    assert fitting_digits([0.0, 0.0], 1, 1.0) == 1
    assert share_cell(0.99996, "x").text == "99.996"
    assert share_cell(1.0, "x").text == "100.0"
    assert share_cell(0.0001, "x").text == "0.01"


def test_histograms_and_notable_deals_are_those_of_the_rows(folders: dict[str, Path]) -> None:
    run = nertsim.load(folders["simulate"])
    data = read_deals(run, lambda _: None)
    assert data is not None
    seats, deals = run.seats, run.deals
    for side, name in enumerate(run.plan.bot_names):
        mine, counts = seats[seats["bot"] == name]["score"], data.scores[side]
        for value, times in mine.value_counts().items():
            assert counts.totals[value - counts.low] == times
        assert counts.totals.sum() == len(mine)
        assert counts.quantile(0.5) == np.quantile(mine, 0.5, method="inverted_cdf")
    points = seats["score"].to_numpy().reshape(-1, 3)
    best = np.sort(points, axis=1)
    margins = best[:, -1] - best[:, -2]
    assert data.margins.span == (margins.min(), margins.max())
    assert [deal.margin for deal in data.notable.found["lopsided"]] == sorted(margins)[::-1][:5]
    first = data.notable.found["lopsided"][0]
    assert tuple(points[first.deal]) == first.scores
    assert first.seconds == deals["duration_us"][first.deal] / 1e6
    assert data.notable.found["longest"][0].deal == deals["duration_us"].idxmax()
    stuck = deals["deal"][deals["ended"] == "stuck"].tolist()
    assert [deal.deal for deal in data.notable.found["stuck"]] == stuck[:5]
    features = np.column_stack([deals["duration_us"], deals["actions"], best]).astype(float)
    distance = (((features - features.mean(axis=0)) / features.std(axis=0)) ** 2).mean(axis=1)
    assert data.notable.found["typical"][0].deal == distance.argmin()


def test_rows_in_parts_say_the_same_as_in_one(folders: dict[str, Path]) -> None:
    run = nertsim.load(folders["simulate"])
    whole = read_deals(run, lambda _: None)
    kinds = {kind: next(iter(run.read_rows(kind))) for kind in ("seats", "deals")}

    def in_parts(kind: str, names: Any = None) -> Any:
        for first in range(0, 900, 300):
            each = 3 if kind == "seats" else 1
            yield {name: rows[first * each : (first + 300) * each] for name, rows in kinds[kind].items()}

    object.__setattr__(run, "read_rows", in_parts)
    parts = read_deals(run, lambda _: None)
    assert whole is not None and parts is not None
    one, two = whole.to_dict(), parts.to_dict()
    for found in (one, two):
        found["notable"].pop("typical")  # measured by the first part
    assert one == two


def test_intervals_of_a_histogram_take_the_deal_as_one() -> None:
    values = np.random.default_rng(1).integers(0, 4, (500, 3))
    values[:, 1] = values[:, 0]  # two seats that always have the same
    counts = Counts(-2, 20, 3)
    counts.add(values[:200])
    counts.add(values[200:])
    for value in range(4):
        members = (values == value).sum(axis=1)
        expected = share_interval(500, int(members.sum()), int((members**2).sum()), 3)
        assert counts.share(value) == (members.sum() / 1500, expected)
    coarse = rebinned(of_counter({1: 3, 2: 5, 9: 2}), [0, 2, 10])
    assert [share for share, _ in coarse] == [0.3, 0.7]


def test_points_come_from_somewhere_all_of_them(made: Any) -> None:
    found = made.data["runs"][0]
    for seat, sources in zip(found["summary"]["seats"], found["found"]["sums"]["sources"], strict=True):
        assert sum(one["mean"] for one in sources.values()) == pytest.approx(seat["mean_score"], abs=1e-12)


def test_how_a_deal_unfolds_is_what_its_replay_shows(folders: dict[str, Path]) -> None:
    run = nertsim.load(folders["simulate"])
    found = unfold([Table(run.rules, run.bots, (0, 1, 1))], run.seed, [[deal] for deal in range(6)], lambda _: None)
    for moment in (7, 40):
        end = found.seconds[moment] * 1e6
        foundation, nerts = np.zeros(3), np.full(3, 6 * 13.0)
        for deal in range(6):
            for one in nertsim.replay(run.bots, run.rules, run.seed, deal).records[1:-1]:
                if one["t"] <= end and one["result"] in ("ok", "tie"):
                    foundation[one["seat"]] += one["action"] == "play"
                    nerts[one["seat"]] -= one.get("from") == "nerts"
        for curves, counted in ((found.foundation, foundation), (found.nerts, nerts)):
            assert curves[0].means[moment] == pytest.approx(counted[0] / 6)
            assert curves[1].means[moment] == pytest.approx(counted[1:].sum() / 12)
            assert curves[1].intervals[moment].low <= counted[1:].sum() / 12 <= curves[1].intervals[moment].high
    assert found.going[0] == 1 and found.going[-1] < 0.2


def test_luck_is_weighed_by_what_it_is_worth(folders: dict[str, Path]) -> None:
    run = nertsim.load(folders["simulate"])
    data = read_deals(run, lambda _: None)
    assert data is not None
    luck = luck_of(run, data)
    assert luck is not None
    assert luck.deals == 450
    for side in range(2):
        assert sum(one.deals for one in luck.bins[side]) == 450
        rising = [one.luck for one in luck.bins[side]]
        assert rising == sorted(rising)
        assert all(one.lead_interval.low <= one.lead <= one.lead_interval.high for one in luck.bins[side])
    # The bot at one seat: its rows of the second half, whatever its luck.
    rows = run.seats[(run.seats["seat"] == 0) & (run.seats["deal"] >= 450)]
    assert sum(one.win_rate * one.deals for one in luck.bins[0]) / 450 == pytest.approx(rows["won"].mean())
    assert -0.1 < luck.explained < 0.5


# Commands


@pytest.mark.parametrize("name", RUNS[1:])
def test_the_command_of_a_run_plays_it_again(name: str, folders: dict[str, Path]) -> None:
    run = nertsim.load(folders[name])
    command = again(run)
    assert command is not None
    done = run_cli(*shlex.split(command)[1:], "--format", "json")
    assert done.exit_code == 0, done.output
    timing = ("seconds", "deals_per_second")
    played, told = json.loads(done.stdout), json.loads(json.dumps(run.summary).replace("NaN", "null"))
    assert [played.pop(one) for one in timing] and [told.pop(one) for one in timing]
    assert played == told


def test_the_commands_of_notable_deals_show_these(made: Any) -> None:
    page = made.pages[RUNS.index("match")]
    notable = made.data["runs"][RUNS.index("match")]["found"]["matches"]["notable"]
    section = next(one for one in page.sections if one.name == "matches")
    commands = [part for part in section.parts if hasattr(part, "command")]
    one = notable["lopsided"][0]
    done = run_cli(*shlex.split(commands[0].command)[1:])
    before = [int(value) for value in re.search(r"--scores=(\S+)", commands[0].command)[1].split(",")]  # type: ignore[index]
    scores = [int(line.split()[-1]) for line in done.stdout.splitlines()[-2:]]
    assert [start + score for start, score in zip(before, scores, strict=True)] == list(one["points"])


def test_a_bot_made_in_python_has_a_call_in_place_of_a_command(made: Any) -> None:
    simulated = made.pages[0]
    section = next(one for one in simulated.sections if one.name == "deals")
    commands = [part.command for part in section.parts if hasattr(part, "command")]
    deal = made.data["runs"][0]["found"]["deals"]["notable"]["lopsided"][0]["deal"]
    assert any(f"--deal {deal}" in one for one in commands)


def test_the_commands_of_deals_of_a_batch_and_of_blocks_show_these(made: Any, folders: dict[str, Path]) -> None:
    for name in ("simulate", "compare"):
        page, run = made.pages[RUNS.index(name)], nertsim.load(folders[name])
        found = made.data["runs"][RUNS.index(name)]["found"]
        section = next(one for one in page.sections if one.name == "deals")
        first = next(part for part in section.parts if hasattr(part, "command"))
        done = run_cli(*shlex.split(first.command)[1:])
        scores = [int(line.split()[-1]) for line in done.stdout.splitlines()[-run.rules.seats :]]
        if name == "simulate":
            assert tuple(scores) == tuple(found["deals"]["notable"]["lopsided"][0]["scores"])
            continue
        block, difference = found["blocks"]["for_a"][0]
        other = nertsim.replay(run.plan.seated(1), run.rules, run.seed, block).score["seats"]
        sides = run.plan.design.tables
        assert difference == run.blocks["difference"].max()
        both = [*zip(sides[0], scores, strict=True), *zip(sides[1], (one["score"] for one in other), strict=True)]
        assert difference == sum(score if side == 0 else -score for side, score in both) / 2


def test_a_recorded_bot_is_named_by_what_is_unusual_of_it(tmp_path: Path) -> None:
    out = tmp_path / "run"
    nertsim.simulate(["weighted,leads=2,speed=1.1", "weighted"], seats=2, deals=40, seed=1, out=out, threads=1)
    assert again(nertsim.load(out)) == (
        "nertsim simulate --seats 2 --bot weighted,leads=2.0,speed=1.1 --bot weighted --deals 40 --seed 1"
    )


# The page


def test_names_do_no_harm(made: Any, page: Reader) -> None:
    html = made.html()
    assert NAME in page.text
    assert "fast <b>" not in html
    drawn = [found for found in re.findall(r"<text[^>]*>([^<]*)</text>", html) if "$x_1$" in found]
    assert drawn  # no formula was made of it


def test_any_name_can_be_drawn() -> None:
    names = ["_hidden", "日本語😀", "a\nb", "x" * 90, "$\\frac{$", '"><svg onload=alert(1)>']
    bots = [nertsim.Bot(parse_bot("greedy").strategy, label=name) for name in names]
    made = nertsim.report(nertsim.simulate(bots, seats=6, deals=60, seed=1, threads=1))
    page = Reader(made.html())
    drawn = {one.strip("\N{ZERO WIDTH SPACE}") for one in re.findall(r"<text[^>]*>([^<]*)</text>", made.html())}
    assert {"_hidden", "日本語😀", "a b", "$\\frac{$"} <= drawn
    assert all(name in page.text for name in names)
    assert "onload" not in {word for tag in re.findall(r"<[^>]*>", made.html()) for word in re.findall(r"(\w+)=", tag)}


def test_the_page_needs_nothing_else_and_has_no_id_twice(made: Any, page: Reader) -> None:
    assert len(page.ids) == len(set(page.ids))
    assert all(address.startswith(("#", "data:")) for address in page.addresses)
    assert "script" not in page.tags
    targets = {address[1:] for address in page.addresses if address.startswith("#")}
    assert targets <= set(page.ids)
    assert not re.findall(r"url\((?!#)", made.html())
    assert len(made.html()) < 3_000_000


def test_every_plot_says_what_stands_behind_it(made: Any, page: Reader) -> None:
    assert len(page.captions) == sum(len(one.figures) for one in made.pages) > 30
    for caption in page.captions:
        assert re.search(r"[\d,]+ (deals|matches|blocks|called|stuck)", caption), caption
    for one in made.pages:
        for figure in one.figures:
            for panel in figure.draw().axes:
                assert panel.get_xlabel() or panel.get_ylabel(), figure.name


def test_every_kind_has_its_sections(made: Any) -> None:
    sections = {one.kind: [section.name for section in one.sections] for one in made.pages}
    assert sections["simulate"] == [
        "about", "results", "distributions", "sources", "races", "endings", "unfolding", "luck", "deals",
    ]  # fmt: skip
    assert all({"about", "endings"} <= set(names) for names in sections.values())
    for one in made.pages:
        assert "missing" not in {type(part).__name__.lower() for section in one.sections for part in section.parts}, one


def test_long_names_are_cut_where_they_are_drawn_only() -> None:
    assert short_label("a" * 40) == "a" * 19 + "…" + "a" * 8
    assert short_label("greedy") == "greedy"


def test_plots_are_files_too(folders: dict[str, Path], tmp_path: Path) -> None:
    written = nertsim.report(folders["compare"]).write_plots(tmp_path / "new" / "plots")
    assert {file.suffix for file in written} == {".png", ".svg"}
    assert sorted(file.name for file in (tmp_path / "new" / "plots").iterdir()) == sorted(one.name for one in written)
    for file in written:
        start = file.read_bytes()[:40]
        assert start.startswith(b"\x89PNG") if file.suffix == ".png" else b"<?xml" in start


def test_the_same_plot_is_the_same_svg(made: Any) -> None:
    figure = made.pages[0].figures[0]
    assert inline_svg(figure.draw(), "a") == inline_svg(figure.draw(), "a")


# What is not there


@pytest.mark.parametrize("keep", ["summary", "deals"])
def test_what_was_not_kept_is_told_with_the_command_that_keeps_it(keep: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    nertsim.simulate("greedy", seats=2, deals=500, seed=1, keep=keep, out=out, threads=1)
    made = nertsim.report(out)
    told = [part for section in made.pages[0].sections for part in section.parts if type(part).__name__ == "Missing"]
    assert any("needs what --keep seats keeps" in part.text for part in told)
    assert all(part.command.startswith("nertsim simulate --seats 2 --bot greedy --deals 500 --seed 1") for part in told)
    shown = {figure.name for figure in made.pages[0].figures}
    assert {"win-rates", "sources", "nerts-over-time"} <= shown
    assert ("lengths" in shown) == (keep == "deals")
    assert "scores" not in shown
    assert Reader(made.html()).figures


def test_a_run_that_has_not_ended_says_so(tmp_path: Path) -> None:
    from tests.runs import interrupting

    out = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        nertsim.simulate("greedy", seats=2, deals=2000, seed=1, chunk=64, threads=1, out=out, progress=interrupting(3))
    made = nertsim.report(out)
    assert "has not ended (interrupted)" in parts_of(made.pages[0], "about")
    assert f"nertsim simulate --resume -o {out}" in Reader(made.html()).commands


def test_until_error_has_intervals_that_hold_at_every_moment(tmp_path: Path) -> None:
    run = nertsim.simulate(["greedy", "hasty"], seats=2, until_error=0.02, seed=1, keep="seats", threads=1)
    made = nertsim.report(run)
    figures = {figure.name: figure.stands_on for figure in made.pages[0].figures}
    for name in ("win-rates", "scores", "luck-wins"):
        assert "hold at every moment" in figures[name]
    found = made.data["runs"][0]
    stuck = run.totals.ended[1]
    expected = run.plan.until.share(run.totals.deals, stuck, stuck, 1)
    assert found["found"]["sums"]["ended"]["stuck"]["share_ci"] == list(expected)


def test_a_bot_that_changed_since_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    code = "import nertsim\n\n@nertsim.strategy\ndef first(view, parameters, scratch, noise):\n    return 0\n"
    file.write_text(code)
    nertsim.simulate(f"{file}:first", seats=2, deals=40, seed=1, out=tmp_path / "run", threads=1)
    file.write_text(code.replace("return 0", "return 0 + 0"))
    made = nertsim.report(tmp_path / "run")
    assert "has changed since the run" in parts_of(made.pages[0], "unfolding")
    assert made.html()


def test_a_folder_that_is_no_run_is_one_line(folders: dict[str, Path], tmp_path: Path) -> None:
    for words, said in (
        ([str(tmp_path / "no")], "is not the folder of a run: it does not exist"),
        ([str(tmp_path)], "holds no manifest.json"),
        ([str(folders["simulate"]), "-o", str(tmp_path)], "is a folder; name the file of the report"),
        ([str(folders["simulate"]), "-o", str(tmp_path / "no" / "a.html")], "does not exist"),
    ):
        done = run_cli("report", *words)
        assert done.exit_code in (1, 2)
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
        assert not done.stdout
    damaged = tmp_path / "damaged"
    nertsim.simulate("greedy", seats=2, deals=40, seed=1, out=damaged, threads=1)
    part = next((damaged / "seats").iterdir())
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(bytes(data))
    done = run_cli("report", str(damaged), "-o", str(tmp_path / "a.html"))
    assert "was changed after it was written" in done.stderr and done.exit_code == 1
    assert not (tmp_path / "a.html").exists()


@pytest.mark.parametrize(
    ("library", "what"), [("matplotlib.figure", "plots need matplotlib"), ("jinja2", "need jinja2")]
)
def test_a_missing_library_is_one_line(
    library: str, what: str, folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    done = run_cli("report", str(folders["simulate"]), "-o", str(tmp_path / "a.html"))
    assert done.exit_code == 2
    assert what in done.stderr and "pip install 'nertsim[report]'" in done.stderr
    assert run_cli("report", str(folders["simulate"])).exit_code == 0  # the terminal needs neither


# The command


@pytest.mark.parametrize("name", RUNS)
def test_the_terminal_has_the_essentials_in_80_columns(name: str, folders: dict[str, Path]) -> None:
    done = run_cli("report", str(folders[name]))
    assert done.exit_code == 0, done.output
    # A folder's name may be long, and is not broken.
    lines = [line for line in done.stdout.splitlines() if "/" not in line]
    assert max(map(len, lines)) <= 80
    assert nertsim.load(folders[name]).plan.KIND in done.stdout
    assert "To play it again" in done.stdout or name == "simulate"


def test_json_is_the_data_of_the_report(folders: dict[str, Path]) -> None:
    done = run_cli("report", str(folders["sweep"]), str(folders["match"]), "--format", "json")
    assert [one["kind"] for one in json.loads(done.stdout)["runs"]] == ["sweep", "match"]
    assert json.loads(done.stdout)["runs"][1]["summary"]["matches"] == 60


def test_files_are_written_and_told(folders: dict[str, Path], tmp_path: Path) -> None:
    done = run_cli(
        "report", str(folders["compare"]), "-o", str(tmp_path / "a.html"), "--plots", str(tmp_path / "plots")
    )
    assert not done.stdout
    assert "written: " in done.stderr and "plots written into" in done.stderr
    assert [file.name for file in tmp_path.iterdir() if file.suffix] == ["a.html"]  # nothing beside it
    assert Record(nertsim.load(folders["sweep"])).count == 60
    assert run_cli("report", str(folders["match"]), "-o", "-").stdout.startswith("<!DOCTYPE html>")


def test_progress_goes_up_to_its_end(folders: dict[str, Path]) -> None:
    told: list[tuple[int, int]] = []
    nertsim.report(folders["simulate"], progress=lambda done, whole: told.append((done, whole)))
    assert told == sorted(told, key=lambda one: one[0])
    assert all(done < whole for done, whole in told)


@pytest.mark.slow
def test_ten_million_rows_take_seconds_and_little_memory(tmp_path: Path) -> None:
    nertsim.simulate("greedy", deals=2_500_000, seed=1, keep="seats", out=tmp_path / "run")
    code = (
        "import resource, time, nertsim\n"
        "start = time.perf_counter()\n"
        f"nertsim.report({str(tmp_path / 'run')!r}, {str(tmp_path / 'a.html')!r})\n"
        "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, gigabytes = map(float, done.stdout.split())
    assert seconds < 15
    assert gigabytes < 1.0
    assert (tmp_path / "a.html").stat().st_size < 1_000_000


def test_a_tuning_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nertsim.experiments.tune import shares

    for name, value in (("TRIALS_A_STEP", 20), ("LEAST_BLOCKS", 20), ("LOOKS", 4)):
        monkeypatch.setattr(shares, name, value)  # a budget of a second
    out, asked = tmp_path / "tuned", ["build_waste=-10:10", "makes_gap=0:16"]
    nertsim.tune("weighted,build_waste=-5", asked, against="greedy", seats=2, deals=8000, seed=7, out=out, threads=1)
    made = nertsim.report(out)
    page = Reader(made.html())
    assert len(page.figures) > 25
    for _, key, value, _ in page.figures:
        exact = value_at(made.data["runs"][0], key)
        assert value == ("" if exact != exact else repr(exact)), key
    assert [figure.name for figure in made.pages[0].figures] == ["costs", "checks", "path"]
    assert all(re.search(r"[\d,]+ (deals|blocks)", caption) for caption in page.captions)
    command = again(nertsim.load(out))
    assert command is not None and "--param makes_gap=0:16 --seats 2" in command
    done = run_cli("report", str(out))
    assert done.exit_code == 0, done.output
    assert "tune, " in " ".join(done.stdout.split())
