"""Whether what comes from outside is a state: each card of the deck once, and counters within the rules' limits."""

from amazons_solver.errors import NotationError, shorten
from amazons_solver.model.cards import CARDS, Rank
from amazons_solver.model.rules import Rules


def check_state(
    rules: Rules, talon: bytes, depots: tuple[bytes, ...], foundations: bytes, counters: tuple[int, int, bool]
) -> None:
    """Raise NotationError unless a state has each card of the deck once and counters within the rules' limits."""
    k = len(rules.suits)
    for name, count in (("depots", len(depots)), ("foundations", len(foundations))):
        if count != k:
            raise NotationError(f"expected {k} {name}, one for each suit, got {count}")
    deck = rules.tables.deck
    shown = [*talon, *(code for pile in depots for code in pile), *filter(None, foundations)]
    seen: set[int] = set()
    for code in shown:
        if code not in deck:
            what = CARDS.get(code, code)
            raise NotationError(f"expected cards of the deck (suits {rules.suits}, ranks {rules.ranks}), got {what}")
        if code in seen:
            raise NotationError(f"expected each card once, got {CARDS[code]} twice")
        seen.add(code)
    _check_foundations(rules, foundations, shown)
    redeals, idle, played = counters
    for name, value, limit in (("redeals", redeals, rules.max_redeals), ("idle", idle, rules.idle_passes)):
        most = (limit or 0) - (name == "idle" and limit is not None)
        if not 0 <= value <= most:
            raise NotationError(f"expected {name} from 0 to {most}, got {shorten(value)}")
    if played and rules.idle_passes is None:
        raise NotationError("expected played=0 under rules that do not limit idle passes, got played=1")


def _check_foundations(rules: Rules, foundations: bytes, shown: list[int]) -> None:
    """Raise NotationError unless the cards below the foundations' tops are just those that are not shown."""
    by_suit = rules.build == "suit"
    if rules.base_placement == "suit":
        for index, suit in enumerate(rules.suits_by_foundation):
            code = foundations[index]
            if code and CARDS[code].suit.value != suit:
                place = f"foundation {index + 1} (base_placement=suit)"
                raise NotationError(f"expected a card of suit {suit} on {place}, got {CARDS[code]}")
    tops = [code for code in foundations if code]
    tables, significant = rules.tables, 0xFF if by_suit else 0x0F  # of a card's code; the rank is below
    cards = [*shown, *(card for top in tops for card in tables.covered[top])]
    if sorted([card & significant for card in cards]) == sorted([card & significant for card in tables.deck]):
        return  # a proof has states by the hundred thousand, and what follows only words the error
    ranks = [Rank(letter) for letter in rules.ranks]
    for suit in rules.suits if by_suit else ("any suit",):
        for index, rank in enumerate(ranks):
            count = sum(CARDS[code].rank is rank and (not by_suit or CARDS[code].suit.value == suit) for code in shown)
            covered = sum(
                ranks.index(CARDS[top].rank) > index and (not by_suit or CARDS[top].suit.value == suit) for top in tops
            )
            expected = 1 if by_suit else len(rules.suits)
            if count + covered != expected:
                card = f"{rank.value}{suit}" if by_suit else f"rank {rank.value}"
                problem = "missing" if count + covered < expected else "shown although a foundation has passed it"
                problem = "below more than one foundation" if by_suit and covered > expected else problem
                raise NotationError(f"expected each card of the deck once: {card} is {problem}")
