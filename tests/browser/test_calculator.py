"""The calculator's page as a reader opens it: built, served on the loopback address, in headless Chromium."""

import hashlib
import json
import random
import subprocess
import sys
import tarfile
import threading
import time
import urllib.request
from fractions import Fraction
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlencode, urlsplit

import pytest

import dpcalc as dp
from dpcalc.worst.circle import Circle, CommonTilt
from dpcalc.worst.on_circle import Shared
from dpcalc.worst.one_by_one import flat
from tests.oracles.scan import deltas
from tests.worst import in_lists
from tests.worst.chances import flipping

pytestmark = pytest.mark.browser

BUILD = Path(__file__).parents[2] / "notebooks" / "build_calculator.py"
AXE = "https://registry.npmjs.org/axe-core/-/axe-core-4.14.1.tgz"
AXE_HASH = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"

QUESTIONS = [
    {"goal": "least-q", "n": "50000", "epsilon": "0.5", "delta": "1e-8"},
    {"goal": "least-q", "n": "1e12", "epsilon": "0.01", "delta": "1e-12"},
    {"goal": "least-q", "n": "1000", "k": "10", "epsilon": "1", "delta": "1e-6"},
    {"goal": "epsilon", "n": "1e8", "q": "0.01", "delta": "1e-10"},
    {"goal": "epsilon", "n": "10000", "q": "1/10", "k": "3", "delta": "1e-6"},
    {"goal": "delta", "n": "1e6", "q": "0.1", "epsilon": "0.0125"},
    {"goal": "delta", "n": "1000", "q": "0.0476", "epsilon": "1"},
    {"goal": "delta", "n": "30", "q": "1/4", "epsilon": "0.5", "categories": "4", "neighbours": "delete"},
    {"goal": "least-n", "q": "0.1", "epsilon": "1", "delta": "1e-6"},
    {"goal": "most-rounds", "n": "1e6", "q": "0.1", "epsilon": "1", "delta": "1e-6"},
]
LONG = {"goal": "least-q", "n": "1e5", "categories": "16", "rounds": "30", "epsilon": "1", "delta": "1e-9"}

SUMS = """
const [arrays, done] = arguments;
import("./sums.js").then(({ deltas }) => done(Array.from(deltas(...arrays.map((one) => Float64Array.from(one))))));
"""
AS_ON_THE_PAGE = """
import sys
sys.modules["numpy"] = None
from dpcalc.cli import main
from dpcalc.worst import one_by_one
from tests.worst import in_lists
one_by_one.evaluate = in_lists.deltas
raise SystemExit(main())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    target = tmp_path_factory.mktemp("site") / "calculator"
    subprocess.run([sys.executable, str(BUILD), "--output", str(target)], check=True)
    return target


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Site:
    """The folder, served until ``stop``."""

    def __init__(self, folder):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def stop(self):
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


@pytest.fixture(scope="module")
def site(folder):
    served = Site(folder)
    yield served
    served.stop()


@pytest.fixture
def open_browser(tmp_path):
    from selenium import webdriver

    opened = []

    def start(*more):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in (
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
            "--disable-background-networking", "--disable-component-update", "--window-size=1100,1000",
            f"--user-data-dir={tmp_path / 'profile'}", *more,
        ):  # fmt: skip
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        opened.append(webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver")))
        return opened[-1]

    yield start
    for driver in opened:
        driver.quit()


def wait(driver, script, seconds=60):
    """What a script returns, once it is true."""
    end = time.monotonic() + seconds
    while not (found := driver.execute_script(f"return {script}")):
        assert time.monotonic() < end, (script, driver.find_element("id", "status").text)
        time.sleep(0.05)
    return found


def ask(driver, address, question):
    """Open a link that asks; the answer is in the page then."""
    collected = {"collected": "categories"} if "categories" in question else {}
    driver.get("about:blank")
    driver.get(f"{address}#{urlencode({**question, **collected})}")


def answer(driver, seconds=60):
    wait(driver, "document.getElementById('status').textContent === 'Answered.'", seconds)
    return json.loads(driver.execute_script("return document.getElementById('answer').dataset.document"))


def complaints(driver):
    return [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def command_line(question, *, arrays):
    words = [f"--{name}={text}" for name, text in question.items() if name != "goal"]
    start = [sys.executable, *(["-m", "dpcalc"] if arrays else ["-c", AS_ON_THE_PAGE]), question["goal"], *words]
    text, printed = (
        subprocess.run([*start, *more], check=True, capture_output=True, text=True).stdout.strip()
        for more in ([], ["--json"])
    )
    return text, json.loads(printed)


def same(one, other):
    """Equal, but for the far digits of an enclosure's ends: another mathematical library steers otherwise."""
    if not isinstance(one, dict) or not {"lower", "upper", "digits"} <= one.keys():
        if isinstance(one, dict) and "for" in one:  # a proven end of delta
            (end,) = one.keys() - {"for"}
            near = one.keys() == other.keys() and abs(1 - Fraction(one[end]) / Fraction(other[end])) <= 1e-6
            return near and one["for"] == other["for"]
        if isinstance(one, dict):
            return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
        return one == other
    (low, high), (least, most) = ends(one), ends(other)
    return low <= most and least <= high and abs(low - least) <= least / 10**6 and abs(high - most) <= most / 10**6


