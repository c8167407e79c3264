// One answer in the conversation: route, text with its citations, notices, and what a person can do.

import { counted, h, icon, tell, words } from "./dom.js";
import { markdown } from "./markdown.js";
import { ratingOf } from "./rating.js";

export const TIERS = {
  cag: { name: "Facts", from: "facts" },
  rag: { name: "Documents", from: "documents" },
  graph: { name: "Graph", from: "the graph" },
};
const DECIDED = {
  model: "The router's model chose.",
  rule: "A rule of the router chose.",
  caller: "You chose.",
  fallback: "Nothing spoke for one tier: all that could know were asked.",
};
const REASONS = {
  unknown_entity: "Nothing of that name is known",
  not_in_schema: "Nothing of that kind is known",
  ambiguous: "Which one is meant?",
  out_of_scope: "Not a question about what is known here",
  no_evidence: "Nothing was found",
};

/**
 * A card that is filled as the answer comes. `doing` has what its buttons do: `cite(answer, n, button)`,
 * `explain(answer, button)`, `choose(candidate)` and `again()`.
 */
export class AnswerCard {
  constructor(doing) {
    this.doing = doing;
    this.text = "";
    this.head = h("div", { class: "route" }, h("span", { class: "thinking" }, "Reading the question", h("i"), h("i"), h("i")));
    this.body = h("div", { class: "prose" });
    this.foot = h("div", { class: "after" });
    this.element = h("article", { class: "answer", "aria-busy": "true", "aria-label": "Answer" }, this.head, this.body, this.foot);
  }

  /** Take an event of a stream. */
  hear(name, data) {
    if (name === "route") this.head.replaceChildren(...badges(data));
    if (name !== "delta") return;
    this.text += data.text;
    this.body.replaceChildren(markdown(this.text, (n) => h("span", { class: "cite", text: n })));
  }

  /** Show the whole answer. */
  fill(answer) {
    const cite = (n) => this.#cite(answer, n);
    this.head.replaceChildren(...badges(answer.route), state(answer));
    this.body.replaceChildren(markdown(answer.answer, cite));
    this.foot.replaceChildren(...this.#candidates(answer), ...notices(answer), this.#tools(answer));
    this.#end();
    tell(`${spoken(answer)} ${this.body.textContent}`);
  }

  /** Show why there is no answer. */
  fail(detail) {
    this.head.replaceChildren(h("span", { class: "state bad", text: "No answer" }));
    const again = h("button", { type: "button", class: "quiet", text: "Ask again", onclick: () => this.doing.again() });
    this.foot.replaceChildren(h("div", { class: "notice bad" }, h("p", { text: detail }), again));
    this.#end();
    tell(detail);
  }

  #end() {
    this.element.setAttribute("aria-busy", "false");
  }

  #cite(answer, n) {
    const citation = answer.citations.find((one) => one.marker === n);
    if (!citation) return null;
    const label = `Source ${n}: ${titleOf(citation)}`;
    return h("button", {
      type: "button",
      class: `cite of-${citation.tier}`,
      "aria-label": label,
      title: titleOf(citation),
      text: n,
      onclick: (event) => this.doing.cite(answer, n, event.currentTarget),
    });
  }

  #candidates(answer) {
    if (!answer.candidates.length) return [];
    const buttons = answer.candidates.map((one) =>
      h("button", { type: "button", class: "choice", onclick: () => this.doing.choose(one) }, one.name, h("small", { text: `${words(one.type)} · ${one.id}` })),
    );
    return [h("div", { class: "choices", role: "group", "aria-label": "Which one is meant?" }, buttons)];
  }

  #tools(answer) {
    const copy = h("button", { type: "button", class: "icon", "aria-label": "Copy the answer", title: "Copy" }, icon("copy"));
    copy.addEventListener("click", () => copied(answer.answer, copy));
    const how = h("button", { type: "button", class: "quiet", text: "How this was answered", onclick: () => this.doing.explain(answer, how) });
    const { buttons, form } = ratingOf(answer);
    return h("div", { class: "tools-of" }, h("div", { class: "row" }, buttons, copy, how, h("span", { class: "muted fresh", text: freshness(answer) })), form);
  }
}

