// The page: where the game stands, how it came there, and what is shown of it.

import { Cards, longMove, plural, shortMove } from "./cards";
import { type Fragment, pageData } from "./data";
import { badge, byId, h } from "./dom";
import { download, graphDot, graphJson, graphSvg, tableSvg } from "./exports";
import { GraphView } from "./graph";
import { legend, statusIcon } from "./legend";
import { gameSummary, showChips } from "./line";
import { search } from "./search";
import { STATUS_NAMES, type Status, Store } from "./store";
import { type Choice, TableView } from "./table";
import { choicesOf, goal, redealsOf, sentence, stateWords } from "./wording";

interface Place {
  /** The states of the way here, packed. */
  trail: string[];
  /** How many entries of the browser's history lie before this one. */
  depth: number;
}

const ASK_FOR = 80;
const NEAR = 4;
const FOUND_MOST = 60;

const data = pageData();
const cards = new Cards(data.deck, data.rules.fields);
const store = new Store(data.space);
const topRank = String(data.rules.fields.ranks).at(-1)!;
const root = store.number(data.root)!;
const game = data.game.map((packed) => store.number(packed)!);
const asked = new Set<number>();

let trail: number[] = [root];
let depth = 0;
let deepest = 0;
let trouble = "";
/** The state of the graph at which the keyboard points. */
let pointed: number | null = null;
/** The state that the server is being asked about. */
let waiting = -1;

const rowsOfPass = Math.min(4, Math.ceil(data.deck.length / String(data.rules.fields.suits).length));
const tableView = new TableView(byId("table"), data.geometry, rowsOfPass, (choice) => go([...trail, choice.to]));
const graphView = new GraphView(byId("graph"), store, (number) => go(wayTo(number)), describe);

const here = () => trail.at(-1)!;

// How the game came where it stands.

/** Go to the last state of a way. */
function go(way: number[], replace = false): void {
  if (!replace && way.at(-1) === here() && way.length === trail.length) return;
  trail = way;
  trouble = "";
  depth += Number(!replace);
  deepest = depth;
  const place: Place = { trail: way.map((number) => store.packed[number]!), depth };
  const link = `#${cards.code(store.packed[here()]!)}`;
  if (replace) history.replaceState(place, "", link);
  else history.pushState(place, "", link);
  show();
}

/** A way to a state: along the one here, the game, from the one here, or from the start. */
function wayTo(number: number): number[] {
  for (const way of [trail, game]) {
    const i = way.indexOf(number);
    if (i >= 0) return way.slice(0, i + 1);
  }
  if (store.moveBetween(here(), number) !== undefined) return [...trail, number];
  for (let i = trail.length - 1; i >= 0 && i > trail.length - 12; i--) {
    if (store.moveBetween(trail[i]!, number) !== undefined) return [...trail.slice(0, i + 1), number];
  }
  const onward = store.path(here(), number);
  if (onward) return [...trail, ...onward.slice(1)];
  return store.path(root, number) ?? [number];
}

/** The state that the address names, or where the game begins. */
async function arrive(event?: PopStateEvent): Promise<void> {
  const place = (event ? event.state : history.state) as Place | null;
  const code = decoded(location.hash.slice(1));
  const packed = cards.packed(code);
  if (event && !place) depth += 1; // a link within the page was followed, or typed
  if (place?.trail && packed === place.trail.at(-1)) {
    const known = place.trail.map((one) => store.number(one));
    if (known.every((number) => number !== undefined)) {
      trail = known as number[];
      depth = place.depth;
      deepest = Math.max(deepest, depth);
      show();
      return;
    }
  }
  if (code) {
    let number = packed === null ? undefined : store.number(packed);
    if (number === undefined && packed !== null && data.served) {
      await ask(code);
      number = store.number(packed);
    }
    if (number !== undefined) {
      go(wayTo(number), true);
      return;
    }
    go(opening(), true);
    trouble = data.served ? "There is no such state." : "The state of this link is not in this file.";
    show();
    return;
  }
  go(opening(), true);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no address of ours
  }
}

/** Where the page opens: at the move that threw a played game away, or else at its end. */
function opening(): number[] {
  const fatal = game.findIndex((number, i) => i > 0 && store.isFatal(game[i - 1]!, number));
  return fatal > 0 ? game.slice(0, fatal) : game.length ? game.slice() : [root];
}

/** How many of the first states of the way here can be won: the last of them is where to go back to. */
function winnableUntil(way: number[]): number {
  let count = way.length;
  while (count && !store.isWinnable(way[count - 1]!)) count--;
  return count;
}