def ends(value):
    return [Fraction(value.get(end, value.get("value"))) for end in ("lower", "upper")]


def test_ten_questions_are_answered_as_on_the_command_line(site, open_browser, tmp_path):
    log = tmp_path / "net.json"
    driver = open_browser(f"--log-net-log={log}")
    seconds = {}
    for question in QUESTIONS:
        start = time.monotonic()
        ask(driver, site.address, question)
        found = answer(driver)
        seconds[json.dumps(question)] = time.monotonic() - start
        inputs = found.pop("inputs")
        assert {**inputs, "goal": inputs.pop("command")}.items() >= {**question}.items()
        text, printed = command_line(question, arrays=False)
        assert driver.execute_script("return document.getElementById('lines').textContent") == text
        assert same({**found, "version": None, "inputs": None}, {**printed, "version": None, "inputs": None})
        _, usual = command_line(question, arrays=True)  # another way, as narrow or not: the same number
        for name in found.keys() & {"q", "epsilon", "delta", "n", "rounds"}:
            (low, high), (least, most) = ends(found[name]), ends(usual[name])
            assert low <= most
            assert least <= high
    print(seconds)
    assert not complaints(driver)
    driver.quit()
    events = json.loads(log.read_text())["events"]
    asked = [event["params"] for event in events if "url" in event.get("params", {})]
    own = [params["url"] for params in asked if params.get("initiator", "").startswith(site.address.rstrip("/"))]
    assert len(own) > 10
    assert {urlsplit(url).netloc for url in own if url.startswith("http")} == {urlsplit(site.address).netloc}


def visible(driver, name):
    return driver.find_element("id", name).is_displayed()


def edit(driver, name, value):
    """As a reader does it: a key, or a choice."""
    from selenium.webdriver.support.select import Select

    field = driver.find_element("id", name)
    if field.tag_name == "select":
        Select(field).select_by_value(value)
    else:
        field.send_keys(value)


EDITS = {
    "goal": "epsilon", "n": "0", "collected": "bit", "categories": "0", "neighbours": "delete", "k": "0",
    "rounds": "0", "epsilon": "0", "delta": "0",
}  # fmt: skip
UNDONE = """
const [name, value] = arguments, field = document.getElementById(name);
field.value = value;
field.dispatchEvent(new Event("change", { bubbles: true }));
"""


def test_an_answer_is_gone_at_the_first_edit_and_comes_back_by_asking_only(site, open_browser):
    driver = open_browser()
    question = {"goal": "least-q", "n": "9", "epsilon": "0.5", "delta": "0.1", "categories": "3", "rounds": "2"}
    ask(driver, site.address, question)
    for name, value in EDITS.items():
        answer(driver)
        assert visible(driver, "answer")
        said = driver.find_element("id", "asked").text
        assert all(f"{word} = {text}" in said for word, text in question.items() if word != "goal")
        before = driver.find_element("id", name).get_attribute("value")
        edit(driver, name, value)
        for media in ("print", "screen"):
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
            assert not visible(driver, "answer"), (name, media)
        assert driver.find_element("id", "status").text == "The question has changed: compute again."
        driver.execute_script(UNDONE, name, before)
        assert not visible(driver, "answer"), name
        driver.find_element("id", "ask").click()
    answer(driver)
    assert visible(driver, "answer")
    driver.execute_script("location.hash = location.hash.replace('n=9', 'n=8')")  # a link to another question
    wait(driver, "document.getElementById('n').value === '8'")
    assert not visible(driver, "answer")
    assert not complaints(driver)


