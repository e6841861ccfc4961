/**
 * What the control port answers: the verdict, figures, the log, the end. It decides only; the
 * sockets are in `control-port.ts`.
 *
 * It is for programs on this machine. A page in a browser on this machine must not be able to use
 * it: requests are taken only if they name this port by a loopback name (so that no other name can
 * be made to point here) and do not come from a page of another site; and what changes anything
 * must be sent as JSON, which a page of another site cannot do without asking first.
 */

import { parseContentType } from "../../../formats/http/index.ts";
import type { CrawlTruth } from "../truth/crawl-truth.ts";
import { judge, type Verdict } from "../verdict/verdict.ts";
import { readVerdictRules, type VerdictRules } from "../verdict/verdict-rules.ts";
import { verdictText } from "../verdict/verdict-text.ts";
import type { SyntheticWeb } from "../web/synthetic-web.ts";
import type { AccessLog } from "./access-log.ts";
import { isObject } from "./json-checks.ts";
import { logLines } from "./log-lines.ts";

export interface ControlRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface ControlAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Iterable<string>;
}

/** A crawl by what it was to fetch, as JSON: seeds, scope, limits. The truth knows the names. */
export type CrawlDescription = Readonly<Record<string, unknown>>;

export type TruthReading =
  | {
      readonly ok: true;
      readonly truth: CrawlTruth;
      readonly summary: unknown;
      /** Rules that follow from the description of the crawl. */
      readonly implied?: Partial<VerdictRules>;
    }
  | { readonly ok: false; readonly mistakes: readonly string[] };

export type VerdictReading =
  | { readonly ok: true; readonly verdict: Verdict }
  | { readonly ok: false; readonly mistakes: readonly string[] };

export interface ControlSubject {
  readonly web: SyntheticWeb;
  readonly log: AccessLog;
  /** The truth for a crawl with this description; for `{}` the crawl that the web was made for. */
  readonly truthFor: (crawl: CrawlDescription) => TruthReading;
  /** Rules that a request does not name. */
  readonly rules: VerdictRules;
  readonly stats: () => unknown;
  readonly stop: () => void;
}

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=utf-8";
const HELP = `GET  /verdict   the verdict on the crawl so far, as JSON; ?text for people
POST /verdict   the same for {"crawl": {…}, "rules": {…}}
GET  /truth     what the crawl should find; POST for {"crawl": {…}}
GET  /stats     figures of the server
GET  /log       every request as JSON lines; ?from=ROW
POST /stop      end
`;

export class Control {
  readonly #subject: ControlSubject;

  constructor(subject: ControlSubject) {
    this.#subject = subject;
  }

  answer(request: ControlRequest, port: number): ControlAnswer {
    const refusal = refusalOf(request, port);
    if (refusal !== null) return refusal;
    const { pathname, searchParams } = new URL(request.target, "http://control.invalid");
    switch (`${request.method} ${pathname}`) {
      case "GET /":
        return { status: 200, contentType: TEXT_TYPE, body: HELP };
      case "GET /verdict":
      case "POST /verdict":
        return this.#verdict(request, searchParams.has("text"));
      case "GET /truth":
      case "POST /truth":
        return this.#truth(request);
      case "GET /stats":
        return json(200, this.#subject.stats());
      case "GET /log":
        return this.#log(Number(searchParams.get("from") ?? 0));
      case "POST /stop":
        this.#subject.stop();
        return json(200, { stopping: true });
      default:
        return problem(404, [`There is no ${request.method} ${pathname} here.`, HELP]);
    }
  }

  /** The verdict for a crawl and rules that are described in JSON. */
  judge(crawl: CrawlDescription, rules: CrawlDescription): VerdictReading {
    const { log, web, truthFor, rules: base } = this.#subject;
    const truth = truthFor(crawl);
    const implied = truth.ok ? truth.implied : {};
    const reading = readVerdictRules(rules, { ...base, ...implied });
    if (truth.ok && reading.ok) {
      const evidence = { log, web, truth: truth.truth, rules: reading.rules };
      return { ok: true, verdict: judge(evidence) };
    }
    const ofTruth = truth.ok ? [] : truth.mistakes;
    return { ok: false, mistakes: [...ofTruth, ...(reading.ok ? [] : reading.mistakes)] };
  }

  #verdict(request: ControlRequest, asText: boolean): ControlAnswer {
    const question = questionOf(request);
    if (!question.ok) return problem(400, question.mistakes);
    const reading = this.judge(question.crawl, question.rules);
    if (!reading.ok) return problem(400, reading.mistakes);
    if (!asText) return json(200, reading.verdict);
    return { status: 200, contentType: TEXT_TYPE, body: verdictText(reading.verdict) };
  }

  #truth(request: ControlRequest): ControlAnswer {
    const question = questionOf(request);
    if (!question.ok) return problem(400, question.mistakes);
    const truth = this.#subject.truthFor(question.crawl);
    return truth.ok ? json(200, truth.summary) : problem(400, truth.mistakes);
  }

  #log(from: number): ControlAnswer {
    if (!Number.isSafeInteger(from) || from < 0) return problem(400, ["from must be a row number"]);
    const body = logLines(this.#subject.log, from);
    return { status: 200, contentType: "application/jsonl", body };
  }
}

type Question =
  | { readonly ok: true; readonly crawl: CrawlDescription; readonly rules: CrawlDescription }
  | { readonly ok: false; readonly mistakes: readonly string[] };

/** What the body asks about; a GET asks about the crawl that the web was made for. */
function questionOf({ method, body }: ControlRequest): Question {
  if (method === "GET") return { ok: true, crawl: {}, rules: {} };
  const given = parseJson(body);
  if (!isObject(given)) return { ok: false, mistakes: ["The body must be a JSON object."] };
  const { crawl = {}, rules = {}, ...others } = given;
  const mistakes = Object.keys(others).map((name) => `${name} is neither crawl nor rules`);
  if (!isObject(crawl)) mistakes.push("crawl must be an object");
  if (!isObject(rules)) mistakes.push("rules must be an object");
  if (mistakes.length > 0 || !isObject(crawl) || !isObject(rules)) return { ok: false, mistakes };
  return { ok: true, crawl, rules };
}

function refusalOf({ method, headers }: ControlRequest, port: number): ControlAnswer | null {
  const names = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  const { host, origin } = headers;
  if (host === undefined || !names.includes(host.toLowerCase())) {
    return problem(403, [`This port answers only as ${names.join(", ")}.`]);
  }
  const isForeign = origin !== undefined && !names.some((name) => origin === `http://${name}`);
  const site = headers["sec-fetch-site"] ?? "none";
  if (isForeign || (site !== "none" && site !== "same-origin")) {
    return problem(403, ["Pages of other sites may not use this port."]);
  }
  const isJson = parseContentType(headers["content-type"]).media === "application/json";
  if (method === "POST" && !isJson) return problem(415, ["Send it as application/json."]);
  return null;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}

function json(status: number, value: unknown): ControlAnswer {
  return { status, contentType: JSON_TYPE, body: `${JSON.stringify(value, null, 2)}\n` };
}

export function problem(status: number, mistakes: readonly string[]): ControlAnswer {
  return json(status, { mistakes });
}
