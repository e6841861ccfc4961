/**
 * What agents of a crawl ask each other to do, or to say, on behalf of people: each does for its own hosts
 * what a crawl that is alone does for all (`CrawlControl`). Questions and answers are JSON.
 */
import {
  CrawlError,
  ERRORS,
  type ErrorCode,
  faultOf,
  isCrawlError,
} from "../../../base/errors/index.ts";
import { freshSeed } from "../../../base/random/index.ts";
import type { ClusterNode, NodeDesk } from "../../../cluster/node/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import type { HostView } from "../../../frontier/front/index.ts";
import type { MissingAgent } from "../../control/ask-crawl.ts";
import type { CrawlControl } from "../../control/crawl-control.ts";
import type { ChangedHost, HostChange } from "../../control/lane-answers.ts";

type CarryOut = NodeDesk["carryOut"];

/** What each call is about, and what comes of it. */
export interface MemberCallKinds {
  retry: [{ readonly where: string | null }, number];
  host: [{ readonly host: HostName }, HostView | null];
  changeHost: [{ readonly host: HostName; readonly change: HostChange }, ChangedHost];
  /** Settings of a unit that are not keys of the configuration. */
  change: [{ readonly id: string; readonly values: Readonly<Record<string, string>> }, null];
}

type Kind = keyof MemberCallKinds;

/** An agent that does not do it, and why. */
export interface Refusal {
  readonly agent: string;
  readonly code: ErrorCode;
  readonly text: string;
}

export interface Answered<Value> {
  /** By agent. */
  readonly answers: ReadonlyMap<string, Value>;
  readonly refusals: readonly Refusal[];
  readonly missing: readonly MissingAgent[];
}

type Local = Pick<CrawlControl, "retry" | "host" | "changeHost" | "units">;

/** Carries out what others, and this agent itself, call for. */
export function carryOutBy(local: () => Local | null): CarryOut {
  return ({ what, argument }, done) => {
    const control = local();
    if (control === null) {
      done(new CrawlError("API_NOT_READY", "The agent is still being opened."), undefined);
      return;
    }
    carriedOut(control, what, argument).then(
      (value) => done(null, JSON.stringify(value)),
      (thrown) => {
        const fault = { code: "INTERNAL_API", what: `the call ${what}`, isOver: false } as const;
        done(isCrawlError(thrown) ? thrown : faultOf(thrown, fault), undefined);
      },
    );
  };
}

async function carriedOut(control: Local, what: string, argument: string): Promise<unknown> {
  const answers: { readonly [Of in Kind]: (asked: MemberCallKinds[Of][0]) => Promise<unknown> } = {
    retry: async ({ where }) => (await control.retry(where)).retried,
    host: ({ host }) => control.host(host),
    changeHost: ({ host, change }) => control.changeHost(host, change),
    change: ({ id, values }) => control.units.change(id, values).then(() => null),
  };
  if (!Object.hasOwn(answers, what)) {
    throw new CrawlError(
      "CONTROL_NOT_FOUND",
      `This version knows no call ${JSON.stringify(what)}.`,
    );
  }
  return await answers[what as Kind](JSON.parse(argument));
}

export class MemberCalls {
  readonly #node: Pick<ClusterNode, "queries" | "view">;

  constructor(node: Pick<ClusterNode, "queries" | "view">) {
    this.#node = node;
  }

  /** Asks all agents, this one included. */
  all<Of extends Kind>(
    what: Of,
    asked: MemberCallKinds[Of][0],
  ): Promise<Answered<MemberCallKinds[Of][1]>> {
    const call = { what, argument: JSON.stringify(asked) };
    return new Promise((resolve) =>
      this.#node.queries.call(freshSeed(), call, ({ answers, missing }) => {
        const done = answers.filter(({ isDone }) => isDone);
        const refused = answers.filter(({ isDone }) => !isDone);
        resolve({
          answers: new Map(done.map(({ place, text }) => [place.id, JSON.parse(text)])),
          refusals: refused.map(({ place, code, text }) => ({
            ...{ agent: place.id, code: knownCode(code), text },
          })),
          missing: missing.map(({ place, why }) => ({ agent: place.id, why })),
        });
      }),
    );
  }

  /** Asks all; throws what this agent refuses, and names others that refuse among those who are missing. */
  async allOrNone<Of extends Kind>(
    what: Of,
    asked: MemberCallKinds[Of][0],
  ): Promise<Answered<MemberCallKinds[Of][1]>> {
    const { answers, refusals, missing } = await this.all(what, asked);
    const { id } = this.#node.view.self;
    const own = refusals.find(({ agent }) => agent === id);
    if (own !== undefined) throw new CrawlError(own.code, own.text);
    const others = refusals.map(({ agent }) => ({ agent, why: "failed" }) as const);
    return { answers, refusals, missing: [...missing, ...others] };
  }
}

/** Another version may have codes that this one does not know. */
function knownCode(code: string): ErrorCode {
  return Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : "CONTROL_NOT_FOUND";
}
