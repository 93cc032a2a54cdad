"""Play-outs against naive players on the reference, and the compiled play-outs against the model's."""

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amazons_solver import PRESETS, REDEAL, Deal, Move, Rules, State, format_line
from amazons_solver.errors import OptionError
from amazons_solver.kernel import playing
from amazons_solver.kernel.batch import UNWINNABLE, decide_numbered
from amazons_solver.strategies.many import GameCounts, play_games, play_numbered
from amazons_solver.strategies.players import BuiltIn, Greedy, OneAce, RandomLegal, name_of, strategy_of
from amazons_solver.strategies.playout import play_out
from amazons_solver.surveys.chunks import decide_chunk, unpack_records
from amazons_solver.surveys.plan import Question
from support import arbitrary as any_
from support import reference
from support.choices import COMBINATIONS, LIMITS

pytestmark = pytest.mark.compiled

KINDS = {Greedy: playing.GREEDY, OneAce: playing.ONE_ACE, RandomLegal: playing.RANDOM}
STRATEGIES = [kind(patience) for kind in KINDS for patience in (None, 1, 2, 5)]
MASK = 2**64 - 1
Chooser = Callable[[reference.Rules, reference.State, list[str], bool], str]


def greedy(_rules: reference.Rules, _state: reference.State, moves: list[str], _came_round: bool) -> str:
    return moves[0]


def one_ace(rules: reference.Rules, state: reference.State, moves: list[str], came_round: bool) -> str:
    others = [move for move in moves if ">" in move and move[0] != rules["ranks"][0]]
    if others:
        return others[0]
    begun = [top for top in state[2] if top]
    waiting = any(top[0] != rules["ranks"][-1] for top in begun)
    must_play = ">" in moves[-1]
    return moves[-1] if waiting and not came_round and not must_play else moves[0]


class Lots:
    """SplitMix64 as RULES has it, begun from the cards: each card's code is mixed into the state for the next draw."""

    def __init__(self, deal: Deal, game: int = 0) -> None:
        number = 0
        for card in deal.cards:
            self.state = number ^ (16 * "CDHS".index(card.suit.value) + "A23456789TJQK".index(card.rank.value) + 1)
            number = self.draw()
        self.state = number ^ game

    def draw(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    def __call__(self, _rules: reference.Rules, _state: reference.State, moves: list[str], _came_round: bool) -> str:
        return moves[0] if len(moves) == 1 else moves[(self.draw() >> 32) * len(moves) >> 32]


def naive(rules: reference.Rules, cards: str, choose: Chooser, patience: int | None) -> tuple[str, str, int]:
    """Why the game ended, its line, and its idle passes, told from the list of all passes so far."""
    state = reference.initial(rules, cards)
    line: list[str] = []
    passes: list[list[str]] = [[]]
    talons, offers = [state[0]], [False]  # by pass: the talon it began with, and whether a play was turned down
    since, came_round = 0, False  # the pass with which waiting began
    while True:
        following = dict(reference.moves(rules, state))
        if not following:
            won = reference.is_won(rules, state)
            break
        move = choose(rules, state, list(following), came_round)
        turned_down = ">" not in move and any(">" in other for other in following)
        offers[-1] |= turned_down
        if ">" in move:
            came_round = False
        if move == "r":
            now = len(passes)
            talon = following[move][0]
            if any(">" in made for made in passes[-1]):
                since = now
            elif alike(rules, talon, talons[since]) or now - since == patience:
                if not any(offers[since:]):
                    return "gave up", " ".join(line), count_idle(passes)
                came_round, since = True, now
            passes.append([])
            talons.append(talon)
            offers.append(False)
        else:
            passes[-1].append(move)
        state = following[move]
        line.append(move)
    return "won" if won else "blocked", " ".join(line), count_idle(passes)


def alike(rules: reference.Rules, talon: reference.Pile, other: reference.Pile) -> bool:
    """Whether two talons are the same so far as the rules go: building by rank, suits make no difference."""
    if rules["build"] == "rank":
        return [card[0] for card in talon] == [card[0] for card in other]
    return talon == other


def count_idle(passes: list[list[str]]) -> int:
    return sum(not any(">" in move for move in moves) for moves in passes)


def check(rules: Rules, deal: Deal) -> set[str]:
    ends = set()
    for strategy in STRATEGIES:
        chooser = {Greedy: greedy, OneAce: one_ace}.get(type(strategy)) or Lots(deal)
        found = play_out(strategy, deal, rules)
        expected = naive(rules.to_dict(), str(deal), chooser, strategy.patience)  # type: ignore[arg-type]
        assert (found.end, format_line(found.line), found.idle_passes) == expected
        assert found.won == (found.end == "won") == State.initial(deal, rules).play_line(found.line).is_won
        ends.add(found.end)
    return ends


@pytest.mark.slow
@given(st.data())
@settings(max_examples=60)
def test_small_decks(data: st.DataObject) -> None:
    rules = data.draw(any_.rules(4, 5))
    check(rules, data.draw(any_.deals(rules)))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_full_deals(preset: str) -> None:
    rules = PRESETS[preset].rules
    for number in range(4):
        check(rules, Deal.numbered(number, rules))


@pytest.mark.parametrize("strategy", [Greedy(), OneAce(), RandomLegal()], ids=name_of)
@pytest.mark.parametrize("withhold", ["nothing", "bases", "any"])
def test_given_up_is_lost(strategy: BuiltIn, withhold: str) -> None:
    """Where a player of endless patience gives up, nothing but deals and redeals is legal, round and round."""
    rules = Rules(suits="CDH", ranks="A789", withhold=withhold)  # type: ignore[arg-type]
    given_up = 0
    for number in range(40):
        deal = Deal.numbered(number, rules)
        game = play_out(strategy, deal, rules)
        if game.end != "gave up":
            continue
        given_up += 1
        state = State.initial(deal, rules).play_line(game.line)
        seen: set[State] = set()
        while state not in seen:
            seen.add(state)
            (_, state), *others = state.successors()
            assert not others
    assert given_up > 3


@pytest.mark.slow
@given(st.data())
def test_impatience_is_the_german_limit(data: st.DataObject) -> None:
    """Greedy play with a patience of k is greedy play under `idle_passes` = k: both end with the k-th idle pass."""
    rules = data.draw(any_.rules(4, 5, limits=False))
    deal, patience = data.draw(any_.deals(rules)), data.draw(st.integers(1, 5))
    patient, limited = (
        play_out(Greedy(patience), deal, rules),
        play_out(Greedy(), deal, rules.evolve(idle_passes=patience)),
    )
    assert (patient.line, patient.idle_passes, patient.won) == (limited.line, limited.idle_passes, limited.won)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Greedy, OneAce])
