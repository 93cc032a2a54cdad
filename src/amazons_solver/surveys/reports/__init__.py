"""What ledgers say, as tables, pages and pictures."""
