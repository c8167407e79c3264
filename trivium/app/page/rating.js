// Rating an answer: one click for a good one, a reason for a bad one.

import { h, icon, tell } from "./dom.js";
import { rate } from "./door.js";

const REASONS = {
  wrong_answer: "Wrong answer",
  wrong_tier: "Looked in the wrong place",
  wrong_source: "Wrong source",
  incomplete: "Incomplete",
  outdated: "Outdated",
  unclear: "Hard to understand",
  other: "Something else",
};
const PLACES = { cag: "Facts", rag: "Documents", graph: "Graph" };

/** Two thumbs, and the form that the second one opens. */
export function ratingOf(answer) {
  const up = thumb("up", "Good answer");
  const down = thumb("down", "Bad answer");
  const { form, first, said } = formOf();
  const open = (isOpen) => {
    form.hidden = !isOpen;
    down.setAttribute("aria-expanded", String(isOpen));
  };
  const press = (pressed) => {
    for (const button of [up, down]) button.setAttribute("aria-pressed", String(button === pressed));
  };
  down.setAttribute("aria-expanded", "false");
  up.addEventListener("click", () => {
    open(false);
    give(answer.id, { rating: "up" }, form.nextSibling, () => press(up));
  });
  down.addEventListener("click", () => {
    open(form.hidden);
    if (form.hidden) return;
    first.focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    give(answer.id, said(), form.nextSibling, () => {
      press(down);
      open(false);
      down.focus();
    });
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    open(false);
    down.focus();
  });
  return { buttons: [up, down], form: [form, h("p", { class: "muted rated", hidden: true })] };
}

function thumb(name, label) {
  return h("button", { type: "button", class: "icon", "aria-label": label, title: label, "aria-pressed": "false" }, icon(name));
}

function formOf() {
  const group = Math.random().toString(36).slice(2);
  const radios = Object.entries(REASONS).map(([value, label]) => h("input", { type: "radio", name: `reason-${group}`, value, "aria-label": label }));
  const places = Object.entries(PLACES).map(([value, label]) => h("input", { type: "checkbox", value, "aria-label": label }));
  const comment = h("textarea", { rows: "2", maxlength: "10000", placeholder: "What should it have said? (optional)", "aria-label": "What should it have said?" });
  const where = h("fieldset", { class: "chips", hidden: true }, h("legend", { text: "Where should it have looked?" }),
    places.map((box) => h("label", { class: "chip" }, box, PLACES[box.value])));
  const form = h("form", { class: "rating", hidden: true },
    h("fieldset", { class: "chips" }, h("legend", { text: "What was wrong?" }), radios.map((radio) => h("label", { class: "chip" }, radio, REASONS[radio.value]))),
    where, comment, h("button", { class: "solid", text: "Send" }));
  const chosen = () => radios.find((radio) => radio.checked)?.value;
  form.addEventListener("change", () => { where.hidden = chosen() !== "wrong_tier"; });
  const said = () => {
    const tiers = places.filter((box) => box.checked).map((box) => box.value);
    return {
      rating: "down",
      ...(chosen() && { reason: chosen() }),
      ...(comment.value.trim() && { comment: comment.value.trim() }),
      ...(!where.hidden && tiers.length && { tiers }),
    };
  };
  return { form, first: radios[0], said };
}

async function give(id, rating, line, done) {
  let told = "Thank you, it is kept.";
  try {
    await rate(id, rating);
    done();
  } catch (error) {
    told = error.message;
  }
  line.textContent = told;
  line.hidden = false;
  tell(told);
}