@given(data=st.data())
@settings(max_examples=50)
def test_what_is_not_seen_makes_no_difference(kind: type[BuiltIn], data: st.DataObject) -> None:
    """In the first pass, deals that differ only in the cards to come are played alike until these come."""
    rules = data.draw(any_.rules(4, 7))
    deal = data.draw(any_.deals(rules))
    known = data.draw(st.integers(0, len(deal.cards)))
    other = Deal((*deal.cards[:known], *data.draw(st.permutations(deal.cards[known:]))))
    chosen: list[list[Move]] = []
    for one in (deal, other):
        state = State.initial(one, rules)
        chosen.append([])
        for move in play_out(kind(), one, rules).line:
            if len(one.cards) - len(state.talon_codes) > known or move == REDEAL:
                break
            chosen[-1].append(move)
            state = state.play(move)
    assert chosen[0] == chosen[1]


# The compiled play-outs.


def compare(deals: list[Deal], rules: Rules, strategy: BuiltIn) -> Counter[bool]:
    game = strategy.game if isinstance(strategy, RandomLegal) else 0
    found = playing.play_deals(deals, rules, KINDS[type(strategy)], patience=strategy.patience, game=game)
    games = [play_out(strategy, deal, rules) for deal in deals]
    assert list(zip(*(array.tolist() for array in found), strict=True)) == [
        (game.won, len(game.line), game.redeals, game.idle_passes) for game in games
    ]
    return Counter(game.won for game in games)


