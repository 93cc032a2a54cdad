"""What people see: text, and pictures. Takes states, lines and words, and knows nothing of searches."""
