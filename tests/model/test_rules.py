"""Rules as data: presets, refusals, and their texts."""

import re
import time
from collections.abc import Callable

import attrs
import pytest

from amazons_solver import PRESETS, Rules, RulesError
from amazons_solver.model.cards import parse_card

# The table of RULES.md, row by row: suits × ranks, base_placement, build, top_anywhere, gather, skip, withhold, idle.
PRESET_TABLE = {
    "wikipedia": ("A789TJQ", "leftmost", "suit", False, "left-over-right", False, "bases", None),
    "morehead": ("A789TJQ", "leftmost", "suit", True, "left-over-right", False, "bases", None),
    "ultimate": ("789TJQ", "above", "suit", False, "left-over-right", False, "nothing", None),
    "patiencen": ("A789TJQ", "leftmost", "suit", False, "right-over-left", True, "nothing", 2),
    "pysolfc": ("A789TJQ", "any", "rank", True, "left-over-right", True, "any", None),
    "pysolfc-2.16": ("A789TJQ", "suit", "suit", True, "left-over-right", True, "any", None),
}


@pytest.mark.parametrize(("name", "row"), PRESET_TABLE.items())
def test_presets_are_the_table_of_the_rules(name: str, row: tuple[object, ...]) -> None:
    rules = Rules.preset(name)
    assert (
        rules.ranks,
        rules.base_placement,
        rules.build,
        rules.top_anywhere,
        rules.gather,
        rules.skip_complete,
        rules.withhold,
        rules.idle_passes,
    ) == row
    assert rules.suits == "CDHS"
    assert rules.max_redeals is None
    assert PRESETS[name].source


def test_there_are_six_presets_and_wikipedia_is_the_default() -> None:
    assert list(PRESETS) == list(PRESET_TABLE)
    assert Rules() == Rules.preset("wikipedia")


def test_an_unknown_preset_suggests_the_nearest() -> None:
    with pytest.raises(RulesError, match=r"wikipedia, morehead.*got 'wikpedia' \(did you mean wikipedia\?\)"):
        Rules.preset("wikpedia")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("suits", ""),
        ("suits", "CC"),
        ("suits", "DC"),
        ("suits", "X"),
        ("suits", "c"),
        ("suits", 7),
        ("ranks", ""),
        ("ranks", "AA"),
        ("ranks", "7A"),
        ("ranks", "A1"),
        ("ranks", None),
        ("base_placement", "right"),
        ("build", "colour"),
        ("gather", "left"),
        ("withhold", "all"),
        ("withhold", None),
        ("top_anywhere", 1),
        ("skip_complete", "true"),
        ("max_redeals", -1),
        ("max_redeals", True),
        ("max_redeals", 1.0),
        ("idle_passes", 0),
        ("idle_passes", "2"),
    ],
)
def test_a_bad_value_is_refused_and_names_itself(field: str, value: object) -> None:
    with pytest.raises(RulesError, match=f"expected {field} to be"):
        Rules().evolve(**{field: value})


@pytest.mark.parametrize(
    "make",
    [
        lambda: Rules(base_placement="suit", build="rank"),
        lambda: Rules.preset("pysolfc").evolve(base_placement="suit"),
        lambda: Rules.preset("pysolfc-2.16").evolve(build="rank"),
        lambda: Rules.preset("pysolfc-2.16").with_settings(["build=rank"]),
        lambda: Rules.from_json('{"build": "rank", "base_placement": "suit"}'),
        lambda: Rules.from_toml('build = "rank"\nbase_placement = "suit"'),
    ],
)
def test_foundations_of_one_suit_are_not_built_by_rank(make: Callable[[], Rules]) -> None:
    with pytest.raises(RulesError, match="expected build to be suit with base_placement=suit, got 'rank'"):
        make()


def test_both_may_be_changed_at_once() -> None:
    changed = Rules.preset("pysolfc").with_settings(["base_placement=suit", "build=suit"])
    assert changed == Rules.preset("pysolfc-2.16")
    assert Rules.preset("pysolfc-2.16").evolve(build="rank", base_placement="any") == Rules.preset("pysolfc")


def test_a_huge_number_is_refused_without_being_written_out() -> None:
    with pytest.raises(RulesError, match="of at least 0, got a number of more than 64 bits"):
        Rules(max_redeals=-(10**5000))


def test_a_bad_word_lists_the_choices() -> None:
    with pytest.raises(RulesError, match=r"one of nothing, bases, any; got 'base' .did you mean bases"):
        Rules(withhold="base")  # type: ignore[arg-type]


