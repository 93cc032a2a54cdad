// Which states are drawn around the current one, and where. The rows are given by the rules: a pass is a band, and in it
// each state stands below those that it comes from. So only the order within rows is left to find, for which averages of
// neighbours do: general layered layouts take seconds for what this places in milliseconds.

import type { Store } from "./store";

export interface Placed {
  number: number;
  x: number;
  y: number;
  /** Redeals from the current state, negative before it. */
  pass: number;
}

export interface Link {
  from: number;
  to: number;
  move: string;
}

export interface Neighbourhood {
  nodes: Placed[];
  links: Link[];
}

const ACROSS = 62;
const DOWN = 66;
const BETWEEN_PASSES = 42;
const SWEEPS = 6;
const FEW = 25;
const EVERYTHING = 2_000;

/** The states nearest to the current one: those it leads to, and those on the way to it with what they led to. */
export function neighbourhood(store: Store, current: number, trail: number[], most: number): Neighbourhood {
  const chosen = choose(store, current, trail, most);
  const links: Link[] = [];
  for (const from of chosen) {
    for (const { move, to } of store.moves[from] ?? []) if (chosen.has(to)) links.push({ from, to, move });
  }
  const passes = passNumbers(chosen, links, wayPasses(store, trail));
  const rows = rowNumbers(chosen, links, passes);
  const across = positions(chosen, links, rows);
  const nodes = [...chosen].map((number) => {
    const pass = passes.get(number)!;
    return { number, pass, x: across.get(number)!, y: rows.get(number)!.y };
  });
  return { nodes, links };
}

function choose(store: Store, current: number, trail: number[], most: number): Set<number> {
  const chosen = new Set<number>([current]);
  const back = trail.slice(0, -1).slice(-Math.max(3, Math.floor(most / 10))).reverse();
  for (const number of back) {
    chosen.add(number);
    for (const { to } of store.moves[number] ?? []) chosen.add(to);
  }
  const spread = (from: number[], next: (number: number) => number[], upTo = most) => {
    const waiting = [...from];
    const met = new Set(waiting);
    for (const number of waiting) {
      for (const other of next(number)) {
        if (chosen.size >= upTo) return;
        if (met.has(other)) continue;
        met.add(other);
        chosen.add(other);
        waiting.push(other);
      }
    }
  };
  const after = (number: number) => (store.moves[number] ?? []).map(({ to }) => to);
  spread([current], after);
  // What else leads here is of less interest, unless there is little else, or everything is asked for.
  const upTo = most >= EVERYTHING ? most : FEW;
  spread([current], (number) => store.before[number]!, upTo);
  spread([...chosen], (number) => [...after(number), ...store.before[number]!], upTo);
  return chosen;
}

/** On the way to the current state, redeals from there: none or fewer. */
function wayPasses(store: Store, trail: number[]): Map<number, number> {
  const passes = new Map<number, number>();
  let pass = 0;
  for (let i = trail.length - 1; i >= 0; i--) {
    if (!passes.has(trail[i]!)) passes.set(trail[i]!, pass);
    if (i && store.moveBetween(trail[i - 1]!, trail[i]!) === "r") pass--;
  }
  return passes;
}

/** Redeals from the current state to each: along the way here, and else the fewest among the moves that are drawn. */
function passNumbers(chosen: Set<number>, links: Link[], way: Map<number, number>): Map<number, number> {
  const beside = new Map<number, { other: number; redeals: number }[]>([...chosen].map((number) => [number, []]));
  for (const { from, to, move } of links) {
    const redeals = Number(move === "r");
    beside.get(from)!.push({ other: to, redeals });
    beside.get(to)!.push({ other: from, redeals: -redeals });
  }
  const passes = new Map([...way].filter(([number]) => chosen.has(number)));
  // First what is in the same pass, then what a redeal is away, the nearest to the current state first.
  let waiting = [...passes.keys()];
  while (waiting.length) {
    const later: { other: number; pass: number }[] = [];
    for (const number of waiting) {
      const pass = passes.get(number)!;
      for (const { other, redeals } of beside.get(number)!) {
        if (passes.has(other)) continue;
        if (redeals) later.push({ other, pass: pass + redeals });
        else {
          passes.set(other, pass);
          waiting.push(other);
        }
      }
    }
    waiting = [];
    for (const { other, pass } of later.sort((a, b) => Math.abs(a.pass) - Math.abs(b.pass))) {
      if (passes.has(other)) continue;
      passes.set(other, pass);
      waiting.push(other);
    }
  }
  for (const number of chosen) if (!passes.has(number)) passes.set(number, 0);
  return passes;
}

