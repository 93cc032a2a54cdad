// What states and moves are called on the page.

import { type Cards, plural, pretty } from "./cards";
import { STATUS_NAMES, type Store } from "./store";
import type { Choice } from "./table";

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function redealsOf(store: Store, way: number[]): number {
  return way.filter((number, i) => i > 0 && store.moveBetween(way[i - 1]!, number) === "r").length;
}

/** The moves from a state, best first, with what they do. */
export function choicesOf(store: Store, number: number): Choice[] {
  const lost = store.isLost(number);
  return store.ranked(number).map(({ move, to, kind, toGo }) => ({
    move, to, kind,
    words: kind === "keeps" ? `keeps the win, ${goal(store, toGo)}`
      : kind === "unknown" ? "not known"
      : lost ? "already lost" : store.isWinnable(number) ? "throws the win away" : "is lost",
  }));
}

/** What is to go, in words. */
export function goal(store: Store, toGo: [number, number] | null): string {
  if (!toGo) return "some way wins";
  const [redeals, moves] = toGo;
  if (!moves) return "won";
  const count = redeals ? plural(redeals, "redeal") : "no redeal";
  return `${store.complete || !redeals ? "" : "at most "}${count} to go`;
}

export function stateWords(store: Store, cards: Cards, number: number): string {
  const table = cards.table(store.packed[number]!);
  const tops = table.foundations.map((top) => (top ? pretty(top) : "–")).join(" ");
  const left = cards.left(store.packed[number]!);
  const name = STATUS_NAMES[store.status[number]!];
  return `${sentence(name)} · ${plural(left, "card")} left, ${table.talon.length} in the talon · foundations ${tops}`;
}
