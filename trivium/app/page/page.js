// The page: asks, keeps the conversation, and shows one view at a time.

import { AnswerCard, TIERS } from "./answer.js";
import { byId, h, icon, tell, words } from "./dom.js";
import { ask, key, needsKey } from "./door.js";
import { go, prepareGraph, showGraph } from "./graph_view.js";
import { closePanel, preparePanel, showCitation, showExplanation } from "./panel.js";
import { showRisk } from "./risk_view.js";
import { World } from "./world.js";

const LAST_TURNS = 20;
const LONGEST_TURN = 20_000;

const world = new World();
const conversation = []; // {question, answer}, the answer once it is there
let asking = null;
let wanted = null; // the entity that the graph is to be opened at

/** What each view does when it is shown; an admin's console would be one more. */
const VIEWS = {
  chat: () => {},
  graph: showTheGraph,
  risk: () => showRisk(world, asOf(), lookAt),
};
const NOTES = { graph: "graph-note", risk: "risk-note" };

function start() {
  preparePanel();
  prepareGraph(showTheGraph);
  prepareComposer();
  prepareKey();
  byId("new-chat").addEventListener("click", newChat);
  addEventListener("hashchange", () => {
    world.forget();
    show(viewOf(location.hash));
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, dialog");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      location.hash = "#chat";
      byId("question").focus();
    }
  });
  welcome();
  show(viewOf(location.hash));
}

const viewOf = (hash) => (hash.slice(1) in VIEWS ? hash.slice(1) : "chat");
const asOf = () => byId("as-of").value || undefined;

async function show(view) {
  closePanel();
  for (const name of Object.keys(VIEWS)) byId(name).hidden = name !== view;
  for (const link of document.querySelectorAll("#views a")) {
    if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (view === "chat") byId("question").focus({ preventScroll: true });
  try {
    await VIEWS[view]();
  } catch (error) {
    byId(NOTES[view]).textContent = error.message;
    if (error.status === 401) openKey();
  }
}

// --- asking -------------------------------------------------------------------------------------

function prepareComposer() {
  const question = byId("question");
  byId("tiers").append(...Object.entries(TIERS).map(([tier, { name }]) => tierChip(tier, name)));
  byId("send").append(icon("send"));
  question.addEventListener("input", grow);
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    byId("composer").requestSubmit();
  });
  byId("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    if (asking) asking.abort();
    else put(question.value);
  });
}

