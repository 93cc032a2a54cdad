"""The state of a game: frozen, exact, and able to say what may follow."""

import re
from itertools import zip_longest

import attrs

from amazons_solver.errors import IllegalMoveError, NotationError, shorten
from amazons_solver.model.arguments import checked, checked_fields
from amazons_solver.model.canonical import KEY_VERSION, body, canonical_body, canonical_renaming
from amazons_solver.model.cards import CARD_TEXT, CARDS, Card, cards_of, parse_cards, pile_of, pile_text
from amazons_solver.model.deals import Deal, check_deck
from amazons_solver.model.movegen import deal_row, gather, legal_plays, may_withhold
from amazons_solver.model.moves import DEAL, PLAYS, REDEAL, Move, Moves, as_line, as_move
from amazons_solver.model.rules import Rules
from amazons_solver.model.validation import check_state

__all__ = ["State"]

_COUNTERS = re.compile(r"(?:redeals=([0-9]{1,18}))?(?:(?:^|\s+)idle=([0-9]{1,18})\s+played=([01]))?")
_NO_COUNTERS = (0, 0, False)
# The notation's tokens as bytes: those of the cards, and three that are no card.
_NO_CARD, _SEMICOLON, _BAR = b"\0", b"\xfe", b"\xff"
_TOKENS: dict[int, str] = CARD_TEXT | {0: "-", 0xFE: ";", 0xFF: "|"}


