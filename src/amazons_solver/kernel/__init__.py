"""The compiled tier: decides deals on packed integers. The only code that imports numba; untrusted by the checker."""
