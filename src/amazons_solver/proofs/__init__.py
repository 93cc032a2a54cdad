"""Proofs of verdicts: made, written, read, and checked by code that knows no search."""
