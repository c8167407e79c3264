// The door as the page sees it: asks, rates, and shows the key.

const KEY = "trivium.key";

/** An error that the door told, or that kept it from being reached. */
export class Problem extends Error {
  constructor(detail, status = 0) {
    super(detail);
    this.status = status;
  }
}

export const key = {
  get: () => sessionStorage.getItem(KEY) ?? "",
  set: (value) => (value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY)),
};

/**
 * Ask. `heard` is called with each event of a stream, as (name, data): route, source, delta.
 * Where the service does not stream, nothing is heard. Returns the whole answer.
 */
export async function ask(body, { signal, heard = () => {} } = {}) {
  const response = await send("ask", {
    method: "POST",
    body,
    signal,
    accept: "text/event-stream, application/json;q=0.9",
  });
  const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
  if (!isStream) return response.json();
  let answer = null;
  for await (const { name, data } of events(response.body)) {
    if (name === "answer") answer = data;
    else if (name === "error") throw new Problem(data.detail, data.status);
    else if (name !== "done") heard(name, data);
  }
  if (answer === null) throw new Problem("The answer broke off. Ask again.");
  return answer;
}

export async function rate(id, rating) {
  return (await send(`answers/${encodeURIComponent(id)}/rating`, { method: "POST", body: rating })).json();
}

export async function overview(asOf, withRisk, after) {
  const query = new URLSearchParams({ risk: withRisk, ...(withRisk && { most: 100 }), ...(after && { after }), ...(asOf && { as_of: asOf }) });
  return (await send(`admin/overview?${query}`)).json();
}

/** Whether a key is needed to ask: strangers see of the health no more than the status. */
export async function needsKey() {
  const response = await fetch("readyz", { headers: shown() });
  return !("parts" in (await response.json()));
}

async function send(path, { method = "GET", body, signal, accept = "application/json" } = {}) {
  const headers = { accept, ...shown() };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, signal, body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The service cannot be reached. See whether it runs, then ask again.");
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

function shown() {
  return key.get() ? { authorization: `Bearer ${key.get()}` } : {};
}

async function problemOf(response) {
  const told = await response.json().catch(() => ({}));
  return new Problem(told.detail ?? `The service answered ${response.status}.`, response.status);
}

/** The events of a stream, with their data read. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = read(block);
      if (event) yield event;
    }
  }
}

function read(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    const value = line.slice(line.indexOf(":") + 1).replace(/^ /, "");
    if (line.startsWith("event:")) name = value;
    if (line.startsWith("data:")) data.push(value);
  }
  return data.length ? { name, data: JSON.parse(data.join("\n")) } : null;
}
