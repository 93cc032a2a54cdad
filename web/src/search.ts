// A search for states in what the page knows.

import type { Cards } from "./cards";
import { STATUS_NAMES, type Store } from "./store";

const STATUSES = new Set(Object.values(STATUS_NAMES));
const SYMBOLS: Record<string, string> = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };

/** One word of a search, as a test for a state. */
function test(word: string, store: Store, cards: Cards): ((number: number) => boolean) | null {
  const lower = word.toLowerCase();
  if (STATUSES.has(lower)) return (number) => STATUS_NAMES[store.status[number]!] === lower;
  if (lower === "lost") return (number) => store.isLost(number);
  if (lower === "fatal" || lower === "choice") {
    return (number) => (store.moves[number] ?? []).some(({ to }) => store.isFatal(number, to));
  }
  const left = /^(?:left[:=]?)?(\d{1,2})$/.exec(lower);
  if (left) return (number) => cards.left(store.packed[number]!) === Number(left[1]);
  const plain = word.replace(/[♣♦♥♠]\ufe0f?/g, (symbol) => SYMBOLS[symbol[0]!]!).toUpperCase().replace("10", "T");
  if (/^[A-Z0-9]{2}>[1-4]$/.test(plain)) {
    return (number) => (store.moves[number] ?? []).some(({ move }) => move === plain);
  }
  if (cards.deck.includes(plain)) {
    return (number) => cards.table(store.packed[number]!).depots.some((pile) => pile.at(-1) === plain);
  }
  return null;
}

/** The states that pass every word, at most so many; null if a word means nothing. */
export function search(text: string, store: Store, cards: Cards, most: number): { found: number[]; bad: string | null } {
  const code = cards.packed(text.trim().replace(/^#/, ""));
  const exact = code === null ? undefined : store.number(code);
  if (exact !== undefined) return { found: [exact], bad: null };
  if (text.includes("|")) {
    const wanted = text.trim().replace(/\s+/g, " ").toUpperCase();
    const found: number[] = [];
    for (let number = 0; number < store.size && found.length < most; number++) {
      if (cards.notation(store.packed[number]!).toUpperCase().startsWith(wanted)) found.push(number);
    }
    return { found, bad: null };
  }
  const tests = [];
  for (const word of text.split(/[\s,]+/).filter((word) => word && word !== "left")) {
    const passes = test(word, store, cards);
    if (!passes) return { found: [], bad: word };
    tests.push(passes);
  }
  const found: number[] = [];
  for (let number = 0; tests.length && number < store.size && found.length < most; number++) {
    if (tests.every((passes) => passes(number))) found.push(number);
  }
  return { found, bad: null };
}
