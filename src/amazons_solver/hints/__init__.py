"""Advice: which moves keep the win, which move threw it away, and why a state is lost."""
