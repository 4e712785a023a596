"""Debian's Chromium, driven by Selenium, that resolves no name but those below localhost."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

if TYPE_CHECKING:
    from collections.abc import Iterator

DRIVER = shutil.which("chromedriver")
BINARY = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
WHY_NONE = "no Chromium and chromedriver here: apt install chromium chromium-driver"
WIDE, NARROW = (1280, 800), (390, 844)
# High enough that nothing of a page is below its end, where a check of colours sees nothing.
HIGH = 4_000


class Browser:
    """One browser, and ways to look at a page."""

    def __init__(self) -> None:
        options = ChromeOptions()
        assert BINARY
        options.binary_location = BINARY
        for one in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--lang=en", "--disable-background-networking",
            # A page that is left is let go: kept ones and processes in reserve cost a quarter of all.
            "--disable-features=BackForwardCache,SpareRendererForSitePerProcess,PaintHolding",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
        ):  # fmt: skip
            options.add_argument(one)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = Chrome(options=options, service=ChromeService(DRIVER))

    def look(self, size: tuple[int, int] = WIDE, *, dark: bool = False) -> None:
        """From now on at this size, in light or dark colours."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False},
        )
        self.scheme(dark=dark)

    def scheme(self, *, dark: bool) -> None:
        """From now on in light or dark colours."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def picture(self) -> bytes:
        """The whole page, as a PNG."""
        return self.driver.get_screenshot_as_png()

    def run(self, script: str, *given: Any) -> Any:
        """What a script gives that ends with a return."""
        return self.driver.execute_script(script, *given)

    def complaints(self) -> Iterator[str]:
        """What the browser said since: errors of scripts, refusals of the policy, what failed to load."""
        for one in self.driver.get_log("browser"):  # type: ignore[no-untyped-call]
            yield str(one["message"])

    def end(self) -> None:
        self.driver.quit()
