"""Pictures of cards, states, deals and lines."""

import re
from pathlib import Path
from typing import Any

import pytest

from amazons_solver import DEAL, REDEAL, Deal, IllegalMoveError, OptionError, Rules, State, parse_line, parse_move
from amazons_solver.model.cards import CARDS, parse_cards
from amazons_solver.render.cards import (
    BACK_ID,
    CARD_HEIGHT,
    CARD_WIDTH,
    COLOURS,
    FAN,
    GAP,
    STYLE,
    card_id,
    card_symbols,
    face,
)
from amazons_solver.render.svg import COLUMN, DEPOTS_Y, FOUNDATIONS_Y, deal_svg, line_svg, state_svg
from amazons_solver.render.words import card_name
from support.pictures import SVG, cards, contrast, difference, ids, marked, pairs, parse, piles, size, texts

RULES = Rules(suits="CD", ranks="A78", withhold="any", base_placement="any", idle_passes=2, max_redeals=3)
STATE = State.parse("8C | 7D AD ; 8D | 7C ; - | redeals=1 idle=1 played=0", RULES)
SUITS = ["clubs", "diamonds", "hearts", "spades"]
MARKS = ["keeps", "loses", "unknown"]

# One depot: d and then aces and sevens wait; AC>1 7C>1 wins after two rows.
LINE_RULES = Rules(suits="C", ranks="A7", withhold="bases")
LINE_START = State.initial(Deal.parse("7C AC", LINE_RULES), LINE_RULES)
LINE = parse_line("d d r d d AC>1 7C>1")


def described(picture: str) -> str:
    description = parse(picture).find(f"{SVG}desc")
    assert description is not None
    return description.text or ""


def titled(picture: str) -> str:
    title = parse(picture)[0]
    assert title.tag == f"{SVG}title"  # the first child, which is what names the picture
    return title.text or ""


class TestState:
    """`state_svg`."""

    def test_every_card_lies_where_the_geometry_says(self) -> None:
        seven_d, ace_d, eight_d, seven_c = parse_cards("7D AD 8D 7C")
        assert cards(parse(state_svg(STATE))) == {
            (GAP + COLUMN, FOUNDATIONS_Y): seven_c,
            (GAP + COLUMN, DEPOTS_Y): seven_d,
            (GAP + COLUMN, DEPOTS_Y + FAN): ace_d,
            (GAP + 2 * COLUMN, DEPOTS_Y): eight_d,
        }

    def test_no_card_covers_another_but_in_a_fan(self) -> None:
        assert COLUMN > CARD_WIDTH
        assert DEPOTS_Y > FOUNDATIONS_Y + CARD_HEIGHT

    def test_the_size_follows_from_the_geometry(self) -> None:
        width, height = size(parse(state_svg(STATE)))
        assert width == GAP + 3 * COLUMN  # the talon and two depots
        assert height == DEPOTS_Y + FAN + CARD_HEIGHT + GAP

    def test_talon_and_counters(self) -> None:
        assert texts(parse(state_svg(STATE))) == ["talon", "1", "redeals 1", "idle 1", "no play", "1", "2"]

    def test_complete_foundations_say_so(self) -> None:
        won = State.parse("- | - | 7C", LINE_RULES)
        assert texts(parse(state_svg(won))) == ["talon", "0", "1, complete"]
        assert titled(state_svg(won)) == "Amazons: won"

    def test_words_for_screen_readers(self) -> None:
        picture = state_svg(STATE, marks={parse_move("AD>2"): True, DEAL: None})
        root = parse(picture)
        assert root.get("role") == "img"
        assert titled(picture) == "Amazons: 4 cards left"
        assert described(picture) == (
            "Foundations: 1 seven of clubs; 2 empty. "
            "Depots, bottom to top: 1 seven of diamonds, ace of diamonds; 2 eight of diamonds. "
            "Talon, next card first: eight of clubs. Counters: redeals 1, idle 1, no play. "
            "After ace of diamonds to foundation 2: the game can still be won. After deal: not known to be won or lost."
        )

    def test_one_card_is_no_plural(self) -> None:
        assert titled(state_svg(State.parse("- | 7C | AC", LINE_RULES))) == "Amazons: 1 card left"

    def test_nothing_is_marked_unasked(self) -> None:
        root = parse(state_svg(STATE))
        assert [marked(root, kind) for kind in MARKS] == [[], [], []]

    @pytest.mark.parametrize(("verdict", "kind"), [(True, "keeps"), (False, "loses"), (None, "unknown")])
    @pytest.mark.parametrize("move", ["AD>2", "d"])
    def test_marks(self, move: str, verdict: bool | None, kind: str) -> None:
        root = parse(state_svg(STATE, marks={parse_move(move): verdict}))
        # An outline round the card or the talon, the line and the head of an arrow, and a badge.
        assert marked(root, kind) == ["amz-arrow", "amz-arrow", "amz-badge", "amz-head"]
        others = [other for other in MARKS if other != kind]
        assert [marked(root, other) for other in others] == [[], []]

    def test_a_redeal_is_marked(self) -> None:
        state = State.parse("- | AC 7C | -", LINE_RULES)
        assert marked(parse(state_svg(state, marks={REDEAL: True})), "keeps")

    def test_the_order_in_which_marks_are_given_does_not_matter(self) -> None:
        marks = {parse_move("AD>2"): True, DEAL: False}
        assert state_svg(STATE, marks=marks) == state_svg(STATE, marks=dict(reversed(marks.items())))

    def test_a_mark_on_a_move_that_is_not_legal_is_refused(self) -> None:
        with pytest.raises(IllegalMoveError, match=r"expected marks on legal moves \(AD>2 d\), got one on r in 8C"):
            state_svg(STATE, marks={REDEAL: True})

    def test_a_mark_in_a_game_that_is_over_is_refused(self) -> None:
        with pytest.raises(IllegalMoveError, match=r"\(none: the game is over\), got one on d"):
            state_svg(State.parse("- | - | 7C", LINE_RULES), marks={DEAL: True})


