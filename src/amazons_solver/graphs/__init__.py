"""Decision graphs: every state that can come about, with a label on every decision."""
