// The Markdown of answers as elements: what is no mark stays text, so that nothing in it can run.

import { h } from "./dom.js";

const INLINE =
  /\\([\\`*_[\](){}#+\-.!|<>~])|`([^`]+)`|\*\*(?=\S)(.+?)\*\*|(?<![\w*])\*(?=\S)([^*]+?)\*(?!\w)|\[([^\][]+)\]\((https?:\/\/[^\s()]+)\)|\[(\d{1,4})\]/g;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,4})[.)])\s+(.*)$/;
const RULE = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/;

/** Elements for a text. `cite(n)` gives the element of the marker [n], or null: then it stays text. */
export function markdown(text, cite = () => null) {
  const lines = text.split("\n");
  const found = document.createDocumentFragment();
  let at = 0;
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at, cite);
    if (block) found.append(block);
    at = next;
  }
  return found;
}

function readBlock(lines, at, cite) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (/^\s*(```|~~~)/.test(line)) return readCode(lines, at);
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return [h(`h${Math.min(heading[1].length + 2, 6)}`, {}, inline(heading[2], cite)), at + 1];
  if (line.includes("|") && RULE.test((lines[at + 1] ?? "").trim()) && lines[at + 1].includes("|")) return readTable(lines, at, cite);
  if (ITEM.test(line)) return readList(lines, at, cite);
  if (/^>\s?/.test(line)) return readQuote(lines, at, cite);
  return readParagraph(lines, at, cite);
}

function readCode(lines, at) {
  const fence = lines[at].trim().slice(0, 3);
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end += 1;
  return [h("pre", {}, h("code", { text: lines.slice(at + 1, end).join("\n") })), end + 1];
}

function readTable(lines, at, cite) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|")) end += 1;
  const head = cells(lines[at]).map((cell) => h("th", { scope: "col" }, inline(cell, cite)));
  const rows = lines.slice(at + 2, end).map((line) => h("tr", {}, cells(line).map((cell) => h("td", {}, inline(cell, cite)))));
  const table = h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
  return [h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Table" }, table), end];
}

/** A list with its deeper items in lists of their own. */
function readList(lines, at, cite) {
  const [, indent, number] = ITEM.exec(lines[at]);
  const list = number === undefined ? h("ul") : h("ol", { start: number });
  let end = at;
  while (end < lines.length) {
    const item = ITEM.exec(lines[end]);
    if (!item || item[1].length < indent.length) break;
    if (item[1].length > indent.length && list.lastElementChild) {
      const [inner, next] = readList(lines, end, cite);
      list.lastElementChild.append(inner);
      end = next;
      continue;
    }
    if ((item[2] === undefined) !== (number === undefined)) break;
    list.append(h("li", {}, inline(item[3], cite)));
    end += 1;
  }
  return [list, end];
}

function readQuote(lines, at, cite) {
  let end = at;
  while (end < lines.length && /^>\s?/.test(lines[end])) end += 1;
  const told = lines.slice(at, end).map((line) => line.replace(/^>\s?/, "")).join("\n");
  return [h("blockquote", {}, markdown(told, cite)), end];
}

function readParagraph(lines, at, cite) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !ITEM.test(lines[end]) && !/^(#{1,6}\s|>|\s*```)/.test(lines[end])) end += 1;
  return [h("p", {}, inline(lines.slice(at, end).join("\n"), cite)), end];
}

/** The marks within a text alone: its lines stay as they are. */
export function inline(text, cite = () => null) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const element = marked(match, cite);
    if (element === null) continue;
    if (match.index > at) found.push(text.slice(at, match.index));
    found.push(element);
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push(text.slice(at));
  return found;
}

function marked([, escaped, code, bold, slanted, label, link, marker], cite) {
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return h("code", { text: code });
  if (bold !== undefined) return h("strong", {}, inline(bold, cite));
  if (slanted !== undefined) return h("em", {}, inline(slanted, cite));
  if (link !== undefined) return h("a", { href: link, target: "_blank", rel: "noopener noreferrer nofollow", text: label });
  return cite(Number(marker));
}
