// @ts-check
// Requests to the API. Every failure becomes an `ApiError` with a sentence to show;
// nothing here knows about games.

/** An error of the API: its kind, a sentence, and the game's view if the server sent one. */
export class ApiError extends Error {
  /**
   * @param {string} kind
   * @param {string} message
   * @param {{ view?: GameView, move?: string }} [about] `move` is the move that was rejected
   */
  constructor(kind, message, { view, move } = {}) {
    super(toSentence(message, move));
    this.kind = kind;
    this.view = view;
  }
}

/** Capitalizes a message of the server and adds a period. The names of cells and of this move stay lowercase.
 * @param {string} text
 * @param {string | null} [move] */
export function toSentence(text, move) {
  const [word] = text.split(/[\s,:]/, 1);
  const isName = /[\d@=]/.test(word) || word === move || document.querySelector(`[data-cell="${CSS.escape(word)}"]`);
  text = text.replace(/`([^`]+)`/g, "“$1”");
  const capitalized = isName ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(capitalized) ? capitalized : `${capitalized}.`;
}

/** A query string of the fields that have a value: `?a=1&b=2`.
 * @param {Record<string, string | number | null | undefined>} fields */
export function queryString(fields) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value != null && value !== "") params.set(name, `${value}`);
  }
  return params.size ? `?${params}` : "";
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {AbortSignal} [signal]
 */
async function request(method, path, body, signal) {
  const init = body === undefined ? {} : {
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(`/api/v1${path}`, { method, signal, ...init });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("offline", "can't reach the server; check your connection and try again");
  }
  if (response.ok) return response;
  const reply = await response.json().catch(() => null);
  const error = reply?.error ?? {
    kind: "internal",
    message: `the server returned an error (status ${response.status})`,
  };
  const move = body?.move ?? (body?.taps ?? body?.moves)?.at(-1);
  throw new ApiError(error.kind, error.message, { view: reply?.view, move });
}

/** Sends a request and returns the JSON of the response.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} */
export async function requestJson(method, path, body, signal) {
  const response = await request(method, path, body, signal);
  return response.status === 204 ? null : response.json();
}

/** Sends a request and yields the lines of JSON in the response as they arrive. A final
 * line that reports an error or a shutdown is thrown as an `ApiError`.
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any, void>} */
export async function* streamJsonLines(method, path, body, signal) {
  const response = await request(method, path, body, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await readChunk(reader, signal);
      if (done) break;
      const complete = (rest + value).split("\n");
      rest = complete.pop() ?? "";
      for (const line of complete) if (line) yield parseLine(line);
    }
    if (rest.trim()) yield parseLine(rest);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @param {ReadableStreamDefaultReader<string>} reader
 * @param {AbortSignal} signal
 */
async function readChunk(reader, signal) {
  try {
    return await reader.read();
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError("offline", "lost the connection to the server; try again");
  }
}

/** @param {string} line */
function parseLine(line) {
  const message = JSON.parse(line);
  if (message.type === "shutdown") throw new ApiError("busy", "the server is restarting; try again in a moment");
  if (message.type === "error") throw new ApiError(message.error.kind, message.error.message);
  return message;
}
