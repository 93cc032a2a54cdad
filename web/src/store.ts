// The states that the page knows, by number.

import type { Fragment } from "./data";

export type Status = "W" | "w" | "b" | "u" | "?";
export type Kind = "keeps" | "loses" | "unknown";

export interface Edge {
  move: string;
  to: number;
}

export const STATUS_NAMES: Record<Status, string> = {
  W: "won",
  w: "winnable",
  b: "blocked",
  u: "unwinnable",
  "?": "undecided",
};

export class Store {
  readonly packed: string[] = [];
  readonly status: Status[] = [];
  /** By state, its moves; null where they are not known. */
  readonly moves: (Edge[] | null)[] = [];
  readonly toGo: ([number, number] | null)[] = [];
  readonly why: string[] = [];
  /** By state, those with a move to it. */
  readonly before: number[][] = [];
  complete: boolean;
  readonly depth: number;
  private readonly numbers = new Map<string, number>();

  constructor(first: Fragment) {
    this.complete = first.complete;
    this.depth = first.depth;
    this.merge(first);
  }

  get size(): number {
    return this.packed.length;
  }

  number(packed: string): number | undefined {
    return this.numbers.get(packed);
  }

  /** Take in what was found out. */
  merge(fragment: Fragment): void {
    const numbers = fragment.states.map((packed) => this.add(packed));
    fragment.states.forEach((_, i) => {
      const number = numbers[i]!;
      const status = fragment.statuses[i] as Status;
      if (this.status[number] === "?") this.status[number] = status;
      const best = fragment.toGo[i] ?? null;
      const known = this.toGo[number];
      if (best && (!known || best[0] < known[0] || (best[0] === known[0] && best[1] < known[1]))) {
        this.toGo[number] = best;
      }
      this.why[number] ||= fragment.reasons[fragment.why[i]!]!;
      const flat = fragment.moves[i];
      if (flat && !this.moves[number]) {
        const moves: Edge[] = [];
        for (let j = 0; j < flat.length; j += 2) {
          const to = numbers[flat[j + 1] as number]!;
          moves.push({ move: flat[j] as string, to });
          this.before[to]!.push(number);
        }
        this.moves[number] = moves;
      }
    });
  }

  isLost(number: number): boolean {
    return "bu".includes(this.status[number]!);
  }

  isWinnable(number: number): boolean {
    return "Ww".includes(this.status[number]!);
  }

  /** What is known of the state that a move leads to. */
  kind(to: number): Kind {
    return this.isWinnable(to) ? "keeps" : this.isLost(to) ? "loses" : "unknown";
  }

  /** Whether a move throws the win away. */
  isFatal(from: number, to: number): boolean {
    return this.isWinnable(from) && this.isLost(to);
  }

  /** The move from one state to another; two moves never lead to the same state. */
  moveBetween(from: number, to: number): string | undefined {
    return this.moves[from]?.find((edge) => edge.to === to)?.move;
  }

  /** The moves, best first: those that keep the win by redeals and moves to go, then the unknown, then the lost. */
  ranked(number: number): (Edge & { kind: Kind; toGo: [number, number] | null })[] {
    const rank = { keeps: 0, unknown: 1, loses: 2 };
    return (this.moves[number] ?? [])
      .map((edge) => {
        const rest = this.toGo[edge.to];
        const toGo: [number, number] | null = rest ? [rest[0] + Number(edge.move === "r"), rest[1] + 1] : null;
        return { ...edge, kind: this.kind(edge.to), toGo };
      })
      .sort((a, b) => {
        const byKind = rank[a.kind] - rank[b.kind];
        if (byKind) return byKind;
        if (!a.toGo || !b.toGo) return Number(!a.toGo) - Number(!b.toGo);
        return a.toGo[0] - b.toGo[0] || a.toGo[1] - b.toGo[1];
      });
  }

  best(number: number): Edge | undefined {
    const first = this.ranked(number)[0];
    return first?.kind === "keeps" ? first : undefined;
  }

  /** The shortest way between two states through what is known, as states. */
  path(from: number, to: number): number[] | null {
    const came = new Map<number, number>([[from, -1]]);
    const waiting = [from];
    for (const number of waiting) {
      if (number === to) {
        const path = [];
        for (let step = to; step >= 0; step = came.get(step)!) path.unshift(step);
        return path;
      }
      for (const edge of this.moves[number] ?? []) {
        if (!came.has(edge.to)) {
          came.set(edge.to, number);
          waiting.push(edge.to);
        }
      }
    }
    return null;
  }

  counts(): { states: Record<Status, number>; moves: number; fatal: number; choices: number } {
    const states: Record<Status, number> = { W: 0, w: 0, b: 0, u: 0, "?": 0 };
    let moves = 0, fatal = 0, choices = 0;
    for (let number = 0; number < this.size; number++) {
      states[this.status[number]!]++;
      const edges = this.moves[number] ?? [];
      moves += edges.length;
      const losing = edges.filter((edge) => this.isFatal(number, edge.to)).length;
      fatal += losing;
      choices += Number(losing > 0);
    }
    return { states, moves, fatal, choices };
  }

  private add(packed: string): number {
    const known = this.numbers.get(packed);
    if (known !== undefined) return known;
    const number = this.packed.push(packed) - 1;
    this.numbers.set(packed, number);
    this.status.push("?");
    this.moves.push(null);
    this.toGo.push(null);
    this.why.push("");
    this.before.push([]);
    return number;
  }
}
