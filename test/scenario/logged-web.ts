/**
 * A synthetic web that writes every request into an access log as its server would, each a day
 * after the one before it: for crawlers that ask in process and know no politeness.
 */
import { AccessLog } from "../../src/lab/simweb/serve/access-log.ts";
import { planAnswer } from "../../src/lab/simweb/serve/answer-plan.ts";
import type {
  SyntheticWeb,
  WebHost,
  WebRequest,
  WebResponse,
} from "../../src/lab/simweb/web/synthetic-web.ts";

const DAY_MS = 86_400_000;

export class LoggedWeb implements SyntheticWeb {
  readonly log: AccessLog = new AccessLog();
  readonly #web: SyntheticWeb;
  #nowMs = 0;

  constructor(web: SyntheticWeb) {
    this.#web = web;
  }

  get hostCount(): number {
    return this.#web.hostCount;
  }

  hostAt(index: number): WebHost {
    return this.#web.hostAt(index);
  }

  hostNamed(name: string): WebHost | null {
    return this.#web.hostNamed(name);
  }

  respond(request: WebRequest): WebResponse {
    const { target, method } = request;
    const host = request.host.replace(/\.$/, "");
    const [address = ""] = this.#web.hostNamed(host)?.addresses ?? [];
    const about = { host, target, method, address, userAgent: "Reference/1", connection: 0 };
    const row = this.log.begin({ ...about, startMs: this.#nowMs });
    const response = this.#web.respond(request);
    const plan = planAnswer(response, { isHeadOnly: false, isKeptAlive: true });
    const status = plan.hasAnswer ? response.status : 0;
    this.log.end(row, {
      status,
      bytesSent: response.body.length,
      endMs: this.#nowMs + 1,
      ending: plan.isBroken ? "broken" : "whole",
      isRetriable: plan.isBroken || status === 0 || status === 429 || status === 503,
      retryAfterMs: 0,
    });
    this.#nowMs += DAY_MS;
    return response;
  }
}
