"""Hints and annotations of games that are small enough to be played out by hand, in the comments."""

import pytest

from amazons_solver import (
    Annotation,
    Deal,
    IllegalMoveError,
    Knowledge,
    Limits,
    Lost,
    Mark,
    NotationError,
    Rules,
    Solution,
    State,
    StopReason,
    Verdict,
    annotate,
    format_line,
    hint,
    parse_line,
    solve_state,
    why_lost,
)

# One depot, one pass. d: AC; then AC>1, d: 7C, 7C>1 wins, and d, which buries the ace, ends the game.
TRAP_RULES = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
TRAP = Deal.parse("AC 7C", TRAP_RULES)

# Compulsory plays. d: 7D ; AC. AC>1. d: 7D AD ; 7C. AD>2. Each seven is now below the other suit's ace, and with the
# leftmost pile first the redeal 7D 7C brings it back there for ever.
STUCK_RULES = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="nothing")
STUCK = Deal.parse("7D AC AD 7C", STUCK_RULES)

# One depot, as many redeals as one likes. d: 7C; d: 7C AC; AC>1; 7C>1. Or, instead of AC>1, r, which begins anew.
CIRCLE_RULES = Rules(suits="C", ranks="A7", withhold="bases")
CIRCLE = Deal.parse("7C AC", CIRCLE_RULES)


def lost_after(deal: Deal, rules: Rules, line: str) -> Lost:
    return why_lost(State.initial(deal, rules).play_line(parse_line(line)))


