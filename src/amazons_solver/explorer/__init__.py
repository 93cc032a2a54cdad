"""The page for walking through the decisions of a deal: written to a file, or served on loopback."""

from amazons_solver.explorer.page import explorer_page
from amazons_solver.explorer.space import Space, space_around, space_of_graph, space_of_lines

__all__ = ["Space", "explorer_page", "space_around", "space_of_graph", "space_of_lines"]
