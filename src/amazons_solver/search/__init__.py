"""State-space search over any problem that fits the protocol; knows no cards."""
