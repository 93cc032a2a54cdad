"""States one by one: exploration for graphs, and closed sets for proofs."""
