// Making elements: text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  up: "M7 21V10l5-8c1.7 0 2.6 1.2 2.2 3L13.5 9H19a2 2 0 0 1 2 2.4l-1.6 8A2 2 0 0 1 17.5 21zM3 10v11",
  down: "M17 3v11l-5 8c-1.7 0-2.6-1.2-2.2-3l.7-4H5a2 2 0 0 1-2-2.4l1.6-8A2 2 0 0 1 6.500 3zM21 14V3",
  copy: "M9 9h11v12H9zM5 15H4V3h11v2",
  close: "M5 5l14 14M19 5 5 19",
  send: "M12 20V4M5 11l7-7 7 7",
  stop: "M7 7h10v10H7z",
  done: "M4 13l5 5L20 6",
  path: "M6 6h0M18 12h0M6 18h0M6 6l12 6-12 6",
};

/** An element. `props` are attributes, `on…` listeners, `class` and `text`; falsy children are left out. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

/** A line drawing that says nothing by itself. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", "aria-hidden": "true", class: "drawn" })) svg.setAttribute(key, value);
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export const byId = (id) => document.getElementById(id);

/** Have a screen reader say something. */
export function tell(text) {
  byId("told").textContent = text;
}

/** A name of a schema as words: "lead_time_days", "RiskEvent" and "LIVES_IN" as people write them. */
export function words(name) {
  return String(name ?? "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

export function counted(n, one, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`;
}