def test_compiled_small_deals_under_every_combination() -> None:
    source, won = random.Random(11), Counter[bool]()
    for fields in COMBINATIONS:
        suits, ranks = source.choice([("C", "A78"), ("CD", "A789"), ("CDH", "7"), ("CDHS", "A7"), ("CDHS", "A789")])
        rules = Rules(suits=suits, ranks=ranks, **fields, **source.choice(LIMITS))
        deals = [Deal.random(rules, source.getrandbits(32)) for _ in range(2)]
        for kind in KINDS:
            patience = source.choice([None, None, 1, 3])
            strategy = RandomLegal(patience, source.getrandbits(64)) if kind is RandomLegal else kind(patience)
            won += compare(deals, rules, strategy)
    assert min(won[True], won[False]) > 100


@pytest.mark.parametrize("preset", PRESETS)
def test_compiled_full_deals(preset: str) -> None:
    rules = PRESETS[preset].rules
    for strategy in (*STRATEGIES, RandomLegal(game=7), RandomLegal(2, MASK)):
        compare([Deal.numbered(number, rules) for number in range(5)], rules, strategy)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES, ids=name_of)
def test_numbered_counts(strategy: BuiltIn) -> None:
    rules = Rules.preset("morehead")
    games = [play_out(strategy, Deal.numbered(number, rules), rules) for number in range(100, 160)]
    counts = play_numbered(strategy, 100, 60, rules)
    assert counts.won == sum(game.won for game in games)
    assert counts.won + counts.lost == 60
    assert counts.redeals == Counter(game.redeals for game in games if game.won)
    assert list(counts.redeals) == sorted(counts.redeals)


def test_counts_of_parts_add_up() -> None:
    rules = Rules.preset("pysolfc")
    whole, left, right = (play_numbered(RandomLegal(), *part, rules) for part in ((0, 90), (0, 31), (31, 59)))
    assert (whole.won, whole.lost) == (left.won + right.won, left.lost + right.lost)
    assert whole.redeals == Counter(left.redeals) + Counter(right.redeals)
    many = play_numbered(Greedy(), 7, 70_000, rules)  # more than are kept at once
    left, right = play_numbered(Greedy(), 7, 60_001, rules), play_numbered(Greedy(), 60_008, 9_999, rules)
    assert (many.won, many.lost) == (left.won + right.won, left.lost + right.lost)
    assert many.redeals == Counter(left.redeals) + Counter(right.redeals)
    assert play_numbered(RandomLegal(), 2**64 - 1, 1, rules).won <= 1
    assert play_numbered(RandomLegal(), 5, 0, rules) == GameCounts(0, 0, {})
    with pytest.raises(OptionError, match="from 0 to 2\\^64 - 1"):
        play_numbered(RandomLegal(), 2**64 - 1, 2, rules)


def test_a_deck_beyond_the_kernel() -> None:
    rules = Rules(ranks="A23456789TJQK", build="rank", withhold="any", skip_complete=True, top_anywhere=True)
    games = [play_out(Greedy(), Deal.numbered(number, rules), rules) for number in range(3)]
    assert play_numbered(Greedy(), 0, 3, rules).won == sum(game.won for game in games)
    assert play_games(Greedy(), 0, 3, rules).moves.tolist() == [len(game.line) for game in games]
    assert play_numbered(Greedy(), 0, 0, rules) == GameCounts(0, 0, {})
    with pytest.raises(OptionError, match="at most 28 cards"):
        playing.play_numbered(0, 1, rules, playing.GREEDY)


@pytest.mark.parametrize("name", ["greedy", "one-ace:2", "random:14"])
def test_names_are_read_back(name: str) -> None:
    assert name_of(strategy_of(name)) == name


@pytest.mark.slow
@pytest.mark.parametrize("player", ["greedy", "one-ace:2", "random"])
def test_games_in_the_place_of_verdicts(player: str) -> None:
    rules = Rules.preset("ultimate").evolve(suits="CDH")
    games = [play_out(strategy_of(player), Deal.numbered(number, rules), rules) for number in range(9, 69)]
    chunk = decide_chunk(Question(rules, player=player), 9, 60, records=True)
    won, (states, redeals) = chunk.winnable() == 1, unpack_records(chunk)
    assert list(zip(won.tolist(), states.tolist(), redeals.tolist(), strict=True)) == [
        (game.won, len(game.line), game.redeals if game.won else -1) for game in games
    ]
    assert (chunk.won, chunk.lost, chunk.undecided) == (won.sum(), 60 - won.sum(), ())
    assert not (won & (decide_numbered(9, 60, rules).verdict == UNWINNABLE)).any()  # nobody beats the solver
