// Cards, states and moves as text: packed in the data, coded in links, in notation, and in words.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SUITS: Record<string, [string, string]> = {
  C: ["♣", "clubs"],
  D: ["♦", "diamonds"],
  H: ["♥", "hearts"],
  S: ["♠", "spades"],
};
const RANKS: Record<string, string> = {
  A: "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine",
  T: "ten", J: "jack", Q: "queen", K: "king",
};

/** What lies on the table; cards in notation. */
export interface Table {
  talon: string[];
  depots: string[][];
  foundations: (string | null)[];
  counters: string[];
}

export class Cards {
  constructor(
    readonly deck: string[],
    readonly fields: Record<string, string | number | boolean | null>,
  ) {}

  table(packed: string): Table {
    const [talon = "", depots = "", foundations = "", counters = ""] = packed.split("|");
    const cards = (pile: string) => [...pile].map((letter) => this.deck[LETTERS.indexOf(letter)]!);
    return {
      talon: cards(talon),
      depots: depots.split(";").map(cards),
      foundations: foundations.split(";").map((top) => cards(top)[0] ?? null),
      counters: counters ? counters.split(",") : [],
    };
  }

  /** The state as it stands in links. */
  code(packed: string): string {
    const { talon, depots, foundations, counters } = this.table(packed);
    const pile = (cards: string[]) => cards.join("") || "-";
    const parts = [pile(talon), depots.map(pile).join("."), foundations.map((top) => top ?? "-").join(".")];
    return [...parts, ...(counters.length ? [counters.join(".")] : [])].join("_");
  }

  /** The packed state of a link, or null if it is none; whether there is such a state is not looked at. */
  packed(code: string): string | null {
    const parts = code.split("_");
    if (parts.length < 3 || parts.length > 4) return null;
    let known = true;
    const pile = (text: string) =>
      text === "-" ? "" : (text.match(/.{1,2}/g) ?? []).map((card) => {
        const index = this.deck.indexOf(card);
        known &&= index >= 0;
        return LETTERS[index] ?? "";
      }).join("");
    const piles = [pile(parts[0]!), ...parts.slice(1, 3).map((part) => part.split(".").map(pile).join(";"))];
    return known ? [...piles, ...(parts[3] ? [parts[3].replaceAll(".", ",")] : [])].join("|") : null;
  }

  notation(packed: string): string {
    const { talon, depots, foundations, counters } = this.table(packed);
    const pile = (cards: string[]) => cards.join(" ") || "-";
    const parts = [pile(talon), depots.map(pile).join(" ; "), foundations.map((top) => top ?? "-").join(" ; ")];
    return [...parts, ...(counters.length ? [this.counters(counters, "=").join(" ")] : [])].join(" | ");
  }

  counters(values: string[], joint: string): string[] {
    const names = [
      ...(this.fields.max_redeals === null ? [] : ["redeals"]),
      ...(this.fields.idle_passes === null ? [] : ["idle", "played"]),
    ];
    return values.map((value, i) => `${names[i]}${joint}${value}`);
  }

  /** The counters as they stand on the table. */
  counted(values: string[]): string[] {
    return this.counters(values, " ").map((words) => words.replace("played 0", "no play").replace("played 1", "played"));
  }

  left(packed: string): number {
    return packed.split("|", 2).join("").replaceAll(";", "").length;
  }
}

export function pretty(card: string): string {
  return (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]!]![0];
}

export function cardName(card: string): string {
  return `${RANKS[card[0]!]} of ${SUITS[card[1]!]![1]}`;
}

export function isPlay(move: string): boolean {
  return move.includes(">");
}

/** Card and foundation, counted from 1, of a play. */
export function playOf(move: string): { card: string; foundation: number } {
  const [card, foundation] = move.split(">");
  return { card: card!, foundation: Number(foundation) };
}

/** A move in few characters. */
export function shortMove(move: string): string {
  if (!isPlay(move)) return move === "d" ? "deal" : "redeal";
  const { card, foundation } = playOf(move);
  return `${pretty(card)}→${foundation}`;
}

/** A move as a command. */
export function longMove(move: string): string {
  if (!isPlay(move)) return move === "d" ? "Deal a row" : "Redeal";
  const { card, foundation } = playOf(move);
  return `Play ${pretty(card)} to foundation ${foundation}`;
}

/** A move in words only. */
export function spokenMove(move: string): string {
  if (!isPlay(move)) return move === "d" ? "deal a row" : "gather the depots and redeal";
  const { card, foundation } = playOf(move);
  return `play the ${cardName(card)} to foundation ${foundation}`;
}

export function inWords(table: Table): string {
  const pile = (cards: string[]) => cards.map(cardName).join(", ") || "empty";
  const tops = table.foundations.map((top, i) => `${i + 1} ${top ? cardName(top) : "empty"}`).join("; ");
  const depots = table.depots.map((cards, i) => `${i + 1} ${pile(cards)}`).join("; ");
  return `Foundations: ${tops}. Depots, bottom to top: ${depots}. Talon, next card first: ${pile(table.talon)}.`;
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
