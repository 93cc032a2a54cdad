"""What people see: text and pictures, of states, lines and words; knows nothing of searches."""
