/**
 * Robots.txt files that redirect to hosts of other agents: whoever has such a host fetches the file in its
 * turn, as any visit of that host, and tells how that ended. Both sides of it, over calls to the owner of
 * the host; what is said is JSON.
 */
import { CrawlError, ERRORS } from "../../base/errors/index.ts";
import { freshSeed } from "../../base/random/index.ts";
import type { ClusterNode, NodeDesk } from "../../cluster/node/index.ts";
import type { RobotsAttempt } from "../../formats/robots/index.ts";
import { hostOf, type KeyHost, originOf, parseUrl } from "../../formats/url/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import { politeHost } from "../../frontier/ticket/index.ts";

type Asked = Parameters<Frontier["fetchRobots"]>;
type GuestRobots = Asked[0];
type RobotsEnd = Parameters<Asked[1]>[0];
type CarryOut = NodeDesk["carryOut"];

export interface RobotsErrandsParts {
  readonly node: {
    readonly queries: Pick<ClusterNode["queries"], "callOwner">;
    isHere(host: string): boolean;
  };
  /** Of a host that is here. */
  readonly fetchRobots: (...asked: Asked) => void;
}

const CALL = "robots";
const FAILED: RobotsEnd = {
  ...{ kind: "ended", attempt: { kind: "failed" }, bytes: null, retryAfterMs: null },
};

export class RobotsErrands {
  readonly #parts: RobotsErrandsParts;

  constructor(parts: RobotsErrandsParts) {
    this.#parts = parts;
  }

  ask(...[robots, done]: Asked): void {
    const { node } = this.#parts;
    const { origin, url, redirects } = robots;
    const call = { what: CALL, argument: JSON.stringify({ origin, url, redirects }) };
    // A host of politeness is a host of keys.
    const host = politeHost(hostOf(url)) as string as KeyHost;
    node.queries.callOwner(freshSeed(), host, call, (text) => done(readEnd(text) ?? FAILED));
  }

  /** What others call for, if it is such a file; else by `other`. */
  carryOut(other: CarryOut): CarryOut {
    return (call, done) => {
      if (call.what !== CALL) {
        other(call, done);
        return;
      }
      const robots = readRobots(call.argument);
      const { node, fetchRobots } = this.#parts;
      if (robots === null || !node.isHere(politeHost(hostOf(robots.url)))) {
        done(new CrawlError("CONTROL_NOT_FOUND", "The host is not with this agent."), undefined);
        return;
      }
      fetchRobots(robots, (end) => done(null, printEnd(end)));
    };
  }
}

function readRobots(text: string): GuestRobots | null {
  const { origin, url, redirects } = fieldsOf(text);
  const [from, to] = [parsed(origin), parsed(url)];
  if (from === null || to === null || !Number.isSafeInteger(redirects)) return null;
  return { origin: originOf(from), url: to, redirects: Number(redirects) };
}

function printEnd(end: RobotsEnd): string {
  if (end.kind === "redirected") return JSON.stringify(end);
  const bytes = end.bytes === null ? null : Buffer.from(end.bytes).toString("base64");
  return JSON.stringify({ ...end, bytes });
}

/** Null for what no agent of this version has said. */
function readEnd(text: string): RobotsEnd | null {
  const { kind, to, attempt, bytes, retryAfterMs, code } = fieldsOf(text);
  if (kind === "redirected") {
    const url = parsed(to);
    return url === null ? null : { kind, to: url };
  }
  const known = attemptIn(attempt);
  if (kind !== "ended" || known === null) return null;
  return {
    ...{ kind, attempt: known },
    bytes: typeof bytes === "string" ? Buffer.from(bytes, "base64") : null,
    retryAfterMs: typeof retryAfterMs === "number" ? retryAfterMs : null,
    ...(isCode(code) ? { code } : {}),
  };
}

function attemptIn(value: unknown): RobotsAttempt | null {
  const { kind, status } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === "failed" || kind === "redirected-too-often") return { kind };
  return kind === "answered" && typeof status === "number" ? { kind, status } : null;
}

function isCode(value: unknown): value is keyof typeof ERRORS {
  return typeof value === "string" && Object.hasOwn(ERRORS, value);
}

function parsed(text: unknown): GuestRobots["url"] | null {
  const read = typeof text === "string" ? parseUrl(text) : null;
  return read?.kind === "accepted" ? read.url : null;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(text);
    return typeof fields === "object" && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}
