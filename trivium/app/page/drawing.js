// A graph drawn with cytoscape, which is fetched when the first one is.

const COLOURS = 8;

let loading = null;

function library() {
  loading ??= import("./vendor/cytoscape.esm.min.mjs").then((module) => module.default);
  return loading;
}

/**
 * Draw entities `{id, name, type?}` and relations `[source, type, target]` into an element.
 * `kinds` are all types in order: each has its colour. `picked(id)` is called for a chosen entity.
 */
export async function draw(container, { nodes, relations, kinds = [], picked = () => {}, isWhole = false }) {
  const cytoscape = await library();
  if (!container.isConnected) return null;
  const known = new Set(nodes.map((node) => node.id));
  const graph = cytoscape({
    container,
    elements: [
      ...nodes.map((node) => ({ data: { id: node.id, label: node.name, colour: colourOf(kinds.indexOf(node.type)) } })),
      ...relations
        .filter(([source, , target]) => known.has(source) && known.has(target))
        .map(([source, type, target], n) => ({ data: { id: `relation ${n}`, source, target, label: type, key: keyOf(source, type, target) } })),
    ],
    style: looks(isWhole),
    layout: { name: "circle", radius: 40 * Math.sqrt(nodes.length), fit: false },
    minZoom: 0.1,
    maxZoom: 3,
    autoungrabify: isWhole && nodes.length > 200,
  });
  graph.layout(spread(nodes.length)).run();
  lie(graph, container);
  graph.on("tap", "node", (event) => picked(event.target.id()));
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const restyle = () => graph.style(looks(isWhole)) && recolour(graph, nodes, kinds);
  scheme.addEventListener("change", restyle);
  const resized = new ResizeObserver(() => graph.resize());
  resized.observe(container);
  graph.on("destroy", () => {
    scheme.removeEventListener("change", restyle);
    resized.disconnect();
  });
  return graph;
}

export const keyOf = (source, type, target) => JSON.stringify([source, type, target]);

/** The colour of a type, by its place among all. */
export function colourOf(place) {
  return variable(place < 0 ? "--kind-none" : `--kind-${place % COLOURS}`);
}

/** Light entities and relations, and dim the others; nothing lights all. */
export function light(graph, nodes, relations = []) {
  const keys = new Set(relations.map(([source, type, target]) => keyOf(source, type, target)));
  const ids = new Set(nodes);
  graph.batch(() => {
    graph.elements().removeClass("lit dim");
    if (!ids.size) return;
    const lit = graph.elements().filter((one) => ids.has(one.id()) || keys.has(one.data("key")));
    lit.addClass("lit");
    graph.elements().not(lit).addClass("dim");
  });
}

/** Mark the entities that are the answer. */
export function mark(graph, ids) {
  for (const id of ids) graph.getElementById(id).addClass("lit");
}

function recolour(graph, nodes, kinds) {
  for (const node of nodes) graph.getElementById(node.id).data("colour", colourOf(kinds.indexOf(node.type)));
}

/** Springs, from a start that is always the same: so is the picture. */
function spread(n) {
  return { name: "cose", animate: false, randomize: false, nodeDimensionsIncludeLabels: true, idealEdgeLength: () => 60, nodeRepulsion: () => 5000, gravity: 50, componentSpacing: 20, numIter: n > 150 ? 300 : 1000 };
}

/** Have the drawing lie as its container does: wide where that is wide. */
function lie(graph, container) {
  const { w, h } = graph.nodes().boundingBox({ includeLabels: false });
  const wanted = container.clientWidth / Math.max(1, container.clientHeight);
  const isTurned = w > h !== wanted > 1;
  const has = Math.max(0.1, (isTurned ? h / w : w / h) || 1);
  const stretch = Math.min(2, Math.max(1, wanted / has));
  graph.nodes().positions((node) => {
    const { x, y } = node.position();
    return isTurned ? { x: y * stretch, y: x } : { x: x * stretch, y };
  });
  graph.fit(undefined, 24);
}

function looks(isWhole) {
  const ink = variable("--ink");
  const line = variable("--edge");
  const font = getComputedStyle(document.body).fontFamily;
  return [
    { selector: "node", style: { "background-color": "data(colour)", label: "data(label)", color: ink, "font-family": font, "font-size": 15, "text-valign": "bottom", "text-margin-y": 4, "text-wrap": "wrap", "text-max-width": 120, width: 20, height: 20, "text-outline-color": variable("--surface"), "text-outline-width": 2, "min-zoomed-font-size": isWhole ? 6 : 0 } },
    { selector: "edge", style: { width: 1.5, "line-color": line, "target-arrow-color": line, "target-arrow-shape": "triangle", "arrow-scale": 0.8, "curve-style": "bezier", label: isWhole ? "" : "data(label)", color: variable("--muted"), "font-family": font, "font-size": 11, "text-rotation": "autorotate", "text-background-color": variable("--surface"), "text-background-opacity": 0.85, "text-background-padding": 2 } },
    { selector: "node.lit", style: { width: 28, height: 28, "border-width": 3, "border-color": ink, "font-weight": "bold", "min-zoomed-font-size": 0, "z-index": 10 } },
    { selector: "edge.lit", style: { width: 3, "line-color": variable("--lit"), "target-arrow-color": variable("--lit"), label: "data(label)", "z-index": 9 } },
    { selector: ".dim", style: { opacity: 0.22 } },
    { selector: "node:selected", style: { "border-width": 3, "border-color": ink } },
  ];
}

function variable(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