interface Row {
  /** The order of all rows from the top. */
  order: number;
  y: number;
}

/** In a pass each state stands one row below the lowest of those it comes from; passes follow each other. */
function rowNumbers(chosen: Set<number>, links: Link[], passes: Map<number, number>): Map<number, Row> {
  const after = new Map<number, number[]>();
  const open = new Map<number, number>([...chosen].map((number) => [number, 0]));
  for (const { from, to, move } of links) {
    // Within a pass there is no way round: a play takes a card away, and a deal takes cards from the talon.
    if (move === "r" || passes.get(from) !== passes.get(to)) continue;
    after.set(from, [...(after.get(from) ?? []), to]);
    open.set(to, open.get(to)! + 1);
  }
  const level = new Map<number, number>();
  const waiting = [...chosen].filter((number) => open.get(number) === 0);
  for (const number of waiting) {
    const own = level.get(number) ?? 0;
    level.set(number, own);
    for (const next of after.get(number) ?? []) {
      level.set(next, Math.max(level.get(next) ?? 0, own + 1));
      open.set(next, open.get(next)! - 1);
      if (open.get(next) === 0) waiting.push(next);
    }
  }
  const depths = new Map<number, number>();
  for (const number of chosen) {
    const pass = passes.get(number)!;
    depths.set(pass, Math.max(depths.get(pass) ?? 0, level.get(number) ?? 0));
  }
  const starts = new Map<number, Row>();
  let order = 0, y = 0;
  for (const [pass, depth] of [...depths].sort(([a], [b]) => a - b)) {
    starts.set(pass, { order, y });
    order += depth + 1;
    y += (depth + 1) * DOWN + BETWEEN_PASSES;
  }
  return new Map([...chosen].map((number) => {
    const start = starts.get(passes.get(number)!)!;
    const own = level.get(number) ?? 0;
    return [number, { order: start.order + own, y: start.y + own * DOWN }];
  }));
}

function positions(chosen: Set<number>, links: Link[], rows: Map<number, Row>): Map<number, number> {
  const byRow: number[][] = [];
  for (const number of chosen) (byRow[rows.get(number)!.order] ??= []).push(number);
  const above = new Map<number, number[]>([...chosen].map((number) => [number, []]));
  const below = new Map<number, number[]>([...chosen].map((number) => [number, []]));
  for (const { from, to } of links) {
    const down = rows.get(from)!.order < rows.get(to)!.order;
    (down ? below : above).get(from)!.push(to);
    (down ? above : below).get(to)!.push(from);
  }
  const x = new Map<number, number>([...chosen].map((number) => [number, 0]));
  const place = (row: number[], towards: Map<number, number[]>) => {
    const wanted = row.map((number, i) => {
      const others = towards.get(number)!;
      const mean = others.reduce((sum, other) => sum + x.get(other)!, 0) / (others.length || 1);
      return { number, at: others.length ? mean : x.get(number)!, i };
    }).sort((a, b) => a.at - b.at || a.i - b.i);
    let last = -Infinity, off = 0;
    for (const one of wanted) {
      last = Math.max(one.at, last + ACROSS);
      off += one.at - last;
      x.set(one.number, last);
    }
    for (const { number } of wanted) x.set(number, x.get(number)! + off / wanted.length);
    row.splice(0, row.length, ...wanted.map(({ number }) => number));
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of byRow) place(row, above);
    for (const row of [...byRow].reverse()) place(row, below);
  }
  for (const row of byRow) place(row, above);
  return x;
}
