"""How what was found is kept: a file of SQLite, and records of every deal."""