class TestThemes:
    """Light and dark."""

    @pytest.mark.parametrize("theme", ["auto", "light", "dark"])
    def test_the_theme_is_a_class_of_the_picture(self, theme: Any) -> None:
        for picture in (
            state_svg(STATE, theme=theme),
            deal_svg(Deal.numbered(0), theme=theme),
            line_svg(LINE_START, LINE, theme=theme),
        ):
            assert parse(picture).get("class") == f"amz-{theme}"

    def test_only_auto_follows_the_reader(self) -> None:
        for role, (light, dark) in COLOURS.items():
            assert f"--amz-{role}:{light};" in STYLE.partition(".amz-auto,.amz-light{")[2].partition("}")[0]
            assert f"--amz-{role}:{dark};" in STYLE.partition(".amz-dark{")[2].partition("}")[0]
            followed = STYLE.partition("@media (prefers-color-scheme:dark){.amz-auto{")[2].partition("}")[0]
            assert f"--amz-{role}:{dark};" in followed

    def test_another_theme_is_refused(self) -> None:
        with pytest.raises(OptionError, match="expected theme to be one of auto, light, dark; got 'blue'"):
            state_svg(STATE, theme="blue")  # type: ignore[arg-type]

    @pytest.mark.parametrize("theme", [0, 1])
    @pytest.mark.parametrize(
        ("one", "other", "least"),
        [  # 4.5 for text, 3 for what is drawn: success criteria 1.4.3 and 1.4.11 of the guidelines
            *[(suit, "face", 4.5) for suit in SUITS],
            ("ink", "table", 4.5),
            ("count", "back", 4.5),
            *[(mark, ground, 3) for mark in MARKS for ground in ("table", "face")],
            *[("sign", mark, 3) for mark in MARKS],
            ("edge", "table", 3),
        ],
    )
    def test_contrast(self, theme: int, one: str, other: str, least: float) -> None:
        assert contrast(COLOURS[one][theme], COLOURS[other][theme]) >= least

    def test_the_measure_itself_tells_which_red_and_green_are_mixed_up(self) -> None:
        assert difference("#C05000", "#6B7A00", "deuteranopia") < 20
        assert difference("#C05000", "#6B7A00", "all cones") > 50

    @pytest.mark.parametrize("theme", [0, 1])
    @pytest.mark.parametrize("eyes", ["all cones", "protanopia", "deuteranopia"])
    @pytest.mark.parametrize("roles", [SUITS, MARKS])
    def test_colours_differ_for_people_who_do_not_see_red_and_green_apart(
        self, theme: int, eyes: str, roles: list[str]
    ) -> None:
        for one, other in pairs([COLOURS[role][theme] for role in roles]):
            assert difference(one, other, eyes) > 20


class TestCards:
    """Faces and symbols."""

    def test_each_card_has_its_symbol(self) -> None:
        root = parse(f'<svg xmlns="http://www.w3.org/2000/svg">{card_symbols(CARDS.values())}</svg>')
        assert ids(root) == [*(card_id(card) for card in CARDS.values()), "amz-back"]
        assert {symbol.get("viewBox") for symbol in root} == {f"0 0 {CARD_WIDTH} {CARD_HEIGHT}"}

    @pytest.mark.parametrize("card", CARDS.values(), ids=str)
    def test_pips_count_the_rank(self, card: Any) -> None:
        root = parse(f'<svg xmlns="http://www.w3.org/2000/svg">{face(card)}</svg>')
        paths = [path.attrib["d"] for path in root.iter(f"{SVG}path")]
        suit = paths[0]  # the index has the suit once
        value = "A23456789T".find(card.rank.value) + 1
        if value:
            assert paths == [suit] * (1 + value)
        else:
            assert paths == [suit, paths[1], suit]  # an emblem, and the suit in the corner
            assert paths[1] != suit

    def test_faces_differ_without_colours(self) -> None:
        def shapes(card: Any) -> tuple[str, ...]:
            root = parse(f'<svg xmlns="http://www.w3.org/2000/svg">{face(card)}</svg>')
            drawn = [element.get("d") or element.text or "" for element in root.iter()]
            return tuple(drawn)

        assert len({shapes(card) for card in CARDS.values()}) == 52

    def test_a_covered_card_shows_its_index(self) -> None:
        (ten,) = parse_cards("TH")
        covered = parse(f'<svg xmlns="http://www.w3.org/2000/svg">{face(ten, covered=True)}</svg>')
        assert [text.text for text in covered.iter(f"{SVG}text")] == ["10"]
        assert len(list(covered.iter(f"{SVG}path"))) == 1

    def test_names(self) -> None:
        assert [card_name(card) for card in parse_cards("TH AS 7C QD")] == [
            "ten of hearts",
            "ace of spades",
            "seven of clubs",
            "queen of diamonds",
        ]


