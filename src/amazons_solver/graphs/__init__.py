"""Decision graphs: every reachable state, with a label on every decision."""
