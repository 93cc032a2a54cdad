"""How often can a deal be won? Ten thousand deals under two readings of the rules, and the hardest of them."""

from amazons_solver import Rules, survey

for name in ("ultimate", "patiencen"):
    found = survey(range(10_000), Rules.preset(name), on="threads")
    number, states = found.hardest[0]
    print(f"{name}: {found.interval} of deals can be won; numbered:{number} is the hardest, with {states} {found.unit}")
