// The view of the whole graph, with what the last answer rests on lit.

import { byId, counted, h, words } from "./dom.js";
import { colourOf, draw, light } from "./drawing.js";
import { openPanel } from "./panel.js";

let drawn = null;
let shown = null;
let hidden = new Set();
let work = Promise.resolve();

/** Listen to the tools of the view. */
export function prepareGraph(redraw) {
  byId("light").addEventListener("change", redraw);
  byId("find").addEventListener("change", () => {
    const wanted = byId("find").value.trim().toLowerCase();
    const node = shown?.nodes.find((one) => [one.name, one.id, `${one.name} (${one.id})`].some((text) => text.toLowerCase() === wanted));
    if (node) go(node.id);
  });
}

/** Draw it; `lit` are entities and relations of an answer, `ask(text)` puts a question into the chat. */
export function showGraph(world, asOf, lit, ask) {
  work = work.catch(() => {}).then(() => show(world, asOf, lit, ask)); // one at a time: there is one canvas
  return work;
}

async function show(world, asOf, lit, ask) {
  const seen = await world.see(asOf);
  if (seen !== shown || !drawn) await redraw(seen, world.kinds(), ask);
  const cut = seen.is_cut ? ", the most connected alone" : "";
  byId("graph-note").textContent = `${counted(seen.nodes.length, "entity", "entities")}, ${counted(seen.relations.length, "relation")}${cut}, as of ${seen.as_of}`;
  if (drawn) light(drawn, byId("light").checked ? lit.nodes : [], lit.relations);
}

/** Show one entity in it. */
export function go(id) {
  const node = drawn?.getElementById(id);
  if (!node?.length) return;
  drawn.$(":selected").unselect();
  node.select();
  node.emit("tap");
}

async function redraw(seen, kinds, ask) {
  drawn?.destroy();
  shown = seen;
  const canvas = byId("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The graph, drawn. Find an entity above to have its relations listed.");
  drawn = await draw(canvas, { nodes: seen.nodes, relations: seen.relations, kinds, isWhole: true, picked: (id) => about(id, ask) });
  byId("entities").replaceChildren(...seen.nodes.map((node) => h("option", { value: `${node.name} (${node.id})` })));
  byId("legend").replaceChildren(...kinds.map((kind, place) => legendOf(kind, place, seen)));
  hide(seen);
}

function legendOf(kind, place, seen) {
  const dot = h("span", { class: "dot" });
  dot.style.background = colourOf(place);
  const n = seen.nodes.filter((node) => node.type === kind).length;
  const button = h("button", { type: "button", class: "chip", "aria-pressed": String(!hidden.has(kind)) }, dot, words(kind), h("span", { class: "muted", text: n }));
  button.addEventListener("click", () => {
    hidden = new Set(hidden.has(kind) ? [...hidden].filter((one) => one !== kind) : [...hidden, kind]);
    button.setAttribute("aria-pressed", String(!hidden.has(kind)));
    hide(seen);
  });
  return button;
}

function hide(seen) {
  for (const node of seen.nodes) drawn.getElementById(node.id).style("display", hidden.has(node.type) ? "none" : "element");
}

/** Show an entity beside the graph, with its relations. */
function about(id, ask) {
  const node = shown.nodes.find((one) => one.id === id);
  const name = (other) => shown.nodes.find((one) => one.id === other)?.name ?? other;
  const near = shown.relations.filter(([source, , target]) => source === id || target === id);
  const items = near.map(([source, type, target]) => {
    const other = source === id ? target : source;
    const way = source === id ? `${words(type)} → ` : `← ${words(type)} `;
    return h("li", {}, h("span", { class: "relation", text: way }), h("button", { type: "button", class: "link", text: name(other), onclick: () => go(other) }));
  });
  const question = h("button", { type: "button", class: "solid", text: "Ask about it", onclick: () => ask(`Tell me about ${node.name} (${id})`) });
  openPanel(node.name, [
    h("p", { class: "muted", text: `${words(node.type)} · ${id}` }),
    question,
    h("h3", { text: counted(near.length, "relation") }),
    h("ul", { class: "relations" }, items),
  ], byId("find"));
  drawn.resize();
  drawn.zoom(Math.max(drawn.zoom(), 0.9));
  drawn.center(drawn.getElementById(id));
}
