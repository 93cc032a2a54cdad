"""Verdicts: could that deal have been won, and with how few redeals?"""
