"""Small pieces of HTML with which objects show themselves in notebooks."""

import html
from collections.abc import Iterable, Sequence

__all__ = ["scrolled", "table_html"]


def table_html(rows: Iterable[Sequence[object]], *, caption: str, header: Sequence[object] = ()) -> str:
    """A table whose rows are named by their first cell; all cells are shown as text.

    >>> print(table_html([("winnable", "<1 %")], caption="odds"))
    <table><caption>odds</caption>
    <tr><th scope="row">winnable</th><td>&lt;1 %</td></tr>
    </table>
    """
    columns = "".join(f'<th scope="col">{_escaped(cell)}</th>' for cell in header)
    lines = [f"<tr>{columns}</tr>"] if header else []
    for name, *cells in rows:
        values = "".join(f"<td>{_escaped(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{_escaped(name)}</th>{values}</tr>')
    return "\n".join([f"<table><caption>{_escaped(caption)}</caption>", *lines, "</table>"])


def scrolled(picture: str) -> str:
    """A picture that may be wider than the page, to be scrolled through, by the keyboard as well."""
    return f'<div tabindex="0" style="overflow:auto;max-height:40em">{picture}</div>'


def _escaped(cell: object) -> str:
    return html.escape(str(cell))
