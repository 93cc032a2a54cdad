"""Writers of decision graphs: GraphML, GEXF, DOT, node-link JSON, SVG drawn by Graphviz, and the explorer page."""

from amazons_solver.export.writers import FORMATS, check_format, export_graph, export_parts, write_graph

__all__ = ["FORMATS", "check_format", "export_graph", "export_parts", "write_graph"]
