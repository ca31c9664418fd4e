"""Run folders: what is written is read back, and nothing wrong is read in silence."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nertsim
from nertsim import BotFault, StoreError, UsageError
from nertsim.store import FORMAT, _fingerprint, write_file
from tests.fakes import FakeDealer

FIRST_PART = "part-000000000000-000000000250.parquet"


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 100 deals at 4 seats."""
    monkeypatch.setattr("nertsim.run.PART_ROWS", 400)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeDealer:
    dealer = FakeDealer(4)
    monkeypatch.setattr("nertsim.dealer.Dealer", lambda rules, bots, seed: dealer)
    return dealer


def play(out: Path | None, **keywords: Any) -> nertsim.Run:
    return nertsim.simulate(**({"bots": "greedy", "deals": 250, "seed": 3, "chunk": 32, "out": out} | keywords))


def manifest(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "manifest.json").read_text())


def change(folder: Path, **values: Any) -> None:
    changed = manifest(folder) | values
    (folder / "manifest.json").write_text(json.dumps(changed | {"sha256": _fingerprint(changed)}))


def test_a_run_is_read_back_as_it_was(tmp_path: Path, small_parts: None) -> None:
    kept = play(None)
    written = play(tmp_path / "run", rules="standard", command=["nertsim", "simulate"])
    loaded = nertsim.load(tmp_path / "run")
    for run in (written, loaded):
        pd.testing.assert_frame_equal(run.seats, kept.seats)
        pd.testing.assert_frame_equal(run.deals, kept.deals)
        assert run.totals == kept.totals
    assert loaded.summary["seats"] == kept.summary["seats"]
    assert loaded.rules == kept.rules
    assert loaded.bots == kept.bots
    assert (loaded.seed, loaded.path) == (3, tmp_path / "run")
    assert loaded.seconds == written.seconds


def test_the_manifest_says_how_every_number_came_about(tmp_path: Path, small_parts: None) -> None:
    play(tmp_path / "run", bots=["greedy,speed=1.5", "greedy", "greedy", "hasty"], command=["nertsim", "x"], threads=2)
    found = manifest(tmp_path / "run")
    assert found["format"] == FORMAT
    assert found["state"] == "done"
    assert (found["seed"], found["count"], found["played"], found["first"]) == (3, 250, 250, 0)
    assert (found["kind"], found["part_units"], found["keep"]) == ("simulate", 100, "seats")
    (session,) = found["sessions"]
    assert (session["chunk"], session["threads"], session["command"]) == (32, 2, ["nertsim", "x"])
    assert set(session["versions"]) >= {"python", "nertsim", "numba", "numpy", "pyarrow"}
    assert set(found["rules"]) == set(nertsim.Rules().to_dict())
    assert found["bots"][0]["tempo"]["speed"] == 1.5
    assert session["machine"]["cores"] == os.cpu_count()
    for entries in found["parts"].values():
        assert len(entries) == 3
        for entry in entries:
            data = (tmp_path / "run" / entry["file"]).read_bytes()
            assert hashlib.sha256(data).hexdigest() == entry["sha256"]
            assert len(data) == entry["bytes"]


def test_parts_do_not_depend_on_threads_and_chunks(tmp_path: Path, small_parts: None) -> None:
    play(tmp_path / "one", threads=1, chunk=250)
    play(tmp_path / "two", threads=2, chunk=7)
    assert manifest(tmp_path / "one")["parts"] == manifest(tmp_path / "two")["parts"]
    assert manifest(tmp_path / "one")["totals"] == manifest(tmp_path / "two")["totals"]


def test_parts_are_plain_parquet(tmp_path: Path) -> None:
    run = play(tmp_path / "run", deals=60)
    seats = pd.read_parquet(tmp_path / "run" / "seats")
    assert seats["score"].tolist() == run.seats["score"].tolist()
    assert seats["bot"].astype(str).unique().tolist() == ["greedy"]
    schema = parquet.read_schema(tmp_path / "run" / "deals" / "part-000000000000-000000000060.parquet")
    assert schema.names == ["deal", "ended", "caller", "duration_us", "actions"]


@pytest.mark.parametrize(("keep", "folders"), [("seats", {"seats", "deals"}), ("deals", {"deals"}), ("summary", set())])
def test_only_what_is_kept_is_written(tmp_path: Path, fake: FakeDealer, keep: str, folders: set[str]) -> None:
    play(tmp_path / "run", keep=keep)
    assert {path.name for path in (tmp_path / "run").iterdir()} == folders | {"manifest.json"}
    loaded = nertsim.load(tmp_path / "run")
    assert loaded.summary["deals"] == 250
    if keep == "summary":
        with pytest.raises(UsageError, match="were not kept"):
            _ = loaded.deals


