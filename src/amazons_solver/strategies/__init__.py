"""How people play: strategies, the games that they play, and how hard a deal is."""