class TestHint:
    """`hint`."""

    @pytest.mark.parametrize(
        ("cards", "states", "verdict"),
        [("7C AD 7D AC 8C 8D", 13, Verdict.UNWINNABLE), ("7C 8D 7D AC AD 8C", 16, Verdict.WINNABLE)],
    )
    def test_what_every_move_decides_is_decided(self, cards: str, states: int, verdict: Verdict) -> None:
        """The limit is met by the search from the state, and not by that from its one move, a state shorter."""
        rules, limits = Rules(suits="CD", ranks="A78", withhold="nothing"), Limits(states=states)
        state = State.initial(Deal.parse(cards, rules), rules)
        assert solve_state(state, limits=limits).verdict is Verdict.UNDECIDED
        assert solve_state(state).verdict is verdict
        assert hint(state, limits=limits).verdict is verdict

    def test_moves_that_win_come_first(self) -> None:
        state = State.initial(TRAP, TRAP_RULES).play_line(parse_line("d"))
        advice = hint(state)
        assert advice.verdict is Verdict.WINNABLE
        assert advice.best == parse_line("AC>1")[0]
        first, second = advice.moves
        assert (first.verdict, second.verdict) == (Verdict.WINNABLE, Verdict.UNWINNABLE)
        assert first.line == parse_line("AC>1 d 7C>1")
        assert (first.redeals, first.redeals_at_least) == (0, 0)
        assert (second.line, second.redeals, second.redeals_at_least) == (None, None, None)
        assert advice.lost is None

    def test_fewest_redeals_come_first_and_count_the_move_itself(self) -> None:
        state = State.initial(CIRCLE, CIRCLE_RULES).play_line(parse_line("d d"))
        # A redeal, two deals and two plays; or the plays at once.
        assert [(str(choice.move), choice.redeals, choice.line) for choice in hint(state).moves] == [
            ("AC>1", 0, parse_line("AC>1 7C>1")),
            ("r", 1, parse_line("r d d AC>1 7C>1")),
        ]

    def test_a_won_state_has_no_moves(self) -> None:
        won = State.initial(CIRCLE, CIRCLE_RULES).play_line(parse_line("d d AC>1 7C>1"))
        advice = hint(won)
        assert (advice.verdict, advice.moves, advice.best, advice.lost) == (Verdict.WINNABLE, (), None, None)

    def test_what_is_not_decided_within_the_limits_is_unknown(self) -> None:
        state = State.initial(Deal.numbered(0))
        advice = hint(state, limits=Limits(seconds=0))
        assert advice.verdict is Verdict.UNDECIDED
        assert [choice.verdict for choice in advice.moves] == [Verdict.UNDECIDED]
        assert advice.best is None
        assert advice.lost is None

    @pytest.mark.compiled
    def test_a_bound_is_given_where_the_minimum_is_not_known(self) -> None:
        start = State.initial(Deal.pysolfc("24680"))
        line = solve_state(start).line
        assert line is not None
        knowledge = Knowledge()
        knowledge.add_line(start, line)
        (choice,) = hint(start, limits=Limits(states=100), knowledge=knowledge).moves
        assert choice.line == line
        assert choice.redeals == line.count(parse_line("r")[0]) > 0
        assert choice.redeals_at_least is not None
        assert choice.redeals_at_least < choice.redeals
        assert start.play_line(choice.line).is_won

    def test_the_moves_of_a_lost_state_are_not_searched(self, monkeypatch: pytest.MonkeyPatch) -> None:
        calls = []

        def counted(state: State, **options: object) -> Solution:
            calls.append(state)
            return solve_state(state)

        monkeypatch.setattr("amazons_solver.hints.knowledge.solve_state", counted)
        start = State.initial(STUCK, STUCK_RULES)
        knowledge = Knowledge()
        assert [choice.verdict for choice in hint(start, knowledge=knowledge).moves] == [Verdict.UNWINNABLE]
        assert calls == [start]
        hint(start, knowledge=knowledge)
        assert calls == [start]

    def test_ctrl_c_ends_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        start = State.initial(TRAP, TRAP_RULES)
        stopped = Solution(start, Verdict.UNDECIDED, None, solve_state(start).stats, StopReason.INTERRUPTED)
        monkeypatch.setattr("amazons_solver.hints.knowledge.solve_state", lambda *_, **__: stopped)
        with pytest.raises(KeyboardInterrupt):
            hint(start)
        with pytest.raises(KeyboardInterrupt):
            annotate(TRAP, parse_line("d"), TRAP_RULES)

    @pytest.mark.slow
    def test_following_the_best_move_always_gets_nearer(self) -> None:
        rules = Rules.preset("pysolfc")
        state = State.initial(Deal.pysolfc("1", rules), rules)
        knowledge = Knowledge()
        last = None
        while not state.is_won:
            # The limit is too small for the minimum, so that what is known is a line and a bound.
            best = hint(state, limits=Limits(states=300), knowledge=knowledge).moves[0]
            assert best.line is not None
            now = (best.redeals or 0, len(best.line))
            assert last is None or now < last
            last = now
            state = state.play(best.move)


class TestLost:
    """`why_lost`."""

    def test_blocked_by_the_limit_on_redeals(self) -> None:
        lost = lost_after(TRAP, TRAP_RULES, "d d")
        assert lost == Lost("blocked", limits=("max_redeals=0",))
        assert str(lost) == "blocked: no card can be played, and max_redeals=0 allows no redeal"

    def test_blocked_by_the_limit_on_idle_passes(self) -> None:
        rules = STUCK_RULES.evolve(idle_passes=1)
        # The second pass has no play.
        assert lost_after(STUCK, rules, "d AC>1 d AD>2 r d") == Lost("blocked", limits=("idle_passes=1",))

    def test_no_card_can_be_played_before_a_limit_ends_the_game(self) -> None:
        lost = lost_after(STUCK, STUCK_RULES.evolve(idle_passes=2), "d AC>1 d AD>2 r")
        assert lost == Lost("no-play", limits=("idle_passes=2",))
        assert str(lost) == "no card can ever be played again, and idle_passes=2 ends the game"

    def test_a_redeal_cycle(self) -> None:
        lost = lost_after(STUCK, STUCK_RULES, "d AC>1 d AD>2")
        assert lost == Lost("no-play", cycle=1)
        assert str(lost) == "no card can ever be played again: every redeal the same table comes back"

    def test_a_longer_redeal_cycle(self) -> None:
        # 7C, which foundation 2 needs, comes to depot 1 in every pass: 8C 7C ; 9C, gathered as 9C 8C 7C, then
        # 9C 7C ; 8C, gathered as 8C 9C 7C.
        rules = Rules(suits="CD", ranks="A789", withhold="nothing")
        lost = why_lost(State.parse("8C 9C 7C | - ; - | 9D ; AC", rules))
        assert lost == Lost("no-play", cycle=2)
        assert str(lost) == "no card can ever be played again: every 2 redeals the same table comes back"

    def test_plays_that_save_nothing(self) -> None:
        lost = lost_after(STUCK, STUCK_RULES, "")
        assert lost == Lost("every-play")
        assert str(lost) == "every play that is left leads to a table that no play can save"


