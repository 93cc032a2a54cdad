"""The same deal under every published reading of the rules, each verdict with a proof that is checked."""

from amazons_solver import PRESETS, Deal, certify, verify

for preset in PRESETS.values():
    deal = Deal.numbered(1, preset.rules)
    certificate = certify(deal, preset.rules)
    verify(certificate)
    states = certificate.states
    proof = "a line of moves" if states is None else f"a closed set of {len(states)} states"
    print(f"{preset.name:12} {certificate.verdict:11} proved by {proof}  ({preset.source})")