def test_an_answer_that_comes_after_an_edit_is_not_shown(site, open_browser):
    driver = open_browser()
    question = {"goal": "epsilon", "n": "1e6", "q": "0.1", "delta": "1e-6", "rounds": "30"}
    ask(driver, site.address, question)
    wait(driver, "document.getElementById('status').textContent.startsWith('Computing')")
    driver.find_element("id", "n").send_keys("\b5")
    wait(driver, "document.getElementById('status').textContent === 'The question has changed: compute again.'")
    assert not visible(driver, "answer")
    driver.find_element("id", "ask").click()
    assert answer(driver)["inputs"]["n"] == "1e5"
    assert not complaints(driver)


def test_the_curve_is_the_mechanism_s_own_and_holds_up_no_question(site, open_browser, tmp_path):
    driver = open_browser()
    ask(driver, site.address, {"goal": "least-q", "n": "50000", "epsilon": "1", "delta": "1e-8"})
    answer(driver)
    wait(driver, "!document.getElementById('attacker').hidden")
    assert "sum of both errors below 94.29 %" in driver.find_element("id", "picture-caption").text
    wait(driver, "document.getElementById('attacker').getAttribute('aria-busy') === 'false'")
    points = driver.execute_script("return document.querySelector('.curve').getAttribute('points')")
    places = [tuple(map(float, point.split(","))) for point in points.split(" ")]
    errors = [(x - 60) / 340 + 1 - (y - 20) / 260 for x, y in places]
    assert min(errors) == pytest.approx(0.9429, abs=0.001)
    assert max(errors) == pytest.approx(1, abs=0.001)
    curve = dp.tradeoff(dp.KRandomization(n=50000, q="0.000979976"))
    for x, y in places[34::68]:
        missed = curve.false_negative((x - 60) / 340)
        assert missed.lower - Fraction(1, 100) <= 1 - (y - 20) / 260 <= missed.upper + Fraction(1, 1000)
    assert not visible(driver, "patience")
    driver.save_screenshot(str(tmp_path / "page.png"))
    ask(driver, site.address, {**LONG, "goal": "delta", "q": "0.0067"})
    answer(driver)
    assert "take minutes" in driver.find_element("id", "patience").text
    edit(driver, "goal", "epsilon")
    driver.find_element("id", "ask").click()  # while the curve is drawn
    assert answer(driver)["inputs"]["command"] == "epsilon"
    assert not complaints(driver)