function back(): void {
  if (depth > 0) history.back();
  else if (trail.length > 1) go(trail.slice(0, -1));
}

function forward(): void {
  if (depth < deepest) history.forward();
  else if (onGame() && trail.length < game.length) go(game.slice(0, trail.length + 1));
}

const onGame = () => trail.length <= game.length && trail.every((number, i) => number === game[i]);

// What the server knows.

async function ask(code: string): Promise<void> {
  try {
    const answer = await fetch(`around?state=${code}&most=${ASK_FOR}`);
    if (answer.ok) store.merge((await answer.json()) as Fragment);
    else trouble = answer.status === 400 ? "There is no such state." : `The server answered: ${await answer.text()}`;
  } catch {
    trouble = "The server does not answer. Start it again to go on.";
  }
}

/** Whether the states a few moves on are known. */
function knowsAhead(): boolean {
  let row = [here()];
  for (let step = 0; step < NEAR; step++) {
    if (row.some((number) => !store.moves[number])) return false;
    row = row.flatMap((number) => store.moves[number]!.map(({ to }) => to)).slice(0, 20);
  }
  return true;
}

async function lookAhead(): Promise<void> {
  const number = here();
  if (!data.served || asked.has(number) || waiting === number || (store.status[number] !== "?" && knowsAhead())) return;
  waiting = number;
  await ask(cards.code(store.packed[number]!));
  waiting = -1;
  asked.add(number);
  if (number === here()) show(true);
}

/** Ask once more for what the server did not answer. */
function askAgain(): void {
  trouble = "";
  asked.delete(here());
  show();
}

// What is shown.

function show(anew = false): void {
  const number = here();
  pointed = null;
  const table = cards.table(store.packed[number]!);
  const choices = choicesOf(store, number);
  tableView.show(table, choices, topRank, cards.counted(table.counters));
  showBanner();
  showMoves(choices);
  showLine();
  const best = store.best(number);
  byId<HTMLButtonElement>("back").disabled = depth === 0 && trail.length < 2;
  byId<HTMLButtonElement>("forward").disabled = depth >= deepest && !(onGame() && trail.length < game.length);
  byId<HTMLButtonElement>("best").disabled = !best;
  document.title = `${data.title}: ${store.status[number] === "W" ? "won" : plural(cards.left(store.packed[number]!), "card") + " left"}`;
  // The graph last, after the table has been painted.
  requestAnimationFrame(() => setTimeout(() => showGraph(anew)));
  void lookAhead();
}

function showGraph(anew: boolean): void {
  const most = Number(byId<HTMLSelectElement>("size").value);
  graphView.show(here(), trail, redealsOf(store, trail), passName, most, anew);
  describe(null);
  if (anew) showCounts();
}

/** What to call a pass, so many redeals from here. */
function passName(pass: number): string {
  if (trail[0] === root) return `pass ${1 + redealsOf(store, trail) + pass}`;
  return pass === 0 ? "this pass" : pass === 1 ? "next pass" : pass === -1 ? "pass before" : `${Math.abs(pass)} passes ${pass < 0 ? "before" : "on"}`;
}

