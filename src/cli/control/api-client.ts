/**
 * Asks the API of a running crawl. What it refuses is thrown as the error that it is there; what cannot
 * be reached, or is on another machine where only this one may be asked, is `CONTROL_UNREACHABLE`.
 */
import { createRequire } from "node:module";
import { CrawlError, ERRORS, type ErrorCode } from "../../base/errors/index.ts";
import { printable } from "../../base/text/index.ts";
import { MIB, SECOND_MS } from "../../base/units/index.ts";
import type { ApiPlace } from "./api-place.ts";
import { ANOTHER_MACHINE, mayBeOwn, ownAddresses } from "./own-machine.ts";

export type Method = "GET" | "POST" | "PATCH";

const require = createRequire(import.meta.url);
/** Imported, it would load all of what Node has for `fetch` and web sockets, too. */
const http = (): typeof import("node:http") => require("node:http");
const https = (): typeof import("node:https") => require("node:https");

const PREFIX = "/api/v1";
const SILENCE_MS = 30 * SECOND_MS;
const ANSWER_BYTES_MAX = 64 * MIB;

export class ApiClient {
  readonly place: ApiPlace;

  constructor(place: ApiPlace) {
    this.place = place;
  }

  /** Resolves with the JSON of a good answer. */
  async ask(method: Method, path: string, body?: unknown): Promise<unknown> {
    return await this.#answer({ method, path, body, token: this.place.token });
  }

  /** Resolves if a crawl answers. No token is shown to what may be another program. */
  async greet(): Promise<void> {
    await this.#answer({ method: "GET", path: "/health", token: null });
  }

  async #answer(asked: Asked): Promise<unknown> {
    const { url, isOwnMachine } = this.place;
    if (isOwnMachine && !mayBeOwn(new URL(url).hostname)) {
      throw unreachable(url, ANOTHER_MACHINE);
    }
    const { status, text } = await this.#send(asked);
    const answer = parsed(text);
    if (status >= 200 && status < 300) return answer;
    throw refusalIn(answer, status, url);
  }

  #send({ method, path, body, token }: Asked): Promise<Answer> {
    const { url, certificate, isOwnMachine } = this.place;
    const target = new URL(PREFIX + path, url);
    const content = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const headers = {
      accept: "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(content === null
        ? {}
        : { "content-type": "application/json", "content-length": content.length }),
    };
    const trust =
      certificate === null
        ? {}
        : {
            ...{ ca: Buffer.from(certificate), allowPartialTrustChain: true },
            // The certificate is the crawl's own, whatever name it has.
            checkServerIdentity: () => undefined,
          };
    const lookUp = isOwnMachine ? { lookup: ownAddresses } : {};
    const { request: send } = target.protocol === "https:" ? https() : http();
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => reject(unreachable(url, error.message));
      const options = { method, headers, timeout: SILENCE_MS, ...trust, ...lookUp };
      const sent = send(target, options, (answer) => {
        const pieces: Buffer[] = [];
        let bytes = 0;
        answer.on("data", (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > ANSWER_BYTES_MAX) answer.destroy(new Error("its answer is too long"));
          else pieces.push(piece);
        });
        answer.on("error", failed);
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
        );
      });
      sent.on("error", failed);
      sent.on("timeout", () => sent.destroy(new Error("it does not answer")));
      sent.end(content ?? undefined);
    });
  }
}

interface Asked {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  readonly token: string | null;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The answer may come from anything that listens there. */
function refusalIn(answer: unknown, status: number, url: string): CrawlError {
  const { error } = (answer ?? {}) as { readonly error?: Record<string, unknown> };
  const { code, message, remedy } = error ?? {};
  if (typeof code !== "string" || typeof message !== "string" || !Object.hasOwn(ERRORS, code)) {
    return unreachable(url, `it answers with ${status}, and not as a crawl does`);
  }
  const advice = typeof remedy === "string" && remedy !== "" ? `\n  ${remedy}` : "";
  return new CrawlError(code as ErrorCode, `${printableLines(message)}${printableLines(advice)}`);
}

function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

function unreachable(url: string, why: string): CrawlError {
  return new CrawlError(
    "CONTROL_UNREACHABLE",
    `No crawl can be asked at ${printable(url)}: ${printable(why)}.`,
    { isForeign: why === ANOTHER_MACHINE },
  );
}