class TestDeal:
    """`deal_svg`."""

    def test_cards_lie_in_rows_as_they_are_dealt(self) -> None:
        deal = Deal.parse("8C AC 7C 7D 8D AD", Rules(suits="CD", ranks="A78"))
        left, right = parse_cards("8C 7C 8D"), parse_cards("AC 7D AD")
        assert piles(cards(parse(deal_svg(deal)))) == [list(left), list(right)]

    def test_words(self) -> None:
        named = deal_svg(Deal.pysolfc("24680"))
        assert titled(named) == "Amazons: deal pysolfc:24680"
        assert described(named).startswith(
            "In rows of 4, first dealt first: jack of clubs, ten of hearts, eight of clubs"
        )
        assert titled(deal_svg(Deal.parse("7C AC", LINE_RULES))) == "Amazons: a deal"

    def test_a_name_may_be_anything(self) -> None:
        named = Deal(parse_cards("AC"), "<&\"'♥\0\ud800>")
        assert titled(deal_svg(named)) == "Amazons: deal <&\"'♥\ufffd\ufffd>"


class TestLine:
    """`line_svg`."""

    def test_every_state_has_its_move_and_every_pass_its_row(self) -> None:
        root = parse(line_svg(LINE_START, LINE))
        words = texts(root)
        captions = [word for word in words if word == "won" or "." in word]
        assert captions == ["1. d", "2. d", "3. r", "4. d", "5. d", "6. AC>1", "7. 7C>1", "won"]
        assert [word for word in words if word.startswith("pass")] == ["pass 1", "pass 2"]
        # The second row has the more states, those before moves 4 to 7 and the last.
        assert size(root)[0] == 2 * GAP + 5 * (size(parse(state_svg(LINE_START)))[0] + 2 * GAP)
        assert marked(root, "move").count("amz-head") == len(LINE)

    def test_faces_are_drawn_once(self) -> None:
        root = parse(line_svg(LINE_START, LINE))
        drawn = [use.attrib["href"].removeprefix("#") for use in root.iter(f"{SVG}use")]
        assert set(drawn) <= set(ids(root))
        # After d, d: one card and two; after r, d, d again; after AC>1 two, after 7C>1 the seven.
        assert len(drawn) == 1 + 2 + 0 + 1 + 2 + 2 + 1

    def test_words(self) -> None:
        picture = line_svg(LINE_START, LINE)
        assert titled(picture) == "Amazons: a line of 7 moves that wins"
        assert described(picture).endswith(
            "Then: deal, deal, redeal, deal, deal, ace of clubs to foundation 1, seven of clubs to foundation 1."
        )

    def test_no_move(self) -> None:
        picture = line_svg(LINE_START, [])
        assert titled(picture) == "Amazons: a line of 0 moves"
        assert described(picture).endswith("Then: no move.")

    def test_strips_share_no_ids(self) -> None:
        strips = [
            line_svg(LINE_START, LINE),
            line_svg(LINE_START, LINE[:-1]),
            line_svg(LINE_START.play(DEAL), LINE[1:]),
            line_svg(LINE_START, LINE, theme="dark"),
            line_svg(State.initial(Deal.parse("7C AC", LINE_RULES), LINE_RULES.evolve(withhold="any")), LINE),
        ]
        found = [one for strip in strips for one in ids(parse(strip))]
        assert len(found) == len(set(found)) == 2 * len(strips)

    def test_a_move_that_is_not_legal_is_named(self) -> None:
        with pytest.raises(IllegalMoveError, match=r"got r in .* \(move 2\)"):
            line_svg(LINE_START, [DEAL, REDEAL])


class TestPage:
    """docs/pictures.md, of which test_docs.py runs the examples."""

    ROOT = Path(__file__).parent.parent.parent
    TEXT = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")

    def test_the_symbols_that_a_page_places_are_there(self) -> None:
        example = self.TEXT.split("```html\n")[1].split("```")[0]
        used = re.findall(r'href="#([^"]*)"', example)
        assert used == [card_id(*parse_cards("7H")), BACK_ID]
        assert f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}"' in example
