"""A game was lost in PySolFC: could it have been won, and how?"""

from amazons_solver import Deal, Rules, State, Verdict, solve

rules = Rules.preset("pysolfc")
deal = Deal.pysolfc("24680")
solution = solve(deal, rules)
print(f"PySolFC game 24680 is {solution.verdict.value}")

if solution.verdict is Verdict.WINNABLE:
    assert solution.line is not None
    state = State.initial(deal, rules)
    for number, move in enumerate(solution.line, start=1):
        state = state.play(move)
        if number <= 3:
            print(f"\nafter {move}:\n{state}")
    assert state.is_won
    print(f"\n... and so on, {solution.moves} moves with {solution.redeals} redeals, until all is on the foundations")
