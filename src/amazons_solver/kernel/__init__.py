"""The compiled engine: decides deals on packed integers. Only this imports numba; the checker does not trust it."""
