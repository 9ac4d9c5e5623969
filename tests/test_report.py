"""A run as a page: what stands in it, and how it behaves in a browser."""

import json
import re
import shutil
import sys
import time

import numpy as np
import pandas as pd
import pytest
import toy

from cli import __main__ as cli
from simcore import games, scenario
from simcore.engine import Experiment
from simcore.games import GAMES
from simcore.protocol import effective_rules
from simcore.report import page, write_page, write_plots
from simcore.report.content import Content, content_of
from simcore.results import carry_on, create, stored_counts
from simcore.scenario import find_game

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
CHARACTERS = [f"Hero {number}" for number in range(1, 8)]


def played(folder, game=GAMES[0], units=600, is_match=False, policies=("basic", "basic", "random"), seatings=((0, 1, 2),), **rules):
    one = Experiment(game, effective_rules(game.SWITCHES, rules), policies, seatings, 5, is_match)
    run = create(one, folder, len(seatings) * 100, units, command="cosmic simulate <b>a & b</b>")
    carry_on(run, 1)
    return run


def with_characters(run):
    """Give a run made-up rows of characters: win rates from 30 % on by 1 %, their lift, and all pairs of them."""
    table = pd.read_parquet(run.statistics_file)
    labels = table.columns[table.dtypes == "category"]
    table = table.astype(dict.fromkeys(labels, "str"))
    like = table.query("level == 'match seat' and measure == 'won' and key == '0'").iloc[0]

    def rows(grouping, measure, keys, means):
        error = 0.004
        return [
            like.to_dict()
            | {"grouping": grouping, "measure": measure, "key": key, "mean": mean, "standard_error": error}
            | {"low": mean - 2 * error, "high": mean + 2 * error, "blocks": 5_000, "n": 5_000}
            for key, mean in zip(keys, means, strict=True)
        ]

    n = len(CHARACTERS)
    pairs = [f"{one},{other}" for one in CHARACTERS for other in CHARACTERS if one != other]
    added = rows("character", "won", CHARACTERS, 0.30 + 0.01 * np.arange(n))
    added += rows("character", "lift", CHARACTERS, -0.03 + 0.01 * np.arange(n))
    added += rows("pair", "won", pairs, np.linspace(0.25, 0.4, len(pairs)))
    pd.concat([table, pd.DataFrame(added)], ignore_index=True).astype(dict.fromkeys(labels, "category")).to_parquet(run.statistics_file)
    return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs of every shape: deals, turned seats, tournaments, other games, made-up characters."""
    folder = tmp_path_factory.mktemp("runs")
    schafkopf, cosmos = map(find_game, ("schafkopf", "cosmos"))
    return {
        "deals": played(folder / "deals", points_limit=90),
        "turned": played(folder / "turned", seatings=((0, 1, 2), (2, 0, 1), (1, 2, 0))),
        "tournaments": played(folder / "tournaments", is_match=True, units=100),
        "schafkopf": played(folder / "schafkopf", schafkopf, policies=("basic",) * 4, seatings=((0, 1, 2, 3),)),
        "cosmos": played(folder / "cosmos", cosmos, 100, policies=("random",) * 3),
        "characters": with_characters(played(folder / "characters", is_match=True, units=100)),
    }


@pytest.fixture(scope="module", params=["deals", "turned", "tournaments", "schafkopf", "cosmos", "characters"])
def run(request, runs):
    return runs[request.param]


@pytest.fixture(scope="module")
def file(run, tmp_path_factory):
    out = tmp_path_factory.mktemp("pages") / "page.html"
    write_page(run.folder, out)
    return out


# What stands in the page


def test_every_figure_of_the_run_stands_in_the_page(run, file):
    text = file.read_text(encoding="utf-8")
    rows = text.partition('id="table-figures"')[2].partition("</table>")[0].count("<tr>") - 1
    assert rows == (pd.read_parquet(run.statistics_file)["grouping"] != "pair").sum()


def test_the_page_names_what_was_played(run, file):
    text = file.read_text(encoding="utf-8")
    assert f"<h1>{run.experiment.game.TITLE}</h1>" in text
    for policy in run.info["policies"]:
        assert f"<dt>{policy}</dt>" in text
    for switch in run.experiment.game.SWITCHES:
        assert f"<dt>{switch.name.replace('_', ' ')}: {run.info['rules'][switch.name]}" in text
    assert run.info["source_hash"] in text and "What the numbers do not say" in text


def test_what_a_person_wrote_is_text_and_not_markup(file):
    text = file.read_text(encoding="utf-8")
    assert "cosmic simulate &lt;b&gt;a &amp; b&lt;/b&gt;" in text and "<b>a &" not in text


def test_the_page_refers_to_nothing_outside_itself(file):
    markup = re.sub(r"<script.*?</script>", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert all(value.startswith(("#", "data:")) for value in re.findall(r'(?:src|href)="([^"]*)"', markup))
    assert "url(" not in markup and "@import" not in markup


def test_a_rule_that_was_changed_is_marked(runs):
    assert "points limit: 90 (default 100)" in page(runs["deals"].folder)
    assert "points limit 90." in page(runs["deals"].folder)
    assert "default rules." in page(runs["turned"].folder)


def test_sections_are_there_for_what_the_run_has(runs):
    def sections(name):
        return set(re.findall(r'<section id="(\w+)"', page(runs[name].folder)))

    always = {"seats", "kinds", "distributions", "figures", "limits", "played"}
    assert sections("deals") == always
    assert sections("tournaments") == always | {"length"}
    assert sections("characters") == always | {"length", "characters"}


def test_the_distributions_are_the_histograms_of_the_counts(runs):
    content = content_of(runs["deals"].folder)
    found = {histogram.measure.name: histogram.rows for histogram in content.histograms}
    assert set(found) == {"victory_points", "card_points"}
    for rows in found.values():
        assert rows.groupby("group")["share"].sum().to_numpy() == pytest.approx(np.ones(3))
    for name, rows in found.items():
        own = content.table.query("grouping == 'seat' and key == '2' and kind == 'all'").set_index("measure")
        mean = (rows["value"] * rows["share"])[rows["group"] == "seat 2 (random)"].sum()
        assert mean == pytest.approx(own.loc[name, "mean"])


def test_characters_are_ranked_with_intervals_that_hold_together(runs):
    content = content_of(runs["characters"].folder)
    found = content.characters
    assert found["character"].tolist() == CHARACTERS[::-1]
    # Sidak for seven at 95 %: 2.68 standard errors.
    assert (found["high"] - found["mean"]).to_numpy() == pytest.approx(2.683 * 0.004, rel=1e-2)
    assert found["difference"].to_numpy() == pytest.approx(0.03 - 0.01 * np.arange(7))
    assert (found["p_holm"] < 0.001).tolist() == [True, True, False, False, False, True, True]
    assert (found["shrunken"] - 0.33).abs().to_numpy() == pytest.approx((found["mean"] - 0.33).abs().to_numpy(), abs=0.003)
    assert ((found["shrunken"] - 0.33).abs() <= (found["mean"] - 0.33).abs()).all()
    assert len(content.pairs) == 42 and content.lift["character"].iloc[0] == "Hero 7"


def test_a_game_that_is_registered_today_has_a_page(monkeypatch, tmp_path):
    monkeypatch.setattr(games, "GAMES", (*GAMES, toy))
    monkeypatch.setattr(scenario, "GAMES", (*GAMES, toy), raising=False)
    monkeypatch.setattr("simcore.results.folder.find_game", lambda name: toy)
    run = played(tmp_path / "toy", toy, policies=("random",) * 3, units=200)
    assert "<h1>Toy</h1>" in page(run.folder)


def test_plots_are_written_as_images(runs, tmp_path):
    files = write_plots(runs["characters"].folder, tmp_path / "plots")
    names = {file.stem for file in files}
    assert {"ranking", "pairs", "lift", "won-by-seat", "deals-length", "card_points-deal"} <= names
    for file in files:
        data = file.read_bytes()
        assert data.startswith(b"\x89PNG") and int.from_bytes(data[16:20]) > 1000


# Runs that have nothing to show


def test_a_run_without_statistics_is_refused_in_one_line(runs, tmp_path):
    one = runs["deals"].experiment
    run = create(one, tmp_path / "empty", 100, 100)
    with pytest.raises(ValueError, match="no statistics yet; go on with: cosmic resume"):
        Content(run)


def test_a_chunk_that_is_damaged_is_named(runs, tmp_path):
    shutil.copytree(runs["deals"].folder, tmp_path / "copy")
    (tmp_path / "copy" / "chunks" / "000002.parquet").write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"000002\.parquet is missing or damaged; mend it with: cosmic resume"):
        page(tmp_path / "copy")


def test_an_interrupted_run_is_shown_as_far_as_it_came(runs, tmp_path):
    run = create(runs["deals"].experiment, tmp_path / "open", 100, 900)
    asked = iter([False] * 5)
    carry_on(run, 1, is_stopped=lambda: next(asked, True))
    assert run.info["state"] == "interrupted"
    assert stored_counts(run).blocks == pd.read_parquet(run.statistics_file)["blocks"].iloc[0]
    assert "The run is not done" in page(run.folder)


@pytest.fixture
def cosmic(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as exit_:
            cli.main(list(map(str, arguments)))
        return exit_.value.code, *capsys.readouterr()

    return call


def test_the_command_writes_the_page_and_the_plots_and_names_them(runs, tmp_path, cosmic):
    out = tmp_path / "page.html"
    code, printed, _ = cosmic("report", runs["deals"].folder, "--out", out, "--png", tmp_path / "plots")
    assert code == 0 and out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    lines = printed.splitlines()
    assert lines[0] == str(out) and len(lines) > 4 and all(line.endswith(".png") for line in lines[1:])
    code, _, err = cosmic("report", tmp_path / "nowhere", "--out", out)
    assert code == 2 and err.count("\n") == 1 and "is no run" in err


def test_a_missing_package_is_named_with_what_installs_it(runs, tmp_path, cosmic, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("simcore.report")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    code, _, err = cosmic("report", runs["deals"].folder, "--out", tmp_path / "page.html")
    assert code == 2 and "needs the package vl_convert: pip install 'cosmic-sim[report]'" in err


# In a browser


@pytest.fixture(scope="module")
def browser():
    if not (CHROMIUM and DRIVER):
        pytest.skip("needs chromium and chromedriver")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module", params=["characters", "schafkopf"])
def shown_file(request, runs, tmp_path_factory):
    """A page with every section there is, and one of another game."""
    out = tmp_path_factory.mktemp("shown") / "page.html"
    write_page(runs[request.param].folder, out)
    return out


@pytest.fixture
def opened(browser, shown_file):
    """The page in a browser, its plots drawn; sizes and colors as usual."""
    return open_page(browser, shown_file)


def open_page(browser, file):
    look(browser, 1200, "light")
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get(file.as_uri())
    wait_until(browser, "return document.documentElement.dataset.state === 'drawn'")
    return browser


def look(browser, width, scheme):
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def wait_until(browser, script):
    end = time.monotonic() + 30
    while not browser.execute_script(script):
        assert time.monotonic() < end, f"never true: {script}"
        time.sleep(0.05)


def column(browser, table, number):
    """Sorting keys of a column, from top to bottom, of the rows that are shown."""
    script = """const rows = [...document.getElementById(arguments[0]).tBodies[0].rows];
        return rows.filter(row => !row.hidden).map(row => row.cells[arguments[1]].dataset.key)"""
    return browser.execute_script(script, table, number)


def test_the_page_opens_without_a_console_message_or_a_request(opened, shown_file):
    assert opened.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in opened.get_log("performance")]
    urls = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert urls and all(url == shown_file.as_uri() or url.startswith("data:") for url in urls)


def test_every_plot_is_drawn_and_described(opened):
    script = """return [...document.querySelectorAll(".plot")].map(plot => {
        const label = [plot, ...plot.querySelectorAll("[role=graphics-document]")].map(e => e.getAttribute("aria-label")).find(Boolean);
        return [plot.querySelector("svg path") !== null, label, plot.parentElement.querySelector("figcaption").textContent];
    })"""
    found = opened.execute_script(script)
    assert len(found) >= 4
    for is_drawn, label, caption in found:
        assert is_drawn and label == caption


def test_a_click_on_a_heading_sorts_and_another_turns_the_order(opened):
    button = opened.find_element("css selector", "#table-figures thead th:nth-child(6) button")
    head = opened.find_element("css selector", "#table-figures thead th:nth-child(6)")
    button.click()
    first = column(opened, "table-figures", 5)
    numbers = [float(key) for key in first if key]
    assert head.get_attribute("aria-sort") == "descending"
    assert numbers == sorted(numbers, reverse=True) and len(set(numbers)) > 5
    assert not any(first[len(numbers) :])
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert [float(key) for key in column(opened, "table-figures", 5) if key] == sorted(numbers)


def test_the_keyboard_alone_reaches_and_sorts_a_column(opened):
    from selenium.webdriver.common.keys import Keys

    opened.execute_script("document.getElementById('search-figures').focus()")
    opened.switch_to.active_element.send_keys(Keys.TAB)
    assert opened.switch_to.active_element.get_attribute("role") == "region"
    opened.switch_to.active_element.send_keys(Keys.TAB)
    opened.switch_to.active_element.send_keys(Keys.ENTER)
    found = column(opened, "table-figures", 0)
    assert found == sorted(found) and found[0] != found[-1]


def test_the_search_keeps_the_rows_that_hold_all_words_and_says_how_many(opened):
    box = opened.find_element("id", "search-figures")
    rows = opened.execute_script(
        "return [...document.querySelectorAll('#table-figures tbody tr')].map(row => row.textContent.toLowerCase())"
    )
    wanted = [row for row in rows if "won" in row and "seat" in row]
    box.send_keys("WON  seat")
    found = opened.execute_script(
        "return [...document.querySelectorAll('#table-figures tbody tr')].filter(r => r.offsetHeight).map(r => r.textContent.toLowerCase())"
    )
    assert found == wanted and 0 < len(wanted) < len(rows)
    assert opened.find_element("id", "found-figures").text == f"{len(wanted)} of {len(rows)} rows"
    box.clear()
    box.send_keys("zzz")
    assert column(opened, "table-figures", 0) == []


def test_the_page_is_no_wider_than_a_phone_and_goes_dark_when_asked(opened):
    look(opened, 360, "light")
    wait_until(opened, "return document.documentElement.scrollWidth <= 360")
    bright = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
    ink = "return document.querySelector('.plot svg .role-axis-label text').getAttribute('fill')"
    assert opened.execute_script(ink) == "#1c1b1a"
    look(opened, 360, "dark")
    wait_until(opened, f"{ink} === '#ece9e4'")
    assert opened.execute_script("return getComputedStyle(document.body).backgroundColor") != bright
    assert opened.get_log("browser") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_fault_that_a_checker_of_accessibility_finds(browser, runs, tmp_path, scheme):
    from importlib import resources

    write_page(runs["characters"].folder, tmp_path / "page.html")
    open_page(browser, tmp_path / "page.html")
    look(browser, 1000, scheme)
    # Every row is like the first ones, and the checker looks at each cell for a long time.
    browser.execute_script("document.querySelectorAll('tbody tr:nth-child(n+6)').forEach(row => row.remove())")
    browser.set_script_timeout(300)
    browser.execute_script(resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = browser.execute_async_script("axe.run(document).then(arguments[0])")
    faults = [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in found["violations"]]
    assert faults == [] and len(found["passes"]) > 15
