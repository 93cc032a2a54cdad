"""Deals that are played out by hand, in the comments."""

from amazons_solver import Rules

# One depot, aces may be held back. d: 7C; d: 7C AC; AC>1: 7C; 7C>1: won. Or, instead of AC>1, r: back to the start.
CIRCLE_RULES = Rules(suits="C", ranks="A7", withhold="bases")
CIRCLE_DEAL = "7C AC"

# One depot, one pass. d: AC; then AC>1, d: 7C, 7C>1 wins, and d, which buries the ace, ends the game.
TRAP_RULES = Rules(suits="C", ranks="A7", withhold="bases", max_redeals=0)
TRAP_DEAL = "AC 7C"

# Compulsory plays. d: 7D ; AC. AC>1. d: 7D AD ; 7C. AD>2. Each seven is now below the other suit's ace, and with the
# leftmost pile first the redeal 7D 7C brings it back there for ever.
STUCK_RULES = Rules(suits="CD", ranks="A7", gather="right-over-left", withhold="nothing")
STUCK_DEAL = "7D AC AD 7C"
