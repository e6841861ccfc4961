/**
 * Opens a tunnel through a proxy: one `CONNECT` request, answered by one head. The answer is read as
 * strictly as a server's. No byte may follow its head, since the server behind the proxy sends
 * nothing before we do.
 */
import assert from "node:assert/strict";
import type { Header } from "../../../base/seams/index.ts";
import {
  ANSWER_REFUSALS,
  type AnswerHead,
  AnswerReader,
  requestHead,
} from "../../../formats/http/index.ts";
import type { ProxyAddress } from "../../proxy/index.ts";
import type { Place } from "../exchange/http-target.ts";
import type { ConnectionFailure } from "./connection-failure.ts";

const HEADER_BYTES_MAX = 16 * 1024;

export function tunnelRequest(place: Place, proxy: ProxyAddress): string {
  const target = `${place.host}:${place.port}`;
  const ours: Header[] = [["Proxy-Connection", "keep-alive"]];
  if (proxy.authorization !== null) ours.push(["Proxy-Authorization", proxy.authorization]);
  const head = requestHead({ method: "CONNECT", target, host: target }, [], ours);
  assert(head.kind === "text", "the host of a checked URL can be written");
  return head.text;
}

export type TunnelState = "waiting" | "open" | ConnectionFailure;

export class ProxyTunnel {
  #head: AnswerHead | null = null;
  #hasMore = false;
  readonly #reader: AnswerReader = new AnswerReader({
    takeHead: (head) => {
      this.#head = head;
    },
    takeBody: () => {
      this.#hasMore = true;
      return false;
    },
  });

  constructor() {
    this.#reader.begin(HEADER_BYTES_MAX);
  }

  received(bytes: Buffer, lengthBytes: number): TunnelState {
    const end = this.#reader.read(bytes, 0, lengthBytes);
    const { refusal } = this.#reader;
    if (this.#head === null && refusal === null) return "waiting";
    if (this.#head === null && refusal !== null) {
      return proxyFailed(`its answer was refused: ${ANSWER_REFUSALS[refusal]}`);
    }
    const status = this.#head?.status ?? 0;
    if (status >= 300) return proxyRefused(status);
    const isClean = end === lengthBytes && !this.#hasMore;
    return isClean ? "open" : proxyFailed("it sent unexpected bytes");
  }
}

/** Only the user can correct credentials; everything else may be temporary. */
export function proxyRefused(status: number): ConnectionFailure {
  const why = `the proxy answered with status ${status}`;
  const code = status === 407 || status === 403 ? "FETCH_PROXY_REFUSED" : "FETCH_PROXY_FAILED";
  return { code, why, facts: { status } };
}

export function proxyFailed(why: string): ConnectionFailure {
  return { code: "FETCH_PROXY_FAILED", why: `the proxy failed: ${why}`, facts: {} };
}
