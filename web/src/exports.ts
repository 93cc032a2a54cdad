// What is shown, as files.

import { type Cards, shortMove } from "./cards";
import type { Neighbourhood } from "./neighbourhood";
import { STATUS_NAMES, type Status, type Store } from "./store";

export function download(name: string, kind: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const colour = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();

/** The graph that is drawn, as JSON that networkx reads: node_link_graph(data, edges="edges"). */
export function graphJson(store: Store, cards: Cards, shown: Neighbourhood, current: number): string {
  return JSON.stringify({
    directed: true,
    multigraph: false,
    graph: { current: cards.code(store.packed[current]!) },
    nodes: shown.nodes.map(({ number }) => ({
      id: cards.code(store.packed[number]!),
      state: cards.notation(store.packed[number]!),
      status: STATUS_NAMES[store.status[number]!],
      cards_left: cards.left(store.packed[number]!),
    })),
    edges: shown.links.map(({ from, to, move }) => ({
      source: cards.code(store.packed[from]!),
      target: cards.code(store.packed[to]!),
      move,
      ...(store.kind(to) === "unknown" ? {} : { keeps_win: store.isWinnable(to) }),
    })),
  }, null, 1);
}

const DOT_SHAPES: Record<Status, string> = { W: "star", w: "ellipse", u: "diamond", b: "octagon", "?": "box" };

export function graphDot(store: Store, cards: Cards, shown: Neighbourhood): string {
  const lines = ["digraph decisions {", '  node [fontname="Helvetica", fontsize=10, style=filled, fillcolor=white];'];
  for (const { number } of shown.nodes) {
    const status = store.status[number]!;
    const look = store.isLost(number) ? "#D55E00" : store.isWinnable(number) ? "#0072B2" : "#666666";
    const state = cards.notation(store.packed[number]!);
    const label = `${cards.left(store.packed[number]!)} left`;
    lines.push(`  ${number} [label="${label}", tooltip="${state}", state="${state}", status="${STATUS_NAMES[status]}", ` +
      `shape=${DOT_SHAPES[status]}, color="${look}"];`);
  }
  for (const { from, to, move } of shown.links) {
    const look = store.isFatal(from, to) ? 'color="#D55E00", penwidth=3, style=dashed' : 'color="#666666"';
    lines.push(`  ${from} -> ${to} [label="${move}", ${look}];`);
  }
  return [...lines, "}", ""].join("\n");
}

const OUTLINES: Record<Status, string> = {
  W: "M0-14 4-5 14-4 6 2 9 12 0 7-9 12-6 2-14-4-4-5Z",
  w: "M-9 0a9 9 0 1 1 18 0a9 9 0 1 1-18 0Z",
  u: "M0-11 11 0 0 11-11 0Z",
  b: "M-4-10H4L10-4V4L4 10H-4L-10 4V-4Z",
  "?": "M-9-9H9V9H-9Z",
};

export function graphSvg(store: Store, shown: Neighbourhood, current: number): string {
  const xs = shown.nodes.map(({ x }) => x), ys = shown.nodes.map(({ y }) => y);
  const margin = 60;
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  const [width, height] = [Math.max(...xs) + margin - left, Math.max(...ys) + margin - top];
  const at = new Map(shown.nodes.map((node) => [node.number, node]));
  const paint = (number: number) =>
    colour(store.isLost(number) ? "--amz-loses" : store.isWinnable(number) ? "--amz-keeps" : "--amz-unknown");
  const links = shown.links.map(({ from, to, move }) => {
    const a = at.get(from)!, b = at.get(to)!;
    const fatal = store.isFatal(from, to);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ex, ey] = [b.x - (14 * (b.x - a.x)) / length, b.y - (14 * (b.y - a.y)) / length];
    return `<path d="M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${ex.toFixed(1)} ${ey.toFixed(1)}" stroke="${paint(to)}" ` +
      `stroke-width="${fatal ? 3.5 : 1.5}"${fatal ? ' stroke-dasharray="7 3"' : ""} marker-end="url(#head)"/>` +
      `<text x="${((a.x + b.x) / 2 + 4).toFixed(1)}" y="${((a.y + b.y) / 2).toFixed(1)}" fill="${colour("--ink")}">` +
      `${escaped(shortMove(move))}</text>`;
  });
  const nodes = shown.nodes.map(({ number, x, y }) => {
    const status = store.status[number]!;
    const full = status === "W" || status === "b";
    return `<path transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" d="${OUTLINES[status]}" stroke="${paint(number)}" ` +
      `stroke-width="${number === current ? 5 : 2}" fill="${full ? paint(number) : colour("--panel")}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}">` +
    `<title>Decision graph of Amazons: ${shown.nodes.length} states</title>` +
    '<defs><marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto" ' +
    `markerUnits="userSpaceOnUse"><path d="M0 0 8 4 0 8Z" fill="${colour("--quiet")}"/></marker></defs>` +
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${colour("--panel")}"/>` +
    `<g fill="none" font-family="Helvetica,Arial,sans-serif" font-size="10">${links.join("")}${nodes.join("")}</g></svg>\n`;
}

/** The picture of the table, with the cards and the style that it uses inside. */
export function tableSvg(table: SVGSVGElement): string {
  const copy = table.cloneNode(true) as SVGSVGElement;
  const used = new Set([...copy.querySelectorAll("use")].map((use) => use.getAttribute("href")!));
  const defs = document.createElementNS("http://www.w3.org/2000/svg", "defs");
  for (const id of used) defs.append(document.querySelector(id)!.cloneNode(true));
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = document.getElementById("card-style")!.textContent + ".focus{display:none}.again{fill:none}";
  const [, , width, height] = copy.getAttribute("viewBox")!.split(" ");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ class: "amz-table", width, height, rx: "8" })) ground.setAttribute(name, value!);
  copy.prepend(style, defs, ground);
  copy.setAttribute("class", "amz-auto");
  copy.setAttribute("width", width!);
  copy.setAttribute("height", height!);
  return new XMLSerializer().serializeToString(copy) + "\n";
}