def test_an_unknown_field_lists_the_fields() -> None:
    expected = "expected a field of the rules (suits, ranks, base_placement, build, top_anywhere, gather, "
    with pytest.raises(RulesError, match=re.escape(expected) + ".*did you mean withhold"):
        Rules().evolve(withold="any")


def test_every_number_of_suits_and_ranks_is_legal() -> None:
    for suits in range(1, 5):
        for ranks in range(1, 14):
            rules = Rules(suits="CDHS"[:suits], ranks="A23456789TJQK"[:ranks])
            assert len(rules.deck) == suits * ranks


def test_rules_are_frozen_and_hashable() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Rules().build = "rank"  # type: ignore[misc]
    assert len({Rules(), Rules.preset("wikipedia"), Rules(withhold="any")}) == 2
    assert eval(repr(Rules(withhold="any"))) == Rules(withhold="any")  # noqa: S307 (our own text)


@pytest.mark.parametrize(
    ("settings", "changes"),
    [
        (["withhold=any"], {"withhold": "any"}),
        ([" idle_passes = None "], {"idle_passes": None}),
        (["skip_complete=TRUE", "max_redeals=0"], {"skip_complete": True, "max_redeals": 0}),
        (["top_anywhere=false", "top_anywhere=true"], {"top_anywhere": True}),
    ],
)
def test_settings_as_text(settings: list[str], changes: dict[str, object]) -> None:
    base = Rules.preset("patiencen")
    assert base.with_settings(settings) == base.evolve(**changes)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("withhold", "expected a setting such as withhold=any, got 'withhold'"),
        ("nosuch=1", "expected a field of the rules"),
        ("max_redeals=many", "expected max_redeals to be none or a whole number of at least 0, got 'many'"),
        ("max_redeals=-1", "of at least 0, got -1"),
        ("idle_passes=0", "of at least 1, got 0"),
        pytest.param("max_redeals=" + "9" * 5000, "expected max_redeals to be", id="long"),
        ("skip_complete=yes", "expected skip_complete to be true or false, got 'yes'"),
        ("build=", "expected build to be one of suit, rank; got ''"),
    ],
)
def test_bad_settings(setting: str, message: str) -> None:
    with pytest.raises(RulesError, match=re.escape(message)):
        Rules().with_settings([setting])


@pytest.mark.parametrize("name", PRESETS)
def test_toml_and_json_are_read_back(name: str) -> None:
    rules = Rules.preset(name).evolve(max_redeals=3)
    assert Rules.from_toml(rules.to_toml()) == rules
    assert Rules.from_json(rules.to_json()) == rules


def test_in_toml_an_absent_limit_is_none() -> None:
    assert "idle_passes" not in Rules().to_toml()
    assert Rules.from_toml('withhold = "any"') == Rules(withhold="any")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[]",
        "null",
        '{"build": "colour"}',
        '{"nosuch": 1}',
        pytest.param("[" * 100_000, id="deep"),
        pytest.param('{"max_redeals": ' + "9" * 5000 + "}", id="long"),
    ],
)
def test_bad_json(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(text)


@pytest.mark.parametrize(
    "text",
    ["=", 'build = "colour"', "nosuch = 1", "max_redeals = 1.5", pytest.param("a = " + "[" * 100_000, id="deep")],
)
def test_bad_toml(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.from_toml(text)


def test_tables_say_which_card_goes_on_which() -> None:
    seven, eight, queen = (parse_card(text).code for text in ("7H", "8H", "QS"))
    suit, rank = Rules().tables, Rules(build="rank", top_anywhere=True).tables
    assert suit.predecessors[eight] == bytes([seven])
    assert rank.predecessors[eight] == bytes(parse_card(f"7{s}").code for s in "CDHS")
    assert suit.predecessors[parse_card("AH").code] == b""
    assert queen in rank.single_tops
    assert not suit.single_tops
    assert not Rules(ranks="Q", top_anywhere=True).tables.single_tops


@pytest.mark.parametrize("text", ["a." * 50_000 + "a = 1", "[" * 100_000, "#" * 100_000, "x = " + "[" * 50_000])
def test_rules_that_would_keep_a_parser_busy_are_refused_at_once(text: str) -> None:
    for read in (Rules.from_toml, Rules.from_json):
        before = time.process_time()
        with pytest.raises(RulesError, match="expected rules of at most 10,000 characters, got"):
            read(text)
        assert time.process_time() - before < 1


def test_a_field_that_is_there_twice_is_refused() -> None:
    with pytest.raises(RulesError, match="expected each field once, got 'withhold' again"):
        Rules.from_json('{"withhold": "any", "suits": "CD", "withhold": "bases"}')
    with pytest.raises(RulesError, match="expected rules in TOML"):
        Rules.from_toml('withhold = "any"\nwithhold = "bases"')
