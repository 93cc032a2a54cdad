"""The search over pass boundaries, which decides."""
