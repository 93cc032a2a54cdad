"""Games that were saved: as text, ours and others', and PySolFC's files."""