/** The entities that an answer is, in the order in which it tells them. */
export function entitiesOf({ result }) {
  const one = { nodes: result.ids, boolean: result.ids, ranking: result.ranking?.map(([id]) => id), path: result.path };
  return one[result.kind] ?? [];
}

/** What a citation is called. */
export function titleOf(citation) {
  if (citation.tier === "rag") return citation.title || citation.source;
  if (citation.tier === "cag") return `${words(citation.attribute)} of ${citation.entity}`;
  return counted(citation.relations?.length ?? 0, "relation") + " of the graph";
}

function badges(route) {
  const decided = DECIDED[route.decided_by] ?? "";
  return route.tiers.map((tier, n) => {
    const id = `why-${Math.random().toString(36).slice(2)}`;
    const percent = Math.round((route.probabilities[tier] ?? 0) * 100);
    const part = route.parts[tier];
    const why = h("div", { class: "why", role: "tooltip", id },
      h("p", {}, h("strong", { text: `${TIERS[tier].name}, ${percent} % probable. ` }), decided),
      part && route.tiers.length > 1 && h("p", { class: "part", text: `“${part}”` }),
      h("ul", {}, route.reasons.map((reason) => h("li", { text: reason }))));
    const badge = h("button", { type: "button", class: `badge of-${tier}`, "aria-describedby": id, text: TIERS[tier].name });
    const holder = h("span", { class: "badge-holder" }, badge, why, n < route.tiers.length - 1 && h("span", { class: "unseen", text: ", " }));
    holder.addEventListener("keydown", (event) => event.key === "Escape" && holder.classList.add("closed"));
    for (const come of ["mouseenter", "focusin"]) holder.addEventListener(come, () => holder.classList.toggle("above", isLow(badge)));
    for (const left of ["mouseleave", "focusout"]) holder.addEventListener(left, () => holder.classList.remove("closed"));
    return holder;
  });
}

/** Whether there is less room below a badge than above it. */
function isLow(badge) {
  const { top, bottom } = badge.getBoundingClientRect();
  return top > innerHeight - bottom;
}

function state(answer) {
  if (answer.status === "abstained") return h("span", { class: "state none", text: REASONS[answer.reason] ?? "No answer" });
  if (answer.status === "partial") return h("span", { class: "state part", text: "Part of an answer" });
  return answer.cache.hit ? h("span", { class: "state", title: "The same was asked before, and nothing changed since", text: "remembered" }) : "";
}

function spoken(answer) {
  const from = answer.route.tiers.map((tier) => TIERS[tier].from).join(" and ");
  if (answer.status === "abstained") return REASONS[answer.reason] ?? "No answer.";
  return `${answer.status === "partial" ? "Part of an answer" : "Answer"} from ${from}:`;
}

function notices(answer) {
  const found = answer.degraded.map((one) =>
    h("div", { class: "notice part" }, h("p", {}, h("strong", { text: `${TIERS[one.tier]?.name ?? words(one.tier)}: ` }), one.reason)));
  const narrower = answer.evidence.graph?.budget?.narrower ?? [];
  if (narrower.length) found.push(h("div", { class: "notice part" }, narrower.map((text) => h("p", { text }))));
  if (answer.conflicts.length) found.push(conflicts(answer.conflicts));
  return found;
}

function conflicts(all) {
  const side = (one) => [one.title ?? one.source ?? one.value, one.date ?? one.as_of].filter(Boolean).join(", ");
  return h("details", { class: "notice" },
    h("summary", { text: `${counted(all.length, "older source")} said otherwise` }),
    h("ul", {}, all.map((one) =>
      h("li", {}, h("strong", { text: side(one.current) }), " holds; ", h("s", { text: side(one.superseded) }), h("span", { class: "muted", text: ` — ${one.why}` })))));
}

/** How old what it rests on is, in a few words. */
function freshness(answer) {
  const days = answer.freshness.map((one) => one.as_of).filter(Boolean).sort();
  if (!days.length) return "";
  const [first, last] = [days[0], days.at(-1)];
  return first === last ? `as of ${first}` : `as of ${first} to ${last}`;
}

async function copied(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.replaceChildren(icon("done"));
    tell("Copied.");
  } catch {
    tell("The browser did not allow it to be copied.");
  }
}