function tierChip(tier, name) {
  const chip = h("button", { type: "button", class: `chip of-${tier}`, "aria-pressed": "false", "data-tier": tier, text: name });
  chip.addEventListener("click", () => chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true")));
  return chip;
}

function grow() {
  const question = byId("question");
  question.style.height = "auto";
  question.style.height = `${Math.min(question.scrollHeight, 200)}px`;
}

function putQuestion(text) {
  location.hash = "#chat";
  put(text);
}

/** Ask a question, with what was said before it. */
async function put(text) {
  const question = text.trim();
  if (!question || asking) return;
  byId("question").value = "";
  grow();
  if (!conversation.length) byId("conversation").replaceChildren();
  const turn = { question, answer: null };
  const card = new AnswerCard({
    cite: (answer, n, from) => showCitation(answer, n, from, world),
    explain: showExplanation,
    choose: (one) => put(`${one.name} (${one.id})`),
    again: () => put(question),
  });
  const request = requestOf(question);
  conversation.push(turn);
  byId("conversation").append(h("div", { class: "asked" }, h("p", { text: question }), conditions(request)), card.element);
  card.element.previousSibling.scrollIntoView({ block: "start" });
  tell("Asking.");
  await answered(turn, card, request);
}

async function answered(turn, card, request) {
  asking = new AbortController();
  busy(true);
  try {
    turn.answer = await ask(request, { signal: asking.signal, heard: (name, data) => card.hear(name, data) });
    card.fill(turn.answer);
    if (!turn.answer.cache.hit) world.see(asOf()).catch(() => {});
  } catch (error) {
    card.fail(error.name === "AbortError" ? "You stopped it." : error.message);
    if (error.status === 401) openKey();
  } finally {
    asking = null;
    busy(false);
  }
}

function busy(isBusy) {
  byId("send").replaceChildren(icon(isBusy ? "stop" : "send"));
  byId("send").setAttribute("aria-label", isBusy ? "Stop" : "Ask");
}

function requestOf(question) {
  const tiers = [...document.querySelectorAll('#tiers [aria-pressed="true"]')].map((chip) => chip.dataset.tier);
  const history = conversation
    .filter((turn) => turn.answer)
    .flatMap((turn) => [{ role: "user", content: turn.question }, { role: "assistant", content: turn.answer.answer }])
    .map((said) => ({ ...said, content: said.content.slice(0, LONGEST_TURN) }))
    .slice(-LAST_TURNS);
  return { question, ...(history.length && { history }), ...(asOf() && { as_of: asOf() }), ...(tiers.length && { tiers }) };
}

/** What a question was asked under, where somebody chose it. */
function conditions({ as_of, tiers }) {
  const told = [as_of && `as of ${as_of}`, tiers && tiers.map((tier) => TIERS[tier].name).join(", ")].filter(Boolean);
  return told.length > 0 && h("small", { class: "muted", text: told.join(" · ") });
}

function lastLit() {
  const last = conversation.findLast((turn) => turn.answer)?.answer;
  const citations = last?.citations ?? [];
  const relations = citations.flatMap((one) => one.relations ?? []);
  const nodes = citations.flatMap((one) => [...(one.nodes ?? []), one.entity]);
  return { nodes: [...nodes, ...relations.flatMap(([source, , target]) => [source, target])].filter(Boolean), relations };
}

async function showTheGraph() {
  await showGraph(world, asOf(), lastLit(), putQuestion);
  if (wanted) go(wanted);
  wanted = null;
}

function lookAt(id) {
  wanted = id;
  location.hash = "#graph";
}

function newChat() {
  asking?.abort();
  conversation.length = 0;
  world.forget();
  closePanel();
  location.hash = "#chat";
  welcome();
  byId("question").focus();
}

// --- beginning ----------------------------------------------------------------------------------

function welcome() {
  const roads = [["cag", "values with their date"], ["rag", "what documents say"], ["graph", "what is computed over relations"]];
  const starters = h("div", { class: "choices", role: "group", "aria-label": "Questions to begin with" });
  byId("conversation").replaceChildren(h("div", { class: "welcome" },
    h("h1", { text: "What would you like to know?" }),
    h("p", { class: "muted" }, "Each answer shows where it comes from: ", ...roads.flatMap(([tier, told], n) => [n ? ", " : "", h("span", { class: `badge of-${tier}`, text: TIERS[tier].name }), ` ${told}`]), "."),
    starters));
  world.see(asOf()).then((seen) => starters.replaceChildren(...startersFor(seen).map((text) =>
    h("button", { type: "button", class: "choice", text, onclick: () => put(text) })))).catch(() => {});
}

/** Questions that fit any graph, about what this one holds. */
function startersFor({ nodes, relations, risk }) {
  const types = [...new Set(nodes.map((node) => node.type))];
  const [first] = relations;
  const nameOf = (id) => nodes.find((node) => node.id === id)?.name ?? id;
  const far = first && relations.find(([source]) => source === first[2]);
  return [
    types.length && `How many ${words(types[0])}s are there?`,
    nodes.length && `Tell me about ${nodes[0].name}.`,
    far && `How is ${nameOf(first[0])} connected to ${nameOf(far[2])}?`,
    risk.events.length && `What is affected by ${risk.events[0].name}?`,
  ].filter(Boolean);
}

// --- the key ------------------------------------------------------------------------------------

function prepareKey() {
  const dialog = byId("key-dialog");
  byId("open-key").addEventListener("click", openKey);
  dialog.addEventListener("close", () => {
    if (!dialog.returnValue) return;
    key.set(dialog.returnValue === "use" ? byId("key").value.trim() : "");
    byId("key").value = "";
    world.forget();
    if (!conversation.length) welcome();
    show(viewOf(location.hash));
  });
  byId("key").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    dialog.close("use");
  });
  if (key.get()) byId("open-key").hidden = false;
  needsKey().then((isNeeded) => isNeeded && openKey()).catch(() => {});
}

function openKey() {
  const dialog = byId("key-dialog");
  byId("open-key").hidden = false;
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  byId("key").focus();
}

start();
