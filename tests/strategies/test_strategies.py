"""Strategies by hand: positions that anyone can play through, players of one's own, and bad input."""

from collections.abc import Hashable
from typing import cast

import attrs
import pytest

from amazons_solver import Deal, IllegalMoveError, OptionError, Play, Rules, format_line
from amazons_solver.model.cards import parse_card
from amazons_solver.strategies.players import Greedy, OneAce, RandomLegal, Strategy, Table, strategy_of
from amazons_solver.strategies.playout import play_out

PAIRS = Rules(suits="CD", ranks="A7", withhold="any")
TRIPLE = Rules(suits="CDH", ranks="A7", withhold="any")


def told(strategy: Strategy, cards: str, rules: Rules = PAIRS) -> tuple[str, str, int]:
    game = play_out(strategy, Deal.parse(cards, rules), rules)
    return game.end, format_line(game.line), game.idle_passes


def test_greedy_plays_both_aces_at_once() -> None:
    # A row: AC AD. Both are played. A row: 7C 7D, each below its own foundation.
    assert told(Greedy(), "AC AD 7C 7D") == ("won", "d AC>1 AD>2 d 7C>1 7D>2", 0)
    # The other way round each lies below the other's foundation. Gathered, the rightmost first, they change places.
    assert told(Greedy(), "AC AD 7D 7C") == ("won", "d AC>1 AD>2 d r d 7C>1 7D>2", 0)


def test_a_cycle_is_given_up_when_the_talon_comes_back() -> None:
    # Gathered from the left they do not change places: the talon is 7D 7C, and would be 7D 7C again.
    rules = PAIRS.evolve(gather="right-over-left")
    assert told(Greedy(), "AC AD 7D 7C", rules) == ("gave up", "d AC>1 AD>2 d r d", 1)


def test_a_limit_of_the_rules_blocks() -> None:
    rules = PAIRS.evolve(gather="right-over-left")
    limited = rules.evolve(idle_passes=1)  # the pass that would end the cycle, too
    assert told(Greedy(), "AC AD 7D 7C", limited) == ("blocked", "d AC>1 AD>2 d r d", 1)
    assert told(Greedy(), "AC AD 7D 7C", rules.evolve(max_redeals=0)) == ("blocked", "d AC>1 AD>2 d", 0)


@pytest.mark.parametrize("patience", [1, 2, None])
def test_greedy_with_patience(patience: int | None) -> None:
    # AD>1, then the row AC 7D: AC>2. Depot 2 has 7C 7D, below clubs: r. The row 7C 7D fits neither, r. 7D 7C fits both.
    begun = "d AD>1 d AC>2 r d"
    expected = ("gave up", begun, 1) if patience == 1 else ("won", f"{begun} r d 7D>1 7C>2", 1)
    assert told(Greedy(patience), "AD 7C AC 7D") == expected


def test_one_ace_works_on_the_first_suit_alone() -> None:
    # AC>1, and AD stays. A row: 7C | AD 7D. 7C>1. Now nothing begun waits, but AD is covered: r. AD>2, and 7D comes to
    # depot 2 in the same row.
    assert told(OneAce(), "AC AD 7C 7D") == ("won", "d AC>1 d 7C>1 r d AD>2 7D>2", 0)


def test_one_ace_may_lose_what_greedy_wins() -> None:
    # AC>1. 7D | AD 7C, r. AD 7C 7D: nothing but AD, which stays, r. 7C AD 7D: 7C>1, AD>2. 7D is the last card, and
    # comes to depot 1 in every pass.
    assert told(OneAce(), "AC AD 7D 7C") == ("gave up", "d AC>1 d r d d r d 7C>1 AD>2 d r d", 2)


def test_one_ace_plays_another_after_a_whole_cycle() -> None:
    # After AC>1 the talon is AH 7C AD 7D 7H, and then, as rows of three are dealt and gathered from the right:
    # AD 7C 7H AH 7D, 7H 7C 7D AD AH, 7D 7C AH 7H AD, and AH 7C AD 7D 7H again. 7C comes to depot 2 each time, so
    # nothing can be played but AH and AD. Now the first that shows is played, AH, and 7H on it. AD 7C 7D and
    # 7D 7C AD come in turn; when they have come round, AD is played, 7D on it, and 7C is left alone.
    line = "d AC>1 d r d d r d d r d d r d d r d AH>2 d 7H>2 r d r d r d AD>3 7D>3 r d 7C>1"
    assert told(OneAce(), "AC AD AH 7H 7D 7C", TRIPLE) == ("won", line, 6)


