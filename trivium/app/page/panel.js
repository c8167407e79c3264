// The side panel: a passage, a fact, a subgraph, or how an answer was found.

import { entitiesOf, titleOf } from "./answer.js";
import { byId, h, icon, words } from "./dom.js";
import { draw, mark } from "./drawing.js";
import { explanation } from "./explaining.js";
import { inline } from "./markdown.js";

const narrow = matchMedia("(max-width: 63.99rem)");
let opener = null;
let drawn = null;

/** Listen to the ways of closing it. */
export function preparePanel() {
  byId("close-panel").append(icon("close"));
  byId("close-panel").addEventListener("click", closePanel);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !byId("panel").hidden && !byId("key-dialog").open) closePanel();
  });
  narrow.addEventListener("change", cover);
}

export function closePanel() {
  if (byId("panel").hidden) return;
  forget();
  byId("panel").hidden = true;
  byId("stage").classList.remove("with-panel");
  cover();
  if (opener?.isConnected) opener.focus();
}

export function openPanel(title, content, from) {
  forget();
  opener = from;
  byId("panel-title").textContent = title;
  byId("panel-body").replaceChildren(...[content].flat());
  byId("panel").hidden = false;
  byId("stage").classList.add("with-panel");
  byId("panel").scrollTop = 0;
  cover();
  byId("panel-title").focus();
}

/** Show what a marker of an answer points to. `world` has the types of entities, where they are known. */
export async function showCitation(answer, marker, from, world) {
  const citation = answer.citations.find((one) => one.marker === marker);
  const title = `[${marker}] ${titleOf(citation)}`;
  if (citation.tier === "rag") return openPanel(title, passage(citation, answer), from);
  if (citation.tier === "cag") return openPanel(title, fact(citation, answer), from);
  const canvas = h("div", { class: "drawn-graph", role: "img", "aria-label": "The relations that are listed below, drawn" });
  openPanel(title, [canvas, listed(citation)], from);
  const graph = await draw(canvas, {
    nodes: allOf(citation).map((id) => ({ id, name: nameOf(citation, id), type: world.typeOf(id) })),
    relations: citation.relations,
    kinds: world.kinds(),
  });
  if (graph) mark(graph, entitiesOf(answer));
  drawn = graph;
}

export function showExplanation(answer, from) {
  openPanel("How this was answered", explanation(answer), from);
}

function allOf(citation) {
  return [...new Set([...citation.nodes, ...citation.relations.flatMap(([source, , target]) => [source, target])])];
}

const nameOf = (citation, id) => citation.names?.[id] ?? id;

function passage(citation, answer) {
  const rows = [["Under", citation.heading], ["Date", citation.date], ["Document", citation.source], ["Score", citation.score]];
  return [
    citation.superseded_by && h("p", { class: "notice part", text: `Superseded by ${citation.superseded_by}` }),
    h("blockquote", { class: "passage" }, highlighted(citation, answer)),
    described(rows),
  ].filter(Boolean);
}

/** The passage, with the sentences that the answer took marked. */
function highlighted(citation, answer) {
  const letters = Array.from(citation.passage ?? "");
  const said = (answer.evidence.rag?.statements ?? [])
    .filter((one) => one.document === citation.source && one.start >= citation.start && one.end <= citation.end)
    .sort((a, b) => a.start - b.start);
  if (letters.length !== citation.end - citation.start) return inline(citation.passage ?? "");
  const found = [];
  let at = 0;
  for (const { start, end } of said) {
    const first = Math.max(at, start - citation.start);
    found.push(inline(letters.slice(at, first).join("")), h("mark", {}, inline(letters.slice(first, end - citation.start).join(""))));
    at = Math.max(first, end - citation.start);
  }
  return [found, inline(letters.slice(at).join(""))];
}

function fact(citation, answer) {
  const value = [citation.value, citation.unit].filter((part) => part !== null && part !== undefined).join(" ");
  const kind = answer.freshness.find((one) => one.source === citation.source)?.kind;
  return [
    h("p", { class: "value", text: value }),
    described([["Entity", citation.entity], ["Attribute", words(citation.attribute)], ["As of", citation.as_of], ["Source", citation.source], ["Kept", kind]]),
  ];
}

function listed(citation) {
  const name = (id) => `${nameOf(citation, id)} (${id})`;
  if (!citation.relations.length) return h("ul", { class: "relations" }, citation.nodes.map((id) => h("li", { text: name(id) })));
  return h("ul", { class: "relations" }, citation.relations.map(([source, type, target]) =>
    h("li", {}, name(source), h("span", { class: "relation", text: ` ${words(type)} → ` }), name(target))));
}

function described(rows) {
  return h("dl", {}, rows.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([term, value]) =>
    h("div", {}, h("dt", { text: term }), h("dd", { text: value }))));
}

/** On a narrow screen the panel covers the rest, which then cannot be reached. */
function cover() {
  byId("main").inert = narrow.matches && !byId("panel").hidden;
}

function forget() {
  drawn?.destroy();
  drawn = null;
}
