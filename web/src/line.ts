// A line of moves as chips, and what is said of a game.

import { shortMove, spokenMove } from "./cards";
import { badge, h } from "./dom";
import type { Store } from "./store";
import { redealsOf } from "./wording";

/** The moves of a way as chips, a pass a row, from a state on; the one that is looked at is marked. */
export function showChips(
  list: HTMLElement, store: Store, way: number[], from: number, current: number, go: (way: number[]) => void,
): void {
  const rows: HTMLElement[] = [];
  const hadFocus = list.contains(document.activeElement);
  let row: HTMLElement | null = null;
  for (let i = from; i < way.length; i++) {
    const move = i ? store.moveBetween(way[i - 1]!, way[i]!) : undefined;
    if (!row) {
      const pass = 1 + redealsOf(store, way.slice(0, i));
      row = h("ol", { class: "pass" });
      rows.push(h("li", { class: "row", "aria-label": `pass ${pass}` }, h("span", { class: "number", "aria-hidden": "true" }, String(pass)), row));
    }
    const fatal = i > 0 && store.isFatal(way[i - 1]!, way[i]!);
    const mark = fatal ? "fatal" : store.isLost(way[i]!) ? "lost" : store.isWinnable(way[i]!) ? "kept" : "unknown";
    const said = { fatal: "threw the win away", lost: "already lost", kept: "kept the win", unknown: "not known" }[mark];
    row.append(h("li", {}, h("button", {
      type: "button", class: `chip ${mark}`, ...(i === current ? { "aria-current": "step" } : {}),
      "aria-label": i ? `move ${i}, ${move ? spokenMove(move) : "unknown"}: ${said}` : "the start",
      click: () => go(way.slice(0, i + 1)),
    }, fatal ? badge("loses", 16) : null, i ? (move ? shortMove(move) : "?") : "start")));
    if (move === "r") row = null;
  }
  list.replaceChildren(...rows);
  const marked = list.querySelector<HTMLElement>("[aria-current]");
  if (!marked) return;
  if (hadFocus) marked.focus({ preventScroll: true });
  // In view in the list; the page stays where it is.
  const { top, bottom, height } = list.getBoundingClientRect();
  const chip = marked.getBoundingClientRect();
  if (chip.top < top || chip.bottom > bottom) list.scrollTop += chip.top - top - height / 2;
}

/** Who is to blame. */
export function gameSummary(store: Store, game: number[], root: number): (string | Node)[] {
  const fatal = game.findIndex((number, i) => i > 0 && store.isFatal(game[i - 1]!, number));
  const last = store.status[game.at(-1)!];
  if (fatal > 0) {
    const move = store.moveBetween(game[fatal - 1]!, game[fatal]!)!;
    return [h("b", { class: "fatal-words" }, `Move ${fatal} of ${game.length - 1}, ${shortMove(move)}, threw the win away.`),
      " Up to there it could be won."];
  }
  if (last === "W") return ["It was won."];
  if (store.isLost(root)) return ["The deal cannot be won: no move is to blame."];
  return last === "w"
    ? [h("b", {}, "No move threw it away."), " It could still be won where it stops."]
    : ["It is not known whether it can be won."];
}
