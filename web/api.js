// Requests to the API. Whatever goes wrong becomes a `Problem` with a sentence for
// people; nothing here knows what a game is.

/** What went wrong: the API's word for it, a sentence, and the game's state if told. */
export class Problem extends Error {
  constructor(kind, message, view) {
    super(sentence(message));
    this.kind = kind;
    this.view = view;
  }
}

/** The server's clauses begin small, as the names of cells must, and have no full stop. */
export function sentence(text) {
  const named = /^(@|[a-p]\d|[a-i]{2,6}\b)/.test(text);
  text = text.replace(/`([^`]+)`/g, "“$1”");
  const whole = named ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** A query of what is given: `?a=1&b=2`. */
export function query(fields) {
  const given = Object.entries(fields).filter(([, value]) => value != null && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

async function fetched(method, path, body, signal) {
  const told = body === undefined ? {} : {
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, { method, signal, ...told });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("offline", "the server cannot be reached");
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => null);
  const error = said?.error ?? {
    kind: "internal",
    message: `the server answered ${answer.status}`,
  };
  throw new Problem(error.kind, error.message, said?.view);
}

/** Asks, and gives the answer's JSON. */
export async function ask(method, path, body, signal) {
  const answer = await fetched(method, path, body, signal);
  return answer.status === 204 ? null : answer.json();
}

/** Asks, and gives the answer's lines of JSON as they come. A last line that says why there are
 * no more becomes a `Problem`. */
export async function* lines(method, path, body, signal) {
  const answer = await fetched(method, path, body, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await received(reader, signal);
      if (done) break;
      const whole = (rest + value).split("\n");
      rest = whole.pop();
      for (const line of whole) if (line) yield parsed(line);
    }
    if (rest.trim()) yield parsed(rest);
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function received(reader, signal) {
  try {
    return await reader.read();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("offline", "the connection to the server was lost; try again");
  }
}

function parsed(line) {
  const told = JSON.parse(line);
  if (told.type === "bye") throw new Problem("busy", "the server is restarting; try again in a moment");
  if (told.type === "error") throw new Problem(told.error.kind, told.error.message);
  return told;
}
