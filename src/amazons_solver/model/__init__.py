"""The game and nothing else: cards, rules, moves, deals and states, as in the rules page of the documentation."""
