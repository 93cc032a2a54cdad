"""Hypothesis strategies: rules, deals, and states met on the way of a random game."""

from hypothesis import strategies as st

from amazons_solver import Deal, Rules, State
from support.choices import CHOICES, RANKS, SUITS


def subsets(letters: str, least: int, most: int) -> st.SearchStrategy[str]:
    """Distinct letters in their order."""
    chosen = st.sets(st.sampled_from(letters), min_size=least, max_size=most)
    return chosen.map(lambda found: "".join(letter for letter in letters if letter in found))


def rules(max_suits: int = 4, max_ranks: int = 13, limits: bool = True) -> st.SearchStrategy[Rules]:
    """Any legal rules, with decks up to the given size."""
    limit = st.none() if not limits else st.none() | st.integers(1, 4)
    placed = st.tuples(st.sampled_from(CHOICES["base_placement"][:3]), st.sampled_from(CHOICES["build"]))
    return st.builds(
        lambda placed, **fields: Rules(base_placement=placed[0], build=placed[1], **fields),
        placed=placed | st.just(("suit", "suit")),
        suits=subsets(SUITS, 1, max_suits),
        ranks=subsets(RANKS, 1, max_ranks),
        top_anywhere=st.booleans(),
        gather=st.sampled_from(CHOICES["gather"]),
        skip_complete=st.booleans(),
        withhold=st.sampled_from(CHOICES["withhold"]),
        max_redeals=limit if not limits else limit | st.just(0),
        idle_passes=limit,
    )


@st.composite
def deals(draw: st.DrawFn, chosen: Rules) -> Deal:
    """Any order of the deck."""
    return Deal(tuple(draw(st.permutations(chosen.deck))))


@st.composite
def states(draw: st.DrawFn, chosen: Rules, most_moves: int = 60) -> State:
    """A state met in a game of random legal moves."""
    state = State.initial(draw(deals(chosen)), chosen)
    for _ in range(draw(st.integers(0, most_moves))):
        moves = state.legal_moves()
        if not moves:
            break
        state = state.play(draw(st.sampled_from(moves)))
    return state