class TestAnnotate:
    """`annotate`."""

    def test_a_game_that_was_thrown_away(self) -> None:
        game = annotate(TRAP, parse_line("d d"), TRAP_RULES)
        assert game.marks == (Mark.KEPT, Mark.THREW)
        assert (game.fatal, game.last_winnable) == (2, 1)
        assert game.winning_line == parse_line("AC>1 d 7C>1")
        assert game.lost == Lost("blocked", limits=("max_redeals=0",))
        assert game.end == game.start.play_line(parse_line("d d"))

    def test_a_won_game(self) -> None:
        game = annotate(CIRCLE, parse_line("d d r d d AC>1 7C>1"), CIRCLE_RULES)
        assert game.marks == (Mark.KEPT,) * 7
        assert (game.fatal, game.last_winnable, game.winning_line, game.lost) == (None, 7, (), None)
        assert game.end.is_won

    def test_a_game_that_can_still_be_won(self) -> None:
        game = annotate(CIRCLE, parse_line("d d"), CIRCLE_RULES)
        assert (game.fatal, game.last_winnable, game.lost) == (None, 2, None)
        assert game.winning_line is not None
        assert game.end.play_line(game.winning_line).is_won

    def test_a_deal_that_was_lost_from_the_start(self) -> None:
        game = annotate(STUCK, parse_line("d AC>1 d AD>2"), STUCK_RULES)
        assert game.marks == (Mark.LOST,) * 4
        assert (game.fatal, game.last_winnable, game.winning_line) == (None, None, None)
        assert game.lost == Lost("every-play")

    def test_a_game_of_no_moves(self) -> None:
        game = annotate(CIRCLE, (), CIRCLE_RULES)
        assert (game.marks, game.verdicts, game.last_winnable) == ((), (Verdict.WINNABLE,), 0)

    def test_nothing_is_said_of_what_is_not_decided(self) -> None:
        game = annotate(CIRCLE, parse_line("d d r"), CIRCLE_RULES, limits=Limits(seconds=0))
        assert game.marks == (Mark.UNKNOWN,) * 3
        assert (game.fatal, game.last_winnable, game.winning_line, game.lost) == (None, None, None, None)

    @pytest.mark.parametrize(
        ("verdicts", "marks", "fatal"),
        [
            # d, d, d of a game whose states are winnable (W), undecided (?) or lost (L).
            ("WWLL", "kept threw lost", 2),
            ("W?LL", "unknown unknown lost", None),
            ("WW?L", "kept unknown unknown", None),
            ("?LLL", "unknown lost lost", None),
            ("??WL", "kept kept threw", 3),
            ("W??W", "kept kept kept", None),
            ("L???", "lost lost lost", None),
        ],
    )
    def test_marks_follow_from_what_is_known(
        self, monkeypatch: pytest.MonkeyPatch, verdicts: str, marks: str, fatal: int | None
    ) -> None:
        rules = Rules(suits="C", ranks="A789", withhold="any")
        deal = Deal.parse("9C 8C 7C AC", rules)
        start = State.initial(deal, rules)
        states = [start.play_line(parse_line("d d d")[:count]) for count in range(4)]
        known = dict(zip(states, verdicts, strict=True))
        names = {"W": Verdict.WINNABLE, "?": Verdict.UNDECIDED, "L": Verdict.UNWINNABLE}
        monkeypatch.setattr(Knowledge, "verdict", lambda _, state, **__: names[known[state]])
        game = annotate(deal, parse_line("d d d"), rules)
        by_word = {"kept": Mark.KEPT, "threw": Mark.THREW, "lost": Mark.LOST, "unknown": Mark.UNKNOWN}
        assert game.marks == tuple(by_word[word] for word in marks.split())
        assert game.fatal == fatal

    def test_few_states_are_decided(self, monkeypatch: pytest.MonkeyPatch) -> None:
        decided = []
        decide = Knowledge.verdict

        def noted(self: Knowledge, state: State, **options: object) -> Verdict:
            decided.append(state)
            return decide(self, state)

        monkeypatch.setattr(Knowledge, "verdict", noted)
        rules = Rules.preset("pysolfc")
        deal = Deal.pysolfc("24680", rules)
        line = solve_state(State.initial(deal, rules)).line
        assert line is not None
        annotate(deal, line[:-1], rules)
        assert 0 < len(decided) <= 7  # 72 states: 36, 18, 9, 5, 2, 1

    def test_a_bad_move_is_named(self) -> None:
        with pytest.raises(IllegalMoveError, match=r"got 7C>1 in .* \(move 2\)"):
            annotate(CIRCLE, parse_line("d 7C>1"), CIRCLE_RULES)
        with pytest.raises(NotationError, match="expected 28 cards"):
            annotate(CIRCLE, ())


