// How an answer was found: words, plan with its Cypher beside, sources, time.

import { TIERS } from "./answer.js";
import { counted, h, words } from "./dom.js";

const ENGINES = { memory: "computed in memory; the Cypher says the same for a graph database" };

export function explanation(answer) {
  return [
    routed(answer.route),
    ...computed(answer.evidence.graph),
    answer.freshness.length && section("Sources", sources(answer.freshness)),
    section("Time", times(answer.timings_ms)),
    h("p", { class: "muted small" }, "Answer ", h("code", { text: answer.id })),
  ].filter(Boolean);
}

/** What the graph did, and then did for the part of a question that speaks of what it found. */
function computed(graph) {
  if (!graph) return [];
  return [
    graph.words?.length && section("How each word was understood", wordsOf(graph)),
    graph.understood && section("Read as", h("p", { text: graph.understood })),
    graph.plan?.length && section("Plan", planOf(graph)),
    ...computed(graph.then),
  ];
}

function section(title, ...content) {
  return h("section", {}, h("h3", { text: title }), content);
}

function routed(route) {
  const bars = Object.entries(route.probabilities).map(([tier, value]) =>
    h("div", { class: "bar-row" }, h("span", { text: TIERS[tier].name }), h("meter", { min: 0, max: 1, value, "aria-label": `${TIERS[tier].name}: ${Math.round(value * 100)} %` }), h("span", { text: `${Math.round(value * 100)} %` })));
  return section("Where it looked, and why", h("div", { class: "bars" }, bars),
    h("ul", {}, route.reasons.map((text) => h("li", { text }))),
    route.model_version && h("p", { class: "muted small", text: `Decided by ${route.decided_by}, version ${route.model_version}` }));
}

/** The question, each of its words over what it was taken for. */
function wordsOf(graph) {
  const letters = Array.from(graph.question);
  const found = [];
  let at = 0;
  for (const one of [...graph.words].sort((a, b) => a.start - b.start)) {
    if (one.start < at) continue;
    found.push(letters.slice(at, one.start).join(""));
    const means = one.as === "unread" ? "not used" : `${one.as}: ${one.means}`;
    found.push(h("span", { class: `word as-${one.as}` }, h("b", { text: letters.slice(one.start, one.end).join("") }), h("span", { class: "unseen", text: " is " }), h("small", { text: means })));
    at = one.end;
  }
  return h("p", { class: "words" }, ...found, letters.slice(at).join(""));
}

function planOf(graph) {
  const cypher = bySteps(graph.cypher ?? "");
  const steps = graph.plan.map((step) =>
    h("li", { class: "step" },
      h("div", {}, h("b", { text: words(step.operator) }), h("span", { class: "muted", text: ` (${step.step})` }), h("p", { text: saidOf(step.arguments) }), h("p", { class: "outcome", text: outcomeOf(step) })),
      cypher.get(step.step) && h("pre", { tabindex: "0", "aria-label": `Cypher of ${step.step}` }, h("code", { text: cypher.get(step.step) }))));
  const ran = graph.cypher_executed ? `ran as Cypher in ${graph.engine}` : ENGINES[graph.engine] ?? `computed by ${graph.engine}`;
  return [
    h("ol", { class: "steps" }, steps),
    h("p", { class: "muted small", text: `As of ${graph.as_of}; ${ran}. ${budgetOf(graph.budget)}` }),
    (graph.notes ?? []).map((text) => h("p", { class: "notice part", text })),
    h("details", {}, h("summary", { text: "Parameters" }), h("pre", { tabindex: "0" }, h("code", { text: JSON.stringify(graph.parameters, null, 2) }))),
  ];
}

function bySteps(cypher) {
  const found = new Map();
  for (const part of cypher.split(/^(?=\/\/ \S+ = )/m)) {
    const head = /^\/\/ (\S+) = /.exec(part);
    if (head) found.set(head[1], part.slice(part.indexOf("\n") + 1).trim());
  }
  return found;
}

/** The arguments of a step in words. */
function saidOf(given) {
  return Object.entries(given ?? {})
    .filter(([, value]) => value !== null && !(Array.isArray(value) && !value.length))
    .map(([name, value]) => (name === "path" ? pathOf(value) : `${words(name)} ${valueOf(value)}`))
    .join("; ");
}

function pathOf(hops) {
  if (!Array.isArray(hops)) return valueOf(hops);
  return hops.map((hop) => {
    const relation = words(hop.relation ?? "any relation") + (hop.repeat ?? "");
    const arrow = hop.direction === "in" ? `← ${relation} –` : `– ${relation} →`;
    return `${arrow} ${words(hop.to ?? "any")}`;
  }).join(" ");
}

function valueOf(value) {
  if (Array.isArray(value)) return value.map(valueOf).join(", ");
  if (value !== null && typeof value === "object") return JSON.stringify(value);
  return String(value).replace(/^\$(?!\$)/, "of ");
}

function outcomeOf({ outcome }) {
  if (outcome === null || typeof outcome !== "object") return `→ ${outcome}`;
  if (outcome.n === undefined) return `→ ${JSON.stringify(outcome).slice(0, 300)}`;
  const first = (outcome.first ?? []).map(valueOf).join(", ");
  return `→ ${outcome.n}${first ? `: ${first}${outcome.n > outcome.first.length ? ", …" : ""}` : ""}`;
}

function budgetOf(budget) {
  if (!budget) return "";
  const looked = counted(budget.relations?.looked_at ?? 0, "relation");
  return budget.exhausted ? `${looked} looked at, then it was cut: ${budget.cut.map((one) => one.why).join("; ")}.` : `${looked} looked at, nothing cut.`;
}

function sources(all) {
  const rows = all.map((one) => h("tr", {}, h("td", { text: one.source }), h("td", { text: one.as_of ?? "—" }), h("td", { text: one.kind })));
  const head = h("tr", {}, ["Source", "As of", "Kept"].map((text) => h("th", { scope: "col", text })));
  return h("div", { class: "scrolls" }, h("table", {}, h("thead", {}, head), h("tbody", {}, rows)));
}

function times(all) {
  const told = Object.entries(all).map(([stage, ms]) => `${words(stage)} ${ms.toFixed(1)} ms`);
  return h("p", { class: "muted small", text: told.join(" · ") || "remembered" });
}