def test_nobody_called_is_kept_as_nothing(tmp_path: Path, fake: FakeDealer) -> None:
    run = play(tmp_path / "run")
    assert run.deals["caller"].isna().sum() == (run.deals["ended"] == "stuck").sum() > 0


def test_an_empty_folder_is_taken(tmp_path: Path, fake: FakeDealer) -> None:
    assert play(tmp_path).path == tmp_path


def refuse(folder: Path, fake: FakeDealer, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        play(folder)
    assert words in str(caught.value)
    assert fake.played == []


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path, fake: FakeDealer) -> None:
    (tmp_path / "something").write_text("mine")
    refuse(tmp_path, fake, "exists and is not empty")
    assert [path.name for path in tmp_path.iterdir()] == ["something"]


def test_a_file_is_refused(tmp_path: Path, fake: FakeDealer) -> None:
    (tmp_path / "file").write_text("mine")
    refuse(tmp_path / "file", fake, "is a file")
    refuse(tmp_path / "file" / "run", fake, "cannot write to the folder")


def test_a_place_where_nothing_can_be_written_is_refused(fake: FakeDealer) -> None:
    refuse(Path("/proc/nertsim-run"), fake, "cannot write to the folder /proc/nertsim-run")


def test_a_full_disk_at_the_start_is_refused(tmp_path: Path, fake: FakeDealer, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refuse(tmp_path / "run", fake, "No space left on device")
    assert not (tmp_path / "run").exists()


def test_a_full_disk_on_the_way_keeps_complete_parts(
    tmp_path: Path, fake: FakeDealer, small_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        if path.name == "part-000000000100-000000000200.parquet":
            raise StoreError(f"cannot write {path}: No space left on device")
        write_file(path, data)

    monkeypatch.setattr("nertsim.store.write_file", full)
    with pytest.raises(StoreError, match="No space left"):
        play(tmp_path / "run")
    loaded = nertsim.load(tmp_path / "run")
    assert loaded.totals.deals == 100
    assert len(loaded.seats) == 400
    assert manifest(tmp_path / "run")["state"] == "failed"


@pytest.mark.parametrize(("error", "state"), [(BotFault("seat 2"), "failed"), (KeyboardInterrupt(), "interrupted")])
def test_a_run_that_stops_keeps_what_was_played(
    tmp_path: Path, fake: FakeDealer, small_parts: None, error: BaseException, state: str
) -> None:
    fake.error, fake.fails_at = error, 230
    with pytest.raises(type(error)):
        play(tmp_path / "run", chunk=20)
    loaded = nertsim.load(tmp_path / "run")
    assert manifest(tmp_path / "run")["state"] == state
    assert loaded.totals.deals == len(loaded.deals) == 220
    assert loaded.summary["deals"] == 220


def test_a_run_that_stops_with_nothing_played_leaves_no_folder(tmp_path: Path, fake: FakeDealer) -> None:
    fake.error, fake.fails_at = BotFault("seat 2"), 40
    with pytest.raises(BotFault):
        play(tmp_path / "run", chunk=64)
    assert not (tmp_path / "run").exists()


# Loading


@pytest.fixture
def folder(tmp_path: Path, fake: FakeDealer) -> Path:
    play(tmp_path / "run")
    return tmp_path / "run"


def refuse_load(folder: Path, words: str) -> None:
    """It is neither loaded nor gone on with, and nothing in it is changed."""
    files = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    uses: list[Callable[[], Any]] = [lambda: nertsim.load(folder).seats]
    if (folder / "manifest.json").exists():
        uses += [lambda: play(folder, resume=True), lambda: play(folder, deals=10, extend=True)]
    for use in uses:
        with pytest.raises(StoreError) as caught:
            use()
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == files


def test_no_folder_and_a_foreign_folder_are_told(tmp_path: Path) -> None:
    refuse_load(tmp_path / "nothing", "is not the folder of a run: it does not exist")
    refuse_load(tmp_path, "is not the folder of a run: it holds no manifest.json")
    (tmp_path / "manifest.json").write_text('{"name": "a web site"}')
    refuse_load(tmp_path, "is not a manifest that this nertsim can read")
    (tmp_path / "manifest.json").write_text("[1, 2]")
    refuse_load(tmp_path, "is not a manifest that this nertsim can read")
    (tmp_path / "manifest.json").write_text('{"format": ')
    refuse_load(tmp_path, "is damaged: it is not JSON")
    (tmp_path / "manifest.json").write_bytes(b"\xff\xfe\x00")
    refuse_load(tmp_path, "is damaged: it is not JSON")
    (tmp_path / "manifest.json").write_text("[" * 100_000)
    refuse_load(tmp_path, "is damaged: it is not JSON")


def test_a_newer_or_older_manifest_is_told(folder: Path) -> None:
    change(folder, format="nertsim-run/3")
    refuse_load(folder, "its format is 'nertsim-run/3'; a newer nertsim wrote it")
    change(folder, format="nertsim-run/1")
    refuse_load(folder, "its format is 'nertsim-run/1'; an older nertsim wrote it")


def test_a_manifest_cut_short_is_told(folder: Path) -> None:
    file = folder / "manifest.json"
    file.write_bytes(file.read_bytes()[:-100])
    refuse_load(folder, "is damaged: it is not JSON")
    file.write_bytes(b"")
    refuse_load(folder, "is damaged: it is not JSON")


def test_a_number_that_was_changed_in_a_manifest_is_told(folder: Path) -> None:
    file = folder / "manifest.json"
    file.write_text(file.read_text().replace('"seed": 3', '"seed": 4'))
    refuse_load(folder, "was changed after it was written: its own checksum does not fit")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes, dict[str, Any]]:
    """A run, the bytes of its manifest, and what it says."""
    folder = tmp_path_factory.mktemp("module") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nertsim.dealer.Dealer", lambda rules, bots, seed: FakeDealer(4))
        play(folder, keep="deals", deals=40)
    return folder, (folder / "manifest.json").read_bytes(), _said(folder)


def _said(folder: Path) -> dict[str, Any]:
    run = nertsim.load(folder)
    return {"plan": run.plan.to_dict(), "totals": run.totals, "summary": run.summary, "deals": len(run.deals)}


@given(data=st.data())
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_a_manifest_damaged_anyhow_never_gives_a_wrong_number(
    written: tuple[Path, bytes, dict[str, Any]], data: st.DataObject
) -> None:
    folder, text, said = written
    start = data.draw(st.integers(0, len(text)), "start")
    length = data.draw(st.sampled_from([0, 1, 1, 2, 5, 30, 500, len(text)]), "length")
    instead = data.draw(
        st.one_of(
            st.binary(max_size=4),
            st.sampled_from([b"0", b"9", b"-", b".0", b"e1", b" ", b"\n", b"null", b"true", b"NaN", b"[]", b'"', b"}"]),
            st.integers(0, len(text)).map(lambda at: text[at : at + length]),
        ),
        "instead",
    )
    (folder / "manifest.json").write_bytes(text[:start] + instead + text[start + length :])
    try:
        assert _said(folder) == said
    except StoreError as error:
        assert "\n" not in str(error)


@given(data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_a_manifest_that_somebody_made_is_used_or_refused(
    written: tuple[Path, bytes, dict[str, Any]], data: st.DataObject
) -> None:
    folder, text, _ = written
    manifest = json.loads(text)
    at: Any = manifest
    while True:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], (dict, list)) or not at[key] or data.draw(st.integers(0, 3)) == 0:
            break
        at = at[key]
    at[key] = data.draw(st.sampled_from([None, -1, 1.5, "x", [], {}, [[]], {"x": 1}, True, 10**30, "nan"]))
    manifest["sha256"] = _fingerprint(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with contextlib.suppress(StoreError):
        nertsim.load(folder)


@pytest.mark.parametrize("name", ["rules", "bots", "totals", "parts", "seed", "seconds"])
def test_a_manifest_without_a_value_is_told(folder: Path, name: str) -> None:
    values = manifest(folder)
    del values[name]
    (folder / "manifest.json").write_text(json.dumps(values | {"sha256": _fingerprint(values)}))
    refuse_load(folder, "is damaged")


def test_an_unknown_rule_or_bot_in_a_manifest_is_told(folder: Path) -> None:
    rules = manifest(folder)["rules"]
    change(folder, rules=rules | {"gravity": 9.81})
    refuse_load(folder, "no rule called 'gravity'")
    bots = manifest(folder)["bots"]
    change(folder, rules=rules, bots=[bot | {"strategy": "oracle"} for bot in bots])
    refuse_load(folder, "no bot called 'oracle'")


def test_a_missing_part_is_told(folder: Path) -> None:
    (folder / "seats" / FIRST_PART).unlink()
    refuse_load(folder, "a part of the run is missing")


def test_a_part_cut_short_is_told(folder: Path) -> None:
    part = folder / "seats" / FIRST_PART
    part.write_bytes(part.read_bytes()[:-1])
    refuse_load(folder, "was cut or changed")


def test_a_flipped_bit_is_told(folder: Path) -> None:
    part = folder / "seats" / FIRST_PART
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 4
    part.write_bytes(data)
    refuse_load(folder, "its checksum is not the one in manifest.json")


def test_a_foreign_part_with_a_right_checksum_is_told(folder: Path) -> None:
    data = b"PAR1 this is not a table PAR1"
    write_file(folder / "seats" / FIRST_PART, data)
    parts = manifest(folder)["parts"]
    parts["seats"][0] |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    change(folder, parts=parts)
    refuse_load(folder, "cannot be read")
