"""The same deal under every published reading of the rules, with a proof of each verdict that an independent check accepts."""

from amazons_solver import PRESETS, Deal, certify, verify

for preset in PRESETS.values():
    deal = Deal.numbered(1, preset.rules)
    certificate = certify(deal, preset.rules)
    verify(certificate)
    if certificate.states is None:
        proof = "a line of moves"
    else:
        proof = f"a closed set of {len(certificate.states)} states"
    print(f"{preset.name:10} {certificate.verdict:11} proved by {proof}  ({preset.source})")