def test_one_ace_with_patience() -> None:
    # As above, but after one pass without a play the next ace that shows is played: AD, and 7D on it.
    # 7H 7C AH: a pass without a play. AH 7C 7H: AH and 7H.
    line = "d AC>1 d r d d r d AD>2 d 7D>2 r d r d AH>3 7H>3 r d 7C>1"
    assert told(OneAce(1), "AC AD AH 7H 7D 7C", TRIPLE) == ("won", line, 2)


def test_what_must_be_played_is_played() -> None:
    # With nothing to be held back AD must be played although clubs are waiting.
    assert told(OneAce(), "AC AD 7C 7D", PAIRS.evolve(withhold="nothing"))[1] == "d AC>1 AD>2 d 7C>1 7D>2"


# Players of one's own.


@attrs.frozen
class Player:
    """Plays nothing before it has seen so many tables, and then whatever can be played."""

    tables: int
    patience: int | None = None

    def begin(self, seed: int) -> Hashable:
        assert 0 <= seed < 2**64
        return 0

    def choose(self, table: Table, memory: Hashable) -> tuple[Play | None, Hashable]:
        seen = min(cast("int", memory) + 1, self.tables)
        return (table.plays[0] if table.plays and seen == self.tables else None), seen


class Never(Player):
    """Plays nothing, ever."""

    def choose(self, table: Table, memory: Hashable) -> tuple[Play | None, Hashable]:
        return None, memory


@attrs.frozen
class Cheat(Player):
    """Plays a card that is not there."""

    def choose(self, table: Table, memory: Hashable) -> tuple[Play | None, Hashable]:
        return Play(parse_card("7D"), 2), memory


def test_who_holds_back_for_ever_has_lost() -> None:
    # Rows of two, gathered from the right: AC AD 7C 7D, AD 7D AC 7C, 7D 7C AD AC, 7C AC 7D AD, and round again. The
    # player is told so, plays nothing again, and would go on so: eight passes, of which the last is not gathered.
    end, line, idle = told(Never(0), "AC AD 7C 7D")
    assert (end, idle) == ("gave up", 8)
    assert line == " ".join(["d d"] + ["r d d"] * 7)


@pytest.mark.parametrize("cycles", [0, 1, 2, 5, 20])
def test_who_remembers_something_new_has_not_lost_yet(cycles: int) -> None:
    # The same cycle of four passes with three tables each, and then the game as greedy plays it.
    waiting = "d d r " * (4 * cycles)
    expected = ("won", f"{waiting}d AC>1 AD>2 d 7C>1 7D>2", 4 * cycles)
    assert told(Player(12 * cycles + 1), "AC AD 7C 7D") == expected


def test_a_player_who_makes_up_cards() -> None:
    with pytest.raises(IllegalMoveError, match=r"expected a legal move \(d\) of a strategy, got 7D>2 in AC AD"):
        told(Cheat(0), "AC AD 7C 7D")


def test_what_a_player_sees() -> None:
    tables: list[tuple[object, ...]] = []

    class Watcher(Player):
        def choose(self, table: Table, memory: Hashable) -> tuple[Play | None, Hashable]:
            depots = " ; ".join(" ".join(map(str, pile)) for pile in table.depots)
            talon = None if table.talon is None else " ".join(map(str, table.talon))
            tables.append((depots, table.talon_size, talon, table.came_round, table.may_go_on, len(table.plays)))
            return super().choose(table, memory)

    told(Watcher(13), "AC AD 7C 7D")  # the thirteenth table is the first after a whole cycle, four passes
    assert tables[:4] == [
        (" ; ", 4, None, False, True, 0),
        ("AC ; AD", 2, None, False, True, 2),
        ("AC 7C ; AD 7D", 0, None, False, True, 0),
        (" ; ", 4, "AD 7D AC 7C", False, True, 0),
    ]
    assert tables[12:15] == [
        (" ; ", 4, "AC AD 7C 7D", True, True, 0),
        ("AC ; AD", 2, "7C 7D", True, True, 2),
        (" ; AD", 2, "7C 7D", False, True, 1),
    ]
    assert all(came_round is False for *_, came_round, _, _ in tables[:12])


# Bad input.


@pytest.mark.parametrize("text", ["", "greed", "greedy:", "greedy:0", "greedy:-1", "greedy:x", "greedy:٣", "Greedy"])
def test_no_strategy(text: str) -> None:
    with pytest.raises(OptionError, match=r"expected a strategy \(greedy, one-ace, random\)"):
        strategy_of(text)


def test_no_patience() -> None:
    for kind in (Greedy, OneAce, RandomLegal):
        with pytest.raises(OptionError, match="expected a patience of at least 1 pass, got 0"):
            kind(0)
