// The table as SVG: cards and talon are clicked to move, and wear what is known of the move.

import { type Table, cardName, inWords, isPlay, playOf, pretty, spokenMove } from "./cards";
import type { Geometry } from "./data";
import { s } from "./dom";
import type { Edge, Kind } from "./store";

export interface Choice extends Edge {
  kind: Kind;
  /** What the move does, in words. */
  words: string;
}

const STRENGTH: Kind[] = ["keeps", "unknown", "loses"];

export class TableView {
  private armed: string | null = null;

  constructor(
    private readonly place: Element,
    private readonly geometry: Geometry,
    private readonly rows: number,
    private readonly move: (choice: Choice) => void,
  ) {}

  show(table: Table, choices: Choice[], top: string, counters: string[]): void {
    const { width, height, fan, gap, column, foundations, depots } = this.geometry;
    if (!choices.some((choice) => isPlay(choice.move) && playOf(choice.move).card === this.armed)) this.armed = null;
    // Room for some rows from the start, so that what stands below mostly keeps its place.
    const longest = Math.max(...table.depots.map((pile) => pile.length), this.rows);
    const size = [gap + (table.depots.length + 1) * column, depots + height + (longest - 1) * fan + gap] as const;
    const view = s("svg", {
      viewBox: `0 0 ${size[0]} ${size[1]}`, role: "group", "aria-label": "The table", class: "table", style: `max-width:${1.35 * size[0]}px`,
    }, s("desc", {}, inWords(table)));
    const redraw = () => this.show(table, choices, top, counters);
    view.append(this.talon(table, choices, counters));
    table.foundations.forEach((card, i) => {
      const x = gap + (i + 1) * column;
      const complete = card !== null && card[0] === top;
      const label = complete ? `${i + 1} complete` : `${i + 1}`;
      view.append(s("text", { class: "amz-ink amz-label", x: x + width / 2, y: foundations - 9 }, label));
      const target = choices.find((choice) => this.armed && choice.move === `${this.armed}>${i + 1}`);
      const place = s("g", { transform: `translate(${x} ${foundations})` },
        card ? this.card(card) : s("rect", { class: "amz-slot", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 6 }));
      if (target) this.act(place, [target.kind], spokenMove(target.move) + ": " + target.words, () => this.make(target));
      view.append(place);
    });
    table.depots.forEach((pile, i) => {
      const x = gap + (i + 1) * column;
      if (!pile.length) {
        view.append(s("rect", { class: "amz-slot", x: x + 0.5, y: depots + 0.5, width: width - 1, height: height - 1, rx: 6 }));
      }
      pile.forEach((card, j) => {
        const place = s("g", { transform: `translate(${x} ${depots + j * fan})` }, this.card(card));
        if (j === pile.length - 1) this.depotTop(place, card, choices, redraw);
        view.append(place);
      });
    });
    const focused = document.activeElement?.getAttribute("aria-label");
    const hadFocus = this.place.contains(document.activeElement);
    this.place.replaceChildren(view);
    if (hadFocus) {
      const again = [...view.querySelectorAll<SVGElement>("[tabindex]")];
      (again.find((element) => element.getAttribute("aria-label") === focused) ?? again[0])?.focus();
    }
  }

  private card(card: string): SVGUseElement {
    return s("use", { href: `#amz-${card}`, width: this.geometry.width, height: this.geometry.height });
  }

  private talon(table: Table, choices: Choice[], counters: string[]): SVGGElement {
    const { width, height, gap, foundations, depots } = this.geometry;
    const count = table.talon.length;
    const middle = gap + width / 2;
    const group = s("g", {}, s("text", { class: "amz-ink amz-label", x: middle, y: foundations - 9 }, "talon"));
    const place = s("g", { transform: `translate(${gap} ${foundations})` });
    if (count) {
      place.append(
        s("use", { href: "#amz-back", width, height }),
        s("rect", { class: "amz-plate", x: 12, y: 27, width: width - 24, height: 30, rx: 6 }),
        s("text", { class: "amz-count amz-number", x: width / 2, y: 50 }, String(count)));
    } else {
      place.append(s("rect", { class: "amz-slot", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 6 }));
    }
    const choice = choices.find(({ move }) => !isPlay(move));
    if (choice) {
      const from = count ? ` (${count} in the talon)` : "";
      this.act(place, [choice.kind], `${spokenMove(choice.move)}${from}: ${choice.words}`, () => this.make(choice));
      const label = choice.move === "d" ? "deal" : "redeal";
      group.append(s("text", { class: "amz-ink amz-label", x: middle, y: foundations + height + 17 }, label));
      if (!count) place.append(s("path", { class: "again", d: "M19 42a11 11 0 1 1 4 9M23 51l-1 9M23 51l9 1" }));
    }
    group.append(place);
    counters.forEach((words, row) => {
      group.append(s("text", { class: "amz-ink amz-label", x: middle, y: depots + 62 + 16 * row }, words));
    });
    return group;
  }

  /** The top card of a depot: with one play it is played at once, with several its foundation is asked for. */
  private depotTop(place: SVGGElement, card: string, choices: Choice[], redraw: () => void): void {
    const plays = choices.filter(({ move }) => isPlay(move) && playOf(move).card === card);
    const [first] = plays;
    if (!first) return;
    if (plays.length === 1) {
      this.act(place, [first.kind], `${spokenMove(first.move)}: ${first.words}`, () => this.make(first));
      return;
    }
    const kinds = STRENGTH.filter((kind) => plays.some((play) => play.kind === kind));
    this.act(place, kinds, `play the ${cardName(card)}: choose one of ${plays.length} foundations`, () => {
      this.armed = this.armed === card ? null : card;
      redraw();
    });
    place.setAttribute("aria-pressed", String(this.armed === card));
    if (this.armed === card) place.append(s("title", {}, `${pretty(card)}: now click a foundation`));
  }

  private act(place: SVGGElement, kinds: Kind[], label: string, action: () => void): void {
    const { width, height } = this.geometry;
    place.setAttribute("role", "button");
    place.setAttribute("tabindex", "0");
    place.setAttribute("aria-label", label);
    place.classList.add("act");
    place.addEventListener("click", action);
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      action();
    });
    place.append(
      s("rect", { class: `amz-arrow amz-${kinds[0]}`, x: -1, y: -1, width: width + 2, height: height + 2, rx: 7 }),
      s("rect", { class: "focus", x: -4, y: -4, width: width + 8, height: height + 8, rx: 10 }),
      ...kinds.map((kind, i) =>
        s("use", { href: `#amz-mark-${kind}`, x: width - 15 - 20 * i, y: height - 15, width: 22, height: 22 })));
  }

  private make(choice: Choice): void {
    this.armed = null;
    this.move(choice);
  }
}
