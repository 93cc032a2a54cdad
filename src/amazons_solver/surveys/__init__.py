"""What the odds are: numbered deals by the million, counted and reported with their uncertainty."""
