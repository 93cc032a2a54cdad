"""How a survey is run: what is missing is decided by workers, and a sample is checked."""
