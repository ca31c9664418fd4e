"""A real browser for the tests of pages: headless Chromium, driven by playwright.

A test module asks for it with ``pytestmark = pytest.mark.browser`` and ``pytest_plugins = ["tests.browser"]``, and uses
the fixture `open_page`. These tests are apart from the fast ones, and fail where playwright or Chromium is missing.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Open = Callable[..., Any]

WIDTH, HEIGHT = 1280, 800
LOCAL = ("file:", "data:", "blob:")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A playwright browser for all tests of the session."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("NERTSIM_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
    with sync_playwright() as playwright:
        # Chromium's sandbox does not work for root in a container; the pages are our own.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Open]:
    """``open_page(path, width=1280, height=800, **context)``: the file in a new browser window, loaded.

    `context` goes to playwright's `new_context`, as ``color_scheme="dark"``. The test fails at its end where a page
    wrote a warning or an error to the console, raised one, or asked for anything that is not in its own file.
    """
    faults: list[str] = []
    contexts: list[Any] = []

    def open_one(path: Path, width: int = WIDTH, height: int = HEIGHT, **context: Any) -> Any:
        contexts.append(chromium.new_context(viewport={"width": width, "height": height}, **context))
        page = contexts[-1].new_page()
        watch(page, faults)
        page.goto(Path(path).resolve().as_uri())
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not faults


def watch(page: Any, faults: list[str]) -> None:
    """Adds to `faults` what the page should not do, as it does it."""

    def console(message: Any) -> None:
        if message.type in ("error", "warning"):
            faults.append(f"console {message.type}: {message.text}")

    def request(sent: Any) -> None:
        if not sent.url.startswith(LOCAL):
            faults.append(f"request: {sent.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("request", request)
