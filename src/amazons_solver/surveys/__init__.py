"""What the odds are: numbered deals by the million, counted and told with their uncertainty."""
