// What the page is given: by its own file at first, and by the server, if there is one, from then on.

export interface Fragment {
  /** Packed: a card is one character, as `Cards` reads it. */
  states: string[];
  /** A letter each: `W`on, `w`innable, `b`locked, `u`nwinnable, `?` undecided. */
  statuses: string;
  /** By state, move and target in turns; null where the moves are not here. */
  moves: ((string | number)[] | null)[];
  /** Redeals and moves of the best way to win that is known. */
  toGo: ([number, number] | null)[];
  reasons: string[];
  /** By state, which of the reasons it is lost for. */
  why: number[];
  complete: boolean;
  depth: number;
}

export interface Geometry {
  width: number;
  height: number;
  fan: number;
  gap: number;
  column: number;
  foundations: number;
  depots: number;
}

export interface PageData {
  title: string;
  rules: { preset: string; changes: string[]; fields: Record<string, string | number | boolean | null> };
  deck: string[];
  root: string;
  game: string[];
  served: boolean;
  geometry: Geometry;
  space: Fragment;
}

export function pageData(): PageData {
  return JSON.parse(document.getElementById("data")!.textContent!) as PageData;
}