@attrs.frozen(repr=False, field_transformer=checked_fields)
class State:
    """Where a game stands. Made by `State.initial`, `State.parse` and `play`; never changed.

    The fields hold packed piles, one card code a byte (see `Card.code`); `talon`, `depots` and `foundations` give the
    same as cards. `counters` is (redeals made, idle passes in a row, whether this pass has had a play), each of them 0
    unless the rules count it. Equality is exact identity.

    Raises:
        NotationError: the cards are not the deck, each once, or a counter is out of range.

    >>> state = State.parse("7C 7D AD | AC ; - | - ; -", Rules(suits="CD", ranks="A7"))
    >>> [str(move) for move in state.legal_moves()]
    ['AC>1', 'd']
    >>> print(state.play_line("AC>1 d"))
    foundations  AC  --
    depots       7C  7D
    talon (1)    AD
    """

    rules: Rules
    talon_codes: bytes
    depot_codes: tuple[bytes, ...]
    foundation_codes: bytes
    counters: tuple[int, int, bool] = _NO_COUNTERS

    def __attrs_post_init__(self) -> None:
        check_state(self.rules, self.talon_codes, self.depot_codes, self.foundation_codes, self.counters)

    @classmethod
    @checked
    def initial(cls, deal: Deal, rules: Rules | None = None) -> "State":
        """The state from which a deal is played: the whole deck in the talon.

        Raises:
            NotationError: the deal is not of the rules' deck.
        """
        rules = rules or Rules()
        check_deck(deal.cards, rules)
        k = len(rules.suits)
        return _make(rules, pile_of(deal.cards), (b"",) * k, bytes(k), _NO_COUNTERS)

    @classmethod
    @checked
    def parse(cls, text: str, rules: Rules | None = None) -> "State":
        """Read the notation ``talon | depot 1 ; … | foundation 1 ; … | redeals=2 idle=1 played=0``.

        Raises:
            NotationError: the text is no state of these rules.
        """
        rules = rules or Rules()
        parts = text.split("|")
        expected = 4 if rules.tables.counts else 3
        if len(parts) != expected:
            form = " | ".join(["talon", "depots", "foundations", "counters"][:expected])
            raise NotationError(f"expected a state as {form}, got {len(parts)} of these parts in {shorten(text)}")
        talon = _parse_pile(parts[0], "the talon")
        depots = tuple(_parse_pile(pile, f"depot {i}") for i, pile in enumerate(parts[1].split(";"), start=1))
        tops = [_parse_pile(pile, f"foundation {i}") for i, pile in enumerate(parts[2].split(";"), start=1)]
        for i, top in enumerate(tops, start=1):
            if len(top) > 1:
                raise NotationError(f"expected the top card of foundation {i} alone, got {pile_text(top)}")
        foundations = b"".join(top or b"\0" for top in tops)
        counters = _parse_counters(parts[3], rules) if expected == 4 else _NO_COUNTERS
        return cls(rules, talon, depots, foundations, counters)

    # What is on the table.

    @property
    def talon(self) -> tuple[Card, ...]:
        """The talon, the next card to be dealt first."""
        return cards_of(self.talon_codes)

    @property
    def depots(self) -> tuple[tuple[Card, ...], ...]:
        """The depots, left to right, each bottom to top."""
        return tuple(cards_of(pile) for pile in self.depot_codes)

    @property
    def foundations(self) -> tuple[Card | None, ...]:
        """The top card of each foundation, left to right; ``None`` where it is empty."""
        return tuple(CARDS.get(code) for code in self.foundation_codes)

    @property
    def redeals(self) -> int:
        """Redeals made so far; 0 unless the rules limit them."""
        return self.counters[0]

    @property
    def idle(self) -> int:
        """Passes without a play in a row, at the last redeal; 0 unless the rules limit them."""
        return self.counters[1]

    @property
    def played(self) -> bool:
        """Whether this pass has had a play; false unless the rules limit idle passes."""
        return self.counters[2]

    @property
    def cards_left(self) -> int:
        """Cards that are not yet on a foundation."""
        return len(self.talon_codes) + sum(map(len, self.depot_codes))

    @property
    def is_initial(self) -> bool:
        """Whether a deal is played from it: the whole deck is in the talon, and nothing has been counted."""
        return len(self.talon_codes) == len(self.rules.deck) and self.counters == _NO_COUNTERS

    @property
    def is_won(self) -> bool:
        """Whether every foundation is complete."""
        # Deleting the complete tops leaves nothing.
        return not self.foundation_codes.translate(None, self.rules.tables.tops)

    @property
    def is_blocked(self) -> bool:
        """Whether the game is over and not won."""
        return not self.is_won and not self.successors()

    # What may follow.

    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves: plays by depot and then by foundation, then the deal or the redeal."""
        return tuple([move for move, _ in self.successors()])

    def play(self, move: Move | str) -> "State":
        """The state after a move (a play, a deal or a redeal), which may be text such as ``AS>1`` or ``d``.

        Raises:
            IllegalMoveError: the rules do not allow the move here; the message lists what they allow.
            NotationError: the text is no move.
        """
        move = as_move(move)
        successors = self.successors()
        for legal, state in successors:
            if legal == move:
                return state
        legal_text = " ".join(str(legal) for legal, _ in successors) or "none: the game is over"
        raise IllegalMoveError(f"expected a legal move ({legal_text}), got {move} in {self.text()}")

    @checked
    def play_line(self, moves: Moves) -> "State":
        """The state after a line of moves, the last of `states_along`, which says what is raised."""
        return self.states_along(moves)[-1]

    @checked
    def states_along(self, moves: Moves) -> list["State"]:
        """The state itself and the one after each move of a line, which may be text such as ``d d AS>1``.

        Raises:
            IllegalMoveError: a move is not legal; the message counts the moves from 1.
            NotationError: a text is no move.
        """
        states = [self]
        for position, move in enumerate(as_line(moves), start=1):
            try:
                states.append(states[-1].play(move))
            except IllegalMoveError as error:
                raise IllegalMoveError(f"{error} (move {position})") from None
        return states

    def successors(self) -> list[tuple[Move, "State"]]:
        """Every legal move with the state that it leads to, in the order of `legal_moves`; none when won."""
        rules, depots, foundations = self.rules, self.depot_codes, self.foundation_codes
        plays = legal_plays(rules, depots, foundations)
        result: list[tuple[Move, State]] = [
            (PLAYS[depots[depot][-1], foundation], self._after_play(depot, foundation)) for depot, foundation in plays
        ]
        if may_withhold(rules, depots, plays):
            if self.talon_codes:
                talon, grown = deal_row(rules, self.talon_codes, depots, foundations)
                result.append((DEAL, _make(rules, talon, grown, foundations, self.counters)))
            elif any(depots) and self._may_redeal():
                result.append((REDEAL, self._after_redeal()))
        return result

    def _after_play(self, depot: int, foundation: int) -> "State":
        depots, foundations, counters = self.depot_codes, self.foundation_codes, self.counters
        pile = depots[depot]
        if self.rules.tables.counts_idle:
            counters = (counters[0], counters[1], True)
        return _make(
            self.rules,
            self.talon_codes,
            (*depots[:depot], pile[:-1], *depots[depot + 1 :]),
            foundations[:foundation] + pile[-1:] + foundations[foundation + 1 :],
            counters,
        )

    def _may_redeal(self) -> bool:
        rules = self.rules
        redeals, idle, played = self.counters
        if rules.max_redeals is not None and redeals >= rules.max_redeals:
            return False
        return rules.idle_passes is None or played or idle + 1 < rules.idle_passes

    def _after_redeal(self) -> "State":
        rules, counters = self.rules, self.counters
        tables = rules.tables
        if tables.counts:
            redeals, idle, played = counters
            counters = (
                redeals + 1 if tables.counts_redeals else 0,
                (0 if played else idle + 1) if tables.counts_idle else 0,
                False,
            )
        talon = gather(rules, self.depot_codes)
        return _make(rules, talon, (b"",) * len(self.depot_codes), self.foundation_codes, counters)

    # What identifies it.

    def canonical(self) -> "State":
        """The representative of all states that the rules cannot tell apart from this one.

        With ``build = suit`` the suits are renamed in the order in which they are first met, reading foundations,
        depots, talon. With ``build = rank``, where suits do not matter, the cards of each rank are. With
        ``base_placement = suit``, where the foundations tell the suits apart, it is the state itself.
        """
        cards = body(self.talon_codes, self.depot_codes, self.foundation_codes)
        table = canonical_renaming(self.rules, cards)
        return _make(
            self.rules,
            self.talon_codes.translate(table),
            tuple([pile.translate(table) for pile in self.depot_codes]),
            self.foundation_codes.translate(table),
            self.counters,
        )

    def key(self) -> bytes:
        """The canonical key: equal for two states exactly when their canonical forms are."""
        rules = self.rules
        key = KEY_VERSION + canonical_body(rules, body(self.talon_codes, self.depot_codes, self.foundation_codes))
        return key + self._counter_suffix() if rules.tables.counts else key

    def exact_key(self) -> bytes:
        """The exact key: equal for two states of the same rules exactly when they are equal."""
        key = KEY_VERSION + body(self.talon_codes, self.depot_codes, self.foundation_codes)
        return key + self._counter_suffix() if self.rules.tables.counts else key

    def _counter_suffix(self) -> bytes:
        return b"\0" + self._counter_text().encode()

    def _counter_text(self) -> str:
        tables = self.rules.tables
        redeals, idle, played = self.counters
        parts = [f"redeals={redeals}"] if tables.counts_redeals else []
        parts += [f"idle={idle} played={played:d}"] if tables.counts_idle else []
        return " ".join(parts)

    # How it is shown.

    def text(self) -> str:
        """The state in notation, read back by `State.parse`."""
        # Talon and depots in one go: graphs and certificates write states by the hundred thousand.
        depots = _SEMICOLON.join([pile or _NO_CARD for pile in self.depot_codes])
        piles = " ".join([_TOKENS[code] for code in (self.talon_codes or _NO_CARD) + _BAR + depots])
        text = f"{piles} | {' ; '.join([_TOKENS[code] for code in self.foundation_codes])}"
        tables = self.rules.tables
        return f"{text} | {self._counter_text()}" if tables.counts_redeals or tables.counts_idle else text

    def __str__(self) -> str:
        piles = [[str(card) for card in pile] for pile in self.depots]
        depots = list(zip_longest(*piles, fillvalue="  ")) or [("--",) * len(piles)]
        cards = [tuple([str(top or "--") for top in self.foundations]), *depots]
        rows = [(label, "  ".join(row)) for label, row in zip_longest(["foundations", "depots"], cards, fillvalue="")]
        rows.append((f"talon ({len(self.talon)})", " ".join(map(str, self.talon)) or "--"))
        rows += [("counters", self._counter_text())] if self.rules.tables.counts else []
        return "\n".join(f"{label:<13}{text}".rstrip() for label, text in rows)

    def __repr__(self) -> str:
        return f"<State {self.text()}>"

    def _repr_svg_(self) -> str:
        """How notebooks show it."""
        from amazons_solver.render.svg import state_svg  # noqa: PLC0415 (upward, and only here: see architecture.md)

        return state_svg(self)


_set_rules, _set_talon, _set_depots, _set_foundations, _set_counters = (
    vars(State)[field.name].__set__ for field in attrs.fields(State)
)


def _make(
    rules: Rules,
    talon: bytes,
    depots: tuple[bytes, ...],
    foundations: bytes,
    counters: tuple[int, int, bool],
) -> State:
    """A state that needs no check, made from a checked deal or state; a search makes millions."""
    state: State = object.__new__(State)
    _set_rules(state, rules)
    _set_talon(state, talon)
    _set_depots(state, depots)
    _set_foundations(state, foundations)
    _set_counters(state, counters)
    return state


def _parse_pile(text: str, place: str) -> bytes:
    if text.strip() == "-":
        return b""
    try:
        cards = parse_cards(text)
    except NotationError as error:
        raise NotationError(f"{error} in {place}") from None
    if not cards:
        raise NotationError(f"expected cards, or - for none, in {place}")
    return pile_of(cards)


def _parse_counters(text: str, rules: Rules) -> tuple[int, int, bool]:
    match = _COUNTERS.fullmatch(text.strip())
    tables = rules.tables
    if match is None or (match[1] is not None, match[2] is not None) != (tables.counts_redeals, tables.counts_idle):
        example = ["redeals=0"] * tables.counts_redeals + ["idle=0 played=0"] * tables.counts_idle
        raise NotationError(f"expected the counters as {' '.join(example)}, got {shorten(text.strip())}")
    return int(match[1] or 0), int(match[2] or 0), match[3] == "1"
