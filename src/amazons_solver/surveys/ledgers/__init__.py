"""How findings are kept: an SQLite file, and records of every deal."""