class TestKnowledge:
    """`Knowledge`."""

    def test_every_state_of_a_line_is_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        knowledge = Knowledge()
        start = State.initial(CIRCLE, CIRCLE_RULES)
        assert knowledge.verdict(start) is Verdict.WINNABLE
        monkeypatch.setattr("amazons_solver.hints.knowledge.solve_state", None)
        line = knowledge.line(start)
        assert line is not None
        for count in range(len(line) + 1):
            state = start.play_line(line[:count])
            assert knowledge.verdict(state) is Verdict.WINNABLE
            assert knowledge.line(state) == line[count:]
        assert repr(knowledge) == f"<Knowledge {len(line)} winnable, 0 unwinnable>"

    def test_a_better_line_takes_the_place_of_a_worse_one(self) -> None:
        knowledge, start = Knowledge(), State.initial(CIRCLE, CIRCLE_RULES)
        long, short = parse_line("d d r d d AC>1 7C>1"), parse_line("d d AC>1 7C>1")
        for line in (long, short, long):
            knowledge.add_line(start, line)
        assert knowledge.line(start) == short
        # From the middle of the long line, too: it comes by the start.
        assert knowledge.line(start.play_line(parse_line("d d"))) == parse_line("AC>1 7C>1")

    def test_the_same_cards_under_other_rules_are_another_matter(self) -> None:
        knowledge = Knowledge()
        stuck = State.initial(STUCK, STUCK_RULES)
        free = State.initial(STUCK, STUCK_RULES.evolve(withhold="any", gather="left-over-right"))
        assert knowledge.verdict(stuck) is Verdict.UNWINNABLE
        assert knowledge.verdict(free) is solve_state(free).verdict is Verdict.WINNABLE

    def test_a_line_that_does_not_win_is_refused(self) -> None:
        knowledge, start = Knowledge(), State.initial(CIRCLE, CIRCLE_RULES)
        with pytest.raises(ValueError, match="expected a line to a won state"):
            knowledge.add_line(start, parse_line("d d AC>1"))
        with pytest.raises(IllegalMoveError):
            knowledge.add_line(start, parse_line("r"))
        assert knowledge.line(start) is None


def test_the_line_of_an_annotation_can_be_written_down() -> None:
    game: Annotation = annotate(TRAP, parse_line("d d"), TRAP_RULES)
    assert game.winning_line is not None
    assert format_line(game.winning_line) == "AC>1 d 7C>1"
