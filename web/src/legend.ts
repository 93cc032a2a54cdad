// The signs of the graph, explained.

import { h, s } from "./dom";
import type { Status } from "./store";

const OUTLINES: Record<Status, string> = {
  W: "M0-9 2.6-3 9-2.4 4 1.6 5.8 8 0 4.6-5.8 8-4 1.6-9-2.4-2.6-3Z",
  w: "M-6.5 0a6.5 6.5 0 1 1 13 0a6.5 6.5 0 1 1-13 0Z",
  u: "M0-8 8 0 0 8-8 0Z",
  b: "M-3-7H3L7-3V3L3 7H-3L-7 3V-3Z",
  "?": "M-6-6H6V6H-6Z",
};

export function statusIcon(status: Status): SVGSVGElement {
  const name = { W: "won", w: "winnable", u: "unwinnable", b: "blocked", "?": "undecided" }[status];
  return s("svg", { class: `status-icon ${name}`, viewBox: "-10 -10 20 20", width: 18, height: 18, "aria-hidden": "true" },
    s("path", { d: OUTLINES[status] }));
}

function arrow(kind: string): SVGSVGElement {
  return s("svg", { class: `arrow-icon ${kind}`, viewBox: "0 0 30 12", width: 30, height: 12, "aria-hidden": "true" },
    s("path", { d: "M1 6H24" }), s("path", { class: "head", d: "M29 6l-8-4v8Z" }));
}

export function legend(): HTMLElement[] {
  const item = (icon: Node, words: string) => h("li", {}, icon, words);
  return [
    item(statusIcon("w"), "can be won"),
    item(statusIcon("u"), "lost"),
    item(statusIcon("b"), "blocked: no move"),
    item(statusIcon("W"), "won"),
    item(statusIcon("?"), "not known"),
    item(arrow("fatal"), "throws the win away"),
  ];
}
