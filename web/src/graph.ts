// The graph around the current state, drawn by Cytoscape.js.

import cytoscape from "cytoscape";
import { shortMove } from "./cards";
import { type Neighbourhood, neighbourhood } from "./neighbourhood";
import { STATUS_NAMES, type Store } from "./store";

export const SHAPES: Record<string, cytoscape.Css.NodeShape> = {
  W: "star",
  w: "ellipse",
  u: "diamond",
  b: "octagon",
  "?": "round-rectangle",
};

const MARGIN = 14;
/** With more states than this, moves have no names and nothing slides: a click is to be answered at once. */
const MANY = 400;
/** Round the middles of the states: their size, and the band's border and name. */
const ROOM = { left: 84, above: 44, right: 34, below: 34 };

export class GraphView {
  shown: Neighbourhood = { nodes: [], links: [] };
  private readonly cy: cytoscape.Core;
  private expanded = new Set<number>();
  private passes = new Map<number, number>();
  private current = -1;
  private box = { x1: 0, y1: 0, w: 0, h: 0 };
  private most = 80;
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    private readonly place: HTMLElement,
    private readonly store: Store,
    go: (number: number) => void,
    private readonly hover: (number: number | null) => void,
  ) {
    this.cy = cytoscape({
      container: place,
      minZoom: 0.05,
      maxZoom: 2.5,
      autoungrabify: true,
      boxSelectionEnabled: false,
      hideEdgesOnViewport: false,
      textureOnViewport: false,
      style: this.style(),
    });
    this.cy.on("tap", "node.state", (event) => go(Number(event.target.id())));
    this.cy.on("mouseover", "node.state", (event) => this.hover(Number(event.target.id())));
    this.cy.on("mouseout", "node.state", () => this.hover(null));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.cy.style(this.style()));
    new ResizeObserver(() => {
      this.cy.resize();
      this.centre(false);
    }).observe(place);
  }

  /** Show the state in the graph; what is drawn stays as it is while all moves from the state are in it. */
  show(
    current: number, trail: number[], redeals: number, passName: (pass: number) => string, most: number, anew = false,
  ): void {
    const first = this.current < 0;
    // As it would be drawn anew, the current state is in the pass in which it was come to.
    const fits = this.passes.get(current) === redeals || this.shown.nodes.length > MANY;
    const stays = !anew && most === this.most && this.expanded.has(current) && fits;
    this.most = most;
    this.current = current;
    if (!stays) {
      this.shown = neighbourhood(this.store, current, trail, most);
      this.passes = new Map(this.shown.nodes.map(({ number, pass }) => [number, redeals + pass]));
      this.draw(passName);
    }
    this.cy.batch(() => {
      this.cy.$(".current,.came").removeClass("current came");
      this.cy.$id(String(current)).addClass("current");
      for (let i = 1; i < trail.length; i++) this.cy.$id(`${trail[i - 1]}-${trail[i]}`).addClass("came");
    });
    this.place.setAttribute("aria-label", this.words(trail));
    this.centre(stays && !first);
  }

  /** The states that a move away from the current one are drawn at, nearest to a direction. */
  neighbour(from: number, dx: number, dy: number): number | null {
    const here = this.cy.$id(String(from));
    if (!here.nonempty()) return null;
    const at = here.position();
    let best: number | null = null, least = Infinity;
    this.cy.nodes(".state").forEach((node) => {
      const { x, y } = node.position();
      const along = (x - at.x) * dx + (y - at.y) * dy;
      const aside = Math.abs((x - at.x) * dy) + Math.abs((y - at.y) * dx);
      if (along > 1 && along + 3 * aside < least) {
        least = along + 3 * aside;
        best = Number(node.id());
      }
    });
    return best;
  }

  /** Point at a state, as the keyboard does. */
  point(number: number | null): void {
    this.cy.$(".pointed").removeClass("pointed");
    if (number === null) return;
    const node = this.cy.$id(String(number));
    if (!node.nonempty()) return; // not drawn yet, or no more
    node.addClass("pointed");
    const { x1, y1, x2, y2 } = this.cy.extent();
    const { x, y } = node.position();
    if (x < x1 || x > x2 || y < y1 || y > y2) this.cy.center(node);
  }

  fit(): void {
    this.cy.fit(undefined, 24);
  }

  zoom(factor: number): void {
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
  }

  private draw(passName: (pass: number) => string): void {
    const { store } = this;
    const elements: cytoscape.ElementDefinition[] = [];
    const many = this.shown.nodes.length > MANY ? " many" : "";
    for (const pass of new Set(this.shown.nodes.map((node) => node.pass))) {
      elements.push({ data: { id: `pass${pass}`, label: passName(pass) }, classes: "pass", selectable: false });
    }
    const ids = new Set(this.shown.nodes.map(({ number }) => number));
    for (const { number, pass, x, y } of this.shown.nodes) {
      const status = store.status[number]!;
      const moves = store.moves[number];
      const more = !moves || moves.some(({ to }) => !ids.has(to));
      elements.push({
        data: { id: String(number), parent: `pass${pass}`, shape: SHAPES[status]! },
        position: { x, y },
        classes: `state ${STATUS_NAMES[status]}${more ? " more" : ""}`,
      });
    }
    for (const { from, to, move } of this.shown.links) {
      const kind = store.isFatal(from, to) ? "fatal" : store.kind(to);
      elements.push({
        data: { id: `${from}-${to}`, source: String(from), target: String(to), label: shortMove(move) },
        classes: `${kind}${move === "r" ? " redeal" : ""}${many}`,
      });
    }
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.add(elements);
    });
    const xs = this.shown.nodes.map(({ x }) => x), ys = this.shown.nodes.map(({ y }) => y);
    const x1 = Math.min(...xs) - ROOM.left, y1 = Math.min(...ys) - ROOM.above;
    this.box = { x1, y1, w: Math.max(...xs) + ROOM.right - x1, h: Math.max(...ys) + ROOM.below - y1 };
    this.expanded = new Set(
      this.shown.nodes.filter(({ number }) => store.moves[number]?.every(({ to }) => ids.has(to))).map(({ number }) => number),
    );
  }

  private centre(smoothly: boolean): void {
    const node = this.cy.$id(String(this.current));
    if (!node.nonempty()) return;
    const { box } = this;
    const fits = Math.min((this.cy.width() - 30) / box.w, (this.cy.height() - 30) / box.h);
    if (!smoothly) this.cy.zoom(Math.max(0.85, Math.min(1.15, fits)));
    // The current state in the upper third, since what it leads to is what one wants to see; but no room is left empty.
    const zoom = this.cy.zoom();
    const along = (wanted: number, low: number, size: number, room: number) => {
      const first = MARGIN - low * zoom, last = room - MARGIN - (low + size) * zoom;
      return last > first ? (first + last) / 2 : Math.min(first, Math.max(last, wanted));
    };
    const pan = {
      x: along(this.cy.width() / 2 - node.position().x * zoom, box.x1, box.w, this.cy.width()),
      y: along(this.cy.height() * 0.36 - node.position().y * zoom, box.y1, box.h, this.cy.height()),
    };
    if (smoothly && !this.calm.matches && this.shown.nodes.length <= MANY) this.cy.stop().animate({ pan }, { duration: 180 });
    else this.cy.pan(pan);
  }

  private words(trail: number[]): string {
    const { nodes } = this.shown;
    const lost = nodes.filter(({ number }) => this.store.isLost(number)).length;
    return `Decision graph: ${nodes.length} states around the one after ${trail.length - 1} moves, ${lost} of them lost. ` +
      "Arrow keys point at states, Enter goes there.";
  }

  private style(): cytoscape.StylesheetJson {
    const colour = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();
    const keeps = colour("--amz-keeps"), loses = colour("--amz-loses"), unknown = colour("--amz-unknown");
    const ink = colour("--ink"), quiet = colour("--quiet"), panel = colour("--panel"), band = colour("--band");
    const node = (background: string, border: string) => ({ "background-color": background, "border-color": border });
    const edge = (value: string) => ({ "line-color": value, "target-arrow-color": value, color: value });
    return [
      {
        selector: "node.state",
        style: { width: 18, height: 18, shape: "data(shape)" as never, "border-width": 2, ...node(panel, unknown) },
      },
      { selector: "node.winnable", style: node(colour("--keeps-soft"), keeps) },
      { selector: "node.won", style: { ...node(keeps, keeps), width: 30, height: 30 } },
      { selector: "node.unwinnable", style: { ...node(colour("--loses-soft"), loses), width: 21, height: 21 } },
      { selector: "node.blocked", style: { ...node(loses, loses), width: 20, height: 20 } },
      { selector: "node.more", style: { "border-style": "dashed" } },
      { selector: "node.current", style: { width: 28, height: 28, "border-width": 4, "underlay-color": ink, "underlay-opacity": 0.16, "underlay-padding": 9 } },
      { selector: "node.pointed", style: { "overlay-color": ink, "overlay-opacity": 0.25, "overlay-padding": 6 } },
      {
        selector: "node.pass",
        style: {
          shape: "round-rectangle", "background-color": band, "background-opacity": 1, "border-width": 0, padding: "14px",
          label: "data(label)", color: quiet, "font-size": 12, "font-weight": 600, "font-family": "system-ui, sans-serif",
          "text-valign": "top", "text-halign": "left", "text-margin-x": -6, "text-margin-y": 20, events: "no",
          "text-background-color": panel, "text-background-opacity": 1, "text-background-padding": "2px",
        },
      },
      {
        selector: "edge",
        style: {
          width: 1.5, "curve-style": "bezier", "target-arrow-shape": "triangle", "arrow-scale": 0.8,
          "target-label": "data(label)", "target-text-offset": 19,
          "font-size": 11, "font-family": "system-ui, sans-serif", "text-background-color": band,
          "text-background-opacity": 0.9, "text-background-padding": "1px", "min-zoomed-font-size": 7, ...edge(unknown),
        },
      },
      { selector: "edge.keeps", style: edge(keeps) },
      { selector: "edge.fatal", style: { ...edge(loses), width: 3.5, "line-style": "dashed", "line-dash-pattern": [7, 3] } },
      { selector: "edge.redeal", style: { "target-arrow-shape": "vee" } },
      { selector: "edge.came", style: { width: 4.5 } },
      { selector: "edge.many", style: { "curve-style": "straight", "target-label": "" } },
    ];
  }
}
