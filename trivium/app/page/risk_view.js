// Risk as a heat grid: what is at risk down the side, open events along the top.

import { byId, counted, h, words } from "./dom.js";

const PAGE = 100; // as many as the door is asked for at a time
let type = null;
let after = 0;
let day = null;

/** Show it; `look(id)` is called for an entity that somebody wants to see in the graph. */
export async function showRisk(world, asOf, look) {
  if (day !== asOf) [day, after] = [asOf, 0];
  const seen = await world.see(asOf, true, after);
  const { events } = seen.risk;
  const scores = seen.risk.scores ?? {};
  const rows = seen.nodes
    .filter((node) => scores[node.id])
    .map((node) => ({ node, shares: scores[node.id], sum: scores[node.id].reduce((a, b) => a + b, 0) }))
    .sort((a, b) => b.sum - a.sum);
  const types = [...new Set(rows.map((row) => row.node.type))].sort();
  if (!types.includes(type)) type = null;
  byId("risk-note").textContent = noteOf(events, rows, seen);
  const repeat = () => showRisk(world, asOf, look);
  const chips = types.length > 1 ? [null, ...types].map((one) => chip(one, repeat)) : [];
  byId("risk-types").replaceChildren(...chips, ...turns(seen.risk.n_at_risk ?? 0, repeat));
  const wanted = rows.filter((row) => type === null || row.node.type === type);
  byId("grid").replaceChildren(...(wanted.length ? [gridOf(events, wanted, look)] : []));
}

function noteOf(events, rows, seen) {
  if (!events.length) return `No event is open as of ${seen.as_of}: nothing is at risk from one.`;
  if (!seen.risk.scores) return "There was no time to add up the risk in a graph this large. Ask about one entity in the chat instead.";
  const n = seen.risk.n_at_risk;
  const part = n > PAGE ? `, places ${after + 1} to ${after + rows.length}` : "";
  return `${counted(n, "entity", "entities")} at risk from ${opened(events.length, seen.risk.n_open)} as of ${seen.as_of}${part}. A score adds up, for each event, how grave it is, times how near it is.`;
}

/** Which events are added up: all that are open, or the gravest of them. */
const opened = (n, all) => (n < all ? `the ${n} gravest of ${all} open events` : counted(n, "open event"));

/** Buttons to those more and less at risk, where there are more than come at a time. */
function turns(n, repeat) {
  const turn = (text, to) => h("button", { type: "button", class: "chip", text, onclick: () => { after = to; repeat(); } });
  return [
    ...(after > 0 ? [turn("more at risk", Math.max(0, after - PAGE))] : []),
    ...(after + PAGE < n ? [turn("less at risk", after + PAGE)] : []),
  ];
}

function chip(one, repeat) {
  const choose = () => {
    type = one;
    repeat();
  };
  return h("button", { type: "button", class: "chip", "aria-pressed": String(one === type), text: one === null ? "all" : words(one), onclick: choose });
}

function gridOf(events, rows, look) {
  const highest = Math.max(...rows.map((row) => row.sum));
  const head = h("tr", {}, h("th", { scope: "col", text: "At risk" }), h("th", { scope: "col", text: "Sum" }),
    events.map((event) => h("th", { scope: "col", title: `weight ${event.weight}`, text: event.name })));
  const body = rows.map(({ node, shares, sum }) =>
    h("tr", {},
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", text: node.name, onclick: () => look(node.id) }), h("small", { class: "muted", text: words(node.type) })),
      cell(sum, highest, "sum"),
      shares.map((share) => cell(share, highest))));
  return h("table", { class: "heat" }, h("thead", {}, head), h("tbody", {}, body));
}

function cell(value, highest, more = "") {
  const element = h("td", { class: `${more} ${value ? "hot" : ""}`.trim(), text: value ? rounded(value) : "" });
  element.style.setProperty("--heat", `${Math.round((value / highest) * 100)}%`);
  return element;
}

const rounded = (value) => String(Math.round(value * 100) / 100);