function showBanner(): void {
  const number = here();
  const status = store.status[number]!;
  const until = winnableUntil(trail);
  const fatal = until < trail.length ? until : 0;
  const justNow = fatal > 0 && fatal === trail.length - 1 && store.isLost(number);
  let kind = "unknown", heading = "", words = "";
  if (status === "W") {
    kind = "keeps";
    heading = "Won.";
    words = trail[0] === root ? `${plural(trail.length - 1, "move")}, ${plural(redealsOf(store, trail), "redeal")}.` : "Every foundation is complete.";
  } else if (status === "w") {
    kind = "keeps";
    heading = game.length > 1 && onGame() && trail.length === game.length
      ? "No move threw it away: here the game can still be won." : "This can be won.";
    const losing = (store.moves[number] ?? []).filter(({ to }) => store.isFatal(number, to)).length;
    const toGo = store.toGo[number] ?? null;
    words = toGo ? `${sentence(goal(store, toGo))}, ${plural(toGo[1], "move")}.` : "";
    const played = onGame() ? game[trail.length] : undefined;
    if (played !== undefined && store.isFatal(number, played)) {
      const best = store.best(number);
      heading = "The next move threw the win away.";
      words = `${shortMove(store.moveBetween(number, played)!)} was played.` +
        (best ? ` “${longMove(best.move)}” would have kept the win.` : "");
    } else if (losing) words += ` Careful: ${losing === 1 ? "one move here throws" : `${losing} moves here throw`} it away.`;
  } else if (store.isLost(number)) {
    kind = "loses";
    const move = fatal ? store.moveBetween(trail[fatal - 1]!, trail[fatal]!) : undefined;
    heading = justNow ? "That move threw the win away."
      : number === root ? "This deal cannot be won." : "This is lost.";
    words = sentence(store.why[number] ?? "") + (store.why[number] ? "." : "");
    if (fatal && !justNow && move && store.isLost(trail[fatal]!)) words += ` Move ${fatal}, ${shortMove(move)}, threw the win away.`;
  } else {
    const looking = data.served && !asked.has(number);
    heading = looking ? "Looking …" : "It is not known whether this can be won.";
    words = looking || trouble ? "" : "A limit was reached first.";
  }
  const atEdge = !data.served && !store.moves[number];
  const edge = atEdge ? h("p", { class: "edge" }, "The file ends here: it has everything within ",
    `${plural(store.depth, "move")} of the start and of the lines it follows. With `, h("code", {}, "explore --serve"), " there is no end.") : null;
  const wayBack = store.isLost(number) && until > 0
    ? h("button", { type: "button", class: "primary", "aria-keyshortcuts": "u", click: goBackToWin }, "Back to where it could be won ", h("kbd", { "aria-hidden": "true" }, "U")) : null;
  const unanswered = asked.has(number) && (trouble || !store.moves[number] || status === "?");
  const again = unanswered ? h("div", { class: "way-back" }, h("button", { type: "button", click: askAgain }, "Ask again")) : null;
  const banner = byId("banner");
  banner.className = kind;
  banner.replaceChildren(
    badge(kind, 30),
    h("div", {}, h("strong", {}, heading), " ", h("span", {}, words), edge, trouble ? h("p", { class: "edge" }, trouble) : null, wayBack ? h("div", { class: "way-back" }, wayBack) : null, again));
}

function goBackToWin(): void {
  const until = winnableUntil(trail);
  if (until && until < trail.length) go(trail.slice(0, until));
}

function showMoves(choices: Choice[]): void {
  const list = byId("moves");
  const hadFocus = list.contains(document.activeElement);
  const played = onGame() ? game[trail.length] : undefined;
  const items = choices.map((choice, i) => h("li", {}, h("button", {
    type: "button", class: `move ${choice.words.startsWith("throws") ? "fatal" : choice.kind}`, "data-move": choice.move,
    "aria-keyshortcuts": String(i + 1), click: () => go([...trail, choice.to]),
    mouseenter: () => graphView.point(choice.to), mouseleave: () => graphView.point(null),
    focus: () => graphView.point(choice.to), blur: () => graphView.point(null),
  }, badge(choice.kind), h("span", { class: "what" }, longMove(choice.move), choice.to === played ? h("span", { class: "played" }, "played") : null), h("span", { class: "words" }, choice.words),
    i < 9 ? h("kbd", { "aria-hidden": "true" }, String(i + 1)) : null)));
  if (!items.length) {
    const over = store.moves[here()] ? "No move is left." : data.served ? (asked.has(here()) ? "The moves from here are not known." : "Looking …") : "The moves from here are not in this file.";
    items.push(h("li", { class: "quiet none" }, over));
  }
  list.replaceChildren(...items);
  if (hadFocus) (list.querySelector<HTMLElement>("button") ?? byId("back")).focus();
}

function showLine(): void {
  const number = trail.length - 1;
  if (!game.length) {
    byId("line-title").textContent = "Moves so far";
    byId("line-summary").textContent = number ? "" : "None yet. Click a card or the talon, or a move of the list.";
    showChips(byId("line"), store, trail, 0, number, go);
    return;
  }
  byId("line-title").textContent = "The game that was played";
  byId("line-summary").replaceChildren(...gameSummary(store, game, root));
  let common = 0;
  while (common < trail.length && trail[common] === game[common]) common++;
  showChips(byId("line"), store, game, 0, common === trail.length ? number : -1, go);
  byId("tried-part").hidden = common === trail.length;
  showChips(byId("tried"), store, trail, Math.max(common, 1), number, go);
}

/** Say what the state is at which the graph is pointed. */
function describe(number: number | null): void {
  byId("pointed").textContent = number === null ? "" : stateWords(store, cards, number);
}