def test_bad_input_is_refused_beside_its_field(site, open_browser):
    driver = open_browser()
    ask(driver, site.address, {"goal": "epsilon", "n": "1000", "q": "0.5", "delta": "1e-6"})
    text = wait(driver, "document.getElementById('q-error').textContent")
    words = [sys.executable, "-m", "dpcalc", "epsilon", "--n", "1000", "--q", "0.5", "--delta", "1e-6"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert f"dpcalc epsilon: {text}\n" == done.stderr
    assert driver.switch_to.active_element.get_attribute("id") == "q"
    assert driver.find_element("id", "q").get_attribute("aria-invalid") == "true"
    assert not driver.find_element("id", "answer").is_displayed()
    field = driver.find_element("id", "q")
    field.clear()
    field.send_keys("0.1\n")
    assert answer(driver)["inputs"]["q"] == "0.1"
    assert driver.find_element("id", "q-error").text == ""
    assert "q=0.1" in driver.current_url
    assert not complaints(driver)


def test_a_long_question_is_cancelled_and_the_next_one_answered(site, open_browser):
    driver = open_browser()
    ask(driver, site.address, LONG)
    wait(driver, "document.getElementById('done').textContent.endsWith(' ranges of datasets bounded')")
    assert driver.find_element("id", "status").text.startswith("Computing")
    driver.find_element("id", "cancel").click()
    assert not driver.find_element("id", "done").text
    assert driver.find_element("id", "status").text == "Cancelled."
    driver.execute_script("document.getElementById('collected').value = 'bit'; question.rounds.value = '1';")
    driver.execute_script("document.getElementById('collected').dispatchEvent(new Event('change', {bubbles: true}))")
    driver.find_element("id", "ask").click()
    assert answer(driver)["inputs"] == {"command": "least-q", "n": "1e5", "epsilon": "1", "delta": "1e-9"}
    assert not complaints(driver)


@pytest.mark.parametrize("question", [QUESTIONS[5], QUESTIONS[7]])
def test_a_certificate_goes_round(site, open_browser, tmp_path, question):
    driver = open_browser()
    ask(driver, site.address, question)
    answer(driver)
    driver.find_element("id", "certify").click()
    wait(driver, "!document.getElementById('certificate').hidden")
    text = unquote(driver.find_element("id", "certificate").get_attribute("href").partition(",")[2])
    alone = tmp_path / "certificate.json"
    wrong = json.loads(text)
    wrong["answer"]["upper"] = wrong["answer"]["lower"]
    for changed, verdict in ((text, "holds"), (json.dumps(wrong), "is refused")):
        alone.write_text(changed, encoding="utf-8")
        driver.find_element("id", "check").send_keys(str(alone))
        wait(driver, f"document.getElementById('status').textContent === 'The certificate {verdict}.'")
        checker = [sys.executable, str(BUILD.parents[1] / "dpcalc" / "check.py"), str(alone)]
        done = subprocess.run(checker, capture_output=True, text=True, check=False)
        shown = driver.execute_script("return document.getElementById('verdict').textContent")
        assert shown.strip() in done.stdout + done.stderr
        assert shown
    assert not complaints(driver)


def test_sums_in_javascript_hold_the_truth(site, open_browser):
    """All compositions on circles of their own: each pool's delta by its definition is between the ends."""
    driver, draw, seen = open_browser(), random.Random(1), 0
    driver.get(site.address)
    for _ in range(30):
        q, k, n = Fraction(draw.randint(1, 49), 100), draw.choice([1, 2, 3]), draw.randint(2, 9)
        lam = Fraction(draw.randint(100, 190), 100)
        saddle = CommonTilt.of(flipping(q), k, k * n, (lam, lam))
        if saddle is None:
            continue
        exact, pools = deltas(n, q, k, lam), [(k * m, k * (n - 1 - m)) for m in range(n)]
        circle = Circle.serving(
            saddle, [(float(k * n - k), 0.0, 1.0), (0.0, float(k * n - k), 1.0)], (0.0, k * n * 0.25), 1e-9, 10**4
        )
        tables = flat(saddle, Shared.of(saddle, circle, k * n, 2 * k * n, 0.0))
        places = [(a, b, draw.randrange(a + b + k)) for a, b in pools]
        arrays = [*(list(table) for table in tables), [float(x) for place in places for x in place]]
        ends = driver.execute_async_script(SUMS, arrays)
        python = in_lists.deltas(tables, places)
        for i, value in enumerate(exact):
            low, high = ends[2 * i : 2 * i + 2]
            assert low <= value <= high
            assert (high == 1) == (python[i][1] == 1)
            if high < 1:
                seen += 1
                assert abs(low - python[i][0]) <= 1e-12 + 1e-6 * high
                assert abs(high - python[i][1]) <= 1e-12 + 1e-6 * high
    assert seen > 50


def test_it_works_without_a_network(folder, open_browser):
    served = Site(folder)
    try:
        driver = open_browser()
        driver.get(served.address)
        kept = len(list(folder.iterdir()))  # and "./", not the worker
        script = (
            "const done = arguments[0]; navigator.serviceWorker.ready.then(() => caches.keys())"
            ".then(names => caches.open(names[0])).then(cache => cache.keys()).then(keys => done(keys.length))"
        )
        assert driver.execute_async_script(script) == kept
    finally:
        served.stop()
    ask(driver, served.address, QUESTIONS[0])
    assert answer(driver)["value"] == command_line(QUESTIONS[0], arrays=False)[1]["value"]


@pytest.mark.parametrize("width", [1100, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(site, open_browser, tmp_path, width, scheme):
    archive = tmp_path / "axe.tgz"
    with urllib.request.urlopen(AXE, timeout=60) as source:
        archive.write_bytes(source.read())
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == AXE_HASH
    with tarfile.open(archive) as opened:
        axe = opened.extractfile("package/axe.min.js").read().decode()
    driver = open_browser()
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    ask(driver, site.address, QUESTIONS[0])
    answer(driver)
    wait(driver, "!document.getElementById('attacker').hidden")
    found = driver.execute_async_script(f"{axe}; axe.run().then(arguments[arguments.length - 1])")
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []
    assert len(found["passes"]) > 20
    overflow = driver.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0
