/**
 * Takes requests out of the bytes of one connection, in order, however the bytes are cut. It keeps
 * no more than one head and one small body, and it reads strictly: whatever is not clearly a request
 * of HTTP/1.0 or 1.1 is refused with a status, and after a refusal nothing can be read from this
 * connection any more, since it is unknown where the next request would begin.
 */
import type { Header } from "../../../base/seams/index.ts";

/** Request line and fields together. */
export const HEAD_BYTES_MAX: number = 16 * 1024;
/** Bodies are read past, not used. */
export const BODY_BYTES_MAX: number = 64 * 1024;
const FIELDS_MAX = 100;

export interface RequestHead {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Lower case, without port and without the dot of the root. */
  readonly host: string;
  readonly headers: readonly Header[];
  readonly userAgent: string;
  /** Whether the client wants to go on with this connection. */
  readonly isKeptAlive: boolean;
}

export type Reading =
  | { readonly kind: "request"; readonly head: RequestHead }
  | { readonly kind: "incomplete" }
  | { readonly kind: "refused"; readonly status: number; readonly problem: string };

const INCOMPLETE: Reading = { kind: "incomplete" };
const EMPTY: Buffer = Buffer.alloc(0);
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([!-~\x80-\xff]+) HTTP\/(\d)\.(\d)$/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HOST = /^(\[[0-9a-f:.]+\]|[^:/?#@[\]\s]*)(?::\d*)?$/;

export class RequestReader {
  #held: Buffer = EMPTY;
  /** Bytes of a body that are still to be read past. */
  #bodyLeft = 0;
  #refusal: Reading | null = null;

  /** Bytes that no request was made of yet. */
  get heldBytes(): number {
    return this.#held.length;
  }

  push(bytes: Buffer): void {
    if (this.#refusal !== null) return;
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
  }

  /** The next request, if it is there. */
  next(): Reading {
    if (this.#refusal !== null) return this.#refusal;
    if (!this.#skip()) return INCOMPLETE;
    const end = this.#held.indexOf("\r\n\r\n");
    if (end > HEAD_BYTES_MAX || (end === -1 && this.#held.length > HEAD_BYTES_MAX)) {
      return this.#refuse(431, "the head of the request is too long");
    }
    if (end === -1) return INCOMPLETE;
    const text = this.#held.toString("latin1", 0, end);
    this.#held = this.#held.length === end + 4 ? EMPTY : this.#held.subarray(end + 4);
    return this.#read(text);
  }

  /**
   * Reads past the body of the request before, and past empty lines; false when bytes are missing.
   */
  #skip(): boolean {
    const step = Math.min(this.#bodyLeft, this.#held.length);
    this.#bodyLeft -= step;
    let at = step;
    while (this.#bodyLeft === 0 && this.#held[at] === 13 && this.#held[at + 1] === 10) at += 2;
    if (at > 0) this.#held = this.#held.subarray(at);
    return this.#bodyLeft === 0 && this.#held.length > 0;
  }

  #read(text: string): Reading {
    const lines = text.split("\r\n");
    const line = REQUEST_LINE.exec(lines[0] ?? "");
    if (line === null) return this.#refuse(400, "the request line is not one of HTTP/1.1");
    const [, method = "", target = "", major, minor = "0"] = line;
    if (major !== "1") return this.#refuse(505, "only HTTP/1.0 and 1.1 are spoken here");
    if (lines.length > FIELDS_MAX + 1) return this.#refuse(431, "there are too many fields");
    const headers: Header[] = [];
    for (let index = 1; index < lines.length; index += 1) {
      const field = fieldOf(lines[index] ?? "");
      if (field === null) return this.#refuse(400, "a field is malformed");
      headers.push(field);
    }
    return this.#interpret({ method, target, headers, isNew: minor !== "0" });
  }

  #interpret(parts: Parts): Reading {
    const { method, headers, isNew } = parts;
    const fields = new KnownFields(headers);
    const place = placeOf(parts.target, fields.host, isNew);
    if (place === null) return this.#refuse(400, "the host or the target is malformed");
    const bodyProblem = this.#expectBody(fields);
    if (bodyProblem !== null) return bodyProblem;
    const head: RequestHead = {
      method,
      ...place,
      headers,
      userAgent: fields.userAgent,
      isKeptAlive: isNew
        ? !/\bclose\b/i.test(fields.connection)
        : /\bkeep-alive\b/i.test(fields.connection),
    };
    return { kind: "request", head };
  }

  #expectBody({ lengths, hasTransferEncoding }: KnownFields): Reading | null {
    if (hasTransferEncoding) return this.#refuse(501, "a body in chunks is not taken");
    if (lengths.length === 0) return null;
    const [length = ""] = lengths;
    if (lengths.length > 1 || !/^\d{1,15}$/.test(length)) {
      return this.#refuse(400, "the length of the body is malformed");
    }
    if (Number(length) > BODY_BYTES_MAX) return this.#refuse(413, "the body is too long");
    this.#bodyLeft = Number(length);
    return null;
  }

  #refuse(status: number, problem: string): Reading {
    this.#refusal = { kind: "refused", status, problem };
    this.#held = EMPTY;
    return this.#refusal;
  }
}

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  /** Whether it is HTTP/1.1. */
  readonly isNew: boolean;
}

/** The few fields that a server must understand, found in one pass. */
class KnownFields {
  /**
   * Null when there is none, or when there are two that a client and a server may read differently.
   */
  host: string | null = null;
  userAgent = "";
  connection = "";
  readonly lengths: string[] = [];
  hasTransferEncoding = false;

  constructor(headers: readonly Header[]) {
    let hosts = 0;
    for (const [name, value] of headers) {
      switch (name.toLowerCase()) {
        case "host":
          hosts += 1;
          this.host = hosts === 1 ? value : null;
          break;
        case "user-agent":
          this.userAgent = value;
          break;
        case "connection":
          this.connection = value;
          break;
        case "content-length":
          this.lengths.push(value);
          break;
        case "transfer-encoding":
          this.hasTransferEncoding = true;
          break;
      }
    }
  }
}

function fieldOf(line: string): Header | null {
  const colon = line.indexOf(":");
  if (colon <= 0) return null;
  const name = line.slice(0, colon);
  const value = line.slice(colon + 1);
  if (!FIELD_NAME.test(name) || hasControl(value)) return null;
  return [name, value.trim()];
}

/** Whether a control character other than the tab is in it. */
function hasControl(value: string): boolean {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if ((code < 32 && code !== 9) || code === 127) return true;
  }
  return false;
}

/** Host and target; the target may hold the host itself, as it is sent to a proxy. */
function placeOf(
  target: string,
  hostField: string | null,
  isNew: boolean,
): { readonly host: string; readonly target: string } | null {
  if (hostField === null && isNew) return null;
  const absolute = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(target);
  const named = absolute === null ? (hostField ?? "") : (absolute[1] ?? "");
  const path = absolute === null ? target : absolute[2] || "/";
  const host = HOST.exec(named.toLowerCase())?.[1];
  if (host === undefined || !/^[/?]/.test(path)) return null;
  return { host: host.replace(/\.$/, ""), target: path };
}