function showCounts(): void {
  const { states, moves, fatal, choices } = store.counts();
  const term = (name: Node | string, count: number) => h("div", {}, h("dt", {}, name), h("dd", {}, count.toLocaleString("en")));
  byId("counts").replaceChildren(
    term("states", store.size),
    ...(Object.keys(STATUS_NAMES) as Status[]).filter((status) => states[status]).map((status) =>
      term(h("span", { class: "status" }, statusIcon(status), STATUS_NAMES[status]), states[status])),
    term("moves", moves),
    term("that throw the win away", fatal),
    term("states with such a choice", choices));
  byId("extent").textContent = store.complete ? "All that can happen in this deal, whatever is played."
    : data.served ? "So far: the server finds more as you go on."
    : `A part of this deal's states: everything within ${plural(store.depth, "move")} of the start and of the lines it follows.`;
}

// What the person does.

function showFound(): void {
  const text = byId<HTMLInputElement>("search").value;
  const { found, bad } = search(text, store, cards, FOUND_MOST + 1);
  const more = found.length > FOUND_MOST;
  byId("found-count").textContent = !text.trim() ? "" : bad ? `“${bad}” is no word of a search.`
    : found.length ? `${more ? `The first ${FOUND_MOST}` : plural(found.length, "state")}${store.complete ? "" : " of those known here"}.`
    : `None${store.complete ? "" : " of those known here"}.`;
  byId("found").replaceChildren(...found.slice(0, FOUND_MOST).map((number) => h("li", {}, h("button", {
    type: "button", class: "result", title: cards.notation(store.packed[number]!), click: () => go(wayTo(number)),
  }, statusIcon(store.status[number]!), h("span", {}, stateWords(store, cards, number))))));
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target as Element;
  if (target.closest("input, select, textarea")) return;
  const inGraph = target.id === "graph";
  const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
  if (inGraph && event.key.startsWith("Arrow")) return;
  const key = event.key.toLowerCase(); // on the buttons the letters are capitals
  if (event.key === "ArrowLeft") back();
  else if (event.key === "ArrowRight") forward();
  else if (key === "w") playBest();
  else if (key === "u") goBackToWin();
  else if (event.key === "/") byId("search").focus();
  else if (digit) {
    const choice = choicesOf(store, here())[digit - 1];
    if (choice) go([...trail, choice.to]);
    return;
  } else return;
  event.preventDefault();
}

function playBest(): void {
  const best = store.best(here());
  if (best) go([...trail, best.to]);
}

/** In the graph: arrows point at states, Enter goes there. */
function onGraphKey(event: KeyboardEvent): void {
  const ways: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = ways[event.key];
  if (way) {
    pointed = graphView.neighbour(pointed ?? here(), ...way) ?? pointed;
    graphView.point(pointed);
    describe(pointed);
  } else if (event.key === "Enter" && pointed !== null) {
    const number = pointed;
    graphView.point(null);
    go(wayTo(number));
  } else if (event.key === "+" || event.key === "-") graphView.zoom(event.key === "+" ? 1.25 : 0.8);
  else return;
  event.preventDefault();
}

function begin(): void {
  const { preset, changes } = data.rules;
  byId("rules").textContent = `Patience Amazons, ${preset} rules${changes.length ? ` with ${changes.join(", ")}` : ""}`;
  const verdict = byId("verdict");
  const kind = store.kind(root);
  verdict.append(badge(kind, 22), { keeps: "This deal can be won", loses: "This deal cannot be won", unknown: "Not decided" }[kind]);
  verdict.className = kind;
  byId("legend").replaceChildren(...legend());
  showCounts();
  if (matchMedia("(max-width: 600px)").matches) byId<HTMLSelectElement>("size").value = "30";
  const click = (id: string, action: () => void) => byId(id).addEventListener("click", action);
  click("back", back);
  click("forward", forward);
  click("best", playBest);
  click("zoom-in", () => graphView.zoom(1.25));
  click("zoom-out", () => graphView.zoom(0.8));
  click("fit", () => graphView.fit());
  click("save-dot", () => download("decisions.dot", "text/vnd.graphviz", graphDot(store, cards, graphView.shown)));
  click("save-json", () => download("decisions.json", "application/json", graphJson(store, cards, graphView.shown, here())));
  click("save-svg", () => download("decisions.svg", "image/svg+xml", graphSvg(store, graphView.shown, here())));
  click("save-table", () => download("table.svg", "image/svg+xml", tableSvg(byId("table").querySelector("svg")!)));
  byId("size").addEventListener("change", () => showGraph(true));
  byId("search").addEventListener("input", showFound);
  byId("graph").addEventListener("keydown", onGraphKey);
  document.addEventListener("keydown", onKey);
  addEventListener("popstate", (event) => void arrive(event));
  void arrive();
}

begin();
